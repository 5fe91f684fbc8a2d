import { createECDH } from 'node:crypto'
import { right } from '../server/behaviour.ts'
import { Refusal } from '../server/refusal.ts'
import { findParameter } from '../server/right-requests.ts'
import type { JsonObject, Session } from '../server/world.ts'
import { breakIn, type Fault, fault, without } from './fault.ts'
import { refusing } from './refusing.ts'

const compressedKey = createECDH('prime256v1').generateKeys('base64url', 'compressed')

const newKey = () => createECDH('prime256v1').generateKeys('base64url', 'uncompressed')

/** Faults against what is decided on streams and on waiting. */
export const liveFaults: readonly Fault[] = [
  fault(
    'events-missing',
    'has no stream of events',
    refusing(({ path }) => path === 'sync/events'),
  ),
  fault('events-content-type', 'calls its events plain text', { streamHeaders: { 'content-type': 'text/plain' } }),
  fault('events-silent-at-first', 'says nothing at first', { tellsAtOnce: () => false }),
  fault('events-without-id', 'gives events no id', { event: (position) => `data: {"pos":${position}}\n\n` }),
  fault('events-data-plain', 'tells the position alone', {
    event: (position) => `id: ${position}\ndata: ${position}\n\n`,
  }),
  fault('events-first-old', 'begins with the position before the current one', {
    event: (position, isFirst) => right.event(isFirst ? position - 1 : position, isFirst),
  }),
  fault('events-old-position', 'tells the position before the change', {
    event: (position, isFirst) => right.event(isFirst ? position : position - 1, isFirst),
  }),
  fault('events-never', 'tells nobody who waits', { wakes: () => false }),
  fault('events-once', 'tells each session of one change', {
    wakes: (waiting, writer, account) => {
      const isFirst = right.wakes(waiting, writer, account) && !waiting.memory.has('woken')
      if (isFirst) waiting.memory.set('woken', true)
      return isFirst
    },
  }),
  fault('events-without-tags', 'tells nobody of tag settings', { announces: (written) => written !== 'tags' }),
  fault('events-without-deletions', 'tells nobody of deletions', { announces: (written) => written !== 'deletions' }),
  fault('events-without-operations', 'tells nobody who waits of what operations on single things do', {
    announces: (written) => written !== 'operation',
  }),
  fault('live-own-changes-wake', 'tells a session of its own changes', { wakes: () => true }),
  fault('live-other-users-wake', "tells whoever waits of another user's changes", {
    toldOf: (_account, world) => [...world.accounts.values()],
  }),
  fault('events-one-stream-alone', 'tells the last who came, alone', {
    addWatcher: ({ watchers }, watcher) => {
      watchers.clear()
      watchers.add(watcher)
    },
  }),
  fault(
    'live-last-session-alone',
    'tells the session alone that was the last to wait',
    (() => {
      const last = new Map<string, Session>()
      return {
        countsWaiting: (all, session) => {
          last.set(session.username, session)
          return right.countsWaiting(all, session)
        },
        wakes: (waiting, writer, account) =>
          right.wakes(waiting, writer, account) && last.get(waiting.username) === waiting,
      } satisfies Fault['behaviour']
    })(),
  ),
  fault('events-last-id-silent', 'says nothing at first to a client that comes back', {
    tellsAtOnce: (lastEventId) => lastEventId === undefined,
  }),
  fault(
    'events-last-id-refused',
    'refuses Last-Event-ID',
    refusing(({ lastEventId }) => lastEventId !== undefined),
  ),
  fault('events-token-unchecked', 'tells events to anybody', {
    anonymous: (world, { path }) => (path === 'sync/events' ? breakIn(world).session : undefined),
  }),
  fault('events-wrong-token-hidden', 'hides the stream of events from those whose token is wrong', {
    findAccessToken: (world, token, way, exchange) => {
      const found = right.findAccessToken(world, token, way, exchange)
      if (found !== undefined || exchange.path !== 'sync/events') return found
      throw new Refusal('operation-unknown', 'there is no such operation')
    },
  }),
  fault('events-outlive-session', 'goes on telling events to a session that was revoked', { tokenLookMs: 0 }),
  fault('live-limit-none', 'lets any number of requests wait', { mostWaiting: 10_000 }),
  fault('live-limit-few', 'lets four requests wait', { mostWaiting: 4 }),
  fault('live-limit-other-error', 'refuses the eleventh request that waits as 400', {
    tooManyWaiting: () => new Refusal('parameter-invalid', 'too many requests wait'),
  }),
  fault('live-places-lost', 'does not notice that a stream has ended', { forgetsWaiting: false }),
  fault('live-limit-of-user', 'counts the waiting requests of all sessions of a user', {
    countsWaiting: (all, { username }) => all.filter((each) => each.username === username),
  }),
  fault('wait-ignored', 'does not know wait', { readsWait: false }),
  fault('wait-always-whole', 'always waits as long as it may', { holdsBack: () => true, wakes: () => false }),
  fault('wait-holds-deltas', 'waits although something is new, unless everything is asked for', {
    holdsBack: (_account, from) => from !== 0,
  }),
  fault('wait-holds-everything', 'waits where everything is asked for', {
    holdsBack: (account, from) => from === 0 || right.holdsBack(account, from),
  }),
  fault('wait-answers-without-things', 'lists no things in an answer that was held back', {
    syncAnswer: (answer, { parameters }) =>
      findParameter(parameters, 'wait') === undefined ? answer : without(answer, 'things', 'thingCount'),
  }),
  fault('wait-answers-without-tags', 'lists no tags in an answer that was held back', {
    syncAnswer: (answer, { parameters }) =>
      findParameter(parameters, 'wait') === undefined ? answer : without(answer, 'tags'),
  }),
  fault('wait-ends-with-news', 'tells of a deletion where it waited in vain', {
    syncAnswer: (answer, { parameters }) =>
      findParameter(parameters, 'wait') === undefined || answer.things !== undefined
        ? answer
        : { ...answer, thingCount: 1, things: { deleted: ['0'] } },
  }),
  fault('wait-refused', 'refuses wait', {
    parameters: (all) => {
      if (findParameter(all, 'wait') !== undefined) throw new Refusal('parameter-invalid', 'what is wait?')
      return all
    },
  }),
  fault('wait-holds-news', 'waits although something is new', { holdsBack: () => true }),
  fault('wait-answers-empty', 'lists nothing in an answer that was held back', {
    syncAnswer: (answer, { parameters }) =>
      findParameter(parameters, 'wait') === undefined ? answer : { pos: answer.pos },
  }),
  fault('wait-without-end', 'waits until something changes', { waitMs: () => 1_000_000 }),
  fault('wait-milliseconds', 'takes wait for milliseconds', { waitMs: (seconds) => seconds }),
  fault('wait-unchecked', 'takes any number for wait', { isGoodWait: () => true }),
  fault('wait-unchecked-text', 'leaves a wait that is no number aside', {
    parameters: (all) => all.filter(([name, value]) => name !== 'wait' || Number.isFinite(Number(value))),
  }),
]

/** Faults against what is decided on devices. */
export const deviceFaults: readonly Fault[] = [
  fault('device-endpoint-unchecked', 'takes any endpoint of a device', {
    wrongDevice: (fields) => right.wrongDevice({ ...fields, endpoint: 'https://example.org/' }),
  }),
  fault('device-p256dh-unchecked', 'takes any key of a device', {
    wrongDevice: (fields) => right.wrongDevice({ ...fields, p256dh: newKey() }),
  }),
  fault('device-auth-unchecked', 'takes any secret of a device', {
    wrongDevice: (fields) => right.wrongDevice({ ...fields, auth: 'AAAAAAAAAAAAAAAAAAAAAA' }),
  }),
  fault('device-delivered-unsaid', 'does not say that a device is never told anything', {
    registeredDevice: () => ({ registered: true }),
  }),
  fault('device-delivered-always', 'says of every device that it is never told anything', {
    registeredDevice: () => ({ registered: true, delivered: false }),
  }),
  fault(
    'device-list-missing',
    'does not list devices',
    refusing(({ path }) => path === 'device/list'),
  ),
  fault('device-list-repeated', 'lists each device twice', {
    listedDevices: (...all) => right.listedDevices(...all).flatMap((device) => [device, device]),
  }),
  fault('device-list-empty', 'lists no devices', { listedDevices: () => [] }),
  fault('device-listed-twice', 'keeps a device for each address that it had', {
    deviceOwner: (device) => `${right.deviceOwner(device)} ${device.fields.endpoint}`,
  }),
  fault('device-list-keeps-unregistered', 'does not forget devices', { forgetsDevices: false }),
  fault('device-list-with-keys', 'lists the keys of devices', {
    listedDevice: (device, asking) => ({
      ...(right.listedDevice(device, asking) as JsonObject),
      p256dh: device.fields.p256dh,
      auth: device.fields.auth,
    }),
  }),
  fault('device-list-with-endpoint', 'lists the addresses of devices', {
    listedDevice: (device, asking) => ({
      ...(right.listedDevice(device, asking) as JsonObject),
      endpoint: device.fields.endpoint,
    }),
  }),
  fault('device-list-of-all-users', 'lists the devices of all users', {
    listedDevices: (_account, _client, world) =>
      [...world.accounts.values()].flatMap(({ devices }) => [...devices.values()]),
  }),
  fault('device-outlives-session', 'keeps the devices of a session that was revoked', { endsDevices: false }),
  fault(
    'device-key-missing',
    'has no key for Web Push',
    refusing(({ path }) => path === 'device/key'),
  ),
  fault('device-key-compressed', 'answers the compressed point of its key', {
    deviceKey: () => compressedKey,
  }),
  fault('device-key-anew', 'answers another key each time', { deviceKey: () => newKey() }),
]
