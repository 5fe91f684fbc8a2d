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

test('columns preserve items, with and without letters beyond Latin-1', async () => {
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

test('an item with a letter beyond Latin-1 gets a part of its own', () => {
  const thing = { id: 'a', title: 'é', tags: '', date: 1, archived: false, isPending: false }

  const parts = createParts([thing, { ...thing, id: 'b', title: 'ж' }, { ...thing, id: 'c' }])

  expect(parts.map(({ ids }) => ids.joined)).toEqual(['ac', 'b'])
})

/** Creates a port whose other side responds to each `next` with the next of these messages. */
const openPort = (responses: readonly ReadResponse[]) => {
  const requests: ReadRequest[] = []
  const state = { isStopped: false }
  let respond: (response: ReadResponse) => void = () => undefined
  let sent = 0
  const port = {
    send: (request: ReadRequest) => {
      requests.push(request)
      const response = request.kind === 'next' ? responses[sent++] : undefined
      if (response !== undefined) queueMicrotask(() => respond(response))
    },
    listen: (listener: typeof respond) => {
      respond = listener
    },
    stop: () => {
      state.isStopped = true
    },
  }
  return { port, requests, state }
}

const partOf = (title: string): ReadResponse => {
  const [part] = createParts([{ id: title, title, tags: '', date: 1, archived: false, isPending: false }])
  if (part === undefined) throw new Error('one thing makes a part')
  return { kind: 'part', part }
}

test('all parts come through a port, which is stopped at the end', async () => {
  const { port, requests, state } = openPort([...'abcdefgh'].map(partOf).concat({ kind: 'end' }))
  const titles: string[] = []

  for await (const { titles: some } of receiveParts(port, 'the store')) titles.push(some.joined)

  expect(titles.join('')).toBe('abcdefgh')
  expect([requests[0], state.isStopped]).toEqual([{ kind: 'read', store: 'the store' }, true])
})

test('the reader gets an error of the other side, and the port is stopped', async () => {
  const { port, state } = openPort([partOf('a'), toFailure(new ClientError('store_gone', 'it is gone'))])
  const read = async () => {
    for await (const _ of receiveParts(port, 'the store'));
  }

  await expect(read()).rejects.toMatchObject({ name: 'ClientError', code: 'store_gone', message: 'it is gone' })
  expect(state.isStopped).toBe(true)
})
