import { expect, test } from 'vitest'
import { openMemoryStore } from '../store/memory-store.ts'
import { thingForm } from '../things/thing.ts'
import { enforceQuotas, noQuotas } from './quotas.ts'

test('a write that waits for its user delays no other write of the account', async () => {
  const store = await openMemoryStore({ form: thingForm })
  const waiting: (() => void)[] = []
  const registry = {
    ...store.registry,
    findUser: async () => {
      if (waiting.length === 0) await new Promise<void>((resolve) => waiting.push(resolve))
      return undefined
    },
  }
  const { write } = enforceQuotas({ ...store, registry }, noQuotas)

  const first = write('anna', 'phone', async () => 'first')
  const second = await write('anna', 'laptop', async () => 'second')
  for (const resolve of waiting) resolve()

  expect([await first, second]).toEqual(['first', 'second'])
})
