import type { ClientOptions } from '../../client/src/index.ts'
import { createObservable, type Observable } from './observable.ts'

type Send = NonNullable<ClientOptions['fetch']>

/** A way of sending that learns from the answers how far the clock of this device is off. */
export interface ClockWatch {
  readonly send: Send
  /** Milliseconds that this device is ahead of the server; 0 where they are near enough to each other. */
  readonly ahead: Observable<number>
}

// Answers may be old when they come; nobody is told of less.
const toleratedMilliseconds = 300_000

/** Compares this device's clock with the `Date` of each answer. */
export const watchClock = (send: Send, now: () => number): ClockWatch => {
  const ahead = createObservable(0)
  return {
    ahead,
    send: async (request, init) => {
      const answer = await send(request, init)
      const told = Date.parse(answer.headers.get('date') ?? '')
      if (!Number.isNaN(told)) {
        const difference = now() - told
        const isOff = Math.abs(difference) > toleratedMilliseconds
        // In whole minutes, so that nothing changes with each answer.
        ahead.set(isOff ? Math.round(difference / 60_000) * 60_000 : 0)
      }
      return answer
    },
  }
}
