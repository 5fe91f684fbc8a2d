import { setTimeout as wait } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { createRandom } from '../store/faults/random.ts'
import { createHistory, type Judged } from './histories.ts'

const clients = ['c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7']

/** Resolves when the clients have had so many more answers: however slow the machine is, something goes on. */
export type AwaitAnswers = (count: number) => Promise<void>

/** Runs 8 clients over the stores while something is done to them, and judges the history. */
export const runHistory = async (
  stores: readonly Store[],
  disturb: (awaitResponses: AwaitAnswers) => Promise<void>,
): Promise<Judged> => {
  onTestFinished(async () => {
    await Promise.all(stores.map(({ close }) => close()))
  })
  const history = createHistory()
  let isDone = false
  const running = Promise.all(
    clients.map((name, index) => history.runClient(name, stores, createRandom(index), () => isDone)),
  )
  const awaitResponses: AwaitAnswers = async (count) => {
    const end = history.countResponses() + count
    while (!isDone && history.countResponses() < end) await wait(20)
  }
  const disturbing = disturb(awaitResponses).finally(() => {
    isDone = true
  })
  await Promise.all([running.finally(() => (isDone = true)), disturbing])
  return history.judge(stores)
}
