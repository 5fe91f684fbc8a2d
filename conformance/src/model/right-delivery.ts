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
  /** Encrypts a message for the keys of a device (RFC 8291), in one record. */
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
  /** Whether a device is notified of a write. */
  pushes: (device: Device, writer: Session): boolean => device.session !== writer,
  /** Returns the endpoints of a device. */
  endpointsOf: (device: Device): readonly string[] => [String(device.fields.endpoint)],
  /** The statuses of a push service that mean that a device is gone. */
  endsDevice: [404, 410] as readonly number[],
}

/** Creates the token of RFC 8292 for an endpoint. */
export function writeToken(claims: Json, signature: (text: string) => string): string {
  const text = `${base64({ typ: 'JWT', alg: 'ES256' })}.${base64(claims)}`
  return `${text}.${signature(text)}`
}

/** Whether a text is base64url of so many bytes, as a key or a secret of Web Push. */
const holds = (text: string, bytes: number): boolean =>
  /^[\w-]+=*$/.test(text) && Buffer.from(text, 'base64url').length === bytes

/** Streams, long polling and devices (contract, delivery). */
export const rightLive = {
  streamHeaders: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' } as Record<string, string>,
  /** Returns the text of one event. */
  event: (position: number, _isFirst: boolean): string =>
    `id: ${position}\ndata: ${JSON.stringify({ pos: position })}\n\n`,
  /** Whether a stream begins with an event. */
  notifiesAtOnce: (_lastEventId: string | undefined): boolean => true,
  /** Whether streams and waiting requests are notified of a write. */
  notifies: (waiting: Session, writer: Session, _account: Account): boolean => waiting !== writer,
  /** Adds a watcher to an account. */
  addWatcher: ({ watchers }: Account, watcher: (writer: Session) => void): void => void watchers.add(watcher),
  maxWaiting: 10,
  /** Returns the sessions whose waiting requests count against the limit. */
  countsWaiting: (all: readonly Session[], session: Session): readonly Session[] =>
    all.filter((each) => each === session),
  /** Whether a request stops counting when its wait ends. */
  forgetsWaiting: true,
  /** Milliseconds between checks of a stream's token; 0: no checks. */
  tokenLookMs: 200,
  readsWait: true,
  /** Whether a response is delayed, given what there is to list. */
  holdsBack: (account: Account, from: number | undefined): boolean => from !== undefined && from >= account.position,
  waitMs: (seconds: number): number => seconds * 1000,
  isGoodWait: (seconds: number): boolean => Number.isInteger(seconds) && seconds >= 1 && seconds <= 60,
  deviceKey: (_state: ServerState): Json => publicKey,
  deviceOwner: ({ type, id }: Device): string => `${type} ${id}`,
  registeredDevice: ({ type }: Device): JsonObject => ({
    registered: true,
    ...(type === 'webpush' ? {} : { delivered: false }),
  }),
  /** Returns the name of the first wrong field of a webpush device; undefined when all fields are right. */
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
  /** Whether devices end with the session that registered them. */
  endsDevices: true,
  tooManyWaiting: (): ApiError => new ApiError('waiting-many', 'too many requests wait', { 'retry-after': '5' }),
}

/** The content of a message to a webhook. */
export interface News {
  readonly hook: Hook
  readonly event: string
  readonly position: number
  readonly things: readonly Thing[]
  readonly deleted: readonly Thing[]
  readonly tags: ReadonlyMap<string, Json>
  /** Everything in the account; only faults use it. */
  readonly all: readonly Thing[]
  /** Things in returned form. */
  readonly returned: (thing: Thing) => Json
}

/** The kind of a write, in a word. */
export type Written = 'things' | 'deletions' | 'tags' | 'operation'

/** The events that a webhook can be registered for. */
export type Kind = 'new_thing' | 'changed_thing' | 'deleted_thing' | 'tag'

/** Whether a URL is forbidden by default settings: neither public nor this machine's own. */
function isForbidden(url: string): boolean {
  const { hostname } = new URL(url)
  const isPrivate = /^(10|169\.254|192\.168|172\.(1[6-9]|2\d|3[01])|0|22[4-9]|23\d|24\d|25[0-5])\./.test(`${hostname}.`)
  return isPrivate || /^\[(f[c-f]|::ffff:)/i.test(hostname)
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

/** Link previews (contract, the other operations): enough for the pages of the suite. */
export const rightPreview = {
  previewMethod: 'GET',
  /** The headers of a request for a page, after the URL and the cookie of a page that redirected there. */
  previewHeaders: (_from: string, _cookie: string, _authorization: string): Record<string, string> => ({}),
  followsPageRedirects: true,
  checksPageUrl: true,
  checksPageStatus: true,
  /** The response to a page that redirects without end; undefined is the error. */
  endlessPage: undefined as JsonObject | undefined,
  pageCharset: (header: string | undefined, meta: string | undefined): string => header ?? meta ?? 'utf-8',
  decodeEntities: (text: string): string =>
    text.replace(/&(?:#(\d+)|(\w+));/g, (whole, code, name) =>
      code === undefined ? (named[name] ?? whole) : String.fromCodePoint(Number(code)),
    ),
  joinLines: (text: string): string => text.replace(/\s+/g, ' ').trim(),
  resolveCanonical: (href: string, page: string): string => new URL(href, page).href,
  preview: (found: Readonly<Record<string, string>>): JsonObject =>
    Object.fromEntries(Object.entries(found).filter(([, text]) => text !== '')),
}

/** Webhooks and devices: content, recipients and timing of notifications (interface 6; contract, delivery). */
export const rightDelivery = {
  /** Creates the secret of a new webhook. */
  newSecret: (_account: Account, _hook: Omit<Hook, 'secret'>, _state: ServerState): string =>
    `whsec_${randomBytes(32).toString('base64')}`,
  /** Returns the key of a webhook within an account: application, URL and event. */
  hookKey: ({ target, event, clientId }: Pick<Hook, 'target' | 'event' | 'clientId'>): string =>
    `${clientId} ${event} ${target}`,
  /** Finds a registered webhook. */
  knownHook: (account: Account, key: string, _state: ServerState): Hook | undefined => account.webhooks.get(key),
  registered: (secret: string | undefined, _hook: Hook): JsonObject => ({
    registered: true,
    ...(secret === undefined ? {} : { secret }),
  }),
  /** Returns the accounts from which a request to unregister may remove a webhook. */
  unregisters: (account: Account, _state: ServerState): readonly Account[] => [account],
  endsUnregistered: true,
  isSelected: (hook: Hook, named: Pick<Hook, 'target' | 'event' | 'clientId'>): boolean =>
    hook.target === named.target && hook.event === named.event && hook.clientId === named.clientId,
  maxHooks: 20,
  isForbidden,
  takesCredentials: false,
  /** Returns the webhooks that a user sees. */
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
  /** Returns the position at which a new webhook begins. */
  notifiedAtFirst: (account: Account): number => account.position,
  /** Whether a write of this kind is notified at all. */
  announces: (_written: Written): boolean => true,
  /** Returns the accounts whose webhooks, devices and streams are notified of a write. */
  notifiedOf: (account: Account, _state: ServerState): readonly Account[] => [account],
  /** Returns the accounts that a webhook of an account is notified of. */
  newsOf: (account: Account, _state: ServerState): readonly Account[] => [account],
  /** Selects the changes for the next message. */
  cut: (news: News): News => news,
  wantsKind: (event: string, kind: Kind): boolean => event === 'any' || event === kind,
  /** Classifies a change of a thing, compared to what a webhook was notified of. */
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
  /** Returns the message for a retry; `rebuild` creates it again from the current changes. */
  again: (message: Message, _hook: Hook, _rebuild: () => Message | undefined): Message => message,
  messageMethod: 'POST',
  messageHeaders: { 'content-type': 'application/json' } as Record<string, string>,
  signingTime: (): string => `${Math.floor(Date.now() / 1000)}`,
  signingSecret: (hook: Hook, _account: Account, _state: ServerState): string => hook.secret,
  signingKey: (secret: string): Buffer => Buffer.from(secret.slice('whsec_'.length), 'base64'),
  signed: (id: string, time: string, body: string, _tries: number): string => `${id}.${time}.${body}`,
  signature: (key: Buffer, text: string): string => `v1,${createHmac('sha256', key).update(text).digest('base64')}`,
  /** The headers, with the names of Standard Webhooks. */
  signatureHeaders: (id: string, time: string, signature: string): Record<string, string> => ({
    'webhook-id': id,
    'webhook-timestamp': time,
    'webhook-signature': signature,
  }),
  /**
   * Whether a webhook may get a message now. `here`, `anywhere`: messages on the way to it and to all webhooks;
   * `behind`: positions that it was not notified of.
   */
  maySend: (busy: { readonly here: number; readonly anywhere: number; readonly behind: number }): boolean =>
    busy.here === 0,
  /** Milliseconds before the server sends a message; it coalesces changes in this time. */
  beforeMessageMs: 0,
  /** Returns the position that a webhook knows after it accepted a message. */
  notifiedBy: (message: Message, _account: Account): number => message.to,
  followsRedirects: false,
  /** Selects the outcome that counts after a redirect: the outcome at its target, or the redirect itself. */
  afterRedirect: <Outcome>(_first: Outcome, followed: Outcome): Outcome => followed,
  /** Whether a response, or its absence, means that the message was accepted. */
  isTaken: (status: number | 'nothing'): boolean => status !== 'nothing' && status >= 200 && status < 300,
  goneEnds: true,
  endGone: ({ webhooks }: Account, hook: Hook): void => {
    for (const [key, each] of webhooks) if (each === hook) webhooks.delete(key)
  },
  /** Milliseconds until the retry of a failed message; undefined: never. */
  retryMs: (_tries: number, retryAfterSeconds: number | undefined, _status: number | 'nothing'): number | undefined =>
    Math.max(1100, (retryAfterSeconds ?? 0) * 1000),
  /** Whether new changes wait behind a message that waits for its retry. */
  waitsBehindFailures: true,
}
