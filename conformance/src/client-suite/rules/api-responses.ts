/*
 * Rules of the profile `api` about responses: what the client makes of what a right server, a broken connection or
 * another program sends. Start reading at `responseRules`.
 */
import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { isObject, type JsonObject, listOf, showValue } from '../../encoding.ts'
import { rightServer } from '../../model/behavior.ts'
import { ApiError } from '../../model/state.ts'
import { Skipped } from '../../result.ts'
import { measureMemory } from '../adapter.ts'
import { type ClientLab, expectEqual, expectThat, lastExchange } from '../client-lab.ts'
import { clientRulesOf } from '../client-rule.ts'
import type { ScriptedServer } from '../scripted-server.ts'
import {
  type Act,
  awkwardBorders,
  compressed,
  cutBody,
  inPieces,
  isUpload,
  late,
  loseRequest,
  loseResponse,
  respondWith,
  type WireRequest,
} from '../wire.ts'
import { awkwardTexts } from './api-requests.ts'

const isSync = ({ path }: WireRequest): boolean => path === 'sync'

/** Fills an account with things that are hard to read, and returns what a full sync lists. */
async function fillAwkward(server: ScriptedServer): Promise<readonly JsonObject[]> {
  const other = await server.device()
  const things = awkwardTexts.map((text, index) => ({
    ...{
      local_id: index,
      title: `${index}${text}`,
      html: `${text}\u{1F600}`,
      tags: 'ä 😀',
      date: 1_700_000_000 + index,
    },
  }))
  await other.sync({ new_thing: things, tag: { 'ä😀': { favorite: true, color: '#ffcc00', todo: false } } })
  return server.things()
}

/** Expects that a full sync returns everything, when the wire delivers it in this way. */
async function expectWhole(lab: ClientLab, act: Act, how: string): Promise<void> {
  const server = await lab.openServer()
  const things = await fillAwkward(server)
  const client = await lab.client(server)
  server.wire.always('sync', act)
  const response = await client.succeed('sync', { from: 0 }, `the response came ${how}`)
  const exchange = lastExchange(server.wire.exchanges, isSync)
  const changed = listOf(isObject(response.things) ? response.things.changed : undefined)
  expectEqual(changed, things, `every thing, from a response that came ${how}`, exchange)
  expectEqual(response.pos, server.account().position, 'the position', exchange)
  const tags = Object.entries(isObject(response.tags) ? response.tags : {})
  expectEqual(tags, [['ä😀', { favorite: true, color: '#ffcc00', todo: false }]], 'the tag settings', exchange)
}

const escapeAll = (body: unknown): string =>
  JSON.stringify(body)
    .replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll('/', '\\/')

/** Rules about the ways in which a response arrives. */
export const transportRules = clientRulesOf('api', '1', [
  {
    id: 'CLIENT-READ-01',
    title: 'MUST read a response whose pieces end inside characters, numbers and escapes',
    requirements: ['D-1-2'],
    check: async (lab) => expectWhole(lab, inPieces(awkwardBorders), 'in pieces'),
  },
  {
    id: 'CLIENT-READ-02',
    title: 'MUST read a response that arrives byte by byte',
    requirements: ['D-1-2'],
    check: async (lab) =>
      expectWhole(
        lab,
        inPieces((body) => Array.from({ length: Math.min(body.length, 1500) }, (_, index) => index + 1)),
        'byte by byte',
      ),
  },
  {
    id: 'CLIENT-READ-03',
    title: 'MUST read a compressed response when it accepts gzip',
    requirements: ['D-1-2'],
    check: async (lab) => expectWhole(lab, compressed, 'compressed by gzip'),
  },
  {
    id: 'CLIENT-READ-04',
    title: 'MUST wait for a first byte that comes late',
    requirements: ['D-1-2'],
    check: async (lab) => expectWhole(lab, late(1500), 'after 1.5 seconds'),
  },
  {
    id: 'CLIENT-READ-05',
    title: 'MUST read JSON that is escaped or indented, with any content type',
    requirements: ['D-1-2'],
    check: async (lab) => {
      const rewrite =
        (write: (body: unknown) => string, type: string): Act =>
        async (step) => {
          const response = await step.forward()
          const body = Buffer.from(write(JSON.parse(response.body.toString('utf8'))))
          await step.send({ ...response, headers: { ...response.headers, 'content-type': type }, body })
        }
      await expectWhole(lab, rewrite(escapeAll, 'application/json'), 'with every character escaped')
      const indent = (body: unknown): string => `\r\n${JSON.stringify(body, undefined, '\t')}\n`
      await expectWhole(lab, rewrite(indent, 'Application/JSON;charset="UTF-8"'), 'indented')
    },
  },
  {
    id: 'CLIENT-READ-06',
    title: 'MUST send every request below a base URL with a longer path',
    requirements: ['D-1-3'],
    check: async (lab) => {
      const server = await lab.openServer({ prefix: '/notes/api' })
      const client = await lab.client(server)
      await client.succeed('sync', { from: 0 }, `the base URL is ${server.wire.baseUrl}`)
      const outside = server.wire.exchanges.find(({ request }) => !request.url.startsWith('/notes/api/v1/'))
      expectThat(
        outside === undefined,
        'requests below the base URL only',
        `${outside?.request.url} was requested`,
        outside,
      )
    },
  },
  {
    id: 'CLIENT-READ-07',
    title: 'SHOULD read a listing of a million things with at most 150 MB more memory than idle',
    features: ['list'],
    requirements: ['D-1-1'],
    maxMs: 300_000,
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      await client.succeed('list', { from: 0 })
      const idle = measureMemory(client.group)
      if (idle === undefined) throw new Skipped('the memory of a process is only known where there is /proc')
      const count = 1_000_000
      const hash = createHash('sha256')
      server.wire.once('sync', sendMillion(count, hash.update.bind(hash)))
      let peak = idle
      const watch = setInterval(() => {
        peak = Math.max(peak, measureMemory(client.group) ?? 0)
      }, 50)
      const outcome = await client.call('list', { from: 0 }, 170_000).finally(() => clearInterval(watch))
      const megabytes = Math.round((peak - idle) / 1e6)
      expectThat(
        outcome.result !== undefined,
        `list of ${count} things to succeed`,
        `${showValue(outcome.error)} came, with ${megabytes} MB more memory than idle`,
      )
      const { count: counted, digest } = outcome.result
      expectEqual(
        { counted, digest },
        { counted: count, digest: hash.digest('hex') },
        'count and digest of the listing',
      )
      expectThat(megabytes <= 150, 'at most 150 MB more memory than idle', `${megabytes} MB more came`)
    },
  },
])

/** Sends a listing as a stream, and hands what the digest contains to `update`. */
function sendMillion(count: number, update: (text: string) => void): Act {
  return async (step) => {
    const head = { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from('{"pos":7,…}') }
    const write = step.begin(head)
    await write(Buffer.from(`{"pos":7,"thingCount":${count},"things":{"changed":[`))
    const batch = 5000
    for (let start = 0; start < count; start += batch) {
      const numbers = Array.from({ length: Math.min(batch, count - start) }, (_, index) => start + index)
      update(numbers.map((number) => `t${number}\nThing number ${number}\n`).join(''))
      const text = numbers
        .map((n) => `{"_id":"t${n}","title":"Thing number ${n}","tags":"","date":1700000000}`)
        .join(',')
      await write(Buffer.from(start === 0 ? text : `,${text}`))
    }
    await write(Buffer.from(']}}'))
    step.finish()
  }
}

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
          syncResponse: (response) => ({ server: 'x', ...response, hints: [{}], nothing: null }),
          tokenResponse: (response) => ({ ...response, user_id: 7, more: { of: ['it'] } }),
        },
      })
      const other = await server.device()
      await other.create({ title: 'more members' })
      await other.setTag('a', { favorite: true })
      const client = await lab.client(server)
      const { pos, things } = await client.succeed('sync', { from: 0 }, 'members that nobody knows are no error')
      const thing = listOf(isObject(things) ? things.changed : undefined)[0]
      const title = isObject(thing) ? thing.title : undefined
      expectEqual({ pos, title }, { pos: 2, title: 'more members' }, 'the members that it knows')
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
          `${showValue(error)} came`,
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
    check: async (lab) => {
      const server = await lab.openServer()
      await fillAwkward(server)
      const client = await lab.client(server)
      await client.succeed('sync', { from: 0 })
      for (const [how, act] of brokenResponses) {
        const stop = server.wire.always('sync', act)
        const error = await client.fail('sync', { from: 0 }, how)
        stop()
        const isRight = error.kind === 'network' || error.kind === 'unexpected_response'
        expectThat(isRight, `an error of the kind network, because ${how}`, `${showValue(error)} came`)
        await client.succeed('sync', { from: 0 }, 'the connection works again')
      }
    },
  },
  {
    id: 'CLIENT-ERROR-04',
    title: 'MUST return an error for a response that is not of this protocol',
    requirements: ['D-7-2'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      await client.succeed('sync', { from: 0 })
      for (const [how, act] of wrongResponses) {
        const stop = server.wire.always('sync', act)
        await client.fail('sync', { from: 0 }, how)
        stop()
        await client.succeed('sync', { from: 0 }, 'the server works again')
      }
    },
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
    check: async (lab) => {
      const server = await lab.openServer()
      await fillAwkward(server)
      const client = await lab.client(server)
      await client.succeed('list', { from: 0 })
      const acts: typeof wrongResponses = [
        ['the connection broke in the middle of the body', cutBody(0.6)],
        [
          'JSON came that ends early',
          respondWith(200, '{"pos":5,"things":{"changed":[{"_id":"a","title":"x","tags":"","date":1}'),
        ],
        ['an error came with status 200', respondWith(200, { error: 'server_error', error_description: 'no' })],
      ]
      for (const [how, act] of acts) {
        const stop = server.wire.always('sync', act)
        await client.fail('list', { from: 0 }, how)
        stop()
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
      for (const [status, headers] of [
        [429, { 'retry-after': '1' }],
        [503, { 'retry-after': '1' }],
        [503, {}],
      ] as const) {
        const server = await lab.openServer()
        const client = await lab.client(server)
        await client.succeed('sync', { from: 0 })
        server.wire.once('upload', respondWith(status, { error: 'slow_down', error_description: 'later' }, headers))
        const upload = { from: 0, new_thing: [{ local_id: 'a', title: 'later', date: 1_700_000_000 }] }
        const { error } = await client.call('sync', upload)
        expectThat(error?.kind !== 'internal', `a right error or a success after ${status}`, `${showValue(error)} came`)
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
        `${showValue(error)} came`,
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
        `${showValue(error ?? 'a success')} came, and the account has ${count} things`,
      )
    },
  },
])
