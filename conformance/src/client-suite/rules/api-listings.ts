/*
 * Rules of the profile `api` about listings that are read as a stream, in one response or in pages. Start reading at
 * `listRules`.
 */
import { createHash } from 'node:crypto'
import type { JsonObject } from '../../encoding.ts'
import { expectEqual, expectThat, lastExchange, showError } from '../client-lab.ts'
import { clientRulesOf } from '../client-rule.ts'
import {
  type Act,
  cutBody,
  loseRequest,
  loseResponse,
  rejectToken,
  respondWith,
  valuesOf,
  type WireRequest,
} from '../wire.ts'
import { awkwardTexts } from './api-requests.ts'

const isSync = ({ path }: WireRequest): boolean => path === 'sync'

/** The `skip` of a request. */
const skipOf = (request: WireRequest): number => Number(valuesOf(request, 'skip')[0] ?? 0)

const isLaterPage = (request: WireRequest): boolean => isSync(request) && skipOf(request) > 0

/** What a list returns, without its position. */
const countsOf = ({ count, deleted, digest }: JsonObject): JsonObject => ({
  count: count ?? 0,
  deleted: deleted ?? 0,
  digest: digest ?? '',
})

/** Rules about listings that are read as a stream. */
export const listRules = clientRulesOf('api', '4.3', [
  {
    id: 'CLIENT-LIST-01',
    title: 'MUST list every thing and every deletion once, and return the position',
    features: ['list'],
    requirements: ['D-4.3-11', 'D-1-2'],
    check: async (lab) => {
      const server = await lab.openServer()
      const other = await server.device()
      const titles = awkwardTexts.map((text, index) => `${index} ${text}`)
      const ids: string[] = []
      for (const title of titles) ids.push(await other.create({ title, html: '}],"things":{"changed":[{' }))
      const hash = createHash('sha256')
      for (const [index, id] of ids.entries()) hash.update(`${id}\n${titles[index]}\n`)
      const client = await lab.client(server)
      const first = await client.succeed('list', { from: 0 })
      const wanted = { count: titles.length, digest: hash.digest('hex'), pos: server.account().position }
      expectEqual(
        { count: first.count, digest: first.digest, pos: first.pos },
        wanted,
        'the count, digest and position of the listing',
      )
      const many = Array.from({ length: 1_100 }, (_, number) => ({ local_id: number, title: `one of many ${number}` }))
      await other.sync({ new_thing: many })
      const more = await client.succeed('list', { from: first.pos ?? 0 })
      expectEqual(more.count, many.length, 'the count of a listing of more than 1,000 things')
      await other.remove(ids[0] ?? '')
      await other.remove(ids[1] ?? '')
      const { count, deleted } = await client.succeed('list', { from: more.pos ?? 0 })
      expectEqual({ count, deleted }, { count: 0, deleted: 2 }, 'the deletions since then')
    },
  },
  {
    id: 'CLIENT-LIST-02',
    title: 'MUST list every thing once in pages, and end with the last one',
    features: ['list'],
    requirements: ['D-4.3-11'],
    check: async (lab) => {
      const server = await lab.openServer()
      const other = await server.device()
      const titles = Array.from({ length: 12 }, (_, number) => `thing ${number}`)
      await other.sync({ new_thing: titles.map((title, number) => ({ local_id: number, title })) })
      const client = await lab.client(server)
      const whole = await client.succeed('list', { from: 0 })
      for (const limit of [1, 5, 6, 12, 13]) {
        const paged = await client.succeed('list', { from: 0, limit })
        const wanted = { count: 12, digest: whole.digest }
        expectEqual(
          { count: paged.count, digest: paged.digest },
          wanted,
          `the same listing in pages of ${limit}`,
          lastExchange(server.wire.exchanges, isSync),
        )
      }
    },
  },
  {
    id: 'CLIENT-LIST-03',
    title: 'MUST read a listing without things and without thingCount',
    features: ['list'],
    requirements: ['D-4.3-17'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      const tags = { a: { favorite: true, color: false, todo: false } }
      const empty = { count: 0, deleted: 0, digest: createHash('sha256').digest('hex') }
      for (const body of [{ pos: 5 }, { pos: 6, tags }, { pos: 7, things: { changed: [], deleted: [] } }]) {
        for (const limit of [{}, { limit: 3 }]) {
          server.wire.once('sync', respondWith(200, body))
          const result = await client.succeed('list', { from: 4, ...limit }, 'nothing is there to list')
          const wanted = { ...empty, pos: body.pos }
          const exchange = lastExchange(server.wire.exchanges, isSync)
          expectEqual({ ...countsOf(result), pos: result.pos }, wanted, 'an empty listing', exchange)
        }
      }
    },
  },
  {
    id: 'CLIENT-LIST-04',
    title: 'SHOULD ask for pages of the size that it was given',
    features: ['list'],
    requirements: ['D-4.3-2'],
    check: async (lab) => {
      const server = await lab.openServer()
      const other = await server.device()
      await other.sync({ new_thing: [1, 2, 3, 4, 5].map((number) => ({ local_id: number, title: `thing ${number}` })) })
      const client = await lab.client(server)
      await client.succeed('list', { from: 0, limit: 2 })
      for (const exchange of server.wire.exchanges.filter(({ request }) => isSync(request)))
        expectEqual(valuesOf(exchange.request, 'limit'), ['2'], 'limit of each page', exchange)
    },
  },
  {
    id: 'CLIENT-LIST-05',
    title: 'MUST list changes and deletions since a position in pages, each once',
    features: ['list'],
    requirements: ['D-4.3-11'],
    check: async (lab) => {
      for (const deletedFirst of [false, true]) {
        const server = await lab.openServer({ behavior: { deletedFirst } })
        const other = await server.device()
        const ids: string[] = []
        for (let number = 0; number < 12; number += 1) ids.push(await other.create({ title: `thing ${number}` }))
        const client = await lab.client(server)
        const { pos } = await client.succeed('list', { from: 0 })
        for (const id of ids.slice(0, 4)) await other.change(id, { title: `changed ${id}` })
        for (const id of ids.slice(4, 8)) await other.remove(id)
        const whole = countsOf(await client.succeed('list', { from: pos ?? 0 }))
        expectEqual([whole.count, whole.deleted], [4, 4], 'the changes and deletions since the position')
        for (const limit of [1, 2, 3, 5, 8, 9]) {
          const paged = countsOf(await client.succeed('list', { from: pos ?? 0, limit }))
          const exchange = lastExchange(server.wire.exchanges, isSync)
          expectEqual(paged, whole, `the same listing in pages of ${limit}`, exchange)
        }
        await lab.reset()
      }
    },
  },
  {
    id: 'CLIENT-LIST-06',
    title: 'MUST return the position of the first page, when the pages have different ones',
    features: ['list'],
    requirements: ['D-2.3-2'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      const things = ['a', 'b', 'c', 'd'].map((_id) => ({ _id, title: _id, tags: '', date: 1 }))
      let position = 10
      let first = position
      server.wire.always('sync', async (step) => {
        const skip = skipOf(step.request)
        if (skip === 0) first = position
        const page = { pos: position, thingCount: 4, things: { changed: things.slice(skip, skip + 2) } }
        position = 20
        await respondWith(200, page)(step)
      })
      const { count, pos } = await client.succeed('list', { from: 0, limit: 2 })
      const exchange = lastExchange(server.wire.exchanges, isSync)
      expectEqual({ count, pos }, { count: 4, pos: first }, 'the things, and the position of the first page', exchange)
    },
  },
  {
    id: 'CLIENT-LIST-08',
    title: 'MUST read on after a page that has fewer things than its limit, and count what came',
    features: ['list'],
    requirements: ['D-4.3-11'],
    check: async (lab) => {
      // `limit` is only a bound: this server has at most three things on a page.
      const server = await lab.openServer({
        behavior: { page: (list, skip, limit) => list.slice(skip, skip + Math.min(limit ?? list.length, 3)) },
      })
      const other = await server.device()
      const titles = Array.from({ length: 11 }, (_, number) => `thing ${number}`)
      await other.sync({ new_thing: titles.map((title, number) => ({ local_id: number, title })) })
      const client = await lab.client(server)
      const hash = createHash('sha256')
      for (const { _id, title } of server.things()) hash.update(`${_id}\n${title}\n`)
      const wanted = { count: titles.length, deleted: 0, digest: hash.digest('hex') }
      for (const limit of [2, 3, 5, 100]) {
        const paged = countsOf(await client.succeed('list', { from: 0, limit }))
        const exchange = lastExchange(server.wire.exchanges, isSync)
        expectEqual(paged, wanted, `the whole listing in pages of at most ${limit}`, exchange)
      }
    },
  },
  {
    id: 'CLIENT-LIST-07',
    title: 'MUST list every page once, or return an error, when something goes wrong between pages',
    features: ['list'],
    requirements: ['D-4.3-11', 'D-7-3'],
    check: async (lab) =>
      lab.forEachVariant(betweenPages, async ([how, act], lab) => {
        const server = await lab.openServer()
        const other = await server.device()
        const titles = Array.from({ length: 12 }, (_, number) => `thing ${number}`)
        await other.sync({ new_thing: titles.map((title, number) => ({ local_id: number, title })) })
        const client = await lab.client(server)
        const whole = countsOf(await client.succeed('list', { from: 0 }))
        server.wire.once(isLaterPage, act)
        const { result, error } = await client.call('list', { from: 0, limit: 3 })
        expectThat(error?.kind !== 'internal', `a right error or a listing, because ${how}`, `${showError(error)} came`)
        if (result === undefined) return
        const exchange = lastExchange(server.wire.exchanges, isSync)
        expectEqual(countsOf(result), whole, `the whole listing, because ${how} and list succeeded`, exchange)
      }),
  },
])

const betweenPages: readonly (readonly [how: string, act: Act])[] = [
  ['the access token expired before the second page', rejectToken],
  ['the response with the second page was lost', loseResponse],
  ['the request for the second page was lost', loseRequest],
  ['the connection broke inside the second page', cutBody(0.6)],
  [
    'the server asked to wait before the second page',
    respondWith(503, { error: 'temporarily_unavailable', error_description: 'later' }, { 'retry-after': '0' }),
  ],
  [
    'the server rejected the request for the second page',
    respondWith(400, { error: 'parameter_invalid', error_description: 'no such page' }),
  ],
  [
    'the server failed at the second page',
    respondWith(500, { error: 'server_error', error_description: 'something went wrong' }),
  ],
]
