import { expect, test } from 'vitest'
import { maxLinearGrowth, measureGrowth } from '../../test/measure-growth.ts'
import { openGrantServer } from '../../test/support/grants.ts'
import { openMemoryStore } from '../store/memory-store.ts'
import type { Store } from '../store/store.ts'
import { thingForm } from '../things/thing.ts'
import { renderBody } from '../wire/render-json.ts'
import { tagsOperations } from './things.ts'

test('each of many requests of a user for the tags runs in a turn of the event loop of its own', async () => {
  const { store, login, use } = await openGrantServer()
  const { accessToken } = await login()
  const session = await use(accessToken)
  let turn = 0
  const next = (): void => {
    turn += 1
    handle = setImmediate(next)
  }
  let handle = setImmediate(next)
  const counted: number[] = []
  const watched: Store = {
    ...store,
    read: async (userId, reader) => {
      const view = await store.read(userId, reader)
      return {
        ...view,
        countTags: () => {
          counted.push(turn)
          return view.countTags()
        },
      }
    },
  }
  const { getTags } = tagsOperations(watched)

  const send = () => getTags({ parameters: {}, session } as Parameters<typeof getTags>[0])
  const responses = await Promise.all(Array.from({ length: 5 }, send))
  clearImmediate(handle)

  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect(new Set(counted).size).toBe(5)
  await store.close()
})

test('the time to read tags is linear in their number, changed again or not', async () => {
  const settings = { favorite: true, color: '#fff', todo: 'strike' } as const
  const open = async (count: number) => {
    const store = await openMemoryStore({ form: thingForm })
    for (let round = 0; round < 2; round += 1)
      await store.write('anna', 'phone', async (draft) => {
        for (let n = 0; n < count; n += 1) await draft.putTag(`tag ${n}`, settings)
      })
    return store
  }

  const { growth } = await measureGrowth(
    open,
    async (opening) => {
      const { getTags } = tagsOperations(await opening)
      const { body } = await getTags({ parameters: {}, session: { userId: 'anna' } } as Parameters<typeof getTags>[0])
      const rendered = await renderBody(body)
      if (typeof rendered === 'object' && !Buffer.isBuffer(rendered)) for await (const _ of rendered);
    },
    40_000,
  )

  expect(growth).toBeLessThan(maxLinearGrowth)
})
