/*
 * Rules of the profile `api` about the ways in which a response arrives: pieces, content codings, spellings, pace, and
 * several responses at the same time. Start reading at `transportRules`.
 */
import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { isObject, type JsonObject, listOf, showValue } from '../../encoding.ts'
import type { Behavior } from '../../model/behavior.ts'
import { Skipped } from '../../result.ts'
import { measureMemory } from '../adapter.ts'
import { type ClientLab, expectEqual, expectThat, lastExchange, showError } from '../client-lab.ts'
import { clientRulesOf } from '../client-rule.ts'
import type { ScriptedServer } from '../scripted-server.ts'
import {
  type Act,
  acceptedCodings,
  awkwardBorders,
  compressed,
  compressedBy,
  compressedInPieces,
  cutCompressed,
  inPieces,
  late,
  lateInside,
  pass,
  respondWith,
  type WireRequest,
  type WireResponse,
} from '../wire.ts'
import { awkwardTexts } from './api-requests.ts'

const isSync = ({ path }: WireRequest): boolean => path === 'sync'

/** Positions of 13 digits, so that a piece can end inside one. */
const longPositions: Pick<Behavior, 'nextPosition'> = {
  nextPosition: (account) => {
    account.position = Math.max(account.position, 1_767_225_600_000) + 1
    return account.position
  },
}

/** Fills an account with things that are hard to read, and returns what a full sync lists. */
export async function fillAwkward(server: ScriptedServer): Promise<readonly JsonObject[]> {
  const other = await server.device()
  const awkward = awkwardTexts.map((text, index) => ({
    ...{
      local_id: index,
      title: `${index}${text}`,
      html: `${text}\u{1F600}`,
      tags: 'ä 😀',
      date: 1_700_000_000 + index,
    },
  }))
  // With more than ten things, thingCount has two digits.
  const more = [20, 21, 22, 23].map((index) => ({ local_id: index, title: `plain ${index}`, archived: true }))
  const things = [...awkward, ...more]
  await other.sync({ new_thing: things, tag: { 'ä😀': { favorite: true, color: '#ffcc00', todo: false } } })
  return server.things()
}

/** Expects that a full sync returns everything, when the wire delivers it in this way. */
async function expectWhole(lab: ClientLab, act: Act, how: string): Promise<void> {
  const server = await lab.openServer({ behavior: longPositions })
  const things = await fillAwkward(server)
  const client = await lab.client(server)
  server.wire.always('sync', act)
  const response = await client.succeed('sync', { from: 0 }, `the response came ${how}`)
  const exchange = lastExchange(server.wire.exchanges, isSync)
  const changed = listOf(isObject(response.things) ? response.things.changed : undefined)
  expectEqual(changed, things, `every thing, from a response that came ${how}`, exchange)
  const { pos, thingCount } = response
  const wanted = { pos: server.account().position, thingCount: things.length }
  expectEqual({ pos, thingCount }, wanted, 'the position and thingCount', exchange)
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
    id: 'CLIENT-READ-11',
    title: 'MUST read a response with a border at any of its bytes, also as a stream',
    requirements: ['D-1-2'],
    check: async (lab) => {
      const hash = createHash('sha256')
      for (const { _id, title } of borderThings) hash.update(`${_id}\n${title}\n`)
      const listed = { count: borderThings.length, deleted: 2, digest: hash.digest('hex'), pos: borderPosition }
      const expectBorders = async (command: 'sync' | 'list', wanted: JsonObject): Promise<void> => {
        const server = await lab.openServer()
        const client = await lab.client(server)
        await client.succeed('sync', { from: 0 })
        for (const body of [borderBody, escapeAll(JSON.parse(borderBody))]) {
          const bytes = Buffer.from(body).length
          // Each byte is a border once; two borders of one response are a few bytes apart.
          const apart = 11
          for (let first = 1; first <= apart; first += 1) {
            const borders = Array.from({ length: Math.ceil(bytes / apart) }, (_, index) => first + index * apart)
            const act = inPieces(() => borders.filter((border) => border < bytes))
            server.wire.once('sync', (step) => act({ ...step, forward: async () => wholeOf(body) }))
            const result = await client.succeed(command, { from: 0 }, `its response came with borders at ${borders}`)
            const exchange = lastExchange(server.wire.exchanges, isSync)
            expectEqual(result, wanted, `the whole response, with borders at the bytes ${borders}`, exchange)
          }
        }
      }
      const tasks = [expectBorders('sync', JSON.parse(borderBody))]
      await Promise.all(lab.has('list') ? [...tasks, expectBorders('list', listed)] : tasks)
    },
  },
  {
    id: 'CLIENT-READ-03',
    title: 'MUST read a compressed response when it accepts gzip',
    requirements: ['D-1-2'],
    check: async (lab) => {
      await expectWhole(lab, compressed, 'compressed by gzip')
      await expectWhole(lab, compressedInPieces, 'compressed by gzip, in pieces that were flushed')
    },
  },
  {
    id: 'CLIENT-READ-10',
    title: 'MUST NOT take a part of a compressed response for the whole',
    requirements: ['D-7-2'],
    check: async (lab) => {
      for (const end of ['as if whole', 'broken'] as const) {
        const server = await lab.openServer()
        const count = (await fillAwkward(server)).length
        const client = await lab.client(server)
        await client.succeed('sync', { from: server.account().position })
        server.wire.always('sync', cutCompressed(end))
        const { result, error } = await client.call('sync', { from: 0 })
        const listed = listOf(isObject(result?.things) ? result.things.changed : undefined).length
        const isRight = error === undefined ? listed === count : error.kind !== 'internal'
        const exchange = lastExchange(server.wire.exchanges, isSync)
        const came = error === undefined ? `${listed} of ${count} things came` : `${showError(error)} came`
        expectThat(isRight, 'every thing, or a right error, because the gzip stream was cut', came, exchange)
      }
    },
  },
  {
    id: 'CLIENT-READ-04',
    title: 'MUST wait for a first byte that comes late',
    requirements: ['D-1-2'],
    check: async (lab) => {
      const expectLateToken = async (): Promise<void> => {
        const server = await lab.openServer()
        server.wire.always('token', late(6000))
        const client = await lab.client(server)
        await client.succeed('sync', { from: 0 }, 'the response to the token request came after 6 seconds')
      }
      await Promise.all([
        expectWhole(lab, late(6000), 'after 6 seconds'),
        expectWhole(lab, lateInside(6000), 'with 6 seconds between its halves'),
        expectLateToken(),
      ])
    },
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
      await expectWhole(lab, rewrite(JSON.stringify, 'application/json'), 'in UTF-8, without a charset in its header')
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
  {
    id: 'CLIENT-READ-08',
    title: 'MUST read every content coding that it accepts',
    requirements: ['D-1-2'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      await client.succeed('sync', { from: 0 })
      const request = lastExchange(server.wire.exchanges, isSync)?.request
      for (const coding of request === undefined ? [] : acceptedCodings(request))
        await expectWhole(lab, compressedBy(coding), `compressed by ${coding}, which the client accepts`)
    },
  },
  {
    id: 'CLIENT-READ-09',
    title: 'MUST read the members of a response in any order',
    requirements: ['D-1-2'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      const hash = createHash('sha256').update('a\nfirst\nb\nsecond\n').digest('hex')
      for (const body of orderedBodies) {
        server.wire.once('sync', respondWith(200, body))
        const { pos, thingCount, tags, things } = await client.succeed('sync', { from: 0 })
        const exchange = lastExchange(server.wire.exchanges, isSync)
        expectEqual({ pos, thingCount, tags, things }, orderedValue, 'the whole response', exchange)
        if (!lab.has('list')) continue
        server.wire.once('sync', respondWith(200, body))
        const { count, deleted, digest, pos: listed } = await client.succeed('list', { from: 0 })
        const wanted = { count: 2, deleted: 2, digest: hash, pos: 12 }
        expectEqual({ count, deleted, digest, pos: listed }, wanted, 'the whole listing', exchange)
      }
    },
  },
  {
    id: 'CLIENT-CLOSED-01',
    title: 'SHOULD NOT fail because the server has closed a connection that was kept open',
    requirements: ['D-1-5'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      for (const number of [1, 2, 3]) {
        server.wire.once('sync', async (step) => {
          await step.send(await step.forward())
          step.drop('closed after the response')
        })
        await client.succeed('sync', { from: 0 })
        // The end of the connection arrives before the next request is sent.
        await wait(100)
        const upload = { from: 0, new_thing: [{ local_id: `n${number}`, title: `new ${number}` }] }
        await client.succeed('sync', upload, 'the server has closed only a connection that nothing was using')
      }
      const titles = server.things().map(({ title }) => title)
      expectEqual(titles.sort(), ['new 1', 'new 2', 'new 3'], 'each upload once in the account')
    },
  },
  {
    id: 'CLIENT-CONCURRENT-01',
    title: 'MUST return to each command its own response when several run at once',
    features: ['concurrent'],
    requirements: ['D-1-4'],
    check: async (lab) => {
      const server = await lab.openServer()
      const other = await server.device()
      const numbers = [0, 1, 2, 3, 4, 5]
      for (const number of numbers) await other.create({ title: `thing ${number}` })
      const client = await lab.client(server)
      await client.succeed('sync', { from: 0 })
      server.wire.always('sync', meet(numbers.length))
      await Promise.all(
        numbers.map(async (number) => {
          const isEven = number % 2 === 0
          const upload = { new_thing: [{ local_id: `n${number}`, title: `new ${number}` }] }
          const given = { from: 0, ...(isEven ? { skip: number, limit: 1 } : upload) }
          const { things } = await client.succeed('sync', given, 'several commands can run at the same time')
          const listed = isObject(things) ? things : {}
          const [first] = listOf(listed.changed)
          const actual = isEven ? isObject(first) && first.title : Object.keys(listed.new ?? {})
          const expected = isEven ? `thing ${number}` : [`n${number}`]
          expectEqual(actual, expected, `the response to ${showValue(given)}`)
        }),
      )
      const titles = server.things().flatMap(({ title }) => (String(title).startsWith('new') ? [title] : []))
      expectEqual(titles.sort(), ['new 1', 'new 3', 'new 5'], 'each upload once in the account')
    },
  },
])

const borderPosition = 1_767_225_600_123

/** Things with escapes, surrogates, brackets inside of texts, numbers of several digits, and literals. */
const borderThings: readonly JsonObject[] = [
  { _id: 'a1', title: 'one " quote, { and [', tags: 'ä "x"', date: -1.25, archived: true },
  {
    _id: 'b22',
    title: 'ends with \\',
    tags: '',
    date: 1_700_000_000.5,
    html: '\\" \\\\ }],"changed":[{',
    todoStatus: false,
  },
  { _id: 'c333', title: '😀 \ta\n日', tags: '', date: 0, url: 'https://example.org/' },
]
const borderBody = JSON.stringify({
  pos: borderPosition,
  thingCount: 15,
  tags: { 'a"]}': { favorite: true, color: false, todo: 'strike' } },
  things: { changed: borderThings, deleted: ['d4444', 'e5'] },
})

const wholeOf = (body: string): WireResponse => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(body),
})

/** Holds requests until so many have arrived. It lets them go after a while: a client may also send one at a time. */
function meet(count: number): Act {
  let arrived = 0
  let release = (): void => {}
  const all = new Promise<void>((resolve) => {
    release = resolve
  })
  return async (step) => {
    arrived += 1
    if (arrived === count) release()
    await Promise.race([all, wait(1500, undefined, { ref: false }).then(release)])
    await pass(step)
  }
}

const orderedThings: readonly JsonObject[] = [
  { _id: 'a', title: 'first', tags: '', date: 1 },
  { _id: 'b', title: 'second', tags: 'x', date: 2, archived: true },
]
const orderedTags = { x: { favorite: true, color: false, todo: false } }
const orderedValue = {
  pos: 12,
  thingCount: 4,
  tags: orderedTags,
  things: { changed: orderedThings, deleted: ['c', 'd'] },
}

const reversed = (value: JsonObject): JsonObject => Object.fromEntries(Object.entries(value).reverse())

/** The same response with its members in several orders. */
const orderedBodies: readonly JsonObject[] = [
  orderedValue,
  reversed({ ...orderedValue, things: reversed(orderedValue.things) }),
  { things: { deleted: ['c', 'd'], changed: orderedThings.map(reversed) }, tags: orderedTags, thingCount: 4, pos: 12 },
  { tags: orderedTags, things: { changed: orderedThings, deleted: ['c', 'd'] }, pos: 12, thingCount: 4 },
]

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
