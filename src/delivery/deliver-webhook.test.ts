import { expect, test } from 'vitest'
import { openDeliveryFixture } from '../../test/support/delivery.ts'
import { openReceiver, respondWith } from '../../test/support/fake-receiver.ts'
import type { Store } from '../store/store.ts'
import { pauseWebhook, replaceSecret, requestTestEvent, resumeWebhook, retryWebhook } from './webhooks.ts'

test('a webhook is called at once, and then about once a second with all changes since then', async () => {
  const { put, register, open, timer, dueIn, until, clock } = await openDeliveryFixture()
  const receiver = await openReceiver()
  await register(receiver.url)
  await open()

  await put('a')
  await receiver.untilReceived(1)
  await until(async () => expect(await dueIn()).toEqual([]))
  for (const id of ['b', 'c', 'b']) await put(id)
  expect(await dueIn()).toEqual([1000])
  timer.advance(1000)
  await receiver.untilReceived(2)
  await until(async () => expect(await dueIn()).toEqual([]))

  expect(receiver.received.map(({ message }) => message)).toEqual([
    {
      type: 'any',
      timestamp: '1970-01-01T00:16:40.000Z',
      data: { pos: 1, ids: ['a'], things: [{ _id: 'a', title: 'thing a', tags: '', date: 1 }] },
    },
    {
      type: 'any',
      timestamp: '1970-01-01T00:16:41.000Z',
      data: {
        pos: 4,
        ids: ['c', 'b'],
        things: ['c', 'b'].map((id) => ({ _id: id, title: `thing ${id}`, tags: '', date: 1 })),
      },
    },
  ])
  expect(receiver.received[0]?.headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-id': expect.stringMatching(/^msg_id\d+$/),
    'webhook-timestamp': String(clock.now / 1000 - 1),
    'webhook-signature': expect.stringMatching(/^v1,[\w+/]+=*$/),
  })
})

test('a change during a delivery is delivered after it, and no change is delivered twice', async () => {
  const { put, register, open, timer, until, dueIn } = await openDeliveryFixture()
  const receiver = await openReceiver()
  await register(receiver.url)
  const held: (() => void)[] = []
  receiver.respond = (response) => void held.push(() => response.end())
  await open()

  await put('a')
  await receiver.untilReceived(1)
  await put('b')
  await put('c')
  expect(receiver.received).toHaveLength(1)
  held[0]?.()
  await until(async () => expect(await dueIn()).toEqual([1000]))
  timer.advance(1000)
  await receiver.untilReceived(2)
  held[1]?.()
  await until(async () => expect(await dueIn()).toEqual([]))

  expect(receiver.received.map(({ message }) => [message.data.pos, message.data.ids])).toEqual([
    [1, ['a']],
    [3, ['b', 'c']],
  ])
})

test('a failed message has nine retries with the same id, then the webhook is suspended', async () => {
  const { put, register, open, timer, until, dueIn, find } = await openDeliveryFixture()
  const receiver = await openReceiver()
  receiver.respond = respondWith(500)
  const id = await register(receiver.url)
  await open()
  await put('a')
  const waits: number[] = []
  for (let tries = 1; tries <= 9; tries++) {
    await receiver.untilReceived(tries)
    await until(async () => expect((await find(id)).sending?.tries).toBe(tries))
    const [wait = 0] = await dueIn()
    waits.push(wait / 1000)
    await put(`b${tries}`)
    expect(await dueIn()).toEqual([wait])
    timer.advance(wait)
  }
  await until(async () => expect((await find(id)).restingSince).toBeDefined())
  await put('c')

  expect(waits).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400])
  expect(await dueIn()).toEqual([])
  expect(receiver.received).toHaveLength(10)
  const same = receiver.received.map(({ headers, body }) => [headers['webhook-id'], body.toString()])
  expect(same).toEqual(Array(10).fill(same[0]))
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10)
  expect(await find(id)).toMatchObject({
    told: 0,
    lastFailure: { reason: 'The receiver responded with status 500.', status: 500 },
  })
})

test('a manual retry sends the failed message with its id, and then the newest position', async () => {
  const { put, register, open, timer, until, dueIn, find, change, environment } = await openDeliveryFixture()
  const receiver = await openReceiver()
  receiver.respond = respondWith(500)
  const id = await register(receiver.url)
  await open()
  await put('a')
  await until(async () => expect(await dueIn()).toEqual([5000]))
  await put('b')
  receiver.respond = respondWith(204)

  await change(id, (draft, webhook) => retryWebhook(draft, webhook, environment))
  await until(async () => expect(await dueIn()).toEqual([1000]))
  timer.advance(1000)
  await until(async () => expect(await dueIn()).toEqual([]))

  const [first, second, third] = receiver.received
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
  expect(second?.body).toEqual(first?.body)
  expect(third?.message.data).toMatchObject({ pos: 2, ids: ['b'] })
  expect(await find(id)).toMatchObject({ told: 2, lastSuccessAt: 1001 })
  expect(await find(id)).not.toHaveProperty('sending')
})

test.each([
  ['a retry waits for the Retry-After of 503', respondWith(503, { 'retry-after': '90' }), 90],
  ['a retry waits at most a day for Retry-After', respondWith(429, { 'retry-after': '1000000' }), 86_400],
  ['a retry waits a minute after 502', respondWith(502), 60],
  ['a redirect is a failure', respondWith(302, { location: '/elsewhere' }), 5],
])('%s', async (_, respond, seconds) => {
  const { put, register, open, until, dueIn } = await openDeliveryFixture()
  const receiver = await openReceiver()
  receiver.respond = respond
  await register(receiver.url)
  await open()

  await put('a')

  await until(async () => expect(await dueIn()).toEqual([seconds * 1000]))
  expect(receiver.received.map(({ path }) => path)).toEqual(['/'])
})

test('410 unregisters the webhook, and nothing more is sent', async () => {
  const { put, register, open, until, store, dueIn } = await openDeliveryFixture()
  const receiver = await openReceiver()
  receiver.respond = respondWith(410)
  await register(receiver.url)
  await open()

  await put('a')
  await until(async () => expect((await (await store.read('anna')).listRecords('webhook', 'all')).size).toBe(0))
  await put('b')

  expect(await dueIn()).toEqual([])
  expect(receiver.received).toHaveLength(1)
})

test('a webhook is notified of its event only, and other changes create no outbox entry', async () => {
  const { write, put, register, open, until, dueIn, find, timer } = await openDeliveryFixture()
  const receiver = await openReceiver()
  const id = await register(receiver.url, 'deleted_thing')
  await register(receiver.url, 'tag')
  await open()
  const untilQuiet = () =>
    until(async () => {
      timer.advance(1000)
      expect(await dueIn()).toEqual([])
    })
  await put('a')
  expect(await dueIn()).toEqual([])
  await write((draft) => draft.deleteThing('a'))
  await untilQuiet()
  await write((draft) => draft.putTag('x', { favorite: true, color: '#fff', todo: false }))
  await untilQuiet()

  expect(receiver.received.map(({ message: { type, data } }) => ({ type, data }))).toEqual([
    { type: 'deleted_thing', data: { pos: 2, ids: ['a'] } },
    { type: 'tag', data: { pos: 3, ids: [], tags: { x: { favorite: true, color: '#fff', todo: false } } } },
  ])
  expect((await find(id)).told).toBe(2)
})

test('a new thing that is deleted before the delivery is not sent to a webhook for new things', async () => {
  const { write, register, open, until, dueIn, find, put } = await openDeliveryFixture()
  const receiver = await openReceiver()
  const id = await register(receiver.url, 'new_thing')
  await put('a')
  await write((draft) => draft.deleteThing('a'))

  await open()
  await until(async () => expect(await dueIn()).toEqual([]))

  expect((await find(id)).told).toBe(2)
  expect(receiver.received).toEqual([])
})

test('a paused webhook gets nothing, and all changes at once when it is resumed', async () => {
  const { put, register, open, until, dueIn, change, environment } = await openDeliveryFixture()
  const receiver = await openReceiver()
  const id = await register(receiver.url)
  await open()
  await put('a')
  await receiver.untilReceived(1)
  await until(async () => expect(await dueIn()).toEqual([]))

  await change(id, (draft, webhook) => pauseWebhook(draft, webhook, environment))
  await put('b')
  await put('c')
  expect(await dueIn()).toEqual([])
  await change(id, (draft, webhook) => resumeWebhook(draft, webhook, environment))
  await receiver.untilReceived(2)

  expect(receiver.received[1]?.message.data).toMatchObject({ pos: 3, ids: ['b', 'c'] })
})

test('a webhook that is resumed after a delivery read it as paused gets the waiting changes', async () => {
  const { raw, put, register, open, find, change, until, environment, dueIn, timer } = await openDeliveryFixture()
  const receiver = await openReceiver()
  const id = await register(receiver.url)
  await put('a')
  const scheduled = await raw.read('anna')
  await change(id, (draft, webhook) => pauseWebhook(draft, webhook, environment))
  await raw.write('anna', 'web', async (draft) => {
    for (const [key, dueAt] of await scheduled.listOutboxEntries()) await draft.putOutboxEntry(key, dueAt)
  })
  let reads = 0
  const resumed: Store = {
    ...raw,
    read: async (userId) => {
      const view = await raw.read(userId)
      reads += 1
      // The delivery has read the webhook as paused and acts on that.
      if (reads === 2) await change(id, (draft, webhook) => resumeWebhook(draft, webhook, environment))
      return view
    },
  }

  await open({ store: resumed })
  await until(() => {
    timer.advance(1)
    expect(receiver.received).toHaveLength(1)
  })
  await until(async () => expect(await dueIn()).toEqual([]))

  expect(await find(id)).toMatchObject({ told: 1 })
})

test('a webhook of an app that is gone is deleted, and nothing is sent', async () => {
  const { put, register, open, store, until, dueIn } = await openDeliveryFixture()
  const receiver = await openReceiver()
  await register(receiver.url, 'any', 'anna', 'removed')
  await register(receiver.url, 'any', 'anna', 'kept')
  await open({
    findAppAccess: async (userId, clientId) => (userId === 'anna' && clientId === 'kept' ? 'active' : 'revoked'),
  })

  await put('a')
  await until(async () => expect(await dueIn()).toEqual([]))

  const left = await (await store.read('anna')).listRecords('webhook', 'all')
  expect([...left.values()]).toMatchObject([{ clientId: 'kept', told: 1 }])
  expect(receiver.received).toHaveLength(1)
})

test('a test event is sent once, also to a paused webhook, and contains no changes', async () => {
  const { put, register, open, until, dueIn, change, environment, find } = await openDeliveryFixture()
  const receiver = await openReceiver()
  const id = await register(receiver.url)
  await open()
  await change(id, (draft, webhook) => pauseWebhook(draft, webhook, environment))
  await put('a')
  receiver.respond = respondWith(500)

  await change(id, (draft, webhook) => requestTestEvent(draft, webhook, environment))
  await until(async () => expect((await find(id)).lastFailure?.status).toBe(500))
  expect(await dueIn()).toEqual([])
  receiver.respond = respondWith(200)
  await change(id, (draft, webhook) => requestTestEvent(draft, webhook, environment))
  await until(async () => expect((await find(id)).lastSuccessAt).toBe(1000))

  expect(await dueIn()).toEqual([])
  expect(receiver.received.map(({ message }) => message)).toEqual(
    Array(2).fill({ type: 'test', timestamp: '1970-01-01T00:16:40.000Z', data: { pos: 1, ids: [] } }),
  )
  expect(await find(id)).toMatchObject({ told: 0, pausedAt: 1000 })
})

test('a delivered test event resumes a suspended webhook', async () => {
  const { put, register, open, until, dueIn, change, environment, write, find, timer } = await openDeliveryFixture()
  const receiver = await openReceiver()
  const id = await register(receiver.url)
  await put('a')
  await write(async (draft) => {
    const suspended = { ...(await find(id)), restingSince: 1 }
    await draft.putRecord('webhook', 'all', JSON.stringify(['app', 'any', receiver.url]), suspended)
    await draft.deleteOutboxEntry(`webhook/${id}`)
  })
  await open()

  await change(id, (draft, webhook) => requestTestEvent(draft, webhook, environment))
  await until(async () => expect(await dueIn()).toEqual([1000]))
  timer.advance(1000)
  await receiver.untilReceived(2)

  expect(receiver.received.map(({ message }) => message.type)).toEqual(['test', 'any'])
})

test('for a day after a replacement, both secrets sign the messages', async () => {
  const { put, register, open, until, dueIn, change, environment, timer } = await openDeliveryFixture()
  const receiver = await openReceiver()
  const id = await register(receiver.url)
  await open()

  await change(id, (draft, webhook) => replaceSecret(draft, webhook, environment))
  await put('a')
  await receiver.untilReceived(1)
  await until(async () => expect(await dueIn()).toEqual([]))
  timer.advance(24 * 3600 * 1000)
  await put('b')
  await receiver.untilReceived(2)

  const signatures = receiver.received.map(({ headers }) => String(headers['webhook-signature']).split(' ').length)
  expect(signatures).toEqual([2, 1])
})

test('delivery writes wait for the writes of others, so that they need no disk sync of their own', async () => {
  const { put, register, open, until, dueIn, raw } = await openDeliveryFixture()
  const receiver = await openReceiver()
  await register(receiver.url)
  const priorities: unknown[] = []
  const recording: Store = {
    ...raw,
    write: (userId, writer, work, priority) => {
      priorities.push(priority)
      return raw.write(userId, writer, work, priority)
    },
  }
  await open({ store: recording })

  await put('a')
  await until(async () => expect(await dueIn()).toEqual([]))

  expect(priorities).toEqual(['soon', 'soon'])
})
