import { expect, test } from 'vitest'
import { createMemoryLocalStore, type LocalStore } from './local-store.ts'
import { readPendingEdits } from './pending-edits.ts'
import { keys } from './replica-records.ts'
import { createReplicaView } from './replica-view.ts'

test('a listing asks the store for the settings of each tag once, however many things carry it', async () => {
  const kept = createMemoryLocalStore()
  const thing = {
    title: 'a',
    tags: 'home todo',
    date: 1,
    archived: false,
    todoStatus: true,
    seenIn: 'x',
    knownAfter: 0,
  }
  await kept.write(new Map<string, unknown>([1, 2, 3].map((id) => [keys.thing(`${id}`), thing])))
  await kept.write(new Map([[keys.tag('todo'), { favorite: false, color: false, todo: 'strike' }]]))
  const asked: string[] = []
  const get: LocalStore['get'] = (key) => {
    asked.push(key)
    return kept.get(key)
  }
  const store = { ...kept, get }

  const listed = []
  for await (const { todoStatus } of createReplicaView(store, await readPendingEdits(store)).listThings())
    listed.push(todoStatus)

  expect(listed).toEqual([true, true, true])
  expect(asked).toEqual([keys.tag('home'), keys.tag('todo')])
})
