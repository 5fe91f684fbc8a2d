import { expect, test } from 'vitest'
import { createThing } from '../../../test/store/fixtures.ts'
import { thingForm } from '../../things/thing.ts'
import { openMemoryStore } from '../memory-store.ts'
import { withGaps } from './records.ts'

const other = { kind: 'webhook', group: '', key: 'one', value: {} }

test('an account never was at a position that it brought along as lost', async () => {
  const store = await openMemoryStore({ form: thingForm })
  await store.write('anna', 'phone', async (draft) => {
    for (let number = 1; number <= 9; number += 1) await draft.putThing(createThing(`a${number}`))
    for (const { kind, group, key, value } of withGaps([other], [[3, 6]]))
      await draft.putRecord(kind, group, key, value)
  })

  const view = await store.read('anna')
  await store.close()

  expect([2, 3, 4, 5, 6, 9, 10].map(view.hasBeenAt)).toEqual([true, true, false, false, true, true, false])
})

test('lost positions are added to existing ones, and an account without any has no record', () => {
  const [, once] = [...withGaps([other], [[3, 6]])]

  expect([...withGaps(once === undefined ? [] : [once, other], [[9, 12]])]).toEqual([
    other,
    {
      ...once,
      value: [
        [3, 6],
        [9, 12],
      ],
    },
  ])
  expect([...withGaps([other], [])]).toEqual([other])
})
