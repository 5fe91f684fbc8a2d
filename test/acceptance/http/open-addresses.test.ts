import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openMemoryStore } from '../../../src/store/memory-store.ts'
import { thingForm } from '../../../src/things/thing.ts'
import { openFileServer, openTestServer } from '../../support/open-test-server.ts'

const server = await openFileServer({ settings: { baseUrl: 'https://things.example/some/where/v1/' } })
const origin = new URL(server.baseUrl).origin

const paths = ['/healthz', '/readyz', '/openapi.yaml', '/openapi.json']

test('documents and health respond below the path prefix of the base URL, and without it', async () => {
  for (const path of paths) {
    const bodies = []
    for (const prefix of ['', '/some/where']) {
      const response = await fetch(`${origin}${prefix}${path}`)
      expect([prefix, path, response.status]).toEqual([prefix, path, 200])
      bodies.push(await response.text())
    }
    expect(bodies[0]).toBe(bodies[1])
    for (const prefix of ['/some', '/where', '/some/where/v1']) {
      expect((await fetch(`${origin}${prefix}${path}`)).status).not.toBe(200)
    }
  }
})

const documents = ['/openapi.yaml', '/openapi.json', '/openapi.sdk.yaml', '/openapi.sdk.json']

test.each(documents)('%s names the server by its base URL, where it has one', async (path) => {
  const text = await (await fetch(`${origin}${path}`)).text()

  expect(text).toContain('https://things.example/some/where/v1')
  expect(text).not.toContain('127.0.0.1:8484')
  expect(text.includes('authorizationUrl')).toBe(text.includes('https://things.example/some/where/authorize'))
})

test('without a base URL the documents are those of the package', async () => {
  const { baseUrl } = await openTestServer({ store: await openMemoryStore({ form: thingForm }) })

  for (const name of ['openapi.yaml', 'openapi.sdk.yaml'])
    expect(await (await fetch(new URL(`/${name}`, baseUrl))).text()).toBe(readFileSync(name, 'utf8'))
})

test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s of documents and health is 405', async (method) => {
  for (const path of paths) {
    const response = await fetch(`${origin}${path}`, { method })

    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    expect(await response.json()).toEqual({
      error: 'method_not_allowed',
      error_description: 'This operation accepts only GET, HEAD',
    })
  }
})

test('HEAD of documents and health has the headers of GET and no body', async () => {
  for (const path of paths) {
    const [get, head] = [await fetch(`${origin}${path}`), await fetch(`${origin}${path}`, { method: 'HEAD' })]

    const length = Buffer.byteLength(await get.text())
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, String(length), ''])
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
  }
})

test('however often and by how many /readyz is requested, the store checks its disk once in a while', async () => {
  const store = await openMemoryStore({ form: thingForm })
  let checks = 0
  const check = () => {
    checks += 1
    return store.check()
  }
  const { baseUrl } = await openTestServer({ store: { ...store, check } })
  const send = () => fetch(new URL('/readyz', baseUrl)).then(({ status }) => status)

  const responses = [await send(), ...(await Promise.all(Array.from({ length: 50 }, send)))]

  expect(new Set(responses)).toEqual(new Set([200]))
  expect(checks).toBe(1)
})
