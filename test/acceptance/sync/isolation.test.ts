import { expect, test } from 'vitest'
import { listDevices } from '../../../src/delivery/devices.ts'
import { listWebhooks } from '../../../src/delivery/webhooks.ts'
import { openFileServer, type TestDevice } from '../../support/open-test-server.ts'

const server = await openFileServer()

const hook = { target_url: 'https://hook.example/x', event: 'any' }
const push = { type: 'other', id: 'd1' }

/** A user who has used every operation, and a second one who has nothing. */
const openOwnerAndOther = async () => {
  const [owner, other] = [await server.openDevice(), await server.openDevice()]
  const created = await owner.sync({
    new_thing: [{ local_id: 'n', title: 'secret', tags: 'private', date: 1, url: 'https://secret.example/' }],
    tag: { private: { favorite: true } },
  })
  await owner.post('/webhook/register', { form: hook })
  await owner.post('/register/device', { form: push })
  return { owner, other, _id: created.things?.new?.n }
}

/** Everything that a user can see. */
const lookAround = async (device: TestDevice) => {
  const paths = ['/sync', '/tags/get', '/things/get', '/user/get']
  const responses = await Promise.all(paths.map((path) => device.get(path, { query: { archived: 'include' } })))
  return responses.map(({ body }) => body)
}

const subscriptionsOf = async ({ userName }: TestDevice) => {
  const user = await server.store.registry.findUserByName(userName)
  const view = await server.store.read(user?.id ?? '')
  return { webhooks: await listWebhooks(view), devices: await listDevices(view) }
}

test('reading operations show nothing of another user', async () => {
  const { other } = await openOwnerAndOther()

  expect(await lookAround(other)).toEqual([
    { pos: 0 },
    { pos: 0, favorite: {}, other: {} },
    [],
    { username: other.userName, date: expect.any(Number), pos: 0, thingCount: 0 },
  ])
  expect((await other.sync({ from: 1, limit: 5 })).things).toBeUndefined()
})

test("another user's thing is unknown to change, delete and duplicates", async () => {
  const { owner, other, _id } = await openOwnerAndOther()
  const before = await lookAround(owner)

  const change = await other.post('/thing/change', { json: { _id, title: 'stolen' } })
  const deletion = await other.post('/thing/delete', { json: { _id } })
  const added = await other.post('/thing/add', { json: { title: 'https://secret.example/', prevent_duplicate: true } })

  expect([change.status, deletion.status]).toEqual([404, 404])
  expect(added.body.duplicate).toBeUndefined()
  expect(await lookAround(owner)).toEqual(before)
})

test('uploads of another user never reach a thing, nor tag settings', async () => {
  const { owner, other, _id } = await openOwnerAndOther()
  const before = await lookAround(owner)

  const response = await other.sync({
    changed_thing: [{ _id, title: 'stolen' }],
    deleted_thing: [_id],
    skip_id: [],
    tag: { private: { color: '#f00' } },
  })

  expect(response).toMatchObject({ pos: 1, tags: { private: { favorite: false, color: '#f00', todo: false } } })
  expect(await lookAround(owner)).toEqual(before)
})

test('the same local_id and from of two users are two things', async () => {
  const [one, two] = [await server.openDevice(), await server.openDevice()]
  const upload = { from: 0, new_thing: [{ local_id: 'n', title: 'A' }] }

  const [first, second] = [await one.sync(upload), await two.sync(upload)]

  expect(first.things?.new?.n).not.toBe(second.things?.new?.n)
  expect([first.pos, second.pos]).toEqual([1, 1])
})

test('pages of one user are never pages of another', async () => {
  const [one, two] = [await server.openDevice(), await server.openDevice()]
  for (const device of [one, two]) {
    await device.sync({ new_thing: [1, 2, 3].map((local_id) => ({ local_id, title: device.userName })) })
  }

  await one.sync({ limit: 1 })
  await two.sync({ limit: 1 })
  const page = await one.sync({ skip: 1, limit: 5 })

  expect(page.things?.changed).toMatchObject(Array(2).fill({ title: one.userName }))
})

test('webhooks and devices belong to their user', async () => {
  const { owner, other } = await openOwnerAndOther()
  const before = await subscriptionsOf(owner)

  await other.post('/webhook/unregister', { form: hook })
  await other.post('/unregister/device', { form: push })
  await other.post('/device/unregister', { form: push })
  const registered = await other.post('/webhook/register', { form: hook })

  expect(before).toEqual({
    webhooks: [
      {
        targetUrl: hook.target_url,
        event: 'any',
        clientId: server.clientId,
        secret: expect.any(String),
        registeredAt: expect.any(Number),
        id: expect.any(String),
        told: 2,
      },
    ],
    devices: [
      {
        ...push,
        clientId: server.clientId,
        registeredAt: expect.any(Number),
        sessionId: expect.any(String),
        key: expect.any(String),
      },
    ],
  })
  expect(await subscriptionsOf(owner)).toEqual(before)
  expect(registered.body.secret).not.toBe(before.webhooks[0]?.secret)
})

test("one user's errors and tokens end nothing of another's", async () => {
  const { owner, other } = await openOwnerAndOther()
  const client = { client_id: server.clientId, client_secret: server.clientSecret }

  await server.post('/revoke', { form: { ...client, token: other.token } })

  expect((await other.get('/test')).status).toBe(401)
  expect((await owner.get('/test')).body).toEqual({ user: owner.userName })
})

test('one request never mixes two users, however many come at once', async () => {
  const devices = await Promise.all(Array.from({ length: 10 }, () => server.openDevice()))

  await Promise.all(
    Array.from({ length: 200 }, (_, i) => {
      const device = devices[i % 10]
      return device?.sync({ new_thing: [{ local_id: i, title: device.userName }] })
    }),
  )
  const listings = await Promise.all(devices.map((device) => device.sync()))

  for (const [index, listing] of listings.entries()) {
    expect(listing.thingCount).toBe(20)
    expect(listing.things?.changed).toMatchObject(Array(20).fill({ title: devices[index]?.userName }))
  }
})
