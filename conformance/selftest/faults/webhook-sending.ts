import { type Behaviour, right } from '../server/behaviour.ts'
import type { Hook } from '../server/world.ts'
import { type Fault, fault } from './fault.ts'

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
  fault('hook-parallel', 'sends a webhook one request beside the other', { maySend: () => true }),
  fault('hook-parallel-when-many-wait', 'sends a webhook a second request when four changes wait behind the first', {
    maySend: ({ here, behind }) => here === 0 || (here === 1 && behind >= 4),
  }),
  fault('hook-queue', 'sends a message for each change, one after the other', {
    cut: (news) => {
      const [first] = news.things
      return first === undefined ? news : { ...news, things: [first], position: first.position }
    },
  }),
  fault('hook-merge-keeps-last', 'tells the last change alone of those that waited', {
    cut: (news) => ({ ...news, things: news.things.slice(-1) }),
  }),
  fault('hook-merge-keeps-first', 'tells the first change alone of those that waited', {
    cut: (news) => ({ ...news, things: news.things.slice(0, 1) }),
  }),
  fault('hook-merge-drops', 'forgets what changes while a request is under way', {
    toldBy: (_message, { position }) => position,
  }),
  fault('hook-merge-tells-first-position', 'tells the position of the first change of those that waited', {
    messageBody: (news, now) =>
      right.messageBody({ ...news, position: news.things[0]?.position ?? news.position }, now),
  }),
  fault('hook-positions-go-back', 'tells older positions after newer ones', {
    messageBody: (news, now) =>
      right.messageBody({ ...news, position: news.position - (countMessage() % 2) * 1000 }, now),
  }),
  fault('hook-one-for-all', 'sends to one webhook at a time', {
    maySend: ({ anywhere, here }) => anywhere === 0 && here === 0,
  }),
  fault('hook-never-again', 'tries once', { retryMs: () => undefined }),
  fault('hook-error-is-success', 'takes every answer for success', { isTaken: (status) => status !== 'nothing' }),
  fault('hook-again-as-another', 'gives each try an id of its own', {
    again: (message, hook) => ({ ...message, id: right.messageId(hook) }),
  }),
  fault('hook-again-with-other-bytes', 'writes the time anew into each try', {
    again: (message) => ({
      ...message,
      body: message.body.replace(/"timestamp":"[^"]*"/, '"timestamp":"2026-11-22T00:00:00Z"'),
    }),
  }),
  fault('hook-again-with-news', 'puts what is new into the next try of an old message', {
    again: (message, _hook, rebuild) => ({ ...(rebuild() ?? message), id: message.id, tries: message.tries }),
  }),
  fault('hook-again-badly-signed', 'signs each further try by its body alone', {
    signed: (id, time, body, tries) => (tries > 0 ? body : right.signed(id, time, body, tries)),
  }),
  fault('hook-again-at-once', 'tries again at once', { retryMs: () => 20 }),
  fault('hook-redirect-followed', 'follows redirects', { followsRedirects: true }),
  fault('hook-redirect-followed-in-vain', 'follows a redirect, and takes it for a failure', {
    followsRedirects: true,
    afterRedirect: (first) => first,
  }),
  fault('hook-redirect-is-success', 'takes a redirect for success', {
    isTaken: (status) => status !== 'nothing' && status < 400,
  }),
  fault('hook-close-is-success', 'takes no answer for success', {
    isTaken: (status) => status === 'nothing' || right.isTaken(status),
  }),
  fault('hook-close-is-forgotten', 'does not try again without an answer', {
    retryMs: (tries, after, status) => (status === 'nothing' ? undefined : right.retryMs(tries, after, status)),
  }),
  fault('hook-overtakes-failures', 'sends what is new before what failed', { waitsBehindFailures: false }),
  fault('hook-forgets-behind-failure', 'forgets what changes while a message waits for its next try', {
    toldBy: (message, { position }) => (message.tries > 0 ? position : message.to),
  }),
  fault('hook-retry-after-ignored', 'does not look at Retry-After', {
    retryMs: (tries, _after, status) => right.retryMs(tries, undefined, status),
  }),
  fault('hook-gone-kept', 'takes 410 for a failure like any other', { goneEnds: false }),
  fault('hook-gone-listed', 'goes on listing a webhook that answered 410', {
    endGone: (_account, hook) => {
      hook.told = Number.MAX_SAFE_INTEGER
    },
  }),
  fault(
    'hook-gone-told',
    'goes on telling a webhook that answered 410, and lists it no more',
    (() => {
      const gone = new WeakSet<Hook>()
      return {
        endGone: (_account, hook) => {
          gone.add(hook)
          hook.sending = undefined
        },
        listedHooks: (...all) => right.listedHooks(...all).filter((hook) => !gone.has(hook)),
      } satisfies Partial<Behaviour>
    })(),
  ),
  fault('hook-202-is-failure', 'takes 202 for a failure', {
    isTaken: (status) => status !== 202 && right.isTaken(status),
  }),
  fault('hook-only-200-is-success', 'takes 200 alone for success', { isTaken: (status) => status === 200 }),
]
