import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createOwnerSlots } from './send.ts'

test('one response of an owner gets half as many turns as forty of another owner together', async () => {
  const slots = createOwnerSlots()
  const steps = { many: 0, few: 0 }
  const work = async (owner: 'many' | 'few'): Promise<void> => {
    await slots.acquire(owner)
    while (steps.few < 60) {
      steps[owner] += 1
      await nextTurn()
      slots.release(owner)
      await slots.acquire(owner)
    }
    slots.release(owner)
  }

  await Promise.all([...Array.from({ length: 40 }, () => work('many')), work('few')])

  expect(steps.few).toBe(60)
  expect(steps.many).toBeLessThanOrEqual(2 * steps.few + 2)
})

test('waiting responses get the slot in their order, and a free slot cannot be released', async () => {
  const slots = createOwnerSlots(1)
  const order: number[] = []
  const all = [0, 1, 2].map(async (index) => {
    await slots.acquire('a')
    order.push(index)
    await nextTurn()
    slots.release('a')
  })

  await Promise.all(all)

  expect(order).toEqual([0, 1, 2])
  expect(() => slots.release('a')).toThrow('a slot was released that was not acquired')
})
