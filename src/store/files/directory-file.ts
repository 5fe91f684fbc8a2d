import { type DirectoryDocument, emptyDirectory } from '../directory-state.ts'
import type { TextForm } from './durable-json-file.ts'
import { DamagedFile, decodeSealed, encodeSealed } from './sealed-json.ts'
import { isListOf, isNumber, isObjectOf, isOneOf, isOptional, isPosition, isText } from './shape.ts'
import type { Snapshot } from './snapshot.ts'

const format = 'thingsync directory'

const isPair = isObjectOf({
  accessHash: isText,
  accessExpiresAt: isNumber,
  requestHash: isText,
  requestExpiresAt: isNumber,
  state: isOneOf('pending', 'current', 'retired'),
})

/** What a user, an app and a session look like in a file. */
export const directoryShapes = {
  users: isObjectOf({ id: isText, name: isText, passwordHash: isText, createdAt: isNumber }),
  apps: isObjectOf({ clientId: isText, name: isText, secretHash: isText, createdAt: isNumber }),
  sessions: isObjectOf({
    id: isText,
    userId: isText,
    clientId: isText,
    createdAt: isNumber,
    pairs: isListOf(isPair),
  }),
}

const isDocumentShape = isObjectOf({
  write: isOptional(isPosition),
  users: isListOf(directoryShapes.users),
  apps: isListOf(directoryShapes.apps),
  sessions: isListOf(directoryShapes.sessions),
})

const isDirectoryDocument = (value: unknown): value is DirectoryDocument & { readonly write?: number } =>
  isDocumentShape(value)

/** `directory.json`: users, apps and sessions. Version 1 stood in data folders without a journal. */
export const directoryForm: TextForm<Snapshot<DirectoryDocument>> = {
  encode: ({ write, document: { users, apps, sessions } }) =>
    encodeSealed({ format, version: 2, write }, { users, apps, sessions }),
  decode: (text) => {
    const value: unknown = decodeSealed(text, { format, version: 2, alsoReads: 1 })
    if (!isDirectoryDocument(value)) throw new DamagedFile('a user, app or session in it is not complete')
    const { write = 0, users, apps, sessions } = value
    return { write, document: { users, apps, sessions } }
  },
}

/** A directory on which nothing was ever written. */
export const emptyDirectorySnapshot: Snapshot<DirectoryDocument> = { write: 0, document: emptyDirectory }
