import { expect, test } from 'vitest'
import { readPendingEdits } from './edits.ts'
import { createMemoryLocalStore, type LocalStore } from './local-store.ts'
import { editKey, keys } from './replica-records.ts'
import { createReplicaView, openReplicaReader } from './replica-view.ts'

test('a listing requests from the store the settings of each tag once, however many things carry it', async () => {
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
  const requested: string[] = []
  const get: LocalStore['get'] = (key) => {
    requested.push(key)
    return kept.get(key)
  }
  const store = { ...kept, get }

  const listed = []
  for await (const { todoStatus } of createReplicaView(store, await readPendingEdits(store)).listThings())
    listed.push(todoStatus)

  expect(listed).toEqual([true, true, true])
  expect(requested).toEqual([keys.tag('home'), keys.tag('todo')])
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

test('a thing that a response confirms during a lookup is found, also by its client-assigned ID', async () => {
  const kept = createMemoryLocalStore()
  const known = { title: 'old', tags: '', date: 1, archived: false, todoStatus: false, seenIn: 'x', knownAfter: 0 }
  await kept.write(
    new Map<string, unknown>([
      [keys.thing('a'), known],
      [editKey('sending', 'thing', 'a'), { kind: 'change', fields: { title: 'edited' } }],
      [editKey('sending', 'thing', 'local'), { kind: 'new', fields: { title: 'made', date: 2 } }],
      [editKey('sending', 'tag', 'home'), { favorite: true }],
    ]),
  )
  const confirmed = new Map<string, unknown>([
    [keys.thing('a'), { ...known, title: 'edited' }],
    [editKey('sending', 'thing', 'a'), undefined],
    [keys.thing('b'), { ...known, title: 'made' }],
    [keys.givenId('local'), 'b'],
    [editKey('sending', 'thing', 'local'), undefined],
    [keys.tag('home'), { favorite: true, color: false, todo: false }],
    [editKey('sending', 'tag', 'home'), undefined],
  ])
  /** A view for which a response arrives right after the first key of this beginning was read. */
  const openView = async (beginning: string) => {
    const own = createMemoryLocalStore()
    for await (const [key, value] of kept.list('')) await own.write(new Map([[key, value]]))
    let hasResponse = false
    const get: LocalStore['get'] = async (key) => {
      const found = await own.get(key)
      if (key.startsWith(beginning) && !hasResponse) {
        hasResponse = true
        await pending.write(confirmed)
      }
      return found
    }
    const store = { ...own, get }
    const pending = await readPendingEdits(store)
    return createReplicaView(store, pending)
  }

  const found = await (await openView(keys.givenId(''))).findThings(['a', 'local'])
  const tags = await (await openView(keys.tag(''))).listTags()

  expect(Array.from(found, ([id, thing]) => [id, thing.id, thing.title])).toEqual([
    ['a', 'a', 'edited'],
    ['local', 'b', 'made'],
  ])
  expect([...tags]).toEqual([['home', { favorite: true, color: false, todo: false }]])
})
