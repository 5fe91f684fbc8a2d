import { ClientError } from './client-error.ts'
import type { Pace } from './pace.ts'

/** Watches that work goes on. */
export interface Guard {
  /** Aborts when the work has to end. */
  readonly signal: AbortSignal
  /** Says that the work goes on, and from now on may be silent for so long. */
  readonly heard: (limitMilliseconds?: number) => void
}

/** What bounds a work. */
export interface GuardOptions {
  readonly pace: Pace
  /** Ends the work; its promise is then rejected with the reason of the signal. */
  readonly signal: AbortSignal
  readonly limitMilliseconds: number
  /** Where others may ask for a look at the clock: it is looked at whenever the function that is given is called. */
  readonly onLook?: (look: () => void) => () => void
}

// By the clock and not by one long timer: those stand still while a machine sleeps.
const stepMilliseconds = 5_000

/**
 * Does work on a connection that may die without a word: when nothing was heard for too long, also because the machine
 * slept, it is aborted. Neither it nor an abort waits for work that does not listen to its signal.
 * @throws ClientError `network` when the work was silent for too long
 */
export const runGuarded = async <T>(
  { pace, signal, limitMilliseconds, onLook }: GuardOptions,
  work: (guard: Guard) => Promise<T>,
): Promise<T> => {
  const ending = new AbortController()
  let limit = limitMilliseconds
  let heardAt = pace.now()
  const end = () => ending.abort(signal.reason)
  const look = () => {
    if (pace.now() - heardAt < limit) return
    ending.abort(new ClientError('network', `nothing came for ${limit / 1000} seconds`))
  }
  const watch = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      const left = Math.max(0, heardAt + limit - pace.now())
      if (await pace.sleep(Math.min(stepMilliseconds, left), ending.signal)) look()
    }
  }
  if (signal.aborted) end()
  signal.addEventListener('abort', end)
  const forget = onLook?.(look)
  const aborted = new Promise<never>((_, reject) => {
    const throwReason = () => reject(ending.signal.reason)
    if (ending.signal.aborted) throwReason()
    else ending.signal.addEventListener('abort', throwReason)
  })
  void watch()
  const heard = (next = limit) => {
    limit = next
    heardAt = pace.now()
  }
  try {
    return await Promise.race([work({ signal: ending.signal, heard }), aborted])
  } finally {
    signal.removeEventListener('abort', end)
    forget?.()
    // The work may be broken off by this, and nobody waits for it any more.
    ending.abort()
  }
}
