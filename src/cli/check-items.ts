/**
 * # The check of restored and copied items
 *
 * Users, apps, webhooks and other items of a backup, or of another store, did not pass a form of this program. This
 * module checks each of them with the functions that the forms use, before anything is written. `checksOf` is the one
 * table of the rules: a field of an item that has no line there does not compile. The check ignores fields that this
 * program does not know.
 *
 * `thingsync restore`, `rehearse-restore` and `copy` use it, in both directions. Start reading at `createItemCheck`.
 */
import { createECDH } from 'node:crypto'
import { maxApps, validateRedirectUris } from '../accounts/apps.ts'
import { maxCodesPerUser } from '../accounts/authorization-codes.ts'
import { AccountError, validateName } from '../accounts/names.ts'
import { isCheckableHash } from '../accounts/passwords.ts'
import { maxBrowserSessions } from '../accounts/session-management.ts'
import { maxSessions } from '../accounts/sessions.ts'
import { maxTokens } from '../accounts/token-grants.ts'
import { normalizeUserName } from '../accounts/users.ts'
import { keyOfDevice, maxDevices, type RegisteredDevice } from '../delivery/devices.ts'
import type { Failure } from '../delivery/subscriptions.ts'
import { createSubscriptionGuard } from '../delivery/subscriptions.ts'
import { keyOfWebhook, maxPreviousSecrets, maxWebhooks, type Sending, type Webhook } from '../delivery/webhooks.ts'
import { isChallenge } from '../oauth/authorize-request.ts'
import { createDeliveryRules } from '../outbound/address-guard.ts'
import { readP256dh } from '../outbound/web-push.ts'
import { importRecords } from '../runtime/piecewise-jobs.ts'
import { createIdIndex } from '../store/account/hash-index.ts'
import { isGaps } from '../store/account/records.ts'
import { maxRestoredPosition, type StoredThing, type TagSettings } from '../store/model.ts'
import { itemNames, passRegistryItem, type StoreItem } from '../store/record/backup-format.ts'
import type { StoredEntry, StoredRecord, StoredTag, Tombstone } from '../store/record/change.ts'
import type {
  AllowedApp,
  Key,
  Origin,
  PersonalToken,
  Quota,
  RegistryItems,
  RegistryKind,
  Session,
  TokenPair,
} from '../store/registry/registry.ts'
import { registryIds } from '../store/registry/registry-state.ts'
import type { ItemCheck } from '../store/tools/restore.ts'
import { type FieldKind, type FieldName, fieldNames, fieldTable, isOptionalField } from '../thing-table.ts'
import { uploadRecords } from '../things/upload.ts'

/** Describes what is wrong with a value, as the end of a sentence that begins with its name; undefined: it is valid. */
type Rule = (value: unknown) => string | undefined

/** A rule for each field of an item. */
type Rules<Item> = { readonly [Field in keyof Required<Item>]: Rule }

const must = (what: string, isRight: (value: never) => boolean, ...types: readonly string[]): Rule => {
  const wrong = `must be ${what}`
  return (value) => (types.includes(typeof value) && isRight(value as never) ? undefined : wrong)
}

const optional =
  (rule: Rule): Rule =>
  (value) =>
    value === undefined ? undefined : rule(value)

const listOf =
  (rule: Rule, max: number): Rule =>
  (value) => {
    if (!Array.isArray(value)) return 'must be a list'
    if (value.length > max) return `must have at most ${max} entries`
    for (const each of value) {
      const wrong = rule(each)
      if (wrong !== undefined) return `has an entry that ${wrong}`
    }
    return undefined
  }

/** Creates a rule for an object; the fault names the field. */
const fields = (rules: Readonly<Record<string, Rule>>): Rule => {
  const all = Object.entries(rules)
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be an object'
    const found = new Map<string, unknown>(Object.entries(value))
    for (const [name, rule] of all) {
      const wrong = rule(found.get(name))
      if (wrong !== undefined) return `has a field ${name}, which ${wrong}`
    }
    return undefined
  }
}

/** Creates a rule that quotes the sentence with which a form rejects a value. */
const asForm =
  (accept: (text: string) => unknown): Rule =>
  (value) => {
    if (typeof value !== 'string') return 'must be text'
    try {
      accept(value)
      return undefined
    } catch (error) {
      if (error instanceof AccountError) return `a form of this program rejects: ${error.sentence}`
      throw error
    }
  }

const text = (max: number): Rule =>
  must(`text of at most ${max} characters`, (value: string) => value.length <= max, 'string')
const matching = (what: string, form: RegExp): Rule => must(what, (value: string) => form.test(value), 'string')

const flag: Rule = must('true or false', () => true, 'boolean')
const oneOf = (...values: readonly (string | boolean)[]): Rule =>
  must(`one of ${values.join(', ')}`, (value: string | boolean) => values.includes(value), 'string', 'boolean')
const count: Rule = must(
  'a whole number, 0 or higher',
  (value: number) => Number.isSafeInteger(value) && value >= 0,
  'number',
)
const amount: Rule = (value) => (value === null ? undefined : count(value))
const position: Rule = must(
  `a position: a whole number from 0 to ${maxRestoredPosition}`,
  (value: number) => Number.isSafeInteger(value) && value >= 0 && value <= maxRestoredPosition,
  'number',
)
const placed: Rule = (value) => (value === 0 ? 'must be a position, 1 or higher' : position(value))

// The last time that a JavaScript Date can hold.
const maxSeconds = 8.64e12
const isTime = (value: number, max: number): boolean => value >= 0 && value <= max
const time: Rule = must('a time in seconds since 1970', (value: number) => isTime(value, maxSeconds), 'number')
const timeMs: Rule = must(
  'a time in milliseconds since 1970',
  (value: number) => isTime(value, maxSeconds * 1000),
  'number',
)

/** An id or a name that a server created. Other versions may create other forms. */
const id: Rule = matching('an id of 1 to 128 letters, digits and . _ ~ -', /^[\w.~-]{1,128}$/)
const thingId: Rule = must(
  'an id of 1 to 128 characters',
  (value: string) => value.length >= 1 && value.length <= 128,
  'string',
)
const hash: Rule = matching('a SHA-256 as base64url', /^[\w-]{43}$/)
const shortText = text(1024)
const nameOf = (whose: 'user' | 'app' | 'token'): Rule => asForm((name) => validateName(whose, name))
const redirectUri: Rule = asForm((uri) => validateRedirectUris([uri]))
const redirectUris: Rule = (value) =>
  listOf(redirectUri, 1000)(value) ?? asForm(() => validateRedirectUris(value as readonly string[]))('')

// The setting `delivery_allow` allows further targets; the server checks it when it sends.
const anywhere = () => true
const guard = createSubscriptionGuard({
  ...createDeliveryRules(),
  ...{ allowsName: anywhere, allowsAddress: anywhere, opensPort: anywhere },
})
const guarded =
  (find: (value: string) => string | undefined, max: number): Rule =>
  (value) =>
    text(max)(value) ?? find(value as string)
const callAddress = guarded(guard.findUrlFault, 4096)

// An import accepts longer texts than the API. This is the maximum `html` of the API: there a character may be two of
// these.
const thingText = text(2 * 16 * 1024 * 1024)
const writer = text(1024)

const origin = fields({ address: text(256), userAgent: optional(shortText) } satisfies Rules<Origin>)

const pair = fields({
  accessHash: hash,
  accessExpiresAt: time,
  requestHash: hash,
  requestExpiresAt: time,
  state: oneOf('pending', 'current', 'retired'),
} satisfies Rules<TokenPair>)

const quota = fields({
  things: optional(amount),
  bytes: optional(amount),
  tags: optional(amount),
  hooks: optional(amount),
} satisfies Rules<Quota>)

const personal = fields({
  name: nameOf('token'),
  hash,
  isReadOnly: flag,
  expiresAt: optional(time),
} satisfies Rules<PersonalToken>)

/** Maximum items of a user: twice as many as the forms allow, because other versions may have other limits. */
const maxOf = {
  apps: 2 * maxApps,
  sessions: 2 * maxSessions,
  personalTokens: 2 * maxTokens,
  browserSessions: 2 * maxBrowserSessions,
  codes: 20 * maxCodesPerUser,
  links: 100,
  webhooks: 2 * maxWebhooks,
  devices: 2 * maxDevices,
} as const

const checksOf = {
  users: {
    id,
    name: asForm(normalizeUserName),
    passwordHash: must('the argon2id hash of a password, of a cost that is checked', isCheckableHash, 'string'),
    createdAt: time,
    isAdmin: optional(flag),
    disabledAt: optional(time),
    subject: optional(text(8192)),
    quota: optional(quota),
  },
  apps: {
    clientId: id,
    name: nameOf('app'),
    secretHash: optional(hash),
    createdAt: time,
    redirectUris: optional(redirectUris),
    isStandard: optional(flag),
    ownerId: optional(id),
  },
  sessions: {
    id,
    userId: id,
    clientId: id,
    createdAt: time,
    pairs: listOf(pair, 1000),
    personal: optional(personal),
    began: optional(oneOf('password', 'code')),
    allowed: optional(fields({ name: nameOf('app'), redirectUri } satisfies Rules<AllowedApp>)),
    origin: optional(origin),
    lastUsedAt: optional(time),
    isSuspended: optional(flag),
  },
  codes: {
    hash,
    clientId: id,
    userId: id,
    redirectUri,
    isRedirectNamed: flag,
    appName: optional(nameOf('app')),
    stateHash: optional(hash),
    challenge: optional(must('a PKCE challenge', isChallenge, 'string')),
    expiresAt: time,
    sessionId: optional(id),
  },
  browserSessions: {
    hash,
    userId: id,
    createdAt: time,
    lastUsedAt: time,
    origin,
    by: optional(oneOf('provider')),
  },
  links: {
    hash,
    kind: oneOf('first-sign-in', 'set-password', 'invitation'),
    createdAt: time,
    expiresAt: time,
    userId: optional(id),
    name: optional(asForm(normalizeUserName)),
  },
  keys: {
    name: id,
    publicKey: must(
      'a point of the curve P-256 as base64url',
      (key: string) => readP256dh(key) !== undefined,
      'string',
    ),
    privateKey: hash,
    createdAt: time,
  },
} as const satisfies { readonly [Kind in RegistryKind]: Rules<RegistryItems[Kind]> }

const number: Rule = must('a number', Number.isFinite, 'number')

const ruleOfField = ({ kind, minimum, maximum }: FieldKind): Rule => {
  if (kind === 'text') return thingText
  if (kind === 'flag') return flag
  const [low, high] = [minimum ?? Number.NEGATIVE_INFINITY, maximum ?? Number.POSITIVE_INFINITY]
  const range = `${minimum === undefined ? '' : ` from ${minimum}`}${maximum === undefined ? '' : ` to ${maximum}`}`
  const isRight = kind === 'integer' ? Number.isSafeInteger : Number.isFinite
  return must(
    `a ${kind === 'integer' ? 'whole number' : 'number'}${range}`,
    (value: number) => isRight(value) && value >= low && value <= high,
    'number',
  )
}

/** The rules for the content fields of a thing, derived from their table. */
const contentRules = Object.fromEntries(
  fieldNames.map((name) => {
    const rule = ruleOfField(fieldTable[name])
    return [name, isOptionalField(name) ? optional(rule) : rule]
  }),
)

const thing = fields({
  ...contentRules,
  ...({
    id: thingId,
    position: placed,
    createdPosition: position,
    writer,
    othersPosition: position,
  } satisfies Rules<Omit<StoredThing, FieldName>>),
})

const tombstone = fields({
  id: thingId,
  position: placed,
  createdPosition: position,
} satisfies Rules<Tombstone>)

const tag = fields({
  name: text(128 * 1024),
  position: placed,
  settings: fields({
    favorite: flag,
    color: (value) =>
      value === false ? undefined : matching('false, #rgb or #rrggbb', /^#(?:[\da-f]{3}){1,2}$/i)(value),
    todo: oneOf(false, 'strike', 'dont-strike'),
  } satisfies Rules<TagSettings>),
} satisfies Rules<StoredTag>)

const failure = fields({
  at: time,
  reason: text(64 * 1024),
  status: optional(count),
} satisfies Rules<Failure>)

// The dispatcher sends it as a header.
const messageId = matching('an id of letters, digits and _ -', /^[\w-]{1,200}$/)
const hookSecret = matching('whsec_ and base64', /^whsec_[A-Za-z\d+/]{1,200}={0,2}$/)

const webhook = fields({
  targetUrl: callAddress,
  event: oneOf('new_thing', 'changed_thing', 'deleted_thing', 'tag', 'any'),
  clientId: optional(id),
  secret: hookSecret,
  previousSecrets: optional(listOf(fields({ secret: hookSecret, until: time }), 2 * maxPreviousSecrets)),
  registeredAt: optional(time),
  id: optional(id),
  told: optional(position),
  sending: optional(
    fields({
      id: messageId,
      to: position,
      body: text(1024 * 1024),
      tries: count,
      firstTriedAt: time,
    } satisfies Rules<Sending>),
  ),
  notBefore: optional(timeMs),
  lastSuccessAt: optional(time),
  lastFailure: optional(failure),
  restingSince: optional(time),
  pausedAt: optional(time),
  pausedBy: optional(oneOf('administrator')),
  unregisteredAt: optional(time),
  triedByHandAt: optional(timeMs),
  testAskedAt: optional(time),
} satisfies Rules<Webhook>)

const device = fields({
  type: text(512),
  id: text(8192),
  endpoint: optional(callAddress),
  p256dh: optional(text(2048)),
  auth: optional(text(2048)),
  registeredAt: optional(time),
  clientId: optional(id),
  sessionId: optional(id),
  key: optional(id),
  told: optional(position),
  tries: optional(count),
  notBefore: optional(timeMs),
  lastSuccessAt: optional(time),
  lastFailure: optional(failure),
} satisfies Rules<RegisteredDevice>)

const findDeviceFault: Rule = (value) => {
  const wrong = device(value)
  if (wrong !== undefined) return wrong
  const { type, endpoint, p256dh, auth } = value as RegisteredDevice
  // The store keeps devices of other services for the apps that list them.
  if (type !== 'webpush' || !endpoint) return undefined
  const keys = guard.findP256dhFault(p256dh ?? '') ?? guard.findAuthFault(auth ?? '')
  return keys && `has a field p256dh or auth, which ${keys}`
}

const maxMarks = 200
const upload: Rule = (value) => {
  if (value === true) return undefined
  if (typeof value === 'string') return shortText(value)
  if (!Array.isArray(value) || value.length !== 4) return 'must be the record of an upload'
  const [localId, dates, ...others] = value
  return (
    text(8192)(localId) ??
    listOf(number, maxMarks)(dates) ??
    others.map((each) => listOf(text(256), maxMarks)(each)).find((wrong) => wrong !== undefined)
  )
}

const gaps: Rule = (value) =>
  isGaps(value) && value.every(([, to]) => to <= maxRestoredPosition) ? undefined : 'must be pairs of positions'

/** The rules for the records that this program reads; it never reads records of other kinds. */
const recordRules = new Map<string, Rule>([
  ['webhook', webhook],
  ['device', findDeviceFault],
  [uploadRecords, upload],
  [importRecords, position],
  ['lost-positions', gaps],
])

const keyOfRecord: Readonly<Record<string, (value: never) => string>> = { webhook: keyOfWebhook, device: keyOfDevice }

const findRecordFault = ({ kind, key, value }: StoredRecord): string | undefined => {
  const wrong = recordRules.get(kind)?.(value)
  if (wrong !== undefined) return `the record of kind ${kind} ${wrong}`
  const keyOf = Object.hasOwn(keyOfRecord, kind) ? keyOfRecord[kind] : undefined
  return keyOf === undefined || keyOf(value as never) === key ? undefined : `the ${kind} has the key of another ${kind}`
}

const outboxEntry = fields({ key: text(64 * 1024), dueAt: timeMs } satisfies Rules<StoredEntry>)

/** Creates a counter of the items of each user, which describes an excess. */
const createCounter = () => {
  const counts = new Map<string, number>()
  return (userId: string, what: keyof typeof maxOf): string | undefined => {
    const key = `${what} ${userId}`
    const next = (counts.get(key) ?? 0) + 1
    counts.set(key, next)
    return next > maxOf[what] ? `the user ${userId} has more than ${maxOf[what]} ${what}` : undefined
  }
}

/** Creates a set that finds duplicate names. It keeps the names outside of the heap: there may be millions. */
const createOnce = () => {
  const names = createIdIndex()
  return {
    has: (name: string): boolean => names.find(name) !== undefined,
    take: (name: string, what: string): string | undefined => {
      const before = names.size()
      names.take(name)
      return names.size() > before ? undefined : `${what} occurs twice`
    },
  }
}

/** Finds what is wrong with the tokens of a session, beside their form. */
const findTokenFault = ({ pairs, personal }: Session): string | undefined => {
  if ((personal === undefined) === (pairs.length === 0)) return 'the session must have either pairs or personal'
  return undefined
}

const listHashes = ({ pairs, personal }: Session): readonly string[] => [
  ...pairs.flatMap(({ accessHash, requestHash }) => [`access ${accessHash}`, `request ${requestHash}`]),
  ...(personal === undefined ? [] : [`access ${personal.hash}`]),
]

/** Finds a private key that does not fit its public key: no push service accepts its signatures. */
const findKeyFault = ({ publicKey, privateKey }: Key): string | undefined => {
  const wrong = 'the key is not a key pair of the curve P-256'
  const pair = createECDH('prime256v1')
  try {
    pair.setPrivateKey(privateKey, 'base64url')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_CRYPTO_INVALID_KEYTYPE') return wrong
    throw error
  }
  return pair.getPublicKey('base64url') === publicKey ? undefined : wrong
}

const firstFault = (...finds: readonly (() => string | undefined)[]): string | undefined => {
  for (const find of finds) {
    const wrong = find()
    if (wrong !== undefined) return wrong
  }
  return undefined
}

/** Creates the check of users, apps, sessions and other registry items, in the order in which they arrive. */
const createRegistryCheck = () => {
  const once = createOnce()
  const users = createOnce()
  const counter = createCounter()
  /** Users whose items arrived before them, each with the kind of the first such item. */
  const owed = new Map<string, string>()

  const ofUser = (userId: string | undefined, what: keyof typeof maxOf): string | undefined => {
    if (userId === undefined) return undefined
    if (!users.has(userId)) owed.set(userId, what)
    return counter(userId, what)
  }

  const details: { readonly [Kind in RegistryKind]: (item: RegistryItems[Kind]) => string | undefined } = {
    users: ({ id: userId, name, subject }) =>
      firstFault(
        () => users.take(userId, 'the user'),
        () => once.take(`name ${name}`, `the user name ${JSON.stringify(name)}`),
        () => (subject === undefined ? undefined : once.take(`subject ${subject}`, 'the subject of the user')),
      ),
    // The user who registered it may have been removed.
    apps: ({ ownerId }) => (ownerId === undefined ? undefined : counter(ownerId, 'apps')),
    sessions: (session) =>
      firstFault(
        () => findTokenFault(session),
        () => ofUser(session.userId, session.personal === undefined ? 'sessions' : 'personalTokens'),
        ...listHashes(session).map((one) => () => once.take(one, 'the hash of a token')),
      ),
    codes: ({ userId }) => ofUser(userId, 'codes'),
    browserSessions: ({ userId }) => ofUser(userId, 'browserSessions'),
    links: ({ kind, userId }) =>
      (kind === 'invitation') === (userId === undefined)
        ? ofUser(userId, 'links')
        : 'the link must have a userId, unless it is an invitation',
    keys: findKeyFault,
  }

  return {
    hasUser: users.has,
    take: <Kind extends RegistryKind>(kind: Kind, item: RegistryItems[Kind]): string | undefined => {
      const wrong = fields(checksOf[kind])(item)
      if (wrong !== undefined) return `the ${itemNames[kind]} ${wrong}`
      return once.take(`${kind} ${registryIds[kind](item)}`, `the ${itemNames[kind]}`) ?? details[kind](item)
    },
    end: (): string | undefined => {
      const missing = [...owed].find(([userId]) => !users.has(userId))
      return missing && `it contains ${missing[1]} of the user ${missing[0]}, but not the user`
    },
  }
}

/** Creates the check of the items of one account, in the order in which they arrive. */
const createAccountCheck = (top: number) => {
  const once = createOnce()
  const counter = createCounter()
  const kinds: Readonly<Record<'thing' | 'tombstone' | 'tag', number[]>> = { thing: [], tombstone: [], tag: [] }

  const takePosition = (kind: keyof typeof kinds, at: number, ...earlier: readonly number[]): string | undefined => {
    const positions = kinds[kind]
    if (at > top) return `the position ${at} of the ${kind} is above the position of its account, ${top}`
    if (earlier.some((one) => one > at))
      return `the ${kind} says that it was created or changed after its position ${at}`
    if (at <= (positions.at(-1) ?? 0)) return `the position ${at} of the ${kind} comes after a higher one`
    positions.push(at)
    return undefined
  }

  const take = (item: StoreItem): string | undefined => {
    if ('thing' in item) {
      const { id: given, position: at, createdPosition, othersPosition } = item.thing
      return once.take(`thing ${given}`, 'the thing') ?? takePosition('thing', at, createdPosition, othersPosition)
    }
    if ('tombstone' in item) {
      const { id: given, position: at, createdPosition } = item.tombstone
      return once.take(`thing ${given}`, 'the thing') ?? takePosition('tombstone', at, createdPosition)
    }
    if ('tag' in item) return once.take(`tag ${item.tag.name}`, 'the tag') ?? takePosition('tag', item.tag.position)
    if ('entry' in item) return once.take(`outbox entry ${item.entry.key}`, 'the outbox entry')
    if (!('record' in item)) return undefined
    const { kind, group, key } = item.record
    const wrong =
      once.take(`record ${JSON.stringify([kind, group, key])}`, 'the record') ?? findRecordFault(item.record)
    if (wrong !== undefined || (kind !== 'webhook' && kind !== 'device')) return wrong
    return counter('of the account', `${kind}s`)
  }

  /** Finds two changes of the account with the same position. */
  const end = (): string | undefined => {
    const { thing: things, tombstone: tombstones, tag: tags } = kinds
    const all = new Float64Array(things.length + tombstones.length + tags.length)
    all.set(things)
    all.set(tombstones, things.length)
    all.set(tags, things.length + tombstones.length)
    all.sort()
    const twice = all.find((at, index) => index > 0 && at === all[index - 1])
    return twice === undefined ? undefined : `two changes of the previous account have the position ${twice}`
  }
  return { take, end }
}

const accountItem = fields({ account: id, position })
const itemRules: Readonly<Record<string, Rule>> = { thing, tombstone, tag, entry: outboxEntry }

/** The name of a kind of items in sentences. */
const showKind = (kind: string): string => (kind === 'entry' ? 'outbox entry' : kind)

const isRegistryItem = (kind: string): boolean => Object.values<string>(itemNames).includes(kind)

/** Creates the check of everything that one store holds. */
export const createItemCheck = (): ItemCheck => {
  const registry = createRegistryCheck()
  const accounts = createOnce()
  let account: ReturnType<typeof createAccountCheck> | undefined

  const takeAccount = (item: Extract<StoreItem, { readonly account: string }>): string | undefined => {
    const wrong = accountItem(item)
    if (wrong !== undefined) return `the account ${wrong}`
    const before = account?.end()
    account = createAccountCheck(item.position)
    // Every store lists its users first.
    if (before !== undefined) return before
    return registry.hasUser(item.account) ? accounts.take(item.account, 'the account') : 'the account has no user'
  }

  return {
    take: (item) => {
      const kind = Object.keys(item)[0] ?? ''
      if ('account' in item) return takeAccount(item)
      if (isRegistryItem(kind)) return passRegistryItem(item, registry.take)
      const wrong = itemRules[kind]?.(Object.values(item)[0])
      if (wrong !== undefined) return `the ${showKind(kind)} ${wrong}`
      return account === undefined ? `the ${showKind(kind)} comes before the first account` : account.take(item)
    },
    end: () => account?.end() ?? registry.end(),
  }
}
