import { expect, test } from 'vitest'
import { createMemoryLocalStore, type LocalStore } from './local-store.ts'
import { readPendingEdits } from './pending-edits.ts'
import { openReplicaReader } from './replica-reader.ts'
import { editKey, keys } from './replica-records.ts'
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

test('a reader shows what the replica shows, with the edits that wait, however the store lists', async () => {
  const kept = createMemoryLocalStore()
  const known = { title: 'known', tags: '', date: 1, archived: false, todoStatus: false, seenIn: 'x', knownAfter: 0 }
  await kept.write(
    new Map<string, unknown>([
      ...Array.from({ length: 250 }, (_, index) => [keys.thing(`${index}`), known] as const),
      [editKey('queued', 'thing', '7'), { kind: 'change', fields: { title: 'edited' } }],
      [editKey('queued', 'thing', '8'), { kind: 'delete' }],
      [editKey('queued', 'thing', 'local'), { kind: 'new', fields: { title: 'new', date: 2 } }],
    ]),
  )
  const listParts: LocalStore['listParts'] = async function* (prefix) {
    const all = []
    for await (const entry of kept.list(prefix)) all.push(entry)
    yield all
  }

  const listed = []
  for (const store of [kept, { ...kept, listParts }]) {
    const reader = await openReplicaReader(store)
    const things = []
    for await (const part of reader.listThingParts()) things.push(...part)
    const edited = things.filter(({ isPending }) => isPending).map(({ id, title }) => `${id} ${title}`)
    listed.push([things.length, things.some(({ id }) => id === '8'), edited])
  }

  const expected = [250, false, ['7 edited', 'local new']]
  expect(listed).toEqual([expected, expected])
})
