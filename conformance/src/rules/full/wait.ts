import type { OpenStream } from '../../client.ts'
import { expect, expectThing } from '../../expect.ts'
import { Finding } from '../../finding.ts'
import { isObject, showValue } from '../../json.ts'
import type { Lab } from '../../lab.ts'
import type { Replica } from '../../replica.ts'
import type { Rule } from '../../rule.ts'
import { readSyncAnswer, type SyncAnswer } from '../../sync-answer.ts'
import { expectError, get } from './answers.ts'
import { decided } from './decided.ts'
import { openSession, pause } from './live-steps.ts'

/** A wait that is longer than anybody's patience with an event. */
const long = 60

/** A sync that may wait, judged; it may stay silent as long as what it waits for may take. */
const syncWaiting = async (lab: Lab, replica: Replica, from: number, seconds: number): Promise<SyncAnswer> => {
  const { eventMs } = lab.options.patience
  const patienceMs = seconds === long ? eventMs : seconds * 1000 + eventMs
  const query = [['from', `${from}`] as const, ['wait', `${seconds}`] as const]
  const reply = await replica.send({ method: 'GET', path: 'sync', query, patienceMs })
  return readSyncAnswer(reply, `a sync from ${from} with wait=${seconds} by ${replica.name}`)
}

/** Rules of section 6: sync with wait (contract, delivery). */
export const waitRules: readonly Rule[] = [
  decided({
    id: 'WAIT-CHANGE-01',
    title:
      'MUST hold a sync with wait back while nothing is new, and answer it as soon as another session changes something',
    section: '6',
    clauses: ['K-live-2'],
    faults: [
      'wait-ignored',
      'wait-always-whole',
      'wait-answers-empty',
      'wait-answers-without-things',
      'wait-answers-without-tags',
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
      const answer = await again
      expect(answer.tags.has(tag), `tag ${tag}, which laptop set`, showValue(answer.json), answer)
    },
  }),
  decided({
    id: 'WAIT-NOW-01',
    title: 'MUST answer a sync with wait at once when something is new, or everything is asked for',
    section: '6',
    clauses: ['K-live-2'],
    faults: ['wait-always-whole', 'wait-holds-news', 'wait-holds-deltas', 'wait-holds-everything'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const id = await (await lab.replica('laptop')).create()
      expectThing(await syncWaiting(lab, phone, from, long), id, `laptop created it before phone asked from ${from}`)
      expectThing(await syncWaiting(lab, phone, 0, long), id, 'everything was asked for')
    },
  }),
  decided({
    id: 'WAIT-EMPTY-01',
    title: 'MUST answer a sync with wait after so many seconds when nothing is new',
    section: '6',
    clauses: ['K-live-2'],
    faults: ['wait-ignored', 'wait-without-end', 'wait-milliseconds', 'wait-ends-with-news'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const started = performance.now()
      const answer = await syncWaiting(lab, phone, from, 1)
      const seconds = (performance.now() - started) / 1000
      expect(seconds > 0.9, 'an answer after a second, because nothing is new', `${seconds.toFixed(2)} s`, answer)
      const isEmpty = answer.pos === from && answer.changed.length + answer.deleted.length === 0
      expect(isEmpty, `{"pos": ${from}}, because nothing changed`, showValue(answer.json), answer)
    },
  }),
  decided({
    id: 'WAIT-OWN-01',
    title: "MUST NOT answer a sync with wait because of its own session's changes",
    section: '6',
    clauses: ['K-live-2', 'K-live-3'],
    faults: ['live-own-changes-wake'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      let answer: SyncAnswer | undefined
      // Whether the wait began before phone's own change cannot be seen: a wait that ends early is tried again, with
      // more time to begin.
      for (const beforeMs of [200, 1000, 2000]) {
        const waiting = syncWaiting(lab, phone, await phone.position(), long)
        await pause(beforeMs)
        await phone.create()
        const id = await laptop.create()
        answer = await waiting
        if (answer.things.has(id)) return
      }
      throw new Finding(
        'an answer with the thing that laptop created, because what came before was the own change of phone',
        `${showValue(answer?.json)} came`,
        answer?.exchange,
      )
    },
  }),
  decided({
    id: 'WAIT-USER-01',
    title: "MUST NOT answer a sync with wait because of another user's changes",
    section: '6',
    clauses: ['K-live-2'],
    faults: ['live-other-users-wake'],
    alone: true,
    check: async (lab) => {
      const stranger = await lab.stranger()
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      let answer: SyncAnswer | undefined
      for (const beforeMs of [200, 1000]) {
        const waiting = syncWaiting(lab, phone, await phone.position(), long)
        await pause(beforeMs)
        await stranger.create()
        const id = await laptop.create()
        answer = await waiting
        if (answer.things.has(id)) return
      }
      throw new Finding(
        'an answer with the thing that laptop created, because what came before was of another user',
        `${showValue(answer?.json)} came`,
        answer?.exchange,
      )
    },
  }),
  decided({
    id: 'WAIT-SEVERAL-01',
    title: 'MUST answer every session that waits, and refuse the eleventh wait of one',
    section: '6',
    clauses: ['K-live-2', 'K-live-3'],
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
      const patienceMs = lab.options.patience.eventMs * 2
      const ask = (): Promise<OpenStream> => lab.listen(token, { method: 'GET', path: 'sync', query, patienceMs })
      const other = syncWaiting(lab, phone, from, long)
      const asked = Array.from({ length: 11 }, ask)
      const refused = await Promise.race(asked)
      const error = lab.readJson(refused.text())
      expect(
        refused.status === 429 && isObject(error) && error.error === 'slow_down',
        '429 slow_down first, because one of eleven waits of a session is too many',
        `${refused.status} ${showValue(refused.text(), 200)} came`,
        { exchange: refused.exchange() },
      )
      const id = await laptop.create()
      // Those that are not answered fail here.
      await Promise.all(asked)
      expectThing(await other, id, 'laptop created it while phone waited')
    },
  }),
  decided({
    id: 'WAIT-VALUE-01',
    title: 'MUST refuse a wait that is no whole number from 1 to 60',
    section: '6',
    clauses: ['K-live-2', 'K-error-1'],
    faults: ['wait-unchecked', 'wait-unchecked-text', 'wait-refused'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      // In an empty account a sync with wait=60 may wait even if it asks for everything.
      await phone.position()
      for (const wait of ['0', '61', '-1', 'soon']) {
        // Everything is asked for: a server that takes it has no reason to wait.
        const reply = await get(phone, 'sync', { from: '0', limit: '1', wait })
        expectError(reply, 400, 'parameter_invalid', `wait is ${wait}`)
      }
      readSyncAnswer(await get(phone, 'sync', { from: '0', limit: '1', wait: '60' }), 'a full sync with wait=60')
    },
  }),
]
