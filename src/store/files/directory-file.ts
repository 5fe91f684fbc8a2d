import { type DirectoryDocument, emptyDirectory } from '../directory-state.ts'
import type { TextForm } from './durable-json-file.ts'
import { DamagedFile, decodeSealed, encodeSealed } from './sealed-json.ts'
import { isFlag, isListOf, isNumber, isObjectOf, isOneOf, isOptional, isPosition, isText } from './shape.ts'
import type { Snapshot } from './snapshot.ts'

const format = 'thingsync directory'

const isPair = isObjectOf({
  accessHash: isText,
  accessExpiresAt: isNumber,
  requestHash: isText,
  requestExpiresAt: isNumber,
  state: isOneOf('pending', 'current', 'retired'),
})

const isOrigin = isObjectOf({ address: isText, userAgent: isOptional(isText) })

const isPersonalToken = isObjectOf({
  name: isText,
  hash: isText,
  isReadOnly: isFlag,
  expiresAt: isOptional(isNumber),
})

/** What each item of the directory looks like in a file. No item fits two of them, so that lines can be told apart. */
export const directoryShapes = {
  users: isObjectOf({
    id: isText,
    name: isText,
    passwordHash: isText,
    createdAt: isNumber,
    isAdmin: isOptional(isFlag),
    disabledAt: isOptional(isNumber),
  }),
  apps: isObjectOf({
    clientId: isText,
    name: isText,
    secretHash: isOptional(isText),
    createdAt: isNumber,
    redirectUris: isOptional(isListOf(isText)),
    isStandard: isOptional(isFlag),
    ownerId: isOptional(isText),
  }),
  sessions: isObjectOf({
    id: isText,
    userId: isText,
    clientId: isText,
    createdAt: isNumber,
    pairs: isListOf(isPair),
    personal: isOptional(isPersonalToken),
    began: isOptional(isOneOf('password', 'code')),
    allowed: isOptional(isObjectOf({ name: isText, redirectUri: isText })),
    origin: isOptional(isOrigin),
    lastUsedAt: isOptional(isNumber),
    isSuspended: isOptional(isFlag),
  }),
  codes: isObjectOf({
    hash: isText,
    clientId: isText,
    userId: isText,
    redirectUri: isText,
    isRedirectNamed: isFlag,
    appName: isOptional(isText),
    stateHash: isOptional(isText),
    challenge: isOptional(isText),
    expiresAt: isNumber,
    sessionId: isOptional(isText),
  }),
  browserSessions: isObjectOf({
    hash: isText,
    userId: isText,
    createdAt: isNumber,
    lastUsedAt: isNumber,
    origin: isOrigin,
  }),
  links: isObjectOf({
    hash: isText,
    kind: isOneOf('first-sign-in', 'set-password', 'invitation'),
    createdAt: isNumber,
    expiresAt: isNumber,
    userId: isOptional(isText),
    name: isOptional(isText),
  }),
  keys: isObjectOf({ name: isText, publicKey: isText, privateKey: isText, createdAt: isNumber }),
}

const isDocumentShape = isObjectOf({
  write: isOptional(isPosition),
  users: isListOf(directoryShapes.users),
  apps: isListOf(directoryShapes.apps),
  sessions: isListOf(directoryShapes.sessions),
  codes: isOptional(isListOf(directoryShapes.codes)),
  browserSessions: isOptional(isListOf(directoryShapes.browserSessions)),
  links: isOptional(isListOf(directoryShapes.links)),
  keys: isOptional(isListOf(directoryShapes.keys)),
})

const isDirectoryDocument = (value: unknown): value is Partial<DirectoryDocument> & { readonly write?: number } =>
  isDocumentShape(value)

/**
 * `directory.json`: users, apps, sessions and the like. Version 1 stood in data folders without a journal; the last four
 * lists are absent where version 1.0.0 of the program wrote it.
 */
export const directoryForm: TextForm<Snapshot<DirectoryDocument>> = {
  encode: ({ write, document: { users, apps, sessions, codes, browserSessions, links, keys } }) =>
    encodeSealed({ format, version: 2, write }, { users, apps, sessions, codes, browserSessions, links, keys }),
  decode: (text) => {
    const value: unknown = decodeSealed(text, { format, version: 2, alsoReads: 1 })
    if (!isDirectoryDocument(value)) throw new DamagedFile('a user, app or session in it is not complete')
    const {
      write = 0,
      users = [],
      apps = [],
      sessions = [],
      codes = [],
      browserSessions = [],
      links = [],
      keys = [],
    } = value
    return { write, document: { users, apps, sessions, codes, browserSessions, links, keys } }
  },
}

/** A directory on which nothing was ever written. */
export const emptyDirectorySnapshot: Snapshot<DirectoryDocument> = { write: 0, document: emptyDirectory }
