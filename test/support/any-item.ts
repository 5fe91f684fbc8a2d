/**
 * Arbitrary values of everything that a store keeps, each with all the fields that it may have. Those of a thing are derived
 * from the table of its fields; the others are listed by type, so that a field without an arbitrary does not compile.
 */
import { createECDH } from 'node:crypto'
import fc from 'fast-check'
import type { RegisteredDevice } from '../../src/delivery/devices.ts'
import type { Failure } from '../../src/delivery/subscriptions.ts'
import type { Sending, Webhook } from '../../src/delivery/webhooks.ts'
import type { TagSettings, Thing } from '../../src/store/model.ts'
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
  Session,
  TokenPair,
  User,
} from '../../src/store/registry/registry.ts'
import type { RegistryDocument } from '../../src/store/registry/registry-state.ts'
import { type FieldName, fieldNames, fieldTable, isOptionalField } from '../../src/thing-table.ts'
import { pushKeys } from './push-keys.ts'

type OptionalKeys<Item> = { [Key in keyof Item]-?: object extends Pick<Item, Key> ? Key : never }[keyof Item]
type Arbitraries<Item, Names extends keyof Item> = { readonly [Name in Names]: fc.Arbitrary<Required<Item>[Name]> }

/** An arbitrary for each field, in two groups. */
interface Fields<Item extends object> {
  readonly always: Arbitraries<Item, Exclude<keyof Item, OptionalKeys<Item>>>
  readonly optional: Arbitraries<Item, OptionalKeys<Item>>
}

/** An item with all of its fields, and items with some of those that are optional. */
interface Arbitrary<Item> {
  readonly full: fc.Arbitrary<Item>
  readonly some: fc.Arbitrary<Item>
}

const itemOf = <Item extends object>({ always, optional }: Fields<Item>): Arbitrary<Item> => {
  const all: Record<string, fc.Arbitrary<unknown>> = { ...always, ...optional }
  return {
    full: fc.record(all) as fc.Arbitrary<unknown> as fc.Arbitrary<Item>,
    some: fc.record(all, { requiredKeys: Object.keys(always) }) as fc.Arbitrary<unknown> as fc.Arbitrary<Item>,
  }
}

/** A few items, the first with all of its fields. */
const listOf = <Item>({ full, some }: Arbitrary<Item>, maxLength = 2): fc.Arbitrary<readonly Item[]> =>
  fc.tuple(full, fc.array(some, { maxLength })).map(([first, rest]) => [first, ...rest])

// NUL and lone surrogates cannot be in a thing (contract, sync 11).
const isKeepable = (text: string): boolean => text.toWellFormed() === text && !text.includes('\0')
const hostile = fc.constantFrom(
  ...['<b>', '&amp;', '"', "'", ',', ';', '\r\n', '\n---\n', '</A>', '<DD>', '[x]', '`', '#', '\\', ':', 'é', '🙂'],
)

/** Any text that a thing may have. */
export const anyText = fc
  .array(fc.oneof(hostile, fc.string({ unit: 'binary', maxLength: 5 }), fc.lorem({ maxCount: 2 })), { maxLength: 5 })
  .map((parts) => parts.join(''))
  .filter(isKeepable)

const someText = anyText.filter((text) => text !== '')

const anyDouble = (minimum?: number, maximum?: number) =>
  fc.oneof(
    fc.integer({ min: minimum ?? -1e9, max: maximum ?? 2e9 }),
    // JSON has no negative zero.
    fc
      .double({
        ...{ noNaN: true, noDefaultInfinity: true },
        ...(minimum === undefined ? {} : { min: minimum }),
        ...(maximum === undefined ? {} : { max: maximum }),
      })
      .map((number) => number + 0),
  )

/** Values of a field, by its row in the table. */
const valuesOf = (name: FieldName): fc.Arbitrary<unknown> => {
  const { kind, minimum, maximum } = fieldTable[name]
  if (kind === 'flag') return fc.boolean()
  if (kind === 'number') return anyDouble(minimum, maximum)
  if (kind === 'integer') return fc.integer({ min: minimum ?? -1e9, max: maximum ?? 1e9 })
  // A text that is empty is none.
  return isOptionalField(name) ? someText : anyText
}

/** What stands in the tags of things, so that some of them are todos. */
export const tagNames = ['todo', 'shop', 'ÄÖ', '__proto__'] as const

// Texts of some kinds are read differently by those who take them.
const likely: { readonly [Name in FieldName]?: fc.Arbitrary<unknown> } = {
  tags: fc.oneof(
    fc.subarray([...tagNames]).map((names) => names.join(' ')),
    fc.constantFrom('todo home', 'a,b', ' two  blanks '),
  ),
  url: fc.webUrl(),
  html: fc.lorem({ maxCount: 4 }).map((words) => `<p>${words}</p>`),
}

/** An arbitrary for each field of a thing beside its id. */
export const contentFields: Readonly<Record<string, fc.Arbitrary<unknown>>> = Object.fromEntries(
  fieldNames.map((name) => {
    const usual = likely[name]
    return [name, usual === undefined ? valuesOf(name) : fc.oneof(valuesOf(name), usual)]
  }),
)

// They are compared with each other and must differ, also where an example is made smaller.
const unique = (bytes: number) =>
  fc.noShrink(fc.noBias(fc.uint8Array({ minLength: bytes, maxLength: bytes }))).map((array) => Buffer.from(array))
const anyId = unique(10).map((bytes) => bytes.toString('hex'))
const anyHash = unique(32).map((bytes) => bytes.toString('base64url'))
const anySeconds = fc.integer({ min: 0, max: 4e9 })
const anyMilliseconds = fc.integer({ min: 0, max: 4e12 })
const anyCount = fc.nat()
const anyName = fc.tuple(fc.constantFrom('anna', 'Ünal', '李 四'), anyId).map((parts) => parts.join(' '))
const anyUri = fc.constantFrom('https://app.example/back', 'com.example.app:/back', 'http://127.0.0.1:81/x')
const shortText = anyText.map((text) => text.slice(0, 200).toWellFormed())

const things = itemOf<Thing>({
  always: { id: anyId, ...contentFieldsWhere((name) => !isOptionalField(name)) } as Fields<Thing>['always'],
  optional: contentFieldsWhere(isOptionalField) as Fields<Thing>['optional'],
})

function contentFieldsWhere(isWanted: (name: FieldName) => boolean): Readonly<Record<string, fc.Arbitrary<unknown>>> {
  return Object.fromEntries(Object.entries(contentFields).filter(([name]) => isWanted(name as FieldName)))
}

const settings = itemOf<TagSettings>({
  always: {
    favorite: fc.boolean(),
    color: fc.constantFrom(false as const, '#f80', '#aabbcc'),
    todo: fc.constantFrom(false as const, 'strike' as const, 'dont-strike' as const),
  },
  optional: {},
})

const failure = itemOf<Failure>({
  always: { at: anySeconds, reason: shortText },
  optional: { status: fc.integer({ min: 100, max: 599 }) },
})

const sending = itemOf<Sending>({
  always: { id: anyId, to: anyCount, body: anyText, tries: anyCount, firstTriedAt: anySeconds },
  optional: {},
})

const hookSecret = fc.constantFrom('whsec_AAAA', 'whsec_c2VjcmV0')

const webhooks = itemOf<Webhook>({
  always: {
    targetUrl: fc.constantFrom('https://hook.example/x', 'http://hook.example/?y=1'),
    event: fc.constantFrom('new_thing', 'changed_thing', 'deleted_thing', 'tag', 'any'),
    clientId: anyId,
    secret: hookSecret,
    registeredAt: anySeconds,
    id: anyId,
    told: anyCount,
  },
  optional: {
    previousSecrets: fc.array(fc.record({ secret: hookSecret, until: anySeconds }), { minLength: 1, maxLength: 3 }),
    sending: sending.full,
    notBefore: anyMilliseconds,
    lastSuccessAt: anySeconds,
    lastFailure: failure.full,
    restingSince: anySeconds,
    pausedAt: anySeconds,
    pausedBy: fc.constant('administrator'),
    unregisteredAt: anySeconds,
    triedByHandAt: anyMilliseconds,
    testAskedAt: anySeconds,
  },
})

const devices = itemOf<RegisteredDevice>({
  always: {
    type: fc.constantFrom('webpush', 'apns'),
    id: anyId,
    registeredAt: anySeconds,
    clientId: anyId,
    sessionId: anyId,
    key: anyId,
  },
  optional: {
    endpoint: fc.constant('https://push.example/x'),
    p256dh: fc.constant(pushKeys.p256dh),
    auth: fc.constant(pushKeys.auth),
    told: anyCount,
    tries: anyCount,
    notBefore: anyMilliseconds,
    lastSuccessAt: anySeconds,
    lastFailure: failure.full,
  },
})
/** A device can be reached with all of these, or is one of another service. */
const reachable = ({ endpoint, p256dh, auth, ...device }: RegisteredDevice): RegisteredDevice =>
  endpoint && p256dh && auth ? { ...device, endpoint, p256dh, auth } : device

const anyAmount = fc.option(anyCount)
const quota = itemOf<Quota>({
  always: {},
  optional: { things: anyAmount, bytes: anyAmount, tags: anyAmount, hooks: anyAmount },
})

const users = itemOf<User>({
  always: {
    id: anyId,
    name: anyName,
    passwordHash: unique(16).map(
      (salt) => `$argon2id$v=19$m=19456,t=2,p=1$${salt.toString('base64').slice(0, 22)}$${'A'.repeat(43)}`,
    ),
    createdAt: anySeconds,
  },
  optional: {
    isAdmin: fc.boolean(),
    disabledAt: anySeconds,
    subject: anyId.map((id) => `https://login.example ${id}`),
    quota: fc.oneof(quota.full, quota.some),
  },
})

const apps = itemOf<App>({
  always: { clientId: anyId, name: anyName, createdAt: anySeconds },
  optional: {
    secretHash: anyHash,
    redirectUris: fc.uniqueArray(anyUri),
    isStandard: fc.boolean(),
    ownerId: anyId,
  },
})

const origin = itemOf<Origin>({ always: { address: fc.ipV6() }, optional: { userAgent: shortText } })
const pair = itemOf<TokenPair>({
  always: {
    accessHash: anyHash,
    accessExpiresAt: anySeconds,
    requestHash: anyHash,
    requestExpiresAt: anySeconds,
    state: fc.constantFrom('pending', 'current', 'retired'),
  },
  optional: {},
})
const personal = itemOf<PersonalToken>({
  always: { name: anyName, hash: anyHash, isReadOnly: fc.boolean() },
  optional: { expiresAt: anySeconds },
})
const allowed = itemOf<AllowedApp>({ always: { name: anyName, redirectUri: anyUri }, optional: {} })

const sessionsOf = (userId: string) => {
  const fields = {
    always: {
      id: anyId,
      userId: fc.constant(userId),
      clientId: anyId,
      createdAt: anySeconds,
      pairs: fc.array(pair.full, { minLength: 1, maxLength: 2 }) as fc.Arbitrary<readonly TokenPair[]>,
    },
    optional: {
      personal: fc.oneof(personal.full, personal.some),
      began: fc.constantFrom('password', 'code'),
      allowed: allowed.full,
      origin: fc.oneof(origin.full, origin.some),
      lastUsedAt: anySeconds,
      isSuspended: fc.boolean(),
    },
  } satisfies Fields<Session>
  // A session has pairs of tokens or is one of a personal token.
  const { personal: token, ...ofPairs } = fields.optional
  return fc
    .tuple(
      listOf(itemOf<Session>({ ...fields, optional: { ...ofPairs, personal: fc.constant(undefined as never) } })),
      listOf(itemOf<Session>({ ...fields, always: { ...fields.always, pairs: fc.constant([]) } })),
    )
    .map(([first, second]) => [
      ...first.map(({ personal: _, ...session }): Session => session),
      ...second.filter((session) => session.personal !== undefined),
    ])
}

const codesOf = (userId: string) =>
  itemOf<AuthorizationCode>({
    always: {
      hash: anyHash,
      clientId: anyId,
      userId: fc.constant(userId),
      redirectUri: anyUri,
      isRedirectNamed: fc.boolean(),
      expiresAt: anySeconds,
    },
    optional: { appName: anyName, stateHash: anyHash, challenge: anyHash, sessionId: anyId },
  })

const browserSessionsOf = (userId: string) =>
  itemOf<BrowserSession>({
    always: {
      hash: anyHash,
      userId: fc.constant(userId),
      createdAt: anySeconds,
      lastUsedAt: anySeconds,
      origin: fc.oneof(origin.full, origin.some),
    },
    optional: { by: fc.constant('provider') },
  })

const linksOf = (userId: string) => {
  const { full, some } = itemOf<Link>({
    always: {
      hash: anyHash,
      kind: fc.constantFrom('first-sign-in', 'set-password', 'invitation'),
      createdAt: anySeconds,
      expiresAt: anySeconds,
    },
    optional: { userId: fc.constant(userId), name: anyName },
  })
  // An invitation is of no user, and every other link is of one.
  const fit = ({ userId: _, ...link }: Link): Link => (link.kind === 'invitation' ? link : { ...link, userId })
  return listOf({ full: full.map(fit), some: some.map(fit) })
}

const createKey = (): Pick<Key, 'publicKey' | 'privateKey'> => {
  const pair = createECDH('prime256v1')
  const publicKey = pair.generateKeys('base64url')
  return { publicKey, privateKey: pair.getPrivateKey().toString('base64url').padStart(43, 'A') }
}
const [{ publicKey, privateKey }] = [createKey()]
const keys = itemOf<Key>({
  always: {
    name: fc.constant('vapid'),
    publicKey: fc.constant(publicKey),
    privateKey: fc.constant(privateKey),
    createdAt: anySeconds,
  },
  optional: {},
})

const registryOf = (list: readonly User[]): fc.Arbitrary<RegistryDocument> => {
  const [{ id } = { id: '' }] = list
  return fc.record({
    users: fc.constant(list),
    apps: listOf(apps),
    sessions: sessionsOf(id),
    codes: listOf(codesOf(id)),
    browserSessions: listOf(browserSessionsOf(id)),
    links: linksOf(id),
    keys: keys.full.map((key) => [key]),
  } satisfies { readonly [Kind in keyof RegistryDocument]: fc.Arbitrary<RegistryDocument[Kind]> })
}

/** What an account holds beside its deletions. */
export interface AccountContent {
  readonly things: readonly Thing[]
  readonly tags: ReadonlyMap<string, TagSettings>
  readonly webhooks: readonly Webhook[]
  readonly devices: readonly RegisteredDevice[]
}

/** Everything that a store may hold: the account is of the first user. */
export interface StoreContent extends AccountContent {
  readonly registry: RegistryDocument
}

const anyAccount: fc.Arbitrary<AccountContent> = fc.record({
  things: listOf(things, 5),
  tags: fc
    .tuple(...tagNames.map((name) => settings.full.map((one) => [name, one] as const)))
    .chain((all) => fc.subarray(all, { minLength: 1 }))
    .map((some) => new Map(some)),
  webhooks: listOf(webhooks),
  devices: listOf({ full: devices.full, some: devices.some.map(reachable) }),
})

/** Everything that a store may hold, at least one item of each kind with all of its fields. */
export const anyStoreContent: fc.Arbitrary<StoreContent> = fc
  .tuple(listOf(users).chain(registryOf), anyAccount)
  .map(([registry, account]) => ({ registry, ...account }))
