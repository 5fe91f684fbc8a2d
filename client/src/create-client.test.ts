import { expect, test } from 'vitest'
import { createTestClient } from '../../test/support/create-test-client.ts'
import { openFileServer } from '../../test/support/open-test-server.ts'
import type { Send } from './api.ts'
import type { Client, ClientOptions } from './create-client.ts'
import { createClient } from './create-client.ts'
import { createMemoryTokenStorage } from './tokens.ts'

const server = await openFileServer()

/** Creates a client of a new user. */
const openClient = async (send: Send = fetch) => {
  const device = await server.openDevice()
  const tokens = createMemoryTokenStorage()
  await tokens.write({
    accessToken: device.token,
    requestToken: '',
    session: 'test',
    expiresAt: Number.POSITIVE_INFINITY,
  })
  return { device, client: createTestClient(server, { tokens, fetch: send }) }
}

test('an invalid base URL is rejected at once, and not reported as a network failure', () => {
  const create = (baseUrl: string) => createClient({ baseUrl, clientId: 'app', tokens: createMemoryTokenStorage() })

  for (const baseUrl of ['things.example/v1/', 'localhost:8484/v1/', '', '/v1/', 'ftp://things.example/v1/']) {
    expect(() => create(baseUrl)).toThrow(
      new TypeError(`baseUrl must be a URL like https://things.example/v1/, not ${baseUrl}`),
    )
  }
  expect(() => create('HTTPS://things.example/v1')).not.toThrow()
})

test('a missing or wrong option is named at once, and not reported as a network failure', () => {
  const right = { baseUrl: 'https://things.example/v1/', clientId: 'app', tokens: createMemoryTokenStorage() }
  // Options as a program in JavaScript may pass them.
  const check = (options: unknown) => {
    try {
      createClient(options as ClientOptions)
      return 'taken'
    } catch (problem) {
      return String(problem)
    }
  }
  const tokenless = 'TypeError: tokens must be a token storage, for example createMemoryTokenStorage()'

  expect(check(right)).toBe('taken')
  expect([
    check(undefined),
    check(null),
    check({ ...right, tokens: undefined }),
    check({ ...right, tokens: null }),
  ]).toEqual([
    'TypeError: createClient needs an object with baseUrl, clientId and tokens',
    'TypeError: createClient needs an object with baseUrl, clientId and tokens',
    tokenless,
    tokenless,
  ])
  expect(check({ ...right, baseUrl: new URL(right.baseUrl) })).toBe(
    'TypeError: baseUrl must be a URL like https://things.example/v1/, not a URL; give its href',
  )
  expect(check({ ...right, clientId: undefined })).toBe(
    'TypeError: clientId must be the client ID of the registered app, as text',
  )
  expect(check({ ...right, clientSecret: 5 })).toBe(
    'TypeError: clientSecret must be text, or left out for a public client',
  )
  expect(check({ ...right, tokens: { read: async () => undefined } })).toBe(
    'TypeError: tokens.write must be a function, not undefined',
  )
  expect(check({ ...right, fetch: 5 })).toBe('TypeError: fetch must be a function, not 5')
})

test('one call uploads and lists, by forms only', async () => {
  const types: (string | null)[] = []
  const { client, device } = await openClient((request) => {
    types.push(request.headers.get('content-type'))
    return fetch(request)
  })
  const other = await server.openDevice(device.userName)
  const added = await other.sync({ new_thing: [{ local_id: 'x', title: 'elsewhere', date: 5 }] })
  const elsewhere = { _id: String(added.things?.new?.x), title: 'elsewhere', tags: '', date: 5 }

  const thing = { local_id: '__proto__', title: 'ключ "1"\n', tags: 'home todo', date: 7.5, url: 'https://a.example/' }
  const response = await client.sync({
    from: 0,
    new_thing: [{ ...thing, html: '<b>é</b>', archived: true, todoStatus: true }],
    tag: { todo: { todo: true, color: '#f00' } },
  })

  const [id] = Object.values(response.things?.new ?? {})
  expect(response).toEqual({
    pos: 3,
    thingCount: 2,
    tags: { todo: { favorite: false, color: '#f00', todo: 'strike' } },
    things: { new: Object.fromEntries([['__proto__', id]]), changed: [elsewhere] },
  })
  const { local_id: _, ...fields } = thing
  const full = await client.sync()
  expect(full.things?.changed).toEqual([
    elsewhere,
    { _id: id, ...fields, html: '<b>é</b>', archived: true, todoStatus: true },
  ])
  const deletion = await client.sync({ from: full.pos, deleted_thing: [String(id), elsewhere._id] })
  expect(await other.sync({ from: full.pos })).toEqual({
    pos: deletion.pos,
    thingCount: 2,
    things: { deleted: [id, elsewhere._id] },
  })
  expect(types).not.toContain('application/json')
})

test('the other operations are typed from the document and sent as forms', async () => {
  const { client } = await openClient()

  const { data: thing } = await client.api.POST('/thing/add', { body: { title: 'milk', tags: 'home', html: null } })
  const { data: things } = await client.api.GET('/things/get', { params: { query: { tag: 'home' } } })

  expect(thing).toMatchObject({ title: 'milk', tags: 'home' })
  expect(things).toEqual([thing])
})

test('pages list everything once and carry one position', async () => {
  const { client } = await openClient()
  const titles = Array.from({ length: 25 }, (_, index) => `thing ${index}`)
  await client.sync({ new_thing: titles.map((title, index) => ({ local_id: index, title })) })
  await client.sync({ new_thing: [{ local_id: 'gone', title: 'gone' }] })

  const pages = []
  for await (const page of client.listChanges({ pageSize: 10 })) {
    pages.push(page)
    await client.sync({ new_thing: [{ local_id: 'later', title: 'written between pages' }] })
  }

  expect(pages.map(({ changed }) => changed.length)).toEqual([10, 10, 6])
  expect(new Set(pages.map(({ position }) => position)).size).toBe(1)
  expect(pages.flatMap(({ changed }) => changed.map(({ title }) => title))).toEqual([...titles, 'gone'])
})

test('a listing that the server lost between two pages begins again, and misses nothing', async () => {
  const { client } = await openClient()
  const titles = Array.from({ length: 20 }, (_, n) => `t${n}`)
  const { things } = await client.sync({ new_thing: titles.map((title) => ({ local_id: title, title })) })
  const pages: { isFirst: boolean; changed: readonly { title: string }[] }[] = []

  for await (const page of client.listChanges({ pageSize: 15 })) {
    pages.push(page)
    if (pages.length > 1) continue
    // The listed things are deleted, so the second page would begin too late. Then the server loses the listing.
    await client.sync({ deleted_thing: [String(things?.new?.t0), String(things?.new?.t1)] })
    for (let from = 1; from <= 17; from += 1) await client.sync({ from, limit: 1 })
  }

  expect(pages.map(({ isFirst, changed }) => [isFirst, changed.length])).toEqual([
    [true, 15],
    [true, 15],
    [false, 3],
  ])
  expect(pages.slice(1).flatMap(({ changed }) => changed.map(({ title }) => title))).toEqual(titles.slice(2))
})

test('a listing without anything is one empty page', async () => {
  const { client } = await openClient()
  const pages = []
  for await (const page of client.listChanges()) pages.push(page)

  expect(pages).toEqual([{ position: 0, isFirst: true, thingCount: 0, changed: [], deleted: [], tags: new Map() }])
})

test('an error of the server is thrown with its description', async () => {
  const { client } = await openClient()

  const expected = {
    code: 'rejected',
    status: 400,
    error: 'parameter_invalid',
    description: expect.stringMatching('_id'),
  }
  await expect(client.sync({ deleted_thing: ['\0'] })).rejects.toMatchObject({ code: 'rejected', status: 400 })
  const twice = { local_id: 1, title: '' }
  await expect(client.sync({ new_thing: [twice, twice] })).rejects.toMatchObject(expected)
})

/** Sends this response to every request. */
const respondWith = (body: unknown): Send => {
  return async () => new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } })
}

test('an upload is not lost when the server redirects it, but reported', async () => {
  const { client } = await openClient(async (request, init) => {
    if (new URL(request.url).pathname.startsWith('/v1/') && request.method === 'POST' && init?.redirect !== 'manual') {
      throw new Error('fetch would follow the redirect with a GET')
    }
    return new Response(null, { status: 301, headers: { location: 'https://things.example/v1/sync' } })
  })

  await expect(client.sync({ new_thing: [{ local_id: 'a', title: 'milk' }] })).rejects.toMatchObject({
    code: 'unexpected_response',
    status: 301,
  })
})

test('a response that breaks off is a network failure in every operation', async () => {
  const { client } = await openClient(async () => {
    const body = new ReadableStream({ start: (controller) => controller.error(new TypeError('terminated')) })
    return new Response(body, { headers: { 'content-type': 'application/json' } })
  })

  await expect(client.api.GET('/user/get')).rejects.toMatchObject({ code: 'network' })
  await expect(client.sync()).rejects.toMatchObject({ code: 'network' })
})

test('an error object with the status 200 is an error of the server', async () => {
  const { client } = await openClient(respondWith({ error: 'parameter_invalid', error_description: 'no' }))

  const expected = { code: 'rejected', status: 200, error: 'parameter_invalid', description: 'no' }
  await expect(client.sync()).rejects.toMatchObject(expected)
  await expect(client.waitForChange({ from: 1, seconds: 1 })).rejects.toMatchObject(expected)
  expect(await client.api.POST('/thing/add', { body: { title: 'milk' } })).toEqual({
    error: { error: 'parameter_invalid', error_description: 'no' },
    response: expect.any(Response),
  })
})

test('an operation never takes a response without an error object for a success', async () => {
  const { client: empty } = await openClient(async () => new Response('', { status: 502 }))
  const { client: page } = await openClient(async () => new Response('<html></html>'))
  const add = (client: Client) => client.api.POST('/thing/add', { body: { title: 'milk' } })

  await expect(add(empty)).rejects.toMatchObject({ code: 'unexpected_response', status: 502 })
  await expect(add(page)).rejects.toMatchObject({ code: 'unexpected_response' })
})

test('parts of a response that are null are absent, but a position is required', async () => {
  const nothing = { thingCount: null, tags: null }
  const { client } = await openClient(respondWith({ pos: 5, ...nothing, things: { new: null, changed: null } }))
  const { client: other } = await openClient(respondWith({ pos: 6, ...nothing, things: null }))
  const { client: lost } = await openClient(respondWith({ pos: null }))
  const { client: wrong } = await openClient(respondWith({ pos: 7, things: { changed: [null] } }))

  expect([await client.sync(), await other.sync()]).toEqual([{ pos: 5 }, { pos: 6 }])
  await expect(lost.sync()).rejects.toMatchObject({ code: 'unexpected_response' })
  await expect(wrong.sync()).rejects.toMatchObject({ code: 'unexpected_response' })
})

test('parts of a response are the same events, many together', async () => {
  const { client, device } = await openClient()
  await device.sync({
    new_thing: Array.from({ length: 300 }, (_, index) => ({ local_id: index, title: `thing ${index}` })),
    tag: { home: { favorite: true } },
  })

  const events = []
  for await (const event of client.streamSync({ from: 0 })) events.push(event)
  const parts = []
  for await (const part of client.streamSyncParts({ from: 0 })) parts.push(part)

  expect(parts.flat()).toEqual(events)
  expect(parts.length).toBeLessThan(events.length / 10)
})

test('a preview is what the server read of a page, and its errors say why there is none', async () => {
  const { client } = await openClient()
  const off = await openFileServer({ settings: { linkPreview: false } })
  const device = await off.openDevice()
  const tokens = createMemoryTokenStorage()
  await tokens.write({ accessToken: device.token, requestToken: '', session: 's', expiresAt: Number.POSITIVE_INFINITY })
  const respond =
    (status: number, body: object): Send =>
    async () =>
      new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
  const { client: reading } = await openClient(respond(200, { title: 'A page' }))
  const sentence = 'The page cannot be read: its host responded with status 404'
  const { client: failing } = await openClient(respond(422, { error: 'unavailable', error_description: sentence }))

  expect(await reading.previewLink('https://page.example/')).toEqual({ title: 'A page' })
  await expect(failing.previewLink('https://page.example/')).rejects.toMatchObject({
    ...{ code: 'rejected', status: 422, error: 'unavailable', description: sentence },
  })
  await expect(client.previewLink('http://127.0.0.1/')).rejects.toMatchObject({
    ...{ code: 'rejected', status: 400, error: 'parameter_invalid' },
  })
  await expect(createTestClient(off, { tokens }).previewLink('https://page.example/')).rejects.toMatchObject({
    ...{ code: 'not_offered', status: 404 },
  })
})
