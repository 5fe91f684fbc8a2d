import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createOwnerSlots } from './send.ts'

test('one answer of an owner has a half of the turns that forty of another have together', async () => {
  const turns = createOwnerSlots()
  const steps = { many: 0, few: 0 }
  const work = async (owner: 'many' | 'few'): Promise<void> => {
    await turns.acquire(owner)
    while (steps.few < 60) {
      steps[owner] += 1
      await nextTurn()
      turns.release(owner)
      await turns.acquire(owner)
    }
    turns.release(owner)
  }

  await Promise.all([...Array.from({ length: 40 }, () => work('many')), work('few')])

  expect(steps.few).toBe(60)
  expect(steps.many).toBeLessThanOrEqual(2 * steps.few + 2)
})

test('who stands in line has the turn in the order of coming, and a turn that nobody has cannot be ended', async () => {
  const turns = createOwnerSlots(1)
  const order: number[] = []
  const all = [0, 1, 2].map(async (index) => {
    await turns.acquire('a')
    order.push(index)
    await nextTurn()
    turns.release('a')
  })

  await Promise.all(all)

  expect(order).toEqual([0, 1, 2])
  expect(() => turns.release('a')).toThrow('a turn was ended that nobody had')
})
