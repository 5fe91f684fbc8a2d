import { readAccessToken } from '../access-tokens.ts'
import { findRetryDelayMs, type OpenStream } from '../client.ts'
import { isObject, showValue } from '../encoding.ts'
import { expect, expectThing } from '../expect.ts'
import type { Lab } from '../lab.ts'
import type { Replica } from '../replica.ts'
import { asSetup, Finding } from '../result.ts'
import { extensionRule, type Rule } from '../rule.ts'
import { readSyncResponse, type SyncResponse } from '../sync-messages.ts'
import { expectError, get } from './operation-steps.ts'

/** Number of retries of a throttled request; after that it counts as an error. */
const maxRepeats = 3

/** Waits for some time, where no event shows when to continue. */
export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

/** The path of the event stream. */
const eventsPath = 'sync/events'

/** Opens a stream of events of the replica's session, and checks that it is one. */
const openEvents = async (lab: Lab, replica: Replica, headers = {}): Promise<OpenStream> =>
  openEventsWith(lab, await replica.token(), replica.name, headers)

/** Opens a stream, or returns another response; retries requests that the server throttles. */
const openUnlessThrottled = async (
  lab: Lab,
  token: string,
  who: string,
  headers: Readonly<Record<string, string>>,
): Promise<OpenStream> => {
  for (let attempt = 0; ; attempt += 1) {
    const stream = await lab.listen(token, { who, method: 'GET', path: eventsPath, headers })
    const delayMs = findRetryDelayMs(stream.status, stream.headers['retry-after'], attempt)
    if (delayMs === undefined || attempt === maxRepeats) return stream
    stream.close()
    await pause(delayMs)
  }
}

/** Does the same with any token. */
const openEventsWith = async (lab: Lab, token: string, who: string, headers = {}): Promise<OpenStream> => {
  const stream = await openUnlessThrottled(lab, token, who, headers)
  const type = stream.headers['content-type'] ?? 'none'
  const isStream = stream.status === 200 && /^text\/event-stream\b/i.test(type)
  const came = `${stream.status} ${type} ${showValue(stream.text(), 200)} came`
  expect(isStream, '200 with the content type text/event-stream', came, { exchange: stream.exchange() })
  return stream
}

/** Reads an event and the position in its data. */
interface ReceivedEvent {
  readonly id: string | undefined
  readonly pos: number
  readonly data: string
}

/** Takes the next event of a stream. @throws Finding when none comes. */
const takeEvent = async (lab: Lab, stream: OpenStream, because: string): Promise<ReceivedEvent> => {
  const { eventMs } = lab.options.timeouts
  const event = await stream.take(eventMs)
  if (event === undefined) {
    const came = `none came within ${eventMs / 1000} s, but ${showValue(stream.text().slice(-300))}`
    throw new Finding(`an event, because ${because}`, came, stream.exchange())
  }
  const json = lab.readJson(event.data)
  const pos = isObject(json) ? json.pos : undefined
  expect(typeof pos === 'number', 'an event with data {"pos": N}', `data ${event.data} came`, {
    exchange: stream.exchange(),
  })
  return { id: event.id, pos, data: event.data }
}

/** Takes the next event with this position or a later one. @throws Finding when none comes. */
const takeEventFrom = async (
  lab: Lab,
  stream: OpenStream,
  position: number,
  because: string,
): Promise<readonly ReceivedEvent[]> => {
  const events: ReceivedEvent[] = []
  for (;;) {
    const event = await takeEvent(lab, stream, `${because}, which ended at ${position}`)
    events.push(event)
    if (event.pos >= position) return events
  }
}

/** Opens a session of user 1 as a setup step; returns its token, and a function that ends it. */
export const openSession = (lab: Lab): Promise<{ token: string; revoke: () => Promise<void> }> =>
  asSetup('a password grant', async () => {
    const token = readAccessToken(await lab.token())
    const { clientId, clientSecret } = lab.target
    const form = [['client_id', clientId] as const, ['client_secret', clientSecret] as const, ['token', token] as const]
    const revoke = async (): Promise<void> => {
      await lab.request({ path: 'revoke', form })
    }
    lab.afterwards(revoke)
    return { token, revoke }
  })

const maxWaiting = 10

/** Opens a stream of the session and waits for its first event: from then on the server knows the stream. */
const openKnown = async (lab: Lab, token: string): Promise<OpenStream> => {
  const stream = await openEventsWith(lab, token, 'suite')
  await takeEvent(lab, stream, 'the stream was just opened')
  return stream
}

/** Expects an error for one request more than a session may have. */
const expectTooMany = (lab: Lab, stream: OpenStream): void => {
  const json = lab.readJson(stream.text())
  const error = isObject(json) ? json.error : undefined
  expect(
    stream.status === 429 && error === 'slow_down',
    '429 slow_down, because the session has 10 requests already that wait',
    `${stream.status} ${showValue(stream.text(), 200)} came`,
    { exchange: stream.exchange() },
  )
}

/** Rules of section 6: sync/events (contract, delivery). */
export const eventRules: readonly Rule[] = [
  extensionRule({
    id: 'EVENTS-OPEN-01',
    title: 'MUST respond to sync/events with a stream that begins with an event of the current position',
    section: '6',
    requirements: ['K-live-1'],
    faults: [
      'events-missing',
      'events-content-type',
      'events-silent-at-first',
      'events-without-id',
      'events-data-plain',
      'events-first-old',
    ],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const position = await phone.position()
      const stream = await openEvents(lab, phone)
      const event = await takeEvent(lab, stream, 'the stream was just opened')
      const at = { exchange: stream.exchange() }
      expect(event.pos === position, `pos ${position}, the current position`, `${event.data} came`, at)
      expect(event.id !== undefined && event.id !== '', 'an event with an id', 'none came', at)
    },
  }),
  extensionRule({
    id: 'EVENTS-CHANGE-01',
    title: 'MUST notify a stream of each kind of change that another session makes, with a position that lists it',
    section: '6',
    requirements: ['K-live-1'],
    faults: [
      'events-never',
      'events-once',
      'events-without-tags',
      'events-without-deletions',
      'events-without-operations',
      'events-old-position',
    ],
    alone: true,
    check: async (lab) => {
      const laptop = await lab.replica('laptop')
      const stream = await openEvents(lab, await lab.replica('phone'))
      await takeEvent(lab, stream, 'the stream was just opened')
      const id = await laptop.create()
      await takeEventFrom(lab, stream, await laptop.position(), 'laptop created a thing')
      await laptop.change(id)
      await takeEventFrom(lab, stream, await laptop.position(), 'laptop changed a thing')
      await laptop.setTag(lab.unique(), { favorite: true })
      await takeEventFrom(lab, stream, await laptop.position(), 'laptop set a tag')
      await laptop.remove(id)
      await takeEventFrom(lab, stream, await laptop.position(), 'laptop deleted a thing')
      await laptop.send({ method: 'POST', path: 'thing/add', form: [['title', lab.unique()]] })
      await takeEventFrom(lab, stream, await laptop.position(), 'laptop added a thing by thing/add')
    },
  }),
  extensionRule({
    id: 'EVENTS-OWN-01',
    title: "MUST NOT notify a stream of its own session's changes alone",
    section: '6',
    requirements: ['K-live-1', 'K-live-3'],
    faults: ['live-own-changes-wake'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const stream = await openEvents(lab, phone)
      await takeEvent(lab, stream, 'the stream was just opened')
      await phone.create()
      await phone.create()
      await laptop.create()
      const position = await laptop.position()
      const events = await takeEventFrom(lab, stream, position, 'laptop created a thing')
      const came = events.map(({ data }) => data).join(', then ')
      expect(events.length === 1, `one event, with ${position}, because all before were phone's own changes`, came, {
        exchange: stream.exchange(),
      })
    },
  }),
  extensionRule({
    id: 'EVENTS-SEVERAL-01',
    title: 'MUST notify every stream of an account, whichever session it belongs to',
    section: '6',
    requirements: ['K-live-1'],
    faults: ['events-one-stream-alone', 'live-last-session-alone'],
    alone: true,
    check: async (lab) => {
      const streams: OpenStream[] = []
      for (const name of ['phone', 'tablet', 'tablet']) {
        const stream = await openEvents(lab, await lab.replica(name))
        await takeEvent(lab, stream, 'the stream was just opened')
        streams.push(stream)
      }
      const laptop = await lab.replica('laptop')
      await laptop.create()
      const position = await laptop.position()
      for (const stream of streams) await takeEventFrom(lab, stream, position, 'laptop created a thing')
    },
  }),
  extensionRule({
    id: 'EVENTS-USER-01',
    title: "MUST NOT notify a stream of another user's changes",
    section: '6',
    requirements: ['K-live-1'],
    faults: ['live-other-users-wake'],
    alone: true,
    check: async (lab) => {
      const otherUser = await lab.otherUser()
      const stream = await openEvents(lab, await lab.replica('phone'))
      await takeEvent(lab, stream, 'the stream was just opened')
      const theirs = await openEvents(lab, otherUser)
      await takeEvent(lab, theirs, 'the stream was just opened')
      // Another device of the other user: its change must appear in the other user's stream.
      const other = await lab.otherUser('other-user-2')
      await other.create()
      await takeEventFrom(lab, theirs, await other.position(), 'other-user-2 created a thing')
      const laptop = await lab.replica('laptop')
      await laptop.create()
      const position = await laptop.position()
      const events = await takeEventFrom(lab, stream, position, 'laptop created a thing')
      const came = events.map(({ data }) => data).join(', then ')
      expect(events.length === 1, `one event, with ${position}, because laptop changed something once`, came, {
        exchange: stream.exchange(),
      })
    },
  }),
  extensionRule({
    id: 'EVENTS-LAST-01',
    title: 'MUST notify a client that comes back with Last-Event-ID of what it missed at once',
    section: '6',
    requirements: ['K-live-1'],
    faults: ['events-last-id-silent', 'events-last-id-rejected', 'events-silent-at-first'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const first = await openEvents(lab, phone)
      const { id = '' } = await takeEvent(lab, first, 'the stream was just opened')
      first.close()
      await laptop.create()
      const position = await laptop.position()
      const second = await openEvents(lab, phone, { 'last-event-id': id })
      await takeEventFrom(lab, second, position, `laptop created a thing after event ${id}`)
    },
  }),
  extensionRule({
    id: 'EVENTS-TOKEN-01',
    title: 'MUST respond to sync/events without a token, and with a wrong one, with 401',
    section: '6',
    requirements: ['K-live-1', 'K-error-2'],
    faults: ['events-token-unchecked', 'events-wrong-token-hidden', 'events-missing'],
    check: async (lab) => {
      const none = await lab.request({ method: 'GET', path: eventsPath, timeoutMs: lab.options.timeouts.eventMs })
      expectError(none, 401, 'invalid_request', 'no token was given')
      const wrong = await lab.present({ method: 'GET', path: eventsPath }, lab.mark, { kind: 'query' })
      expectError(wrong, 401, 'invalid_grant', 'the token was never issued')
    },
  }),
  extensionRule({
    id: 'EVENTS-TOKEN-02',
    title: 'MUST end a stream when its session is revoked',
    section: '6',
    requirements: ['K-live-1'],
    faults: ['events-outlive-session'],
    waits: true,
    check: async (lab) => {
      const { token, revoke } = await openSession(lab)
      const stream = await openKnown(lab, token)
      await revoke()
      // A server may check at intervals, such as those of its comments.
      const maxMs = lab.options.timeouts.retryMs * 2
      const hasEnded = await stream.hasEnded(maxMs)
      const expected = `the stream to end within ${maxMs / 1000} s, because its session was revoked`
      expect(hasEnded, expected, 'it is still open', { exchange: stream.exchange() })
    },
  }),
  extensionRule({
    id: 'EVENTS-LIMIT-01',
    title: 'MUST take ten streams of a session, reject the eleventh, and take another when one has ended',
    section: '6',
    requirements: ['K-live-3'],
    faults: ['live-limit-none', 'live-limit-few', 'live-limit-other-error', 'live-places-lost', 'live-limit-of-user'],
    waits: true,
    check: async (lab) => {
      const [{ token }, other] = [await openSession(lab), await openSession(lab)]
      const streams: OpenStream[] = []
      for (let count = 0; count < maxWaiting; count += 1) streams.push(await openKnown(lab, token))
      expectTooMany(lab, await lab.listen(token, { method: 'GET', path: eventsPath }))
      await openKnown(lab, other.token)
      streams[0]?.close()
      const until = performance.now() + lab.options.timeouts.eventMs
      for (;;) {
        const again = await lab.listen(token, { method: 'GET', path: eventsPath })
        if (again.status === 200) break
        // The server notices a closed connection a little later.
        if (performance.now() > until) expectTaken(again)
        await pause(50)
      }
    },
  }),
]

const expectTaken = (stream: OpenStream): void =>
  expect(stream.status === 200, 'another stream, because one of ten has ended', `${stream.status} came`, {
    exchange: stream.exchange(),
  })

/** A wait that is longer than every time-out for an event. */
const long = 60

/** Sends a sync that may wait, and checks its response; the server may be silent for the time of the event. */
const syncWaiting = async (lab: Lab, replica: Replica, from: number, seconds: number): Promise<SyncResponse> => {
  const { eventMs } = lab.options.timeouts
  const timeoutMs = seconds === long ? eventMs : seconds * 1000 + eventMs
  const query = [['from', `${from}`] as const, ['wait', `${seconds}`] as const]
  const reply = await replica.send({ method: 'GET', path: 'sync', query, timeoutMs })
  return readSyncResponse(reply, `a sync from ${from} with wait=${seconds} by ${replica.name}`)
}

/** Rules of section 6: sync with wait (contract, delivery). */
export const waitRules: readonly Rule[] = [
  extensionRule({
    id: 'WAIT-CHANGE-01',
    title:
      'MUST hold a sync with wait back while nothing is new, and respond as soon as another session changes something',
    section: '6',
    requirements: ['K-live-2'],
    faults: [
      'wait-ignored',
      'wait-always-whole',
      'wait-responses-empty',
      'wait-responses-without-things',
      'wait-responses-without-tags',
      'events-without-tags',
    ],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await phone.position()
      const waiting = syncWaiting(lab, phone, from, long)
      const id = await laptop.create()
      expectThing(await waiting, id, `laptop created it while phone waited from ${from}`)
      const next = await phone.position()
      const again = syncWaiting(lab, phone, next, long)
      const tag = lab.unique()
      await laptop.setTag(tag, { favorite: true })
      const response = await again
      expect(response.tags.has(tag), `tag ${tag}, which laptop set`, showValue(response.json), response)
    },
  }),
  extensionRule({
    id: 'WAIT-NOW-01',
    title: 'MUST respond to a sync with wait at once when something is new, or everything is asked for',
    section: '6',
    requirements: ['K-live-2'],
    faults: ['wait-always-whole', 'wait-holds-news', 'wait-holds-incrementals', 'wait-holds-everything'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const id = await (await lab.replica('laptop')).create()
      expectThing(await syncWaiting(lab, phone, from, long), id, `laptop created it before phone's sync from ${from}`)
      expectThing(await syncWaiting(lab, phone, 0, long), id, 'this is a full sync')
    },
  }),
  extensionRule({
    id: 'WAIT-EMPTY-01',
    title: 'MUST respond to a sync with wait after so many seconds when nothing is new',
    section: '6',
    requirements: ['K-live-2'],
    faults: ['wait-ignored', 'wait-without-end', 'wait-milliseconds', 'wait-ends-with-news'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const started = performance.now()
      const response = await syncWaiting(lab, phone, from, 1)
      const seconds = (performance.now() - started) / 1000
      expect(seconds > 0.9, 'a response after a second, because nothing is new', `${seconds.toFixed(2)} s`, response)
      const isEmpty = response.pos === from && response.changed.length + response.deleted.length === 0
      expect(isEmpty, `{"pos": ${from}}, because nothing changed`, showValue(response.json), response)
    },
  }),
  extensionRule({
    id: 'WAIT-OWN-01',
    title: "MUST NOT respond to a sync with wait because of its own session's changes",
    section: '6',
    requirements: ['K-live-2', 'K-live-3'],
    faults: ['live-own-changes-wake'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      let response: SyncResponse | undefined
      // The rule cannot see whether the wait began before phone's own change: a wait that ends early is tried again,
      // with more time to begin.
      for (const beforeMs of [200, 1000, 2000]) {
        const waiting = syncWaiting(lab, phone, await phone.position(), long)
        await pause(beforeMs)
        await phone.create()
        const id = await laptop.create()
        response = await waiting
        if (response.things.has(id)) return
      }
      throw new Finding(
        'a response with the thing that laptop created, because the change before was by phone itself',
        `${showValue(response?.json)} came`,
        response?.exchange,
      )
    },
  }),
  extensionRule({
    id: 'WAIT-USER-01',
    title: "MUST NOT respond to a sync with wait because of another user's changes",
    section: '6',
    requirements: ['K-live-2'],
    faults: ['live-other-users-wake'],
    alone: true,
    check: async (lab) => {
      const otherUser = await lab.otherUser()
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      let response: SyncResponse | undefined
      for (const beforeMs of [200, 1000]) {
        const waiting = syncWaiting(lab, phone, await phone.position(), long)
        await pause(beforeMs)
        await otherUser.create()
        const id = await laptop.create()
        response = await waiting
        if (response.things.has(id)) return
      }
      throw new Finding(
        'a response with the thing that laptop created, because the change before was by another user',
        `${showValue(response?.json)} came`,
        response?.exchange,
      )
    },
  }),
  extensionRule({
    id: 'WAIT-SEVERAL-01',
    title: 'MUST respond to every session that waits, and reject the eleventh wait of one',
    section: '6',
    requirements: ['K-live-2', 'K-live-3'],
    faults: [
      'events-one-stream-alone',
      'events-once',
      'live-last-session-alone',
      'live-limit-none',
      'live-limit-other-error',
    ],
    alone: true,
    check: async (lab) => {
      const laptop = await lab.replica('laptop')
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const { token } = await openSession(lab)
      const query = [['from', `${from}`] as const, ['wait', `${long}`] as const]
      const timeoutMs = lab.options.timeouts.eventMs * 2
      const send = (): Promise<OpenStream> => lab.listen(token, { method: 'GET', path: 'sync', query, timeoutMs })
      const other = syncWaiting(lab, phone, from, long)
      const pending = Array.from({ length: 11 }, send)
      const rejected = await Promise.race(pending)
      const error = lab.readJson(rejected.text())
      expect(
        rejected.status === 429 && isObject(error) && error.error === 'slow_down',
        '429 slow_down first, because one of eleven waits of a session is too many',
        `${rejected.status} ${showValue(rejected.text(), 200)} came`,
        { exchange: rejected.exchange() },
      )
      const id = await laptop.create()
      // Requests without a response fail here.
      await Promise.all(pending)
      expectThing(await other, id, 'laptop created it while phone waited')
    },
  }),
  extensionRule({
    id: 'WAIT-VALUE-01',
    title: 'MUST reject a wait that is no whole number from 1 to 60',
    section: '6',
    requirements: ['K-live-2', 'K-error-1'],
    faults: ['wait-unchecked', 'wait-unchecked-text', 'wait-rejected'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      // In an empty account a sync with wait=60 may wait even if it is a full sync.
      await phone.position()
      for (const wait of ['0', '61', '-1', 'soon']) {
        // A full sync: a server that accepts it has no reason to wait.
        const reply = await get(phone, 'sync', { from: '0', limit: '1', wait })
        expectError(reply, 400, 'parameter_invalid', `wait is ${wait}`)
      }
      readSyncResponse(await get(phone, 'sync', { from: '0', limit: '1', wait: '60' }), 'a full sync with wait=60')
    },
  }),
]
