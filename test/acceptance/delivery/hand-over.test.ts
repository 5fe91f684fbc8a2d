import { expect, test } from 'vitest'
import { document } from '../../../generated/document.ts'
import { openFileServer, type TestDevice } from '../../support/open-test-server.ts'

const server = await openFileServer()

const hook = { target_url: 'https://hook.example/', event: 'any' }
const device = { type: 'pigeon', id: '1' }

/** A request to each operation that may change something; `id` is that of a thing. */
const requests: Readonly<Record<string, (id: string) => object>> = {
  '/sync': (id) => ({ new_thing: [{ local_id: 1, title: 'A' }], deleted_thing: [id], tag: { x: { favorite: true } } }),
  '/thing/add': () => ({ title: 'A' }),
  '/thing/change': (id) => ({ _id: id, title: 'B' }),
  '/thing/delete': (id) => ({ _id: id }),
  '/session/revoke': () => ({ id: 'unknown' }),
  '/register/device': () => device,
  '/device/register': () => device,
  '/unregister/device': () => device,
  '/device/unregister': () => device,
  '/webhook/register': () => ({ ...hook, event: 'tag' }),
  '/webhook/unregister': () => ({ ...hook, event: 'tag' }),
  '/test': () => ({}),
}

const isNoChange = new Set([
  '/session/revoke',
  '/test',
  ...Object.keys(requests).filter((path) => /device|webhook/.test(path)),
])

const posts = Object.entries(document.paths as Record<string, { post?: { requestBody?: { content: object } } }>)
  .filter(([path, { post }]) => post !== undefined && path !== '/token' && path !== '/revoke')
  .map(([path]) => path)

const idOf = async ({ userName }: TestDevice): Promise<string> =>
  (await server.store.registry.findUserByName(userName))?.id ?? ''

test.each(posts)('%s adds outbox entries for its changes in the same write', async (path) => {
  const client = await server.openDevice()
  const userId = await idOf(client)
  const { _id } = (await client.post('/thing/add', { json: { title: 'there' } })).body
  await client.post('/webhook/register', { form: hook })
  const before = await server.store.read(userId)

  const { status } = await client.post(path, { json: requests[path]?.(String(_id)) ?? 'is not known to this test' })
  const after = await server.store.read(userId)

  expect(status).toBe(path === '/session/revoke' ? 404 : 200)
  expect(before.position < after.position).toBe(!isNoChange.has(path))
  expect((await after.listOutboxEntries()).size).toBe(isNoChange.has(path) ? 0 : 1)
})
