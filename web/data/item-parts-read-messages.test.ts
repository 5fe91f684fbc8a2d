import { expect, test } from 'vitest'
import { ClientError } from '../../client/src/index.ts'
import { openOfflineReplica } from '../../test/support/web/open-replica.ts'
import { createSearchIndex } from '../search/search-index.ts'
import {
  createParts,
  createRows,
  type ReadRequest,
  type ReadResponse,
  readParts,
  receiveParts,
  toFailure,
} from './item-parts.ts'

test('columns give the things as they were, letters beyond Latin-1 or not', async () => {
  const replica = await openOfflineReplica()
  const fields = [
    { title: 'Crème', tags: 'home x', date: 1, url: 'https://a.example/', html: '<p>oat</p>', archived: true },
    { title: 'ключ 🗝', tags: '', date: -5.5 },
    { title: '', tags: 'дом', date: 3 },
  ]
  await replica.editAll(fields.map((one) => ({ kind: 'create', fields: one })))
  await replica.setTag('x', { todo: true })
  const inOne = createRows()
  const inParts = createRows()
  const index = createSearchIndex()

  for await (const thing of replica.listThings()) inOne.put(thing)
  for await (const part of readParts(replica)) index.putPart(inParts.putPart(part), part)

  const byId = (rows: ReturnType<typeof createRows>) =>
    [...rows.list()].map(({ number: _, ...row }) => row).sort((one, other) => (one.id < other.id ? -1 : 1))
  expect(byId(inParts)).toEqual(byId(inOne))
  expect(inParts.tagCounts()).toEqual(inOne.tagCounts())
  const find = (query: string) => [...index.search(query)].map((number) => inParts.findByNumber(number)?.title)
  expect([find(''), find('is:archived oat'), find('#дом'), find('is:open is:archived'), find('ключ')]).toEqual([
    ['', 'ключ 🗝'],
    ['Crème'],
    [''],
    ['Crème'],
    ['ключ 🗝'],
  ])
})

test('a thing with a wide letter does not make the texts of the others wide', () => {
  const thing = { id: 'a', title: 'é', tags: '', date: 1, archived: false, isPending: false }

  const parts = createParts([thing, { ...thing, id: 'b', title: 'ж' }, { ...thing, id: 'c' }])

  expect(parts.map(({ ids }) => ids.joined)).toEqual(['ac', 'b'])
})

/** A port whose other side answers each `next` with the next of these. */
const openPort = (answers: readonly ReadResponse[]) => {
  const asked: ReadRequest[] = []
  const state = { isStopped: false }
  let tell: (told: ReadResponse) => void = () => undefined
  let given = 0
  const port = {
    send: (one: ReadRequest) => {
      asked.push(one)
      const answer = one.kind === 'next' ? answers[given++] : undefined
      if (answer !== undefined) queueMicrotask(() => tell(answer))
    },
    listen: (listener: typeof tell) => {
      tell = listener
    },
    stop: () => {
      state.isStopped = true
    },
  }
  return { port, asked, state }
}

const partOf = (title: string): ReadResponse => {
  const [part] = createParts([{ id: title, title, tags: '', date: 1, archived: false, isPending: false }])
  if (part === undefined) throw new Error('one thing makes a part')
  return { kind: 'part', part }
}

test('all parts come through a port, which is stopped at the end', async () => {
  const { port, asked, state } = openPort([...'abcdefgh'].map(partOf).concat({ kind: 'end' }))
  const titles: string[] = []

  for await (const { titles: some } of receiveParts(port, 'the store')) titles.push(some.joined)

  expect(titles.join('')).toBe('abcdefgh')
  expect([asked[0], state.isStopped]).toEqual([{ kind: 'read', store: 'the store' }, true])
})

test('what breaks on the other side is told to whoever reads, and the port is stopped', async () => {
  const { port, state } = openPort([partOf('a'), toFailure(new ClientError('store_gone', 'it is gone'))])
  const read = async () => {
    for await (const _ of receiveParts(port, 'the store'));
  }

  await expect(read()).rejects.toMatchObject({ name: 'ClientError', code: 'store_gone', message: 'it is gone' })
  expect(state.isStopped).toBe(true)
})
