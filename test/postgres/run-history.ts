import { setTimeout as wait } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { createRandom } from '../store/faults/random.ts'
import { createHistory, type HistoryOutcome } from './histories.ts'

const clients = ['c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7']

/** Resolves when so many more writes resolved: however slow the machine is, something goes on. */
export type AwaitWrites = (count: number) => Promise<void>

/** Runs 8 clients over the stores while something is done to them, and checks the history. */
export const runHistory = async (
  stores: readonly Store[],
  disturb: (awaitWrites: AwaitWrites) => Promise<void>,
): Promise<HistoryOutcome> => {
  onTestFinished(async () => {
    await Promise.all(stores.map(({ close }) => close()))
  })
  const history = createHistory()
  let isDone = false
  const running = Promise.all(
    clients.map((name, index) => history.runClient(name, stores, createRandom(index), () => isDone)),
  )
  const awaitWrites: AwaitWrites = async (count) => {
    const end = history.countWrites() + count
    while (!isDone && history.countWrites() < end) await wait(20)
  }
  const disturbing = disturb(awaitWrites).finally(() => {
    isDone = true
  })
  await Promise.all([running.finally(() => (isDone = true)), disturbing])
  return history.check(stores)
}
