import { expect, test } from 'vitest'
import { openDeliveryFixture } from '../../test/support/delivery.ts'
import { openReceiver, respondWith } from '../../test/support/fake-receiver.ts'
import { type Store, StoreError } from '../store/store.ts'
import { unregisterWebhook } from './webhooks.ts'

test('nothing runs while nothing is due, and one timer waits for the next entry', async () => {
  const { put, register, open, timer, dueIn, until } = await openDeliveryFixture()
  const [working, failing] = [await openReceiver(), await openReceiver()]
  failing.respond = respondWith(500)
  await register(working.url)
  await open()
  expect(timer.waits()).toEqual([])
  await put('a')
  await until(async () => expect(await dueIn()).toEqual([]))
  await until(() => expect(timer.waits()).toEqual([]))
  await register(failing.url)
  timer.advance(1000)

  await put('b')
  await until(async () => expect(await dueIn()).toEqual([5000]))

  await until(() => expect(timer.waits()).toEqual([5000]))
})

test('close aborts a delivery at once; later it is sent with the same id and bytes', async () => {
  const { put, register, open, dueIn, find } = await openDeliveryFixture()
  const receiver = await openReceiver()
  receiver.respond = () => undefined
  const id = await register(receiver.url)
  const delivery = await open()
  await put('a')
  await receiver.untilReceived(1)

  await delivery.close()
  expect(await dueIn()).toEqual([0])
  expect(await find(id)).toMatchObject({ told: 0, sending: { tries: 0 } })
  receiver.respond = respondWith(200)
  await open()
  await receiver.untilReceived(2)

  const [first, second] = receiver.received
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
  expect(second?.body).toEqual(first?.body)
})

test('a queued delivery stays due after close', async () => {
  const { put, register, open, store } = await openDeliveryFixture()
  const receiver = await openReceiver()
  receiver.respond = () => undefined
  for (let index = 0; index < 12; index += 1) await register(`${receiver.url}${index}`)
  const delivery = await open()
  await put('a')
  // At most 4 deliveries of a user to one host run at a time.
  await receiver.untilReceived(4)

  await delivery.close()

  expect(await store.listOutboxEntries()).toHaveLength(12)
  expect(receiver.received).toHaveLength(4)
})

test('after an error of the store, delivery retries, and nothing is lost', async () => {
  const fixture = await openDeliveryFixture()
  const { put, register, open, until, timer, dueIn, raw, logged } = fixture
  const receiver = await openReceiver()
  const id = await register(receiver.url)
  let isDown = true
  const failing: Store = {
    ...raw,
    write: (userId, writer, work) =>
      isDown ? Promise.reject(new StoreError('the disk is full')) : raw.write(userId, writer, work),
  }
  await open({ store: failing })

  await put('a')
  await until(() => expect(logged).toHaveLength(1))
  expect(receiver.received).toHaveLength(0)
  isDown = false
  await until(() => expect(timer.waits()).toContain(5000))
  timer.advance(5000)
  await receiver.untilReceived(1)
  await until(async () => expect(await dueIn()).toEqual([]))

  expect(await fixture.find(id)).toMatchObject({ told: 1 })
})

test('a message whose success could not be stored is sent again unchanged', async () => {
  const { put, register, open, until, timer, dueIn, raw } = await openDeliveryFixture()
  const receiver = await openReceiver()
  await register(receiver.url)
  let isDown = false
  receiver.respond = (response) => {
    isDown = receiver.received.length === 1
    response.end()
  }
  const failing: Store = {
    ...raw,
    write: (userId, writer, work) =>
      isDown ? Promise.reject(new StoreError('the disk is full')) : raw.write(userId, writer, work),
  }
  await open({ store: failing })

  await put('a')
  await until(() => expect(timer.waits()).toContain(5000))
  isDown = false
  timer.advance(5000)
  await until(async () => expect(await dueIn()).toEqual([]))

  const [first, second] = receiver.received
  expect(receiver.received).toHaveLength(2)
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
  expect(second?.body).toEqual(first?.body)
})

test('a bug is logged, the next attempt is in a minute, and other users are notified', async () => {
  const { put, register, open, until, timer, logged } = await openDeliveryFixture()
  const receiver = await openReceiver()
  await register(receiver.url, 'any', 'anna')
  await register(receiver.url, 'any', 'berta')
  let errors = 0
  await open({
    findAppAccess: async (userId) => {
      if (userId === 'anna' && errors++ === 0) throw new TypeError('a bug')
      return 'active'
    },
  })

  await put('bad', {}, 'anna')
  await until(() => expect(logged).toMatchObject([{ err: new TypeError('a bug') }]))
  await put('good', {}, 'berta')
  await receiver.untilReceived(1)
  await until(() => expect(timer.waits()).toContain(60_000))
  timer.advance(60_000)
  await receiver.untilReceived(2)

  expect(receiver.received.map(({ message }) => message.data.ids)).toEqual([['good'], ['bad']])
})

test('a thousand proven receivers that begin to hang at once do not delay another', async () => {
  const { put, register, open, until, timer, clock } = await openDeliveryFixture()
  const hosts = await Promise.all(Array.from({ length: 125 }, (_, index) => openReceiver(`127.0.2.${index + 1}`)))
  const users = Array.from({ length: 50 }, (_, index) => `user ${index}`)
  for (const [user, userId] of users.entries()) {
    for (let hook = 0; hook < 20; hook += 1) {
      await register(`${hosts[(user * 20 + hook) % 125]?.url}${user}/${hook}`, 'any', userId)
    }
  }
  const working = await openReceiver()
  await register(working.url, 'any', 'works')
  await open()
  const count = () => hosts.reduce((sum, { received }) => sum + received.length, 0)
  for (const userId of users) await put('a', {}, userId)
  await put('a', {}, 'works')
  await until(() => expect([count(), working.received.length]).toEqual([1000, 1]))
  for (const host of hosts) host.respond = () => undefined
  timer.advance(1000)

  for (const userId of users) await put('b', {}, userId)
  await until(() => {
    timer.advance(250)
    expect(count()).toBe(2000)
  })
  const began = clock.now
  await put('b', {}, 'works')
  await until(() => {
    timer.advance(250)
    expect(working.received.at(-1)?.message.data.pos).toBe(2)
  })

  expect(clock.now - began).toBeLessThan(15_000)
})

test('a thousand new receivers that hang do not delay another', async () => {
  const { put, register, open, until, timer, clock } = await openDeliveryFixture()
  const hosts = await Promise.all(Array.from({ length: 50 }, (_, index) => openReceiver(`127.0.1.${index + 1}`)))
  for (const host of hosts) host.respond = () => undefined
  for (let user = 0; user < 50; user += 1) {
    for (let hook = 0; hook < 20; hook += 1) {
      await register(`${hosts[(user + hook) % 50]?.url}${user}/${hook}`, 'any', `user ${user}`)
    }
  }
  const working = await openReceiver()
  await register(working.url, 'any', 'works')
  await open()
  for (let user = 0; user < 50; user += 1) await put('a', {}, `user ${user}`)

  const began = clock.now
  for (let turn = 1; turn <= 5; turn += 1) {
    await put(`a${turn}`, {}, 'works')
    await until(() => {
      timer.advance(250)
      expect(working.received.at(-1)?.message.data.pos).toBe(turn)
    })
  }

  // The maximum of deliveries hangs at a time, and none was aborted.
  const hanging = hosts.reduce((sum, { received }) => sum + received.length, 0)
  expect(hanging).toBeGreaterThan(100)
  expect(clock.now - began).toBeLessThan(15_000)
})

test("slow webhooks of a user do not delay another user's webhook at the same host", async () => {
  const { put, register, open } = await openDeliveryFixture()
  const [slow, working] = [await openReceiver(), await openReceiver()]
  slow.respond = () => undefined
  for (let hook = 0; hook < 20; hook += 1) await register(`${slow.url}${hook}`, 'any', 'berta')
  await register(working.url)
  await open()
  await put('a', {}, 'berta')
  await slow.untilReceived(4)

  await put('a')
  await working.untilReceived(1)

  expect(slow.received).toHaveLength(4)
})

test('deliveries to webhooks that were unregistered meanwhile count for their user', async () => {
  const { environment, put, write, register, open, timer, until } = await openDeliveryFixture()
  const hosts = await Promise.all(Array.from({ length: 40 }, (_, index) => openReceiver(`127.0.2.${index + 1}`)))
  for (const host of hosts) host.respond = () => undefined
  const working = await openReceiver()
  await register(working.url, 'any', 'anna')
  await open()
  const countReceived = () => hosts.reduce((sum, { received }) => sum + received.length, 0)
  for (let round = 0; round < 4; round += 1) {
    const urls = hosts.slice(round * 10, round * 10 + 10).map(({ url }) => url)
    for (const targetUrl of urls) await register(targetUrl, 'any', 'berta')
    await put(`a${round}`, {}, 'berta')
    await until(() => {
      timer.advance(250)
      expect(countReceived()).toBe(Math.min(32, 10 * (round + 1)))
    })
    await write(async (draft) => {
      for (const targetUrl of urls)
        await unregisterWebhook(draft, { targetUrl, event: 'any', clientId: 'app' }, environment)
    }, 'berta')
  }

  await put('a')
  await working.untilReceived(1)

  expect(countReceived()).toBe(32)
})
