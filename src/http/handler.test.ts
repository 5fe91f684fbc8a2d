import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { addApp, addUser, createHandler, openMemoryStore, systemEnvironment } from '../index.ts'

const listen = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const openStore = async () => {
  const store = await openMemoryStore()
  onTestFinished(() => store.close())
  await addUser(store, { name: 'anna', password: 'correct horse' }, systemEnvironment)
  const app = await addApp(store, 'tests', systemEnvironment)
  const client = { client_id: app.clientId, client_secret: app.clientSecret }
  const login = { grant_type: 'password', username: 'anna', password: 'correct horse', ...client }
  return { store, login: new URLSearchParams(login) }
}

test('a handler alone serves the API, health and documents in a plain server of Node', async () => {
  const { store, login } = await openStore()
  const origin = await listen(await createHandler({ store }))

  const grant = await (await fetch(`${origin}/v1/token`, { method: 'POST', body: login })).json()
  const authorization = `Bearer ${(grant as { access_token: string }).access_token}`
  const body = JSON.stringify({ new_thing: [{ local_id: 1, title: 'A' }] })
  const headers = { authorization, 'content-type': 'application/json' }
  const upload = await fetch(`${origin}/v1/sync`, { method: 'POST', headers, body })
  const listing = await fetch(`${origin}/v1/sync`, { headers: { authorization } })

  expect(await upload.json()).toMatchObject({ pos: 1, things: { new: { 1: expect.any(String) } } })
  expect(await listing.json()).toMatchObject({ pos: 1, things: { changed: [{ title: 'A' }] } })
  expect(await (await fetch(`${origin}/healthz`)).json()).toEqual({ status: 'ok' })
  expect((await fetch(`${origin}/openapi.yaml`)).status).toBe(200)
  expect((await fetch(`${origin}/other`)).status).toBe(404)
})

test('the handler applies limits and base path, and works next to other listeners', async () => {
  const { store } = await openStore()
  const things = await createHandler({ store, basePath: '/things/v1/', limits: { maxBodyBytes: 20 } })
  const origin = await listen((request, response) => {
    if (request.url?.startsWith('/things/')) things(request, response)
    else response.end('mine')
  })
  const post = (body: string) => fetch(`${origin}/things/v1/token`, { method: 'POST', body: new URLSearchParams(body) })

  expect(await (await fetch(`${origin}/`)).text()).toBe('mine')
  expect(await (await fetch(`${origin}/things/healthz`)).json()).toEqual({ status: 'ok' })
  expect((await fetch(`${origin}/things/v1/sync`)).status).toBe(401)
  expect((await post('grant_type=magic')).status).toBe(401)
  expect((await post('grant_type=magic&and=more')).status).toBe(413)
})

test('a handler serves the rest of the path when its host removes the prefix', async () => {
  const { store } = await openStore()
  const things = await createHandler({ store })
  const origin = await listen((request, response) => {
    // Express and connect do the same for a mounted handler.
    request.url = request.url?.replace('/mounted', '') ?? ''
    things(request, response)
  })

  expect((await fetch(`${origin}/mounted/v1/sync`)).status).toBe(401)
  expect((await fetch(`${origin}/mounted/healthz`)).status).toBe(200)
})

test('no handler is created with an invalid destination for deliveries', async () => {
  const store = await openMemoryStore()

  const created = createHandler({ store, deliveryAllow: ['10.0.0.0/8', '*.lan'] })

  await expect(created).rejects.toEqual(new TypeError('delivery_allow: *.lan is neither a host nor a network'))
  await store.close()
})
