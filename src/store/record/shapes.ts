import { thingFields } from '../../../generated/thing-fields.ts'
import type { TagSettings } from '../model.ts'
import type {
  AllowedApp,
  App,
  AuthorizationCode,
  BrowserSession,
  Key,
  Link,
  Origin,
  PersonalToken,
  Quota,
  RegistryKind,
  Session,
  TokenPair,
  User,
} from '../registry/registry.ts'
import type { StoredEntry, StoredRecord, StoredTag, Tombstone } from './change.ts'
import type { WrittenThing } from './encoded-thing.ts'

/** Says whether a value out of JSON is what a type promises. */
export type Shape = (value: unknown) => boolean

/** A text. */
export const isText: Shape = (value) => typeof value === 'string'

/** A finite number. */
export const isNumber: Shape = (value) => Number.isFinite(value)

/** A whole number from 0 on. */
export const isPosition: Shape = (value) => Number.isSafeInteger(value) && Number(value) >= 0

/** True or false. */
const isFlag: Shape = (value) => typeof value === 'boolean'

/** One of some values. */
export const isOneOf =
  (...values: readonly unknown[]): Shape =>
  (value) =>
    values.includes(value)

/** What the shape says, or absent. */
export const isOptional =
  (shape: Shape): Shape =>
  (value) =>
    value === undefined || shape(value)

/** A list of what the shape says. */
export const isListOf =
  (shape: Shape): Shape =>
  (value) =>
    Array.isArray(value) && value.every(shape)

/** An object whose named members are what their shapes say; for an `Item` that is named, each of its fields has one. */
export const isObjectOf = <Item extends object = Readonly<Record<string, unknown>>>(members: ShapesOf<Item>): Shape => {
  const shapes = Object.entries<Shape>(members)
  return (value) => {
    if (typeof value !== 'object' || value === null) return false
    const found = new Map<string, unknown>(Object.entries(value))
    return shapes.every(([name, shape]) => shape(found.get(name)))
  }
}

type ShapesOf<Item> = { readonly [Field in keyof Required<Item>]: Shape }

const kindShapes = { text: isText, number: isNumber, integer: isNumber, flag: isFlag } as const

const fieldShapes = Object.entries(thingFields).map(([name, { kind, presence }]) => {
  const shape = kindShapes[kind]
  return [name, presence === 'always' ? shape : isOptional(shape)] as const
})

/** What the step of a thing looks like (`thing-step.ts`). */
export const isWrittenThing = isObjectOf<WrittenThing>({
  thing: isObjectOf({ _id: isText, ...Object.fromEntries(fieldShapes) }),
  at: (value) => isListOf(isPosition)(value) && (value as readonly number[]).length === 3,
  by: isText,
  todoStatus: isOptional(isFlag),
})

/** What the settings of a tag look like in a file. */
export const isTag = isObjectOf<StoredTag>({
  name: isText,
  position: isPosition,
  settings: isObjectOf<TagSettings>({
    favorite: isFlag,
    color: (value) => value === false || isText(value),
    todo: isOneOf(false, 'strike', 'dont-strike'),
  }),
})

/** What an errand of an account looks like in a file. */
export const isOutboxEntry = isObjectOf<StoredEntry>({ key: isText, dueAt: isNumber })

const isPresent: Shape = (value) => value !== undefined

/** What a tombstone looks like in a file. */
export const isTombstone = isObjectOf<Tombstone>({ id: isText, position: isPosition, createdPosition: isPosition })

/** What a record looks like in a file. */
export const isRecord = isObjectOf<StoredRecord>({ kind: isText, group: isText, key: isText, value: isPresent })

const isPair = isObjectOf<TokenPair>({
  accessHash: isText,
  accessExpiresAt: isNumber,
  requestHash: isText,
  requestExpiresAt: isNumber,
  state: isOneOf('pending', 'current', 'retired'),
})

const isOrigin = isObjectOf<Origin>({ address: isText, userAgent: isOptional(isText) })

const isPersonalToken = isObjectOf<PersonalToken>({
  name: isText,
  hash: isText,
  isReadOnly: isFlag,
  expiresAt: isOptional(isNumber),
})

const isAmount: Shape = (value) => value === null || isPosition(value)

const isQuota = isObjectOf<Quota>({
  things: isOptional(isAmount),
  bytes: isOptional(isAmount),
  tags: isOptional(isAmount),
  hooks: isOptional(isAmount),
})

/**
 * What each item of the registry, and an errand beside it, looks like in a file. No item fits two of them, so that lines
 * can be told apart.
 */
export const registryShapes = {
  users: isObjectOf<User>({
    id: isText,
    name: isText,
    passwordHash: isText,
    createdAt: isNumber,
    isAdmin: isOptional(isFlag),
    disabledAt: isOptional(isNumber),
    subject: isOptional(isText),
    quota: isOptional(isQuota),
  }),
  apps: isObjectOf<App>({
    clientId: isText,
    name: isText,
    secretHash: isOptional(isText),
    createdAt: isNumber,
    redirectUris: isOptional(isListOf(isText)),
    isStandard: isOptional(isFlag),
    ownerId: isOptional(isText),
  }),
  sessions: isObjectOf<Session>({
    id: isText,
    userId: isText,
    clientId: isText,
    createdAt: isNumber,
    pairs: isListOf(isPair),
    personal: isOptional(isPersonalToken),
    began: isOptional(isOneOf('password', 'code')),
    allowed: isOptional(isObjectOf<AllowedApp>({ name: isText, redirectUri: isText })),
    origin: isOptional(isOrigin),
    lastUsedAt: isOptional(isNumber),
    isSuspended: isOptional(isFlag),
  }),
  codes: isObjectOf<AuthorizationCode>({
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
  browserSessions: isObjectOf<BrowserSession>({
    hash: isText,
    userId: isText,
    createdAt: isNumber,
    lastUsedAt: isNumber,
    origin: isOrigin,
    by: isOptional(isOneOf('provider')),
  }),
  links: isObjectOf<Link>({
    hash: isText,
    kind: isOneOf('first-sign-in', 'set-password', 'invitation'),
    createdAt: isNumber,
    expiresAt: isNumber,
    userId: isOptional(isText),
    name: isOptional(isText),
  }),
  errands: isObjectOf<StoredEntry & { readonly userId: string }>({ userId: isText, key: isText, dueAt: isNumber }),
  keys: isObjectOf<Key>({ name: isText, publicKey: isText, privateKey: isText, createdAt: isNumber }),
} satisfies Readonly<Record<RegistryKind | 'errands', Shape>>
