import { pino } from 'pino'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'
import { startDelivery } from '../../../src/runtime/start-delivery.ts'
import { openReceiver, type Received, respondWith } from '../../support/fake-receiver.ts'
import { openTestServer, type TestServer } from '../../support/open-test-server.ts'
import { signInBrowser } from '../../support/test-browser.ts'
import { enrollDevice } from '../../support/test-device.ts'

const deliveryAllow = ['127.0.0.0/8']

/** A server that delivers to this machine. */
const openServer = async (): Promise<TestServer> => {
  const server = await openTestServer({ settings: { deliveryAllow } })
  const { store, environment } = server
  const delivery = await startDelivery({ store, environment, log: pino({ level: 'silent' }), deliveryAllow })
  onTestFinished(delivery.close)
  return server
}

/** Throws when it was not signed with the secret. */
const verify = (secret: string, { headers, body }: Received): unknown =>
  new Webhook(secret).verify(body.toString(), headers as Record<string, string>)

test.each(['form', 'json'] as const)(
  'a client that registers by %s, as ever, is called and can verify it',
  async (kind) => {
    const server = await openServer()
    const receiver = await openReceiver()
    const device = await server.openDevice()
    const hook = { target_url: receiver.url, event: 'new_thing' }

    const { body } = await device.post('/webhook/register', { [kind]: hook })
    const again = await device.post('/webhook/register', { [kind]: hook })
    const response = await device.sync({ new_thing: [{ local_id: 1, title: 'A', tags: 'b c', date: 5 }] })
    await receiver.untilReceived(1)
    const [received] = receiver.received as [Received]

    const id = response.things?.new?.['1']
    expect(again.body).toEqual({ registered: true })
    expect(verify(String(body.secret), received)).toEqual({
      type: 'new_thing',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: { pos: 1, ids: [id], things: [{ _id: id, title: 'A', tags: 'b c', date: 5 }] },
    })
    expect(() => verify('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', received)).toThrow()
    expect(received.headers['user-agent']).toMatch(/^thingsync\/\d/)
  },
)

test('a secret belongs to one app: each gets its own, and none is shown to another, not even in lists', async () => {
  const server = await openServer()
  const receiver = await openReceiver()
  const one = await server.openDevice()
  const otherToken = await enrollDevice(server.store, one.userName, 'other-app', {
    now: Date.now,
    newId: () => 'other',
    newSecret: () => 'other-secret',
  })
  const hook = { target_url: receiver.url, event: 'any' }

  const first = (await one.post('/webhook/register', { form: hook })).body
  const second = (await server.post('/webhook/register', { token: otherToken, form: hook })).body
  await one.sync({ tag: { x: { favorite: true } } })
  await receiver.untilReceived(2)
  const lists = [await one.get('/webhook/list'), await server.get('/webhook/list', { token: otherToken })]

  expect(first.secret).not.toBe(second.secret)
  const secrets = [String(first.secret), String(second.secret)]
  const taken = receiver.received.map((received) =>
    secrets.filter((secret) => {
      try {
        return verify(secret, received)
      } catch {
        return false
      }
    }),
  )
  expect(taken.flat().sort()).toEqual(secrets.sort())
  for (const { text } of lists) expect(text).not.toContain('whsec_')
  expect(lists.map(({ body }) => body)).toMatchObject([
    [{ target_url: receiver.url, event: 'any', state: 'working' }],
    [{ target_url: receiver.url, event: 'any', state: 'working' }],
  ])
})

test('webhook/list says how it is going: what failed and why, when it is tried next, and the last success', async () => {
  const server = await openServer()
  const [good, bad] = [await openReceiver(), await openReceiver()]
  bad.respond = respondWith(503, { 'retry-after': '600' })
  const device = await server.openDevice()
  for (const { url } of [good, bad]) await device.post('/webhook/register', { form: { target_url: url, event: 'any' } })
  await device.sync({ new_thing: [{ local_id: 1, title: 'A' }] })

  const now = Date.now() / 1000
  const date = expect.any(Number)
  await expect
    .poll(async () => (await device.get('/webhook/list')).body)
    .toEqual([
      { target_url: good.url, event: 'any', state: 'working', waiting: false, date, last_success: date },
      {
        target_url: bad.url,
        event: 'any',
        state: 'retrying',
        waiting: true,
        date,
        last_failure: { date, reason: 'The receiver responded with status 503.' },
        next_try: date,
      },
    ])
  const [, { next_try: nextTry }] = (await device.get('/webhook/list')).body as unknown as [
    object,
    { next_try: number },
  ]
  expect(nextTry - now).toBeGreaterThan(590)
  expect(nextTry - now).toBeLessThan(690)
})

test('a webhook that was unregistered is not called any more, also not with what waits', async () => {
  const server = await openServer()
  const [receiver, other] = [await openReceiver(), await openReceiver()]
  receiver.respond = respondWith(500)
  const device = await server.openDevice()
  for (const { url } of [receiver, other]) {
    await device.post('/webhook/register', { form: { target_url: url, event: 'any' } })
  }
  await device.sync({ new_thing: [{ local_id: 1, title: 'A' }] })
  await receiver.untilReceived(1)

  await device.post('/webhook/unregister', { form: { target_url: receiver.url, event: 'any' } })
  await other.untilReceived(1)

  const listLater = async () =>
    (await server.store.listOutboxEntries()).filter(({ dueAt }) => dueAt > Date.now() + 2000)
  await expect.poll(listLater).toEqual([])
  expect((await device.get('/webhook/list')).body).toHaveLength(1)
})

test('without delivery_allow nothing is sent inside, whatever was registered before', async () => {
  const server = await openTestServer({ settings: { deliveryAllow } })
  const receiver = await openReceiver()
  const device = await server.openDevice()
  await device.post('/webhook/register', { form: { target_url: receiver.url, event: 'any' } })
  await device.sync({ new_thing: [{ local_id: 1, title: 'A' }] })

  const { store, environment } = server
  const delivery = await startDelivery({ store, environment, log: pino({ level: 'silent' }) })
  onTestFinished(delivery.close)
  const list = async () => (await device.get('/webhook/list')).body
  await expect.poll(list).toMatchObject([{ state: 'retrying', waiting: true }])

  expect(receiver.received).toEqual([])
  expect((await device.get('/webhook/list')).text).toContain('delivery_allow')
})

test('devices go with their session', async () => {
  const server = await openServer()
  const [device, other] = [await server.openDevice(), await server.openDevice()]
  const again = await server.openDevice(device.userName)
  await device.post('/register/device', { form: { type: 'pigeon', id: 'a' } })
  await again.post('/register/device', { form: { type: 'pigeon', id: 'b' } })
  expect((await again.get('/device/list')).body).toHaveLength(2)
  const sessions = (await device.get('/session/list')).body as unknown as { id: string; current: boolean }[]

  const ended = await device.post('/session/revoke', {
    form: { id: sessions.find(({ current }) => current)?.id ?? '' },
  })

  expect(ended.status).toBe(200)
  expect((await again.get('/device/list')).body).toMatchObject([{ id: 'b', delivered: false }])
  expect((await other.get('/device/list')).body).toEqual([])
})

test('the account page shows the state, sends a test event, pauses, resumes and creates a new secret', async () => {
  const server = await openServer()
  const receiver = await openReceiver()
  receiver.respond = respondWith(500)
  const device = await server.openDevice('anna')
  const hook = { target_url: receiver.url, event: 'any' }
  const { secret } = (await device.post('/webhook/register', { form: hook })).body
  await device.sync({ new_thing: [{ local_id: 1, title: 'A' }] })
  const browser = await signInBrowser(server, 'anna')
  const path = '/account/delivery'
  const act = async (name: string) => (await browser.send(await browser.open(path), path, { act: name })).location
  const page = async () => (await browser.open(path)).html.replace(/<style>.*<\/style>/s, '')

  await expect.poll(page).toContain('The receiver responded with status 500.')
  expect(await page()).toMatch(/Notifications wait; next try <time/)
  expect(await page()).not.toContain('whsec_')
  expect(await act('pause')).toContain('done=pause')
  expect(await page()).toContain('Notifications wait until you resume the webhook')
  receiver.respond = respondWith(204)
  expect(await act('test')).toContain('done=test')
  await expect.poll(() => receiver.received.at(-1)?.message.type).toBe('test')
  await expect.poll(page).toContain('Last notified <time')
  const created = await browser.send(await browser.open(path), `${path}/secret`)
  const [, newSecret = ''] = /(whsec_[\w+/=]+)/.exec((await browser.open(created.location)).html) ?? []
  expect(await act('resume')).toContain('done=resume')
  // The test event before it says the same position.
  await expect.poll(() => receiver.received.at(-1)?.message).toMatchObject({ type: 'any', data: { pos: 1 } })
  await expect.poll(page).not.toContain('Notifications wait')

  expect(newSecret).not.toBe(secret)
  const last = receiver.received.at(-1) as Received
  expect(verify(newSecret, last)).toEqual(verify(String(secret), last))
  expect((await browser.post(path, { act: 'constructor', webhook: 'x' })).status).toBeGreaterThanOrEqual(400)
})
