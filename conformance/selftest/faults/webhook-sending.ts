import { type Behaviour, right } from '../server/behaviour.ts'
import type { Hook } from '../server/world.ts'
import type { Fault } from './fault.ts'

/** Counts through the life of a fault. */
const createCounter = (): (() => number) => {
  let count = 0
  return () => {
    count += 1
    return count
  }
}

const countMessage = createCounter()

/** Faults against what is decided on merging and on trying again. */
export const webhookSendingFaults: readonly Fault[] = [
  {
    id: 'hook-parallel',
    title: 'sends a webhook one request beside the other',
    behaviour: { maySend: () => true },
  },
  {
    id: 'hook-parallel-when-many-wait',
    title: 'sends a webhook a second request when four changes wait behind the first',
    behaviour: { maySend: ({ here, behind }) => here === 0 || (here === 1 && behind >= 4) },
  },
  {
    id: 'hook-queue',
    title: 'sends a message for each change, one after the other',
    behaviour: {
      cut: (news) => {
        const [first] = news.things
        return first === undefined ? news : { ...news, things: [first], position: first.position }
      },
    },
  },
  {
    id: 'hook-merge-keeps-last',
    title: 'tells the last change alone of those that waited',
    behaviour: { cut: (news) => ({ ...news, things: news.things.slice(-1) }) },
  },
  {
    id: 'hook-merge-keeps-first',
    title: 'tells the first change alone of those that waited',
    behaviour: { cut: (news) => ({ ...news, things: news.things.slice(0, 1) }) },
  },
  {
    id: 'hook-merge-drops',
    title: 'forgets what changes while a request is under way',
    behaviour: { toldBy: (_message, { position }) => position },
  },
  {
    id: 'hook-merge-tells-first-position',
    title: 'tells the position of the first change of those that waited',
    behaviour: {
      messageBody: (news, now) =>
        right.messageBody({ ...news, position: news.things[0]?.position ?? news.position }, now),
    },
  },
  {
    id: 'hook-positions-go-back',
    title: 'tells older positions after newer ones',
    behaviour: {
      messageBody: (news, now) =>
        right.messageBody({ ...news, position: news.position - (countMessage() % 2) * 1000 }, now),
    },
  },
  {
    id: 'hook-one-for-all',
    title: 'sends to one webhook at a time',
    behaviour: { maySend: ({ anywhere, here }) => anywhere === 0 && here === 0 },
  },
  { id: 'hook-never-again', title: 'tries once', behaviour: { retryMs: () => undefined } },
  {
    id: 'hook-error-is-success',
    title: 'takes every answer for success',
    behaviour: { isTaken: (status) => status !== 'nothing' },
  },
  {
    id: 'hook-again-as-another',
    title: 'gives each try an id of its own',
    behaviour: { again: (message, hook) => ({ ...message, id: right.messageId(hook) }) },
  },
  {
    id: 'hook-again-with-other-bytes',
    title: 'writes the time anew into each try',
    behaviour: {
      again: (message) => ({
        ...message,
        body: message.body.replace(/"timestamp":"[^"]*"/, '"timestamp":"2026-11-22T00:00:00Z"'),
      }),
    },
  },
  {
    id: 'hook-again-with-news',
    title: 'puts what is new into the next try of an old message',
    behaviour: {
      again: (message, _hook, rebuild) => ({ ...(rebuild() ?? message), id: message.id, tries: message.tries }),
    },
  },
  {
    id: 'hook-again-badly-signed',
    title: 'signs each further try by its body alone',
    behaviour: { signed: (id, time, body, tries) => (tries > 0 ? body : right.signed(id, time, body, tries)) },
  },
  { id: 'hook-again-at-once', title: 'tries again at once', behaviour: { retryMs: () => 20 } },
  { id: 'hook-redirect-followed', title: 'follows redirects', behaviour: { followsRedirects: true } },
  {
    id: 'hook-redirect-followed-in-vain',
    title: 'follows a redirect, and takes it for a failure',
    behaviour: { followsRedirects: true, afterRedirect: (first) => first },
  },
  {
    id: 'hook-redirect-is-success',
    title: 'takes a redirect for success',
    behaviour: { isTaken: (status) => status !== 'nothing' && status < 400 },
  },
  {
    id: 'hook-close-is-success',
    title: 'takes no answer for success',
    behaviour: { isTaken: (status) => status === 'nothing' || right.isTaken(status) },
  },
  {
    id: 'hook-close-is-forgotten',
    title: 'does not try again without an answer',
    behaviour: {
      retryMs: (tries, after, status) => (status === 'nothing' ? undefined : right.retryMs(tries, after, status)),
    },
  },
  {
    id: 'hook-overtakes-failures',
    title: 'sends what is new before what failed',
    behaviour: { waitsBehindFailures: false },
  },
  {
    id: 'hook-forgets-behind-failure',
    title: 'forgets what changes while a message waits for its next try',
    behaviour: { toldBy: (message, { position }) => (message.tries > 0 ? position : message.to) },
  },
  {
    id: 'hook-retry-after-ignored',
    title: 'does not look at Retry-After',
    behaviour: { retryMs: (tries, _after, status) => right.retryMs(tries, undefined, status) },
  },
  { id: 'hook-gone-kept', title: 'takes 410 for a failure like any other', behaviour: { goneEnds: false } },
  {
    id: 'hook-gone-listed',
    title: 'goes on listing a webhook that answered 410',
    behaviour: {
      endGone: (_account, hook) => {
        hook.told = Number.MAX_SAFE_INTEGER
      },
    },
  },
  {
    id: 'hook-gone-told',
    title: 'goes on telling a webhook that answered 410, and lists it no more',
    behaviour: (() => {
      const gone = new WeakSet<Hook>()
      return {
        endGone: (_account, hook) => {
          gone.add(hook)
          hook.sending = undefined
        },
        listedHooks: (...all) => right.listedHooks(...all).filter((hook) => !gone.has(hook)),
      } satisfies Partial<Behaviour>
    })(),
  },
  {
    id: 'hook-202-is-failure',
    title: 'takes 202 for a failure',
    behaviour: { isTaken: (status) => status !== 202 && right.isTaken(status) },
  },
  {
    id: 'hook-only-200-is-success',
    title: 'takes 200 alone for success',
    behaviour: { isTaken: (status) => status === 200 },
  },
]
