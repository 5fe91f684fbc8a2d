import { expect, test } from 'vitest'
import { createMemoryLocalStore } from '../../client/src/local-store.ts'
import { createReplica, type Replica } from '../../client/src/replica.ts'
import type { ReplicaFields } from '../../client/src/replica-records.ts'
import { createItemIndex, foldText, type ItemQuery, readWords } from './search-items.ts'

/** A replica that never syncs. */
const openReplica = (): Promise<Replica> => createReplica({ client: {} as never, store: createMemoryLocalStore() })

const all: ItemQuery = { text: '', tags: [], archived: 'exclude' }

/** Adds items and returns a function that searches for their titles. */
const openIndex = async (items: readonly (ReplicaFields & { readonly title: string })[]) => {
  const replica = await openReplica()
  await replica.setTag('buy', { todo: true })
  await replica.editAll(items.map((fields) => ({ kind: 'create', fields })))
  const index = createItemIndex(replica)
  const search = async (query: Partial<ItemQuery> = {}) => {
    const ids = await index.search({ ...all, ...query })
    const things = await replica.findThings(ids)
    return ids.map((id) => things.get(id)?.title)
  }
  const find = async (title: string) => (await index.search({ ...all, text: title, archived: 'include' }))[0] ?? ''
  return { replica, index, search, find }
}

test('all words must occur, anywhere in an item; the best place comes first, then the newest', async () => {
  const { search } = await openIndex([
    { title: 'In a note', html: '<p>a <b>gar</b>den far away</p>', date: 5 },
    { title: 'Garden far', date: 1 },
    { title: 'Tagged far', tags: 'garden', date: 3 },
    { title: 'Linked far', url: 'https://garden.example/', date: 4 },
    { title: 'Garden', date: 9 },
    { title: 'Far garden', date: 2 },
  ])

  expect(await search({ text: 'FAR gärden' })).toEqual([
    'Far garden',
    'Garden far',
    'Tagged far',
    'Linked far',
    'In a note',
  ])
  expect(await search({ text: '"garden far"' })).toEqual(['Garden far', 'In a note'])
  expect(await search({ text: 'garden nowhere' })).toEqual([])
})

test('tags, kind, state, archive and dates limit a search', async () => {
  const { search } = await openIndex([
    { title: 'note', tags: 'Home x', date: 10 },
    { title: 'link', url: 'https://a.example/', tags: 'home', date: 20 },
    { title: 'open', tags: 'buy home', date: 30 },
    { title: 'done', tags: 'buy', todoStatus: true, url: 'https://b.example/', date: 40 },
    { title: 'old', archived: true, date: 50 },
  ])

  expect(await search()).toEqual(['done', 'open', 'link', 'note'])
  expect(await search({ tags: ['home'] })).toEqual(['open', 'link', 'note'])
  expect(await search({ tags: ['home', 'X'] })).toEqual(['note'])
  expect(await search({ kind: 'note' })).toEqual(['note'])
  expect(await search({ kind: 'link' })).toEqual(['done', 'link'])
  expect(await search({ kind: 'to-do' })).toEqual(['done', 'open'])
  expect(await search({ isDone: false })).toEqual(['open'])
  expect(await search({ isDone: true })).toEqual(['done'])
  expect(await search({ archived: 'only' })).toEqual(['old'])
  expect(await search({ archived: 'include', from: 20, to: 50 })).toEqual(['old', 'done', 'open', 'link'])
})

test('the index follows edits, deletions and tags that become to-do tags', async () => {
  const { replica, index, search, find } = await openIndex([{ title: 'one', tags: 'later' }, { title: 'two' }])
  expect(await search()).toHaveLength(2)

  await replica.change(await find('one'), { title: 'first', url: 'https://Example.com/A' })
  await replica.remove(await find('two'))
  await replica.create({ title: 'three', tags: 'later new' })
  expect((await search()).sort()).toEqual(['first', 'three'])
  expect(await search({ kind: 'to-do' })).toEqual([])
  await replica.setTag('later', { todo: true })

  expect((await search({ kind: 'to-do' })).sort()).toEqual(['first', 'three'])
  expect(await index.countTags()).toEqual(
    new Map([
      ['later', 2],
      ['new', 1],
    ]),
  )
  expect(await index.findUrl('https://Example.com/A')).toEqual([await find('first')])
  expect(await index.findUrl('https://Example.com/a')).toEqual([])
})

test('an index whose reading failed reads everything again', async () => {
  const replica = await openReplica()
  await replica.create({ title: 'one' })
  let isBroken = true
  async function* listThingParts() {
    if (isBroken) throw new Error('the disk is gone')
    yield* replica.listThingParts()
  }
  const index = createItemIndex({ ...replica, listThingParts })

  await expect(index.search(all)).rejects.toThrow('the disk is gone')
  isBroken = false

  expect(await index.search(all)).toHaveLength(1)
})

test('folding ignores case, accents and width, and takes linear time for a flood of combining marks', () => {
  expect(foldText('ÀÉÎ ÖŸ ＡＢＣ Ёж')).toBe('aei oy abc еж')
  expect(foldText(`a${'\u0301\u0316'.repeat(200_000)}b`)).toBe('ab')
})

test('a query has words and phrases, each once', () => {
  expect(readWords('Ä b  "c d" B "unclosed one')).toEqual(['a', 'b', 'c d', 'unclosed one'])
  expect(readWords(' "" ')).toEqual([])
})
