import type { OpenStream } from '../../client.ts'
import { expect } from '../../expect.ts'
import { isObject, showValue } from '../../json.ts'
import type { Lab } from '../../lab.ts'
import type { Rule } from '../../rule.ts'
import { expectError } from './answers.ts'
import { decided } from './decided.ts'
import { eventsPath, openEvents, openEventsWith, openSession, pause, takeEvent, takeEventFrom } from './live-steps.ts'

const mostWaiting = 10

/** A stream of the session whose first event has come: from then on the server knows of it. */
const openKnown = async (lab: Lab, token: string): Promise<OpenStream> => {
  const stream = await openEventsWith(lab, token, 'suite')
  await takeEvent(lab, stream, 'the stream was just opened')
  return stream
}

/** Expects that one request more than a session may have is refused. */
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
  decided({
    id: 'EVENTS-OPEN-01',
    title: 'MUST answer sync/events with a stream that begins with an event of the current position',
    section: '6',
    clauses: ['K-live-1'],
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
  decided({
    id: 'EVENTS-CHANGE-01',
    title: 'MUST tell a stream of each kind of change that another session makes, with a position that lists it',
    section: '6',
    clauses: ['K-live-1'],
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
  decided({
    id: 'EVENTS-OWN-01',
    title: "MUST NOT tell a stream of its own session's changes alone",
    section: '6',
    clauses: ['K-live-1', 'K-live-3'],
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
  decided({
    id: 'EVENTS-SEVERAL-01',
    title: 'MUST tell every stream of an account, whichever session it belongs to',
    section: '6',
    clauses: ['K-live-1'],
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
  decided({
    id: 'EVENTS-USER-01',
    title: "MUST NOT tell a stream of another user's changes",
    section: '6',
    clauses: ['K-live-1'],
    faults: ['live-other-users-wake'],
    alone: true,
    check: async (lab) => {
      const stranger = await lab.stranger()
      const stream = await openEvents(lab, await lab.replica('phone'))
      await takeEvent(lab, stream, 'the stream was just opened')
      const theirs = await openEvents(lab, stranger)
      await takeEvent(lab, theirs, 'the stream was just opened')
      // Another device of the stranger: what it changes is told to the stranger's stream.
      const other = await lab.stranger('stranger-2')
      await other.create()
      await takeEventFrom(lab, theirs, await other.position(), 'stranger-2 created a thing')
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
  decided({
    id: 'EVENTS-LAST-01',
    title: 'MUST tell a client that comes back with Last-Event-ID of what it missed at once',
    section: '6',
    clauses: ['K-live-1'],
    faults: ['events-last-id-silent', 'events-last-id-refused', 'events-silent-at-first'],
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
  decided({
    id: 'EVENTS-TOKEN-01',
    title: 'MUST answer sync/events without a token, and with a wrong one, 401',
    section: '6',
    clauses: ['K-live-1', 'K-error-2'],
    faults: ['events-token-unchecked', 'events-wrong-token-hidden', 'events-missing'],
    check: async (lab) => {
      const none = await lab.request({ method: 'GET', path: eventsPath, patienceMs: lab.options.patience.eventMs })
      expectError(none, 401, 'invalid_request', 'no token was given')
      const wrong = await lab.present({ method: 'GET', path: eventsPath }, lab.mark, { kind: 'query' })
      expectError(wrong, 401, 'invalid_grant', 'the token was never issued')
    },
  }),
  decided({
    id: 'EVENTS-TOKEN-02',
    title: 'MUST end a stream when its session is revoked',
    section: '6',
    clauses: ['K-live-1'],
    faults: ['events-outlive-session'],
    patient: true,
    check: async (lab) => {
      const { token, revoke } = await openSession(lab)
      const stream = await openKnown(lab, token)
      await revoke()
      // A server may look at intervals, such as those of its comments.
      const mostMs = lab.options.patience.retryMs * 2
      const hasEnded = await stream.hasEnded(mostMs)
      const expected = `the stream to end within ${mostMs / 1000} s, because its session was revoked`
      expect(hasEnded, expected, 'it is still open', { exchange: stream.exchange() })
    },
  }),
  decided({
    id: 'EVENTS-LIMIT-01',
    title: 'MUST take ten streams of a session, refuse the eleventh, and take another when one has ended',
    section: '6',
    clauses: ['K-live-3'],
    faults: ['live-limit-none', 'live-limit-few', 'live-limit-other-error', 'live-places-lost', 'live-limit-of-user'],
    patient: true,
    check: async (lab) => {
      const [{ token }, other] = [await openSession(lab), await openSession(lab)]
      const streams: OpenStream[] = []
      for (let count = 0; count < mostWaiting; count += 1) streams.push(await openKnown(lab, token))
      expectTooMany(lab, await lab.listen(token, { method: 'GET', path: eventsPath }))
      await openKnown(lab, other.token)
      streams[0]?.close()
      const until = performance.now() + lab.options.patience.eventMs
      for (;;) {
        const again = await lab.listen(token, { method: 'GET', path: eventsPath })
        if (again.status === 200) break
        // The server hears of a closed connection a little later.
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
