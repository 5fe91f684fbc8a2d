import { expect, test } from 'vitest'
import { openGrantTrial } from '../accounts/grant-trial.ts'
import type { Store } from '../store/store.ts'
import { tagsOperations } from './tags.ts'

test('of many requests of one user for the tags, each is worked on in a turn of the event loop of its own', async () => {
  const { store, login, use } = await openGrantTrial()
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

  const ask = () => getTags({ parameters: {}, session } as Parameters<typeof getTags>[0])
  const answers = await Promise.all(Array.from({ length: 5 }, ask))
  clearImmediate(handle)

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect(new Set(counted).size).toBe(5)
  await store.close()
})
