import { createECDH } from 'node:crypto'
import { right } from '../server/behaviour.ts'
import { Refusal } from '../server/refusal.ts'
import { findParameter } from '../server/right-requests.ts'
import type { JsonObject, Session } from '../server/world.ts'
import { breakIn, type Fault, without } from './fault.ts'
import { refusing } from './refusing.ts'

const compressedKey = createECDH('prime256v1').generateKeys('base64url', 'compressed')

const newKey = () => createECDH('prime256v1').generateKeys('base64url', 'uncompressed')

/** Faults against what is decided on streams and on waiting. */
export const liveFaults: readonly Fault[] = [
  { id: 'events-missing', title: 'has no stream of events', behaviour: refusing(({ path }) => path === 'sync/events') },
  {
    id: 'events-content-type',
    title: 'calls its events plain text',
    behaviour: { streamHeaders: { 'content-type': 'text/plain' } },
  },
  { id: 'events-silent-at-first', title: 'says nothing at first', behaviour: { tellsAtOnce: () => false } },
  {
    id: 'events-without-id',
    title: 'gives events no id',
    behaviour: { event: (position) => `data: {"pos":${position}}\n\n` },
  },
  {
    id: 'events-data-plain',
    title: 'tells the position alone',
    behaviour: { event: (position) => `id: ${position}\ndata: ${position}\n\n` },
  },
  {
    id: 'events-first-old',
    title: 'begins with the position before the current one',
    behaviour: { event: (position, isFirst) => right.event(isFirst ? position - 1 : position, isFirst) },
  },
  {
    id: 'events-old-position',
    title: 'tells the position before the change',
    behaviour: { event: (position, isFirst) => right.event(isFirst ? position : position - 1, isFirst) },
  },
  { id: 'events-never', title: 'tells nobody who waits', behaviour: { wakes: () => false } },
  {
    id: 'events-once',
    title: 'tells each session of one change',
    behaviour: {
      wakes: (waiting, writer, account) => {
        const isFirst = right.wakes(waiting, writer, account) && !waiting.memory.has('woken')
        if (isFirst) waiting.memory.set('woken', true)
        return isFirst
      },
    },
  },
  {
    id: 'events-without-tags',
    title: 'tells nobody of tag settings',
    behaviour: { announces: (written) => written !== 'tags' },
  },
  {
    id: 'events-without-deletions',
    title: 'tells nobody of deletions',
    behaviour: { announces: (written) => written !== 'deletions' },
  },
  {
    id: 'events-without-operations',
    title: 'tells nobody who waits of what operations on single things do',
    behaviour: { announces: (written) => written !== 'operation' },
  },
  { id: 'live-own-changes-wake', title: 'tells a session of its own changes', behaviour: { wakes: () => true } },
  {
    id: 'live-other-users-wake',
    title: "tells whoever waits of another user's changes",
    behaviour: { toldOf: (_account, world) => [...world.accounts.values()] },
  },
  {
    id: 'events-one-stream-alone',
    title: 'tells the last who came, alone',
    behaviour: {
      addWatcher: ({ watchers }, watcher) => {
        watchers.clear()
        watchers.add(watcher)
      },
    },
  },
  {
    id: 'live-last-session-alone',
    title: 'tells the session alone that was the last to wait',
    behaviour: (() => {
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
  },
  {
    id: 'events-last-id-silent',
    title: 'says nothing at first to a client that comes back',
    behaviour: { tellsAtOnce: (lastEventId) => lastEventId === undefined },
  },
  {
    id: 'events-last-id-refused',
    title: 'refuses Last-Event-ID',
    behaviour: refusing(({ lastEventId }) => lastEventId !== undefined),
  },
  {
    id: 'events-token-unchecked',
    title: 'tells events to anybody',
    behaviour: { anonymous: (world, { path }) => (path === 'sync/events' ? breakIn(world).session : undefined) },
  },
  {
    id: 'events-wrong-token-hidden',
    title: 'hides the stream of events from those whose token is wrong',
    behaviour: {
      findAccessToken: (world, token, way, exchange) => {
        const found = right.findAccessToken(world, token, way, exchange)
        if (found !== undefined || exchange.path !== 'sync/events') return found
        throw new Refusal('operation-unknown', 'there is no such operation')
      },
    },
  },
  {
    id: 'events-outlive-session',
    title: 'goes on telling events to a session that was revoked',
    behaviour: { tokenLookMs: 0 },
  },
  { id: 'live-limit-none', title: 'lets any number of requests wait', behaviour: { mostWaiting: 10_000 } },
  { id: 'live-limit-few', title: 'lets four requests wait', behaviour: { mostWaiting: 4 } },
  {
    id: 'live-limit-other-error',
    title: 'refuses the eleventh request that waits as 400',
    behaviour: { tooManyWaiting: () => new Refusal('parameter-invalid', 'too many requests wait') },
  },
  { id: 'live-places-lost', title: 'does not notice that a stream has ended', behaviour: { forgetsWaiting: false } },
  {
    id: 'live-limit-of-user',
    title: 'counts the waiting requests of all sessions of a user',
    behaviour: { countsWaiting: (all, { username }) => all.filter((each) => each.username === username) },
  },
  { id: 'wait-ignored', title: 'does not know wait', behaviour: { readsWait: false } },
  {
    id: 'wait-always-whole',
    title: 'always waits as long as it may',
    behaviour: { holdsBack: () => true, wakes: () => false },
  },
  {
    id: 'wait-holds-deltas',
    title: 'waits although something is new, unless everything is asked for',
    behaviour: { holdsBack: (_account, from) => from !== 0 },
  },
  {
    id: 'wait-holds-everything',
    title: 'waits where everything is asked for',
    behaviour: { holdsBack: (account, from) => from === 0 || right.holdsBack(account, from) },
  },
  {
    id: 'wait-answers-without-things',
    title: 'lists no things in an answer that was held back',
    behaviour: {
      syncAnswer: (answer, { parameters }) =>
        findParameter(parameters, 'wait') === undefined ? answer : without(answer, 'things', 'thingCount'),
    },
  },
  {
    id: 'wait-answers-without-tags',
    title: 'lists no tags in an answer that was held back',
    behaviour: {
      syncAnswer: (answer, { parameters }) =>
        findParameter(parameters, 'wait') === undefined ? answer : without(answer, 'tags'),
    },
  },
  {
    id: 'wait-ends-with-news',
    title: 'tells of a deletion where it waited in vain',
    behaviour: {
      syncAnswer: (answer, { parameters }) =>
        findParameter(parameters, 'wait') === undefined || answer.things !== undefined
          ? answer
          : { ...answer, thingCount: 1, things: { deleted: ['0'] } },
    },
  },
  {
    id: 'wait-refused',
    title: 'refuses wait',
    behaviour: {
      parameters: (all) => {
        if (findParameter(all, 'wait') !== undefined) throw new Refusal('parameter-invalid', 'what is wait?')
        return all
      },
    },
  },
  { id: 'wait-holds-news', title: 'waits although something is new', behaviour: { holdsBack: () => true } },
  {
    id: 'wait-answers-empty',
    title: 'lists nothing in an answer that was held back',
    behaviour: {
      syncAnswer: (answer, { parameters }) =>
        findParameter(parameters, 'wait') === undefined ? answer : { pos: answer.pos },
    },
  },
  { id: 'wait-without-end', title: 'waits until something changes', behaviour: { waitMs: () => 1_000_000 } },
  { id: 'wait-milliseconds', title: 'takes wait for milliseconds', behaviour: { waitMs: (seconds) => seconds } },
  { id: 'wait-unchecked', title: 'takes any number for wait', behaviour: { isGoodWait: () => true } },
  {
    id: 'wait-unchecked-text',
    title: 'leaves a wait that is no number aside',
    behaviour: {
      parameters: (all) => all.filter(([name, value]) => name !== 'wait' || Number.isFinite(Number(value))),
    },
  },
]

/** Faults against what is decided on devices. */
export const deviceFaults: readonly Fault[] = [
  {
    id: 'device-endpoint-unchecked',
    title: 'takes any endpoint of a device',
    behaviour: { wrongDevice: (fields) => right.wrongDevice({ ...fields, endpoint: 'https://example.org/' }) },
  },
  {
    id: 'device-p256dh-unchecked',
    title: 'takes any key of a device',
    behaviour: { wrongDevice: (fields) => right.wrongDevice({ ...fields, p256dh: newKey() }) },
  },
  {
    id: 'device-auth-unchecked',
    title: 'takes any secret of a device',
    behaviour: { wrongDevice: (fields) => right.wrongDevice({ ...fields, auth: 'AAAAAAAAAAAAAAAAAAAAAA' }) },
  },
  {
    id: 'device-delivered-unsaid',
    title: 'does not say that a device is never told anything',
    behaviour: { registeredDevice: () => ({ registered: true }) },
  },
  {
    id: 'device-delivered-always',
    title: 'says of every device that it is never told anything',
    behaviour: { registeredDevice: () => ({ registered: true, delivered: false }) },
  },
  {
    id: 'device-list-missing',
    title: 'does not list devices',
    behaviour: refusing(({ path }) => path === 'device/list'),
  },
  {
    id: 'device-list-repeated',
    title: 'lists each device twice',
    behaviour: { listedDevices: (...all) => right.listedDevices(...all).flatMap((device) => [device, device]) },
  },
  { id: 'device-list-empty', title: 'lists no devices', behaviour: { listedDevices: () => [] } },
  {
    id: 'device-listed-twice',
    title: 'keeps a device for each address that it had',
    behaviour: { deviceOwner: (device) => `${right.deviceOwner(device)} ${device.fields.endpoint}` },
  },
  {
    id: 'device-list-keeps-unregistered',
    title: 'does not forget devices',
    behaviour: { forgetsDevices: false },
  },
  {
    id: 'device-list-with-keys',
    title: 'lists the keys of devices',
    behaviour: {
      listedDevice: (device, asking) => ({
        ...(right.listedDevice(device, asking) as JsonObject),
        p256dh: device.fields.p256dh,
        auth: device.fields.auth,
      }),
    },
  },
  {
    id: 'device-list-with-endpoint',
    title: 'lists the addresses of devices',
    behaviour: {
      listedDevice: (device, asking) => ({
        ...(right.listedDevice(device, asking) as JsonObject),
        endpoint: device.fields.endpoint,
      }),
    },
  },
  {
    id: 'device-list-of-all-users',
    title: 'lists the devices of all users',
    behaviour: {
      listedDevices: (_account, _client, world) =>
        [...world.accounts.values()].flatMap(({ devices }) => [...devices.values()]),
    },
  },
  {
    id: 'device-outlives-session',
    title: 'keeps the devices of a session that was revoked',
    behaviour: { endsDevices: false },
  },
  {
    id: 'device-key-missing',
    title: 'has no key for Web Push',
    behaviour: refusing(({ path }) => path === 'device/key'),
  },
  {
    id: 'device-key-compressed',
    title: 'answers the compressed point of its key',
    behaviour: {
      deviceKey: () => compressedKey,
    },
  },
  { id: 'device-key-anew', title: 'answers another key each time', behaviour: { deviceKey: () => newKey() } },
]
