import { join } from 'node:path'
import { DamagedFile, decodeSealed, encodeSealed } from '../record/sealed-json.ts'
import {
  isFlag,
  isListOf,
  isNumber,
  isObjectOf,
  isOneOf,
  isOptional,
  isPosition,
  isText,
  type Shape,
} from '../record/shape.ts'
import type { Snapshot } from '../record/snapshot.ts'
import { emptyRegistry, type RegistryDocument } from '../registry/registry-state.ts'
import type { Errand } from '../store.ts'
import { type DurableFile, readDurable, writeDurable } from './durable-json-file.ts'
import type { FileOperations } from './file-operations.ts'

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

const isAmount: Shape = (value) => value === null || isPosition(value)

const isQuota = isObjectOf({ things: isOptional(isAmount), bytes: isOptional(isAmount), hooks: isOptional(isAmount) })

/** What `directory.json` holds: the registry, and the errands of all accounts. */
export interface RegistrySnapshot extends Snapshot<RegistryDocument> {
  readonly errands: readonly Errand[]
  /** The last write whose errands it includes for certain; `write` when left out. Lower while the journal is damaged. */
  readonly errandsWrite?: number
}

/** What each item of the registry looks like in a file. No item fits two of them, so that lines can be told apart. */
export const registryShapes = {
  users: isObjectOf({
    id: isText,
    name: isText,
    passwordHash: isText,
    createdAt: isNumber,
    isAdmin: isOptional(isFlag),
    disabledAt: isOptional(isNumber),
    subject: isOptional(isText),
    quota: isOptional(isQuota),
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
    by: isOptional(isOneOf('provider')),
  }),
  links: isObjectOf({
    hash: isText,
    kind: isOneOf('first-sign-in', 'set-password', 'invitation'),
    createdAt: isNumber,
    expiresAt: isNumber,
    userId: isOptional(isText),
    name: isOptional(isText),
  }),
  errands: isObjectOf({ userId: isText, key: isText, dueAt: isNumber }),
  keys: isObjectOf({ name: isText, publicKey: isText, privateKey: isText, createdAt: isNumber }),
}

const registryLists = Object.keys(registryShapes) as (keyof typeof registryShapes)[]

const isList = (name: keyof typeof registryShapes): Shape => isListOf(registryShapes[name])

const isDocumentShape = isObjectOf({
  write: isOptional(isPosition),
  errandsWrite: isOptional(isPosition),
  ...Object.fromEntries(registryLists.map((name) => [name, isOptional(isList(name))])),
  // The lists that were there from the first version on.
  users: isList('users'),
  apps: isList('apps'),
  sessions: isList('sessions'),
})

type Written = Partial<RegistryDocument & RegistrySnapshot>

const isWritten = (value: unknown): value is Written => isDocumentShape(value)

/**
 * `directory.json` of a data folder: users, apps, sessions and the like, and errands. Version 1 stood in data folders
 * without a journal; the last five lists are absent where version 1.0.0 of the program wrote it.
 */
export const registryFile = (folder: string, files: FileOperations): DurableFile<RegistrySnapshot> => ({
  path: join(folder, 'directory.json'),
  asideFolder: join(folder, 'unfinished'),
  files,
  encode: ({ write, document, errands, errandsWrite = write }) => {
    const { users, apps, sessions, codes, browserSessions, links, keys } = document
    const head = { format, version: 2, write, ...(errandsWrite !== write && { errandsWrite }) }
    return encodeSealed(head, { users, apps, sessions, codes, browserSessions, links, keys, errands })
  },
  decode: (text) => {
    const value: unknown = decodeSealed(text, { format, version: 2, alsoReads: [1] })
    if (!isWritten(value)) throw new DamagedFile('a user, app or session in it is not complete')
    const { write = 0, errands = [], errandsWrite = write, ...lists } = value
    const { users, apps, sessions, codes, browserSessions, links, keys } = { ...emptyRegistry, ...lists }
    return {
      write,
      document: { users, apps, sessions, codes, browserSessions, links, keys },
      errands,
      ...(errandsWrite !== write && { errandsWrite }),
    }
  },
})

/** What `directory.json` holds; an empty registry where there is none. @throws DamagedFile, NewerVersion, the system's error */
export const readRegistry = (folder: string, files: FileOperations): Promise<RegistrySnapshot> =>
  readDurable(registryFile(folder, files), { write: 0, document: emptyRegistry, errands: [] })

/** Replaces `directory.json`. @throws SyncFailed, or the system's error */
export const writeRegistry = (folder: string, files: FileOperations, snapshot: RegistrySnapshot): Promise<void> =>
  writeDurable(registryFile(folder, files), snapshot)
