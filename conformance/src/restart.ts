import { setTimeout as wait } from 'node:timers/promises'
import { Blocked } from './finding.ts'

/** How the server under test is started again; rejects when that did not work. */
export type Restart = (signal: AbortSignal) => Promise<void>

/** One rule's part in the restart. */
export interface Participant {
  /** Waits until every rule is here, does the last step, and comes back when the server does. At most once. */
  readonly take: (lastStep?: () => Promise<void>) => Promise<void>
  /** The rule has ended, whether it came here or not. */
  readonly leave: () => void
}

interface Gate {
  readonly pass: () => void
  readonly opened: Promise<void>
}

/** A gate that opens when so many have passed. */
const createGate = (count: number): Gate => {
  let missing = count
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const pass = (): void => {
    missing -= 1
    if (missing === 0) open()
  }
  return { pass, opened }
}

/** Lets rules share one restart: no request is under way in the middle of it. `join` is called once for each rule. */
export const gatherForRestart = (rules: number, restart: () => Promise<void>): { join: () => Participant } => {
  const [here, ready] = [createGate(rules), createGate(rules)]
  let taken = 0
  const restarted = ready.opened.then(() => (taken === 0 ? undefined : restart()))
  // Told to those who take part.
  restarted.catch(() => {})
  return {
    join: () => {
      let left: (() => void)[] = [here.pass, ready.pass]
      const passNext = (): void => left.shift()?.()
      return {
        take: async (lastStep) => {
          taken += 1
          passNext()
          await here.opened
          try {
            await lastStep?.()
          } finally {
            passNext()
          }
          await restarted
        },
        leave: () => {
          const missed = left
          left = []
          for (const pass of missed) pass()
        },
      }
    },
  }
}

/** Longest time until the server answers again, in milliseconds. */
const longestStartMs = 60_000

/** Asks until the server answers; what stands before it may say meanwhile that it is away. */
export const waitUntilAnswered = async (ask: () => Promise<number | undefined>, signal: AbortSignal): Promise<void> => {
  const deadline = performance.now() + longestStartMs
  for (;;) {
    const status = await ask()
    if (status !== undefined && (status < 502 || status > 504)) return
    if (signal.aborted || performance.now() > deadline) {
      throw new Blocked(`the server did not answer within ${longestStartMs / 1000} s after the restart`)
    }
    await wait(100)
  }
}
