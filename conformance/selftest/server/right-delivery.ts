import { createCipheriv, createECDH, createHmac, createPrivateKey, hkdfSync, randomBytes, sign } from 'node:crypto'
import {
  type Account,
  ApiError,
  type Device,
  type Hook,
  type Json,
  type JsonObject,
  type Message,
  type ServerState,
  type Session,
  type Thing,
} from './state.ts'

const serverKeys = createECDH('prime256v1')
serverKeys.generateKeys()

/** The public key for Web Push. */
const publicKey = serverKeys.getPublicKey('base64url', 'uncompressed')

const point = serverKeys.getPublicKey()

const privateKey = createPrivateKey({
  format: 'jwk',
  key: {
    ...{ kty: 'EC', crv: 'P-256', d: serverKeys.getPrivateKey('base64url') },
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  },
})

const base64 = (value: Json): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Web Push (contract, delivery). */
export const rightPush = {
  pushText: (position: number): string => JSON.stringify({ pos: position }),
  /** A message for the keys of a device (RFC 8291), in one record. */
  encryptPush: (text: string, p256dh: Buffer, auth: Buffer): Buffer => {
    const keys = createECDH('prime256v1')
    const own = keys.generateKeys()
    const salt = randomBytes(16)
    const hkdf = (secret: Buffer, by: Buffer, info: Buffer, length: number): Buffer =>
      Buffer.from(hkdfSync('sha256', secret, by, info, length))
    const input = hkdf(
      keys.computeSecret(p256dh),
      auth,
      Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, own]),
      32,
    )
    const key = hkdf(input, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
    const nonce = hkdf(input, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
    const cipher = createCipheriv('aes-128-gcm', key, nonce)
    const record = Buffer.concat([cipher.update(Buffer.concat([Buffer.from(text), Buffer.of(2)])), cipher.final()])
    const size = Buffer.alloc(4)
    size.writeUInt32BE(4096)
    return Buffer.concat([salt, size, Buffer.of(own.length), own, record, cipher.getAuthTag()])
  },
  pushMethod: 'POST',
  pushHeaders: (): Record<string, string> => ({
    'content-encoding': 'aes128gcm',
    'content-type': 'application/octet-stream',
    ttl: '86400',
    topic: 'pos',
  }),
  vapidClaims: (endpoint: string): Json => ({
    aud: new URL(endpoint).origin,
    exp: Math.floor(Date.now() / 1000) + 3600,
  }),
  vapidSignature: (text: string): string =>
    sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url'),
  vapid: (token: string): Record<string, string> => ({ authorization: `vapid t=${token}, k=${publicKey}` }),
  /** Whether a device is told of a write. */
  pushes: (device: Device, writer: Session): boolean => device.session !== writer,
  /** The addresses of a device. */
  endpointsOf: (device: Device): readonly string[] => [String(device.fields.endpoint)],
  /** Answers of a push service that say that a device is gone. */
  endsDevice: [404, 410] as readonly number[],
}

/** The token of RFC 8292 for an endpoint. */
export function writeToken(claims: Json, signature: (text: string) => string): string {
  const text = `${base64({ typ: 'JWT', alg: 'ES256' })}.${base64(claims)}`
  return `${text}.${signature(text)}`
}

/** A key or a secret of Web Push: base64url that holds so many bytes. */
const holds = (text: string, bytes: number): boolean =>
  /^[\w-]+=*$/.test(text) && Buffer.from(text, 'base64url').length === bytes

/** Streams, waiting, and devices (contract, delivery). */
export const rightLive = {
  streamHeaders: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' } as Record<string, string>,
  /** The text of one event. */
  event: (position: number, _isFirst: boolean): string =>
    `id: ${position}\ndata: ${JSON.stringify({ pos: position })}\n\n`,
  /** Whether a stream begins with an event. */
  notifiesAtOnce: (_lastEventId: string | undefined): boolean => true,
  /** Whether whoever waits is told of a write. */
  wakes: (waiting: Session, writer: Session, _account: Account): boolean => waiting !== writer,
  /** The watchers of an account, after one more came. */
  addWatcher: ({ watchers }: Account, watcher: (writer: Session) => void): void => void watchers.add(watcher),
  maxWaiting: 10,
  /** Whose waiting requests count against the limit. */
  countsWaiting: (all: readonly Session[], session: Session): readonly Session[] =>
    all.filter((each) => each === session),
  /** Requests that wait are counted while they last. */
  forgetsWaiting: true,
  /** Milliseconds between two looks whether a stream's token is still good; 0: no looks. */
  tokenLookMs: 200,
  readsWait: true,
  /** Whether an answer is held back, given what there is. */
  holdsBack: (account: Account, from: number | undefined): boolean => from !== undefined && from >= account.position,
  waitMs: (seconds: number): number => seconds * 1000,
  isGoodWait: (seconds: number): boolean => Number.isInteger(seconds) && seconds >= 1 && seconds <= 60,
  deviceKey: (_state: ServerState): Json => publicKey,
  deviceOwner: ({ type, id }: Device): string => `${type} ${id}`,
  registeredDevice: ({ type }: Device): JsonObject => ({
    registered: true,
    ...(type === 'webpush' ? {} : { delivered: false }),
  }),
  /** What of a webpush device is wrong. */
  wrongDevice: ({ endpoint, p256dh, auth }: Readonly<Record<string, string>>): string | undefined => {
    if (!URL.canParse(endpoint ?? '') || !/^https?:$/.test(new URL(endpoint ?? '').protocol)) return 'endpoint'
    if (!holds(p256dh ?? '', 65)) return 'p256dh'
    return holds(auth ?? '', 16) ? undefined : 'auth'
  },
  listedDevices: (account: Account, clientId: string, _state: ServerState): readonly Device[] =>
    [...account.devices.values()].filter(({ session }) => session.clientId === clientId),
  listedDevice: ({ type, id, session }: Device, asking: Session): Json => ({
    ...{ type, id, current: session === asking, delivered: type === 'webpush' },
  }),
  forgetsDevices: true,
  /** Devices go with the session that registered them. */
  endsDevices: true,
  tooManyWaiting: (): ApiError => new ApiError('waiting-many', 'too many requests wait', { 'retry-after': '5' }),
}

/** What a message to a webhook is about. */
export interface News {
  readonly hook: Hook
  readonly event: string
  readonly position: number
  readonly things: readonly Thing[]
  readonly deleted: readonly Thing[]
  readonly tags: ReadonlyMap<string, Json>
  /** Everything in the account; only faults look at it. */
  readonly all: readonly Thing[]
  /** Things in returned form. */
  readonly returned: (thing: Thing) => Json
}

/** What a write did, in a word. */
export type Written = 'things' | 'deletions' | 'tags' | 'operation'

/** The kinds of change that a webhook can be registered for. */
export type Kind = 'new_thing' | 'changed_thing' | 'deleted_thing' | 'tag'

/** Whether an address is one that only a server with other settings would call: not public, and not this machine's own. */
function isForbidden(address: string): boolean {
  const { hostname } = new URL(address)
  const isPrivate = /^(10|169\.254|192\.168|172\.(1[6-9]|2\d|3[01])|0|22[4-9]|23\d|24\d|25[0-5])\./.test(`${hostname}.`)
  return isPrivate || /^\[(f[cdef]|::ffff:)/i.test(hostname)
}

/** Webhooks and devices: what is told, to whom, and how (interface 6; contract, delivery). */
export const rightDelivery = {
  /** The secret of a new webhook. */
  newSecret: (_account: Account, _hook: Omit<Hook, 'secret'>, _state: ServerState): string =>
    `whsec_${randomBytes(32).toString('base64')}`,
  /** What belongs to one webhook: user, application, address and event. */
  hookKey: ({ target, event, clientId }: Pick<Hook, 'target' | 'event' | 'clientId'>): string =>
    `${clientId} ${event} ${target}`,
  /** A webhook that is registered already. */
  knownHook: (account: Account, key: string, _state: ServerState): Hook | undefined => account.webhooks.get(key),
  registered: (secret: string | undefined, _hook: Hook): JsonObject => ({
    registered: true,
    ...(secret === undefined ? {} : { secret }),
  }),
  /** The accounts from which a request to unregister may take a webhook. */
  unregisters: (account: Account, _state: ServerState): readonly Account[] => [account],
  endsUnregistered: true,
  isMeant: (hook: Hook, named: Pick<Hook, 'target' | 'event' | 'clientId'>): boolean =>
    hook.target === named.target && hook.event === named.event && hook.clientId === named.clientId,
  maxHooks: 20,
  isForbidden,
  takesCredentials: false,
  /** The webhooks that a user sees. */
  listedHooks: (account: Account, clientId: string, _state: ServerState): readonly Hook[] =>
    [...account.webhooks.values()].filter((hook) => hook.clientId === clientId),
  listedHook: (hook: Hook): Json => ({
    target_url: hook.target,
    event: hook.event,
    state: hook.lastFailure === undefined ? 'working' : 'retrying',
    waiting: hook.sending !== undefined,
    date: hook.registeredAt,
    ...(hook.lastSuccess === undefined ? {} : { last_success: hook.lastSuccess }),
    ...(hook.lastFailure === undefined ? {} : { last_failure: hook.lastFailure }),
  }),
  /** Where a new webhook begins: at what is told already. */
  notifiedAtFirst: (account: Account): number => account.position,
  /** Whether a write that did this is told to anybody. */
  announces: (_written: Written): boolean => true,
  /** The accounts whose webhooks, devices and streams are told of a write. */
  notifiedOf: (account: Account, _state: ServerState): readonly Account[] => [account],
  /** The accounts that a webhook of an account is told of. */
  newsOf: (account: Account, _state: ServerState): readonly Account[] => [account],
  /** What of the news goes into the next message. */
  cut: (news: News): News => news,
  wantsKind: (event: string, kind: Kind): boolean => event === 'any' || event === kind,
  /** What a change of a thing is, seen from what a webhook was told. */
  isNew: (thing: Thing, notified: number): boolean => !thing.deleted && thing.created > notified,
  isChanged: (thing: Thing, notified: number): boolean =>
    !thing.deleted && thing.position > notified && thing.position > thing.created,
  isDeleted: (thing: Thing, notified: number): boolean => thing.deleted && thing.position > notified,
  messageId: (_hook: Hook): string => `msg_${randomBytes(12).toString('hex')}`,
  messageBody: ({ event, position, things, deleted, tags, returned }: News, now: Date): JsonObject => {
    const ids = [...things, ...deleted].map(({ id }) => id)
    const data: JsonObject = {
      pos: position,
      ids: ids.slice(0, 500),
      ...(ids.length > 500 ? { truncated: true } : {}),
      ...(tags.size === 0 ? {} : { tags: Object.fromEntries(tags) }),
    }
    const body = { type: event, timestamp: now.toISOString(), data }
    const whole = { ...body, data: { ...data, things: things.map(returned) } }
    const isLittle = Buffer.byteLength(JSON.stringify(whole)) < 16 * 1024
    return things.length > 0 && isLittle && ids.length <= 500 ? whole : body
  },
  messageText: (body: JsonObject): string => JSON.stringify(body),
  /** A message as it is tried again; `rebuild` makes it anew of what there is to tell by now. */
  again: (message: Message, _hook: Hook, _rebuild: () => Message | undefined): Message => message,
  messageMethod: 'POST',
  messageHeaders: { 'content-type': 'application/json' } as Record<string, string>,
  signingTime: (): string => `${Math.floor(Date.now() / 1000)}`,
  signingSecret: (hook: Hook, _account: Account, _state: ServerState): string => hook.secret,
  signingKey: (secret: string): Buffer => Buffer.from(secret.slice('whsec_'.length), 'base64'),
  signed: (id: string, time: string, body: string, _tries: number): string => `${id}.${time}.${body}`,
  signature: (key: Buffer, text: string): string => `v1,${createHmac('sha256', key).update(text).digest('base64')}`,
  /** Headers under the names of Standard Webhooks. */
  signatureHeaders: (id: string, time: string, signature: string): Record<string, string> => ({
    'webhook-id': id,
    'webhook-timestamp': time,
    'webhook-signature': signature,
  }),
  /**
   * Whether a webhook may get a message now: those that are under way to it and to all, and how far the account is ahead
   * of what it was told or is being told.
   */
  maySend: (busy: { readonly here: number; readonly anywhere: number; readonly behind: number }): boolean =>
    busy.here === 0,
  /** Milliseconds before a message goes out; what comes meanwhile goes with it. */
  beforeMessageMs: 0,
  /** Up to where a webhook knows everything once a message was taken. */
  notifiedBy: (message: Message, _account: Account): number => message.to,
  followsRedirects: false,
  /** What counts where a redirect was followed: what its address answered, or what led there. */
  afterRedirect: <Outcome>(_first: Outcome, followed: Outcome): Outcome => followed,
  /** Whether an answer, or the lack of one, means that the message was taken. */
  isTaken: (status: number | 'nothing'): boolean => status !== 'nothing' && status >= 200 && status < 300,
  goneEnds: true,
  endGone: ({ webhooks }: Account, hook: Hook): void => {
    for (const [key, each] of webhooks) if (each === hook) webhooks.delete(key)
  },
  /** Milliseconds until a message that failed is tried again; undefined: never. */
  retryMs: (_tries: number, retryAfterSeconds: number | undefined, _status: number | 'nothing'): number | undefined =>
    Math.max(1100, (retryAfterSeconds ?? 0) * 1000),
  /** While a message waits for its next try, what is new waits behind it. */
  waitsBehindFailures: true,
}
