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

/** Checks whether a value parsed from JSON has a certain type. */
export type Shape = (value: unknown) => boolean

/** Accepts a string. */
export const isText: Shape = (value) => typeof value === 'string'

/** Accepts a finite number. */
export const isNumber: Shape = (value) => Number.isFinite(value)

/** Accepts a whole number from 0 on. */
export const isPosition: Shape = (value) => Number.isSafeInteger(value) && Number(value) >= 0

/** Accepts true and false. */
const isFlag: Shape = (value) => typeof value === 'boolean'

/** Accepts one of the given values. */
export const isOneOf =
  (...values: readonly unknown[]): Shape =>
  (value) =>
    values.includes(value)

/** Accepts an absent value, or one with the given shape. */
export const isOptional =
  (shape: Shape): Shape =>
  (value) =>
    value === undefined || shape(value)

/** Accepts a list whose items have the given shape. */
export const isListOf =
  (shape: Shape): Shape =>
  (value) =>
    Array.isArray(value) && value.every(shape)

/** Accepts an object whose members have the given shapes. With a type `Item`, each of its fields needs a shape. */
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

/** The shape of the step of a thing (`encoded-thing.ts`). */
export const isWrittenThing = isObjectOf<WrittenThing>({
  thing: isObjectOf({ _id: isText, ...Object.fromEntries(fieldShapes) }),
  at: (value) => isListOf(isPosition)(value) && (value as readonly number[]).length === 3,
  by: isText,
  todoStatus: isOptional(isFlag),
})

/** The shape of a tag's settings in a file. */
export const isTag = isObjectOf<StoredTag>({
  name: isText,
  position: isPosition,
  settings: isObjectOf<TagSettings>({
    favorite: isFlag,
    color: (value) => value === false || isText(value),
    todo: isOneOf(false, 'strike', 'dont-strike'),
  }),
})

/** The shape of an account's outbox entry in a file. */
export const isOutboxEntry = isObjectOf<StoredEntry>({ key: isText, dueAt: isNumber })

const isPresent: Shape = (value) => value !== undefined

/** The shape of a tombstone in a file. */
export const isTombstone = isObjectOf<Tombstone>({ id: isText, position: isPosition, createdPosition: isPosition })

/** The shape of a record in a file. */
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
 * The shapes of the registry's items, and of an outbox entry, in a file. No item has two of these shapes, so that the
 * shape of a line shows its kind.
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
  outbox: isObjectOf<StoredEntry & { readonly userId: string }>({ userId: isText, key: isText, dueAt: isNumber }),
  keys: isObjectOf<Key>({ name: isText, publicKey: isText, privateKey: isText, createdAt: isNumber }),
} satisfies Readonly<Record<RegistryKind | 'outbox', Shape>>
