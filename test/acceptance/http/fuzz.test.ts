import { once } from 'node:events'
import { Agent, request as sendHttp } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { listDevices } from '../../../src/delivery/devices.ts'
import { listWebhooks } from '../../../src/delivery/webhooks.ts'
import { anyRequest, fuzzTargets, type WireRequest } from '../../support/any-request.ts'
import { createResponseCheck } from '../../support/check-response.ts'
import { openFileServer, type TestDevice } from '../../support/open-test-server.ts'
import { openRaw, rawHead } from '../../support/raw-connection.ts'
import { toUrl } from '../../support/test-request.ts'

// Attempts are limited per address; a proxy's header gives each request one of its own.
const server = await openFileServer({ settings: { trustProxy: ['loopback'] } })
const check = await createResponseCheck()
const agent = new Agent({ keepAlive: true })
afterAll(() => agent.destroy())

const send = async ({ method, path, query, headers, body }: WireRequest) => {
  const withLength = { ...headers, 'content-length': Buffer.byteLength(body) }
  const request = sendHttp(toUrl(server.baseUrl, path, query), { method, agent, headers: withLength })
  request.end(body)
  const [response] = await once(request, 'response')
  // A stream never ends; what is declared is its first event.
  if (response.headers['content-type'] === 'text/event-stream') {
    const [head] = await once(response.setEncoding('utf8'), 'data')
    response.destroy()
    return { status: Number(response.statusCode), body: head }
  }
  // Of an odd Accept-Encoding nothing is to be decoded: small responses are never compressed.
  return { status: Number(response.statusCode), body: JSON.parse(await readText(response)) }
}

const openAccount = async (): Promise<TestDevice> => {
  const device = await server.openDevice()
  const things = ['a', 'b', 'c'].map((title) => ({ local_id: title, title, tags: 'work', date: 1 }))
  await device.sync({ new_thing: things, tag: { work: { todo: true } } })
  await device.post('/webhook/register', { form: { target_url: 'https://hook.example/', event: 'any' } })
  return device
}

/** Everything that an account holds, as its user sees it and as the store has it. */
const lookAt = async (device: TestDevice) => {
  const user = await server.store.registry.findUserByName(device.userName)
  const view = await server.store.read(user?.id ?? '')
  const paths = ['/sync', '/tags/get', '/user/get']
  const responses = await Promise.all(paths.map((path) => device.get(path)))
  return [...responses.map(({ body }) => body), await listWebhooks(view), await listDevices(view)]
}

test.each(fuzzTargets.map((target) => [`${target.method} ${target.path}`, target] as const))(
  'every request to %s gets a declared response, and an error changes nothing',
  async (_name, target) => {
    const device = await openAccount()
    const seen = new Set<number>()
    let before = await lookAt(device)

    const request = anyRequest(target, device.token)
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 8, maxLength: 16 }), async (requests) => {
        for (const one of requests) {
          const { status, body } = await send(one)
          seen.add(status)
          expect(status).toBeLessThan(500)
          check(one.method, one.path, status, body)
          if (status < 400) before = await lookAt(device)
        }
        expect(await lookAt(device)).toEqual(before)
      }),
      { numRuns: 16 },
    )

    expect([...seen].some((status) => status >= 400)).toBe(true)
  },
)

/** Ways to spoil a good upload. */
const spoilers: readonly object[] = [
  { new_thing: [{ local_id: 'bad' }] },
  { new_thing: [{ title: 'bad' }] },
  { new_thing: [{ local_id: true, title: 'bad' }] },
  {
    new_thing: [
      { local_id: 'twice', title: 'A' },
      { local_id: 'twice', title: 'B' },
    ],
  },
  { new_thing: ['bad'] },
  { changed_thing: [{ title: 'bad' }] },
  { changed_thing: [{ _id: '', title: 'bad' }] },
  { changed_thing: [{ _id: 'x', title: 'bad', archived: 'maybe' }] },
  { changed_thing: [{ _id: 'x', title: 'a\u0000b' }] },
  { deleted_thing: [{}] },
  { deleted_thing: 5 },
  { tag: { bad: { color: 'red' } } },
  { tag: { bad: { todo: 'maybe' } } },
  { tag: { bad: 1 } },
  { tag: [] },
  { from: 'x' },
  { from: -1 },
  { skip: 0.5 },
  { limit: -1 },
  { skip_id: [{}] },
  { access_token: 'a second one' },
]

const goodUpload = fc.record({
  new_thing: fc
    .array(fc.record({ title: fc.string() }))
    .map((all) => all.map((thing, i) => ({ ...thing, local_id: i }))),
  changed_thing: fc.array(fc.record({ _id: fc.constantFrom('a', 'b'), title: fc.string() }), { maxLength: 3 }),
  deleted_thing: fc.subarray(['a', 'b', 'c']),
  tag: fc.dictionary(fc.constantFrom('work', 'home'), fc.record({ favorite: fc.boolean() })),
})

test('an upload with one bad part among good ones is rejected whole', async () => {
  const device = await openAccount()
  const listed = (await device.sync()).things?.changed as unknown as { _id: string; title: string }[]
  const idOf = new Map(listed.map(({ _id, title }) => [title, _id]))
  const before = await lookAt(device)

  await fc.assert(
    fc.asyncProperty(goodUpload, fc.constantFrom(...spoilers), async (good, bad) => {
      const real = {
        ...good,
        changed_thing: good.changed_thing.map((thing) => ({ ...thing, _id: idOf.get(thing._id) })),
        deleted_thing: good.deleted_thing.map((title) => idOf.get(title)),
      }
      const upload = Object.fromEntries(
        Object.entries({ ...real, ...bad }).map(([name, value]) => {
          const kept = real[name as keyof typeof real]
          return [name, Array.isArray(kept) && Array.isArray(value) && name in bad ? [...kept, ...value] : value]
        }),
      )
      const { status, body } = await device.post('/sync', { json: upload })
      expect(status).toBe(400)
      expect(body.error).toMatch(/^(parameter_invalid|invalid_request)$/)
    }),
    { numRuns: 300 },
  )

  expect(await lookAt(device)).toEqual(before)
})

test.each<[string, string, string]>([
  ['lists', '[', ']'],
  ['objects', '{"a":', '}'],
])('%s that are nested 50,000 times get an error in words', async (_name, open, close) => {
  const device = await openAccount()
  const deep = `${open.repeat(50_000)}[]${close.repeat(50_000)}`

  for (const name of ['new_thing', 'deleted_thing', 'tag[work][color]', 'from', 'skip_id']) {
    const { status, body } = await device.post('/sync', { form: { [name]: deep } })
    expect([name, status, body.error]).toEqual([name, 400, 'parameter_invalid'])
  }
  const json = { body: `{"title":${deep}}`, headers: { 'content-type': 'application/json' } }
  expect((await device.post('/thing/add', json)).body.error_description).toBe(
    'The request body is nested deeper than 32 levels',
  )
})

test('requests whose bytes were damaged leave the server standing', async () => {
  const device = await openAccount()
  const body = 'new_thing=%7B%22local_id%22%3A1%2C%22title%22%3A%22A%22%7D'
  const headers = {
    authorization: 'Bearer wrong',
    'content-type': 'application/x-www-form-urlencoded',
    connection: 'close',
  }
  const whole = `${rawHead('POST', '/v1/sync', { ...headers, 'content-length': String(body.length) })}${body}`
  const damage = fc.record({
    at: fc.nat(whole.length),
    remove: fc.nat(20),
    insert: fc.string({ unit: 'binary', maxLength: 5 }),
  })

  await fc.assert(
    fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 3 }), async (damages) => {
      const bytes = damages.reduce(
        (text, { at, remove, insert }) => text.slice(0, at) + insert + text.slice(at + remove),
        whole,
      )
      const { socket, ended } = await openRaw(server.baseUrl, '')
      socket.end(bytes)

      const response = await ended

      // Damage can end the first request early, and make of its rest a second one with its own response.
      for (const each of response.split(/(?=HTTP\/1\.1 \d)/).filter((text) => text !== '')) {
        expect(each).toMatch(/^HTTP\/1\.1 4\d\d /)
        const [head = '', said = ''] = each.split(/\r\n\r\n(.*)/s)
        // A request that lost its path requests the start page, whose errors are pages.
        if (/^content-type: text\/html/im.test(head)) expect(said).toMatch(/<h1>.+<\/h1>/)
        else expect(JSON.parse(said)).toHaveProperty('error_description')
      }
    }),
    { numRuns: 300, examples: [[[{ at: 6, remove: 16, insert: '' }]], [[{ at: 6, remove: 7, insert: '' }]]] },
  )

  expect((await device.get('/test')).status).toBe(200)
})
