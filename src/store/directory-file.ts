import type { DirectoryDocument } from './directory-state.ts'
import type { TextForm } from './durable-json-file.ts'
import { DamagedFile, decodeSealed, encodeSealed } from './sealed-json.ts'
import { isListOf, isNumber, isObjectOf, isOneOf, isText } from './shape.ts'

const head = { format: 'thingsync directory', version: 1 }

const isPair = isObjectOf({
  accessHash: isText,
  accessExpiresAt: isNumber,
  requestHash: isText,
  requestExpiresAt: isNumber,
  state: isOneOf('pending', 'current', 'retired'),
})

const isDocumentShape = isObjectOf({
  users: isListOf(isObjectOf({ id: isText, name: isText, passwordHash: isText, createdAt: isNumber })),
  apps: isListOf(isObjectOf({ clientId: isText, name: isText, secretHash: isText, createdAt: isNumber })),
  sessions: isListOf(
    isObjectOf({ id: isText, userId: isText, clientId: isText, createdAt: isNumber, pairs: isListOf(isPair) }),
  ),
})

const isDirectoryDocument = (value: unknown): value is DirectoryDocument => isDocumentShape(value)

/** `directory.json`: users, apps and sessions. */
export const directoryForm: TextForm<DirectoryDocument> = {
  encode: ({ users, apps, sessions }) => encodeSealed(head, { users, apps, sessions }),
  decode: (text) => {
    const value: unknown = decodeSealed(text, head)
    if (!isDirectoryDocument(value)) throw new DamagedFile('a user, app or session in it is not complete')
    return { users: value.users, apps: value.apps, sessions: value.sessions }
  },
}
