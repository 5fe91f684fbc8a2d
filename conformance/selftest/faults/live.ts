import { createECDH, randomBytes } from 'node:crypto'
import { findParameter, rightServer } from '../../src/model/behavior.ts'
import { ApiError, type JsonObject, type Session } from '../../src/model/state.ts'
import { breakIn, createFaults, type Fault, fault, rejecting, without } from './fault.ts'

const compressedKey = createECDH('prime256v1').generateKeys('base64url', 'compressed')

const newKey = () => createECDH('prime256v1').generateKeys('base64url', 'uncompressed')

/** Faults against the contract on streams and long polling. */
export const liveFaults: readonly Fault[] = [
  fault(
    'events-missing',
    'has no stream of events',
    rejecting(({ path }) => path === 'sync/events'),
  ),
  fault('events-content-type', 'calls its events plain text', { streamHeaders: { 'content-type': 'text/plain' } }),
  fault('events-silent-at-first', 'says nothing at first', { notifiesAtOnce: () => false }),
  fault('events-without-id', 'gives events no id', { event: (position) => `data: {"pos":${position}}\n\n` }),
  fault('events-data-plain', 'sends the position alone', {
    event: (position) => `id: ${position}\ndata: ${position}\n\n`,
  }),
  fault('events-first-old', 'begins with the position before the current one', {
    event: (position, isFirst) => rightServer.event(isFirst ? position - 1 : position, isFirst),
  }),
  fault('events-old-position', 'sends the position before the change', {
    event: (position, isFirst) => rightServer.event(isFirst ? position : position - 1, isFirst),
  }),
  fault('events-never', 'notifies no request that waits', { notifies: () => false }),
  fault('events-once', 'notifies each session of one change', {
    notifies: (waiting, writer, account) => {
      const isFirst = rightServer.notifies(waiting, writer, account) && !waiting.memory.has('notified')
      if (isFirst) waiting.memory.set('notified', true)
      return isFirst
    },
  }),
  fault('events-without-tags', 'does not announce tag settings', { announces: (written) => written !== 'tags' }),
  fault('events-without-deletions', 'does not announce deletions', { announces: (written) => written !== 'deletions' }),
  fault('events-without-operations', 'notifies no request that waits of operations on single things', {
    announces: (written) => written !== 'operation',
  }),
  fault('live-own-changes-wake', 'notifies a session of its own changes', { notifies: () => true }),
  fault('live-other-users-wake', "notifies requests that wait of another user's changes", {
    notifiedOf: (_account, state) => [...state.accounts.values()],
  }),
  fault('events-one-stream-alone', 'notifies only the last client that came', {
    addWatcher: ({ watchers }, watcher) => {
      watchers.clear()
      watchers.add(watcher)
    },
  }),
  fault(
    'live-last-session-alone',
    'notifies only the session that was the last to wait',
    (() => {
      const last = new Map<string, Session>()
      return {
        countsWaiting: (all, session) => {
          last.set(session.username, session)
          return rightServer.countsWaiting(all, session)
        },
        notifies: (waiting, writer, account) =>
          rightServer.notifies(waiting, writer, account) && last.get(waiting.username) === waiting,
      } satisfies Fault['behavior']
    })(),
  ),
  fault('events-last-id-silent', 'says nothing at first to a client that comes back', {
    notifiesAtOnce: (lastEventId) => lastEventId === undefined,
  }),
  fault(
    'events-last-id-rejected',
    'rejects Last-Event-ID',
    rejecting(({ lastEventId }) => lastEventId !== undefined),
  ),
  fault('events-token-unchecked', 'sends events to unauthenticated clients', {
    anonymous: (state, { path }) => (path === 'sync/events' ? breakIn(state).session : undefined),
  }),
  fault('events-wrong-token-hidden', 'hides the stream of events from those whose token is wrong', {
    findAccessToken: (state, token, way, exchange) => {
      const found = rightServer.findAccessToken(state, token, way, exchange)
      if (found !== undefined || exchange.path !== 'sync/events') return found
      throw new ApiError('operation-unknown', 'there is no such operation')
    },
  }),
  fault('events-outlive-session', 'goes on sending events to a session that was revoked', { tokenLookMs: 0 }),
  fault('live-limit-none', 'lets any number of requests wait', { maxWaiting: 10_000 }),
  fault('live-limit-few', 'lets four requests wait', { maxWaiting: 4 }),
  fault('live-limit-other-error', 'rejects the eleventh request that waits as 400', {
    tooManyWaiting: () => new ApiError('parameter-invalid', 'too many requests wait'),
  }),
  fault('live-places-lost', 'does not notice that a stream has ended', { forgetsWaiting: false }),
  fault('live-limit-of-user', 'counts the waiting requests of all sessions of a user', {
    countsWaiting: (all, { username }) => all.filter((each) => each.username === username),
  }),
  fault('wait-ignored', 'does not know wait', { readsWait: false }),
  fault('wait-always-whole', 'always waits as long as it may', { holdsBack: () => true, notifies: () => false }),
  fault('wait-holds-incrementals', 'waits although something is new, unless everything is asked for', {
    holdsBack: (_account, from) => from !== 0,
  }),
  fault('wait-holds-everything', 'waits where everything is asked for', {
    holdsBack: (account, from) => from === 0 || rightServer.holdsBack(account, from),
  }),
  fault('wait-responses-without-things', 'lists no things in a response that was held back', {
    syncResponse: (response, { parameters }) =>
      findParameter(parameters, 'wait') === undefined ? response : without(response, 'things', 'thingCount'),
  }),
  fault('wait-responses-without-tags', 'lists no tags in a response that was held back', {
    syncResponse: (response, { parameters }) =>
      findParameter(parameters, 'wait') === undefined ? response : without(response, 'tags'),
  }),
  fault('wait-ends-with-news', 'lists a deletion where it waited in vain', {
    syncResponse: (response, { parameters }) =>
      findParameter(parameters, 'wait') === undefined || response.things !== undefined
        ? response
        : { ...response, thingCount: 1, things: { deleted: ['0'] } },
  }),
  fault('wait-rejected', 'rejects wait', {
    parameters: (all) => {
      if (findParameter(all, 'wait') !== undefined) throw new ApiError('parameter-invalid', 'what is wait?')
      return all
    },
  }),
  fault('wait-holds-news', 'waits although something is new', { holdsBack: () => true }),
  fault('wait-responses-empty', 'lists nothing in a response that was held back', {
    syncResponse: (response, { parameters }) =>
      findParameter(parameters, 'wait') === undefined ? response : { pos: response.pos },
  }),
  fault('wait-without-end', 'waits until something changes', { waitMs: () => 1_000_000 }),
  fault('wait-milliseconds', 'takes wait for milliseconds', { waitMs: (seconds) => seconds }),
  fault('wait-unchecked', 'takes any number for wait', { isGoodWait: () => true }),
  fault('wait-unchecked-text', 'ignores a wait that is no number', {
    parameters: (all) => all.filter(([name, value]) => name !== 'wait' || Number.isFinite(Number(value))),
  }),
]

/** Faults against the contract on devices. */
export const deviceFaults: readonly Fault[] = [
  fault('device-endpoint-unchecked', 'takes any endpoint of a device', {
    wrongDevice: (fields) => rightServer.wrongDevice({ ...fields, endpoint: 'https://example.org/' }),
  }),
  fault('device-p256dh-unchecked', 'takes any key of a device', {
    wrongDevice: (fields) => rightServer.wrongDevice({ ...fields, p256dh: newKey() }),
  }),
  fault('device-auth-unchecked', 'takes any secret of a device', {
    wrongDevice: (fields) => rightServer.wrongDevice({ ...fields, auth: 'AAAAAAAAAAAAAAAAAAAAAA' }),
  }),
  fault('device-delivered-unsaid', 'does not say that a device is never notified', {
    registeredDevice: () => ({ registered: true }),
  }),
  fault('device-delivered-always', 'says of every device that it is never notified', {
    registeredDevice: () => ({ registered: true, delivered: false }),
  }),
  fault(
    'device-list-missing',
    'does not list devices',
    rejecting(({ path }) => path === 'device/list'),
  ),
  fault('device-list-repeated', 'lists each device twice', {
    listedDevices: (...all) => rightServer.listedDevices(...all).flatMap((device) => [device, device]),
  }),
  fault('device-list-empty', 'lists no devices', { listedDevices: () => [] }),
  fault('device-listed-twice', 'keeps a device for each endpoint that it had', {
    deviceOwner: (device) => `${rightServer.deviceOwner(device)} ${device.fields.endpoint}`,
  }),
  fault('device-list-keeps-unregistered', 'does not forget devices', { forgetsDevices: false }),
  fault('device-list-with-keys', 'lists the keys of devices', {
    listedDevice: (device, asking) => ({
      ...(rightServer.listedDevice(device, asking) as JsonObject),
      p256dh: device.fields.p256dh,
      auth: device.fields.auth,
    }),
  }),
  fault('device-list-with-endpoint', 'lists the endpoints of devices', {
    listedDevice: (device, asking) => ({
      ...(rightServer.listedDevice(device, asking) as JsonObject),
      endpoint: device.fields.endpoint,
    }),
  }),
  fault('device-list-of-all-users', 'lists the devices of all users', {
    listedDevices: (_account, _client, state) =>
      [...state.accounts.values()].flatMap(({ devices }) => [...devices.values()]),
  }),
  fault('device-outlives-session', 'keeps the devices of a session that was revoked', { endsDevices: false }),
  fault(
    'device-key-missing',
    'has no key for Web Push',
    rejecting(({ path }) => path === 'device/key'),
  ),
  fault('device-key-compressed', 'returns the compressed point of its key', {
    deviceKey: () => compressedKey,
  }),
  fault('device-key-again', 'returns another key each time', { deviceKey: () => newKey() }),
]

/** Edits the headers of push messages. */
const headers = (edit: (all: Record<string, string>) => Record<string, string>): Fault['behavior'] => ({
  pushHeaders: () => edit(rightServer.pushHeaders()),
})

/** Sends the messages of a device to some of its earlier endpoints, the first one first. */
const toUrls = (choose: (all: readonly string[]) => readonly string[]): Fault['behavior'] => {
  const known = new Map<string, Set<string>>()
  return {
    deviceOwner: (device) => {
      const all = known.get(device.id) ?? new Set()
      known.set(device.id, all.add(String(device.fields.endpoint)))
      return rightServer.deviceOwner(device)
    },
    endpointsOf: ({ id }) => choose([...(known.get(id) ?? [])]),
  }
}

/** Faults against the contract on Web Push. */
export const pushFaults: readonly Fault[] = [
  fault('push-never', 'notifies no device', { pushes: () => false }),
  fault('push-put', 'sends push messages by PUT', { pushMethod: 'PUT' }),
  fault(
    'push-plain-at-first',
    'does not encrypt the first message to a device',
    (() => {
      const known = new Set<string>()
      return {
        encryptPush: (text, p256dh, auth) => {
          const key = p256dh.toString('hex')
          const isFirst = !known.has(key)
          known.add(key)
          return isFirst ? Buffer.from(text) : rightServer.encryptPush(text, p256dh, auth)
        },
      } satisfies Fault['behavior']
    })(),
  ),
  fault('push-plain', 'does not encrypt push messages', { encryptPush: (text) => Buffer.from(text) }),
  fault('push-without-secret', 'encrypts push messages without the secret of the device', {
    encryptPush: (text, p256dh) => rightServer.encryptPush(text, p256dh, Buffer.alloc(16)),
  }),
  fault('push-without-pos', 'sends push messages that say nothing', { pushText: () => '{}' }),
  fault('push-old-pos', 'sends devices the position before the change', {
    pushText: (position) => rightServer.pushText(position - 1),
  }),
  ...createFaults(
    headers,
    ['push-without-ttl', 'leaves TTL out', ({ ttl: _, ...rest }) => rest],
    ['push-ttl-long', 'lets push messages live for four weeks', (all) => ({ ...all, ttl: '2419200' })],
    ['push-without-topic', 'leaves Topic out', ({ topic: _, ...rest }) => rest],
    [
      'push-topic-each',
      'gives each push message a topic of its own',
      (all) => ({ ...all, topic: randomBytes(12).toString('base64url') }),
    ],
    [
      'push-topic-long',
      'has a topic of more than 32 characters',
      (all) => ({ ...all, topic: 'positions-of-the-account-of-this-device' }),
    ],
  ),
  fault('push-without-vapid', 'does not sign push messages', { vapid: () => ({}) }),
  fault('push-vapid-other-key', 'returns another key in device/key than it signs with', {
    deviceKey: () => createECDH('prime256v1').generateKeys('base64url', 'uncompressed'),
  }),
  fault('push-vapid-badly-signed', 'signs other claims of push messages than it sends', {
    vapidSignature: (text) => rightServer.vapidSignature(`${text} `),
  }),
  fault('push-vapid-audience', 'names the whole endpoint in aud', {
    vapidClaims: (endpoint) => ({ ...(rightServer.vapidClaims(endpoint) as JsonObject), aud: endpoint }),
  }),
  fault('push-vapid-for-ever', 'leaves exp out', {
    vapidClaims: (endpoint) => without(rightServer.vapidClaims(endpoint) as JsonObject, 'exp'),
  }),
  fault('push-own-changes', 'notifies a device of its own changes', { pushes: () => true }),
  fault('push-told-of-all-users', 'notifies devices of the changes of all users', {
    notifiedOf: (_account, state) => [...state.accounts.values()],
  }),
  fault('push-gone-kept', 'keeps a device that is gone', { endsDevice: [404] }),
  fault('push-missing-kept', 'keeps a device that the push service does not know', { endsDevice: [410] }),
  fault(
    'push-to-old-address',
    'sends to the first endpoint of a device',
    toUrls((all) => all.slice(0, 1)),
  ),
  fault(
    'push-to-all-addresses',
    'sends to every endpoint that a device had',
    toUrls((all) => all),
  ),
]
