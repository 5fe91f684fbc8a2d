/*
 * Rules of the profile `api` about responses: what the client makes of what a right server, a broken connection or
 * another program sends. Start reading at `responseRules`.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { isObject, type JsonObject, listOf } from '../../encoding.ts'
import { rightServer } from '../../model/behavior.ts'
import { ApiError } from '../../model/state.ts'
import { expectEqual, expectThat, lastExchange, showError } from '../client-lab.ts'
import { clientRulesOf } from '../client-rule.ts'
import {
  type Act,
  cutBody,
  isUpload,
  loseAtGateway,
  loseRequest,
  loseResponse,
  respondWith,
  type WireRequest,
} from '../wire.ts'
import { fillAwkward } from './api-transport.ts'

const isSync = ({ path }: WireRequest): boolean => path === 'sync'

/** A part of a response that looks like a listing, but is none. */
const elsewhere = {
  pos: 99,
  changed: [{ _id: 'elsewhere', title: 'elsewhere', tags: '', date: 1 }],
  deleted: ['elsewhere'],
}

const withoutNulls = (value: unknown): JsonObject =>
  Object.fromEntries(Object.entries(isObject(value) ? value : {}).filter(([, member]) => member !== null))

/** Rules about the values of a response. */
export const responseRules = clientRulesOf('api', '2.1', [
  {
    id: 'CLIENT-VALUE-01',
    title: 'MUST return positions, counts and dates exactly, up to 2^53',
    section: '2.3',
    requirements: ['D-2.3-1', 'D-2.1-6'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      for (const number of [2_147_483_648, 4_294_967_296, 1_767_225_600_123, 9_007_199_254_740_991]) {
        const thing = { _id: 'a', title: 'exact', tags: '', date: number }
        server.wire.once('sync', respondWith(200, { pos: number, thingCount: 1, things: { changed: [thing] } }))
        const { pos, things } = await client.succeed('sync', { from: 0 })
        const exchange = lastExchange(server.wire.exchanges, isSync)
        expectEqual(
          { pos, things },
          { pos: number, things: { changed: [thing] } },
          `the number ${number} as it was sent`,
          exchange,
        )
      }
    },
  },
  {
    id: 'CLIENT-VALUE-02',
    title: 'SHOULD return a date with a fraction, and numbers with an exponent',
    requirements: ['D-2.1-6'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      const text = '{"pos":12e2,"things":{"changed":[{"_id":"a","title":"x","tags":"","date":1700000000.25}]}}'
      server.wire.once('sync', respondWith(200, text))
      const { pos, things } = await client.succeed('sync', { from: 0 })
      const thing = listOf(isObject(things) ? things.changed : undefined)[0]
      const date = isObject(thing) ? thing.date : undefined
      expectEqual({ pos, date }, { pos: 1200, date: 1_700_000_000.25 }, 'the numbers that the response has')
    },
  },
  {
    id: 'CLIENT-VALUE-03',
    title: 'MUST ignore members that it does not know',
    section: '9',
    requirements: ['D-9-1'],
    check: async (lab) => {
      const server = await lab.openServer({
        behavior: {
          thing: (thing, isTodo) => ({
            ...(rightServer.thing(thing, isTodo) as object),
            modified: 1,
            owner: { name: 'x' },
            list: [],
          }),
          tag: (settings) => ({ ...settings, count: 3, icon: null }),
          // Members of the same names elsewhere are no part of the listing.
          syncResponse: (response) => ({
            server: 'x',
            ...response,
            ...{ hints: [{}], nothing: null, next: elsewhere, more: [elsewhere, { things: elsewhere }] },
          }),
          things: (things) => ({ ...things, archive: elsewhere }),
          tokenResponse: (response) => ({ ...response, user_id: 7, more: { of: ['it'] } }),
        },
      })
      const other = await server.device()
      await other.create({ title: 'more members' })
      await other.setTag('a', { favorite: true })
      const client = await lab.client(server)
      const { pos, things } = await client.succeed('sync', { from: 0 }, 'members that nobody knows are no error')
      const listed = listOf(isObject(things) ? things.changed : undefined)
      const titles = listed.map((thing) => (isObject(thing) ? thing.title : thing))
      expectEqual({ pos, titles }, { pos: 2, titles: ['more members'] }, 'the members that it knows')
    },
  },
  {
    id: 'CLIENT-VALUE-04',
    title: 'SHOULD take null for an absent member',
    section: '9',
    requirements: ['D-9-2'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      const thing = { _id: 'a', title: 'x', tags: '', date: 1, url: null, html: null, archived: null, todoStatus: null }
      server.wire.once(
        'sync',
        respondWith(200, {
          pos: 1,
          thingCount: null,
          tags: null,
          things: { new: null, deleted: null, changed: [thing] },
        }),
      )
      const result = await client.succeed('sync', { from: 0 }, 'null means absent')
      const changed = listOf(isObject(result.things) ? result.things.changed : undefined)[0]
      expectEqual(changed, { _id: 'a', title: 'x', tags: '', date: 1 }, 'the thing without the members that are null')
      server.wire.once('sync', respondWith(200, { pos: 2, thingCount: null, tags: null, things: null }))
      expectEqual(await client.succeed('sync', { from: 1 }), { pos: 2 }, 'the position alone')
    },
  },
  {
    id: 'CLIENT-VALUE-06',
    title: 'MUST NOT return a value for a member that is null',
    requirements: ['D-2.1-6'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      const bare = { _id: 'a', title: 'x', tags: '', date: 1 }
      const things = { changed: [{ ...bare, url: null, html: null, archived: null, todoStatus: null }], deleted: null }
      for (const beside of [{}, { thingCount: null, tags: null }]) {
        server.wire.once('sync', respondWith(200, { pos: 1, ...beside, things }))
        const { result } = await client.call('sync', { from: 0 })
        // An error is permitted here: CLIENT-VALUE-04 asks for a result.
        if (result === undefined) continue
        const exchange = lastExchange(server.wire.exchanges, isSync)
        const changed = listOf(isObject(result.things) ? result.things.changed : undefined)[0]
        expectEqual(withoutNulls(changed), bare, 'the thing without the members that are null', exchange)
        const { thingCount, tags } = withoutNulls(result)
        expectEqual({ thingCount, tags }, {}, 'no thingCount and no tags, because they are null or absent', exchange)
      }
    },
  },
  {
    id: 'CLIENT-VALUE-07',
    title: 'MUST return false where the response has it, and each `_id` of `things.new` under its own key',
    requirements: ['D-2.1-6', 'D-4.3-4'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      const thing = { _id: 'a', title: 'x', tags: 'todo', date: 1, archived: false, todoStatus: false }
      const given = { second: 'b2', first: 'b1', ' spaced ': 'b3', spaced: 'b4' }
      server.wire.once('sync', respondWith(200, { pos: 1, things: { new: given, changed: [thing] } }))
      const upload = ['first', 'second', 'spaced', ' spaced '].map((localId) => ({ local_id: localId, title: 'x' }))
      const { things } = await client.succeed('sync', { from: 0, new_thing: upload })
      const exchange = lastExchange(server.wire.exchanges, isSync)
      const [changed] = listOf(isObject(things) ? things.changed : undefined)
      const status = isObject(changed) ? changed.todoStatus : undefined
      expectEqual(status, false, 'todoStatus of the thing', exchange)
      expectEqual(isObject(things) ? things.new : undefined, given, 'things.new', exchange)
    },
  },
  {
    id: 'CLIENT-VALUE-05',
    title: 'MUST return an `_id` of 1 and of 200 characters, and one that looks like a number',
    requirements: ['D-2.1-6', 'D-4.3-4'],
    check: async (lab) => {
      for (const id of ['z', 'x'.repeat(200), '007', '1e5', 'null', 'true', '12345678901234567890']) {
        const server = await lab.openServer({ behavior: { newId: () => id } })
        const client = await lab.client(server)
        const { things } = await client.succeed('sync', { from: 0, new_thing: [{ local_id: 'a', title: 'x' }] })
        const created = isObject(things) && isObject(things.new) ? things.new.a : undefined
        expectEqual(created, id, 'the _id in things.new')
        await client.succeed('sync', { from: 0, changed_thing: [{ _id: id, title: 'changed' }] })
        expectThat(
          server.titled('changed').length === 1,
          `a change of the thing ${id}`,
          'the account does not have it',
          lastExchange(server.wire.exchanges, isUpload),
        )
        await client.succeed('sync', { from: 0, deleted_thing: [id] })
        expectThat(
          server.things().length === 0,
          `the deletion of ${id}`,
          'the account still has it',
          lastExchange(server.wire.exchanges, isUpload),
        )
        await lab.reset()
      }
    },
  },
])

const brokenResponses: readonly (readonly [how: string, act: Act])[] = [
  ['the response was lost', loseResponse],
  ['the request was lost', loseRequest],
  ['the connection broke in the middle of the body', cutBody(0.5)],
  ['the connection broke before the last byte', cutBody(0.99)],
]

/** The server commits the request in each of them. */
const lostResponses: readonly (readonly [how: string, act: Act])[] = [
  ['the response was lost', loseResponse],
  ['the connection broke in the middle of the body', cutBody(0.5)],
  ['a gateway responded with 504', loseAtGateway],
]

const wrongResponses: readonly (readonly [how: string, act: Act])[] = [
  [
    'a page of HTML came',
    respondWith(200, '<!doctype html><title>Sign in to the Wi-Fi</title>', { 'content-type': 'text/html' }),
  ],
  ['JSON came that ends early', respondWith(200, '{"pos":5,"things":{"changed":[{"_id":"a","title":"x"')],
  ['nothing came', respondWith(200, '')],
  ['a list came', respondWith(200, '[]')],
  ['an object without pos came', respondWith(200, '{}')],
  [
    'a page of HTML with status 502 came',
    respondWith(502, '<html>Bad Gateway</html>', { 'content-type': 'text/html' }),
  ],
]

/** Rules about errors. */
export const errorRules = clientRulesOf('api', '7', [
  {
    id: 'CLIENT-ERROR-01',
    title: 'MUST recognize an error by its member `error`, whatever the status is',
    requirements: ['D-7-1'],
    check: async (lab) => {
      for (const status of [200, 400, 403, 404, 422, 500]) {
        const server = await lab.openServer({ behavior: { errorStatus: () => status } })
        const client = await lab.client(server)
        await client.succeed('sync', { from: 0 })
        const upload = { from: 0, new_thing: [{ local_id: 'a', title: 'x' }], changed_thing: [] as JsonObject[] }
        server.wire.once('sync', respondWith(status, { error: 'parameter_invalid', error_description: 'no' }))
        const error = await client.fail('sync', upload, `an error object came with status ${status}`)
        const exchange = lastExchange(server.wire.exchanges, isSync)
        expectThat(
          error.kind === 'rejected',
          `an error of the kind rejected, for an error object with status ${status}`,
          `${showError(error)} came`,
          exchange,
        )
        await lab.reset()
      }
    },
  },
  {
    id: 'CLIENT-ERROR-02',
    title: 'SHOULD return status and code of an error',
    requirements: ['D-7-1'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      await client.succeed('sync', { from: 0 })
      server.wire.once('sync', respondWith(409, { error: 'some_code', error_description: 'no' }))
      const { status, code } = await client.fail('sync', { from: 0 }, 'an error came')
      expectEqual({ status, code }, { status: 409, code: 'some_code' }, 'status and code')
    },
  },
  {
    id: 'CLIENT-ERROR-03',
    title: 'MUST return an error when the connection breaks, and not the part that arrived',
    requirements: ['D-7-3'],
    maxMs: 180_000,
    check: async (lab) =>
      lab.forEachVariant(brokenResponses, async ([how, act], lab) => {
        const server = await lab.openServer()
        await fillAwkward(server)
        const client = await lab.client(server)
        await client.succeed('sync', { from: 0 })
        const stop = server.wire.always('sync', act)
        const error = await client.fail('sync', { from: 0 }, how)
        stop()
        const isRight = error.kind === 'network' || error.kind === 'unexpected_response'
        expectThat(isRight, `an error of the kind network, because ${how}`, `${showError(error)} came`)
        await client.succeed('sync', { from: 0 }, 'the connection works again')
      }),
  },
  {
    id: 'CLIENT-ERROR-04',
    title: 'MUST return an error for a response that is not of this protocol',
    requirements: ['D-7-2'],
    maxMs: 180_000,
    check: async (lab) =>
      lab.forEachVariant(wrongResponses, async ([how, act], lab) => {
        const server = await lab.openServer()
        const client = await lab.client(server)
        await client.succeed('sync', { from: 0 })
        const stop = server.wire.always('sync', act)
        await client.fail('sync', { from: 0 }, how)
        stop()
        await client.succeed('sync', { from: 0 }, 'the server works again')
      }),
  },
  {
    id: 'CLIENT-ERROR-05',
    title: 'MUST NOT create a thing twice when the response to its upload is lost',
    section: '4.3',
    requirements: ['D-4.3-8'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      const upload = { from: 0, new_thing: [{ local_id: 'a', title: 'lost', date: 1_700_000_000 }] }
      server.wire.once('upload', loseResponse)
      const { error } = await client.call('sync', upload)
      if (error !== undefined) await client.succeed('sync', upload, 'the user tries again')
      const found = server.titled('lost').length
      expectThat(
        found === 1,
        'one thing in the account, after the same upload with the same from',
        `${found} came`,
        lastExchange(server.wire.exchanges, isUpload),
      )
    },
  },
  {
    id: 'CLIENT-ERROR-06',
    title: 'MUST return an error when a listing that it reads as a stream breaks',
    features: ['list'],
    requirements: ['D-7-3', 'D-7-2'],
    maxMs: 180_000,
    check: async (lab) => {
      const acts: typeof wrongResponses = [
        ['the connection broke in the middle of the body', cutBody(0.6)],
        [
          'JSON came that ends early',
          respondWith(200, '{"pos":5,"things":{"changed":[{"_id":"a","title":"x","tags":"","date":1}'),
        ],
        ['an error came with status 200', respondWith(200, { error: 'server_error', error_description: 'no' })],
      ]
      await lab.forEachVariant(acts, async ([how, act], lab) => {
        const server = await lab.openServer()
        await fillAwkward(server)
        const client = await lab.client(server)
        await client.succeed('list', { from: 0 })
        server.wire.always('sync', act)
        await client.fail('list', { from: 0 }, how)
      })
    },
  },
  {
    id: 'CLIENT-ERROR-07',
    title: 'MUST NOT report success for an upload that a redirect kept from the server',
    section: '4.3',
    requirements: ['D-7-4'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      await client.succeed('sync', { from: 0 })
      for (const status of [301, 302, 303, 307, 308]) {
        const title = `redirected by ${status}`
        const headers = { location: `${server.wire.baseUrl}sync` }
        server.wire.once('upload', respondWith(status, '', headers))
        const { error } = await client.call('sync', { from: 0, new_thing: [{ local_id: title, title }] })
        const count = server.titled(title).length
        const outcome = showError(error)
        expectThat(
          error === undefined ? count === 1 : count <= 1 && error.kind !== 'internal',
          `an error, or one thing in the account, after a redirect with status ${status}`,
          `${outcome} came, and the account has ${count}`,
          server.wire.exchanges.findLast(({ response }) => response?.status === status),
        )
      }
    },
  },
  {
    id: 'CLIENT-ERROR-08',
    title: 'MUST NOT repeat the upload of a new thing by itself when it has no `from`',
    section: '4.3',
    requirements: ['D-4.3-8'],
    check: async (lab) =>
      lab.forEachVariant(lostResponses, async ([how, act], lab) => {
        const server = await lab.openServer()
        const client = await lab.client(server)
        await client.succeed('sync', { from: 0 })
        server.wire.once('upload', act)
        const { error } = await client.call('sync', { new_thing: [{ local_id: 'a', title: 'lost', date: 1 }] })
        expectThat(error?.kind !== 'internal', `a right error, because ${how}`, `${showError(error)} came`)
        const count = server.titled('lost').length
        expectThat(
          count === 1,
          `one thing in the account, because ${how}, and no server recognizes a retry without from`,
          `${count} came`,
          lastExchange(server.wire.exchanges, isUpload),
        )
      }),
  },
  {
    id: 'CLIENT-ERROR-09',
    title: 'MUST NOT repeat thing/add by itself after a lost response',
    section: '4.1',
    features: ['operations'],
    requirements: ['D-4.1-2'],
    check: async (lab) =>
      lab.forEachVariant(lostResponses, async ([how, act], lab) => {
        const server = await lab.openServer()
        const client = await lab.client(server)
        await client.succeed('sync', { from: 0 })
        const isAdd = ({ path }: WireRequest): boolean => path === 'thing/add'
        server.wire.once(isAdd, act)
        const { error } = await client.call('thing-add', { title: 'lost', date: 1 })
        expectThat(error?.kind !== 'internal', `a right error, because ${how}`, `${showError(error)} came`)
        const count = server.titled('lost').length
        const exchange = lastExchange(server.wire.exchanges, isAdd)
        expectThat(count === 1, `one thing in the account, because ${how}`, `${count} came`, exchange)
      }),
  },
  {
    id: 'CLIENT-ERROR-10',
    title: 'SHOULD NOT repeat a request that the server rejected',
    requirements: ['D-7-6'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      await client.succeed('sync', { from: 0 })
      for (const status of [400, 404, 409, 413, 422]) {
        for (const upload of [{}, { new_thing: [{ local_id: 'a', title: 'x', date: 1 }] }]) {
          const stop = server.wire.always('sync', respondWith(status, { error: 'some_code', error_description: 'no' }))
          const before = server.wire.requests('sync').length
          await client.call('sync', { from: 0, ...upload })
          stop()
          const count = server.wire.requests('sync').length - before
          expectThat(count === 1, `one request, because its response has status ${status}`, `${count} came`)
        }
      }
    },
  },
])

/** Rules about servers that ask the client to wait. */
export const throttleRules = clientRulesOf('api', '8', [
  {
    id: 'CLIENT-WAIT-01',
    title: 'MUST end with an error or a success after 429 and 503, and upload once',
    requirements: ['D-8-2'],
    check: async (lab) => {
      const soon = (): string => new Date(Date.now() + 1500).toUTCString()
      for (const [status, readHeaders] of [
        [429, () => ({ 'retry-after': '1' })],
        [429, () => ({ 'retry-after': soon() })],
        // The clocks of the server and the client can differ.
        [503, () => ({ 'retry-after': new Date(Date.now() - 3_600_000).toUTCString() })],
        [503, () => ({ 'retry-after': '1' })],
        [503, () => ({})],
      ] as const) {
        const server = await lab.openServer()
        const client = await lab.client(server)
        await client.succeed('sync', { from: 0 })
        const error_description = 'later'
        server.wire.once('upload', respondWith(status, { error: 'slow_down', error_description }, readHeaders()))
        const upload = { from: 0, new_thing: [{ local_id: 'a', title: 'later', date: 1_700_000_000 }] }
        const { error } = await client.call('sync', upload)
        expectThat(error?.kind !== 'internal', `a right error or a success after ${status}`, `${showError(error)} came`)
        if (error !== undefined) await client.succeed('sync', upload)
        expectThat(
          server.titled('later').length === 1,
          'one thing in the account',
          `${server.titled('later').length} came`,
          lastExchange(server.wire.exchanges, isUpload),
        )
        await lab.reset()
      }
    },
  },
  {
    id: 'CLIENT-WAIT-06',
    title: 'MUST end with an error or a success after a Retry-After that is no number of seconds and no date',
    requirements: ['D-8-2'],
    check: async (lab) =>
      lab.forEachVariant(['soon', '-5', '', '1.5'], async (value, lab) => {
        const server = await lab.openServer()
        const client = await lab.client(server)
        await client.succeed('sync', { from: 0 })
        const busy = { error: 'slow_down', error_description: 'later' }
        server.wire.once('upload', respondWith(503, busy, { 'retry-after': value }))
        const upload = { from: 0, new_thing: [{ local_id: 'a', title: 'later', date: 1 }] }
        const { error } = await client.call('sync', upload)
        const expected = `a right error or a success after Retry-After: ${value}`
        expectThat(error?.kind !== 'internal', expected, `${showError(error)} came`)
        if (error !== undefined) await client.succeed('sync', upload, 'the user tries again')
        const count = server.titled('later').length
        expectThat(count === 1, 'one thing in the account', `${count} came`, server.wire.exchanges.at(-1))
      }),
  },
  {
    id: 'CLIENT-WAIT-02',
    title: 'MUST end after some tries when the server always asks it to wait',
    features: ['retries'],
    requirements: ['D-8-2'],
    maxMs: 180_000,
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      await client.succeed('sync', { from: 0 })
      server.wire.always(
        'sync',
        respondWith(429, { error: 'slow_down', error_description: 'later' }, { 'retry-after': '0' }),
      )
      const before = server.wire.requests('sync').length
      await client.fail('sync', { from: 0 }, 'the server never stops to respond with 429')
      const tries = server.wire.requests('sync').length - before
      expectThat(tries <= 20, 'at most 20 requests', `${tries} came`)
    },
  },
  {
    id: 'CLIENT-WAIT-03',
    title: 'SHOULD wait as long as Retry-After says, in seconds and as a date',
    features: ['retries'],
    requirements: ['D-8-1'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      await client.succeed('sync', { from: 0 })
      for (const form of ['seconds', 'a date'] as const) {
        let value = '1'
        server.wire.once('sync', async (step) => {
          // The date counts from the response: a request may take long on a busy machine.
          if (form === 'a date') value = new Date(Math.ceil(Date.now() / 1000) * 1000 + 2000).toUTCString()
          const headers = { 'retry-after': value }
          await respondWith(429, { error: 'slow_down', error_description: 'later' }, headers)(step)
        })
        const { error } = await client.call('sync', { from: 0 })
        if (error !== undefined) continue
        const [first, second] = server.wire.requests('sync').slice(-2)
        const passedMs = Math.round((second?.arrivedAt ?? 0) - (first?.arrivedAt ?? 0))
        expectThat(
          passedMs >= 950,
          `the next request after Retry-After: ${value}`,
          `it came after ${passedMs} ms`,
          lastExchange(server.wire.exchanges, isSync),
        )
      }
    },
  },
  {
    id: 'CLIENT-WAIT-05',
    title: 'SHOULD pause before it repeats a request, also without Retry-After',
    features: ['retries'],
    requirements: ['D-8-3'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      await client.succeed('sync', { from: 0 })
      for (const act of [
        respondWith(503, { error: 'temporarily_unavailable', error_description: 'later' }),
        loseRequest,
      ]) {
        const before = server.wire.requests('sync').length
        const stop = server.wire.always('sync', act)
        await client.call('sync', { from: 0 })
        stop()
        const times = server.wire.requests('sync').slice(before)
        const [first, last] = [times[0]?.arrivedAt ?? 0, times.at(-1)?.arrivedAt ?? 0]
        const pauseMs = Math.round((last - first) / (times.length - 1))
        // A single repetition may come at once: the connection may have been an old one.
        expectThat(
          times.length < 3 || pauseMs >= 100,
          'a pause of 100 ms or more, on average, before each repetition',
          `${times.length} requests came, with ${pauseMs} ms between them`,
          lastExchange(server.wire.exchanges, isSync),
        )
      }
    },
  },
  {
    id: 'CLIENT-WAIT-04',
    title: 'MUST NOT take 429 at the token endpoint for wrong credentials',
    section: '5.1',
    requirements: ['D-8-2'],
    check: async (lab) => {
      const server = await lab.openServer()
      server.wire.once(
        'token',
        respondWith(429, { error: 'slow_down', error_description: 'later' }, { 'retry-after': '1' }),
      )
      const client = await lab.client(server)
      const { error } = await client.call('sync', { from: 0 })
      expectThat(
        error?.kind !== 'signed_out' && error?.kind !== 'internal',
        'a success, or an error of the kind rejected',
        `${showError(error)} came`,
      )
      await wait(error === undefined ? 0 : 1000)
      await client.succeed('sync', { from: 0 }, 'the token endpoint works again')
    },
  },
])

/** Rules about the limits of a server. */
export const limitRules = clientRulesOf('api', '8', [
  {
    id: 'CLIENT-LIMIT-01',
    title: 'MUST return the error of a server that takes fewer things at once',
    requirements: ['D-7-1'],
    check: async (lab) => {
      const server = await lab.openServer({
        behavior: {
          applied: (upload) => {
            if (upload.created.length > 3) throw new ApiError('things-many', 'more than 3 things')
            return upload
          },
        },
      })
      const client = await lab.client(server)
      const things = [1, 2, 3, 4].map((number) => ({ local_id: number, title: `limit ${number}` }))
      const { error } = await client.call('sync', { from: 0, new_thing: things })
      const count = server.things().length
      expectThat(
        error === undefined ? count === 4 : count === 0,
        'the error of the server, or all four things in parts',
        `${showError(error)} came, and the account has ${count} things`,
      )
    },
  },
])
