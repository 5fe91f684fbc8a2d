import { expect, onTestFinished, test } from 'vitest'
import { createTestClient } from '../../test/support/create-test-client.ts'
import { createDrivenClock } from '../../test/support/driven-clock.ts'
import { hold, openLiveFixture, respondWithError } from '../../test/support/live-replica.ts'
import { openFileServer } from '../../test/support/open-test-server.ts'
import { createMemoryLocalStore } from './local-store.ts'
import { createReplica } from './replica.ts'
import { createMemoryTokenStorage } from './tokens.ts'

const server = await openFileServer()

test('a change by another device arrives by an event, without any time passing', async () => {
  const { gate, live, untilStatus, until, results, addElsewhere, listTitles, clock } = await openLiveFixture(server)
  await untilStatus('live')
  expect(live.state()).toEqual({
    status: 'live',
    pending: 0,
    progress: undefined,
    syncedAt: 0,
    nextTryAt: undefined,
    lastError: undefined,
  })

  gate.notify(await addElsewhere('elsewhere'))
  await until(() => results.length === 2)

  expect(results.map(({ listed }) => listed)).toEqual([0, 1])
  expect(await listTitles()).toEqual(['elsewhere'])
  expect(clock.pace.now()).toBe(0)
  expect(gate.requested).toEqual(['sync', 'events', 'sync'])
})

test('edits are sent together after a quiet time, and at the latest after ten times that time', async () => {
  const { replica, live, clock, untilStatus, until, results, device } = await openLiveFixture(server)
  await untilStatus('live')

  await replica.create({ title: 'one' })
  await clock.pass(99)
  await replica.create({ title: 'two' })
  await clock.pass(99)
  await until(() => live.state().pending === 2)
  expect(results.length).toBe(1)
  await clock.pass(1)
  await until(() => results.length === 2)
  expect(results[1]).toMatchObject({ sent: 2 })

  for (let index = 0; index < 11; index++) {
    await replica.create({ title: `more ${index}` })
    await clock.pass(95)
  }
  await until(() => results.length === 3)
  expect(results[2]).toMatchObject({ sent: 11 })
  expect((await device.sync()).thingCount).toBe(13)
  await until(() => live.state().pending === 0)
})

test.each([
  ['404', respondWithError(404)],
  ['405', respondWithError(405, { allow: 'POST' })],
  ['400', respondWithError(400)],
  ['JSON, as one does that ignores what it does not know', 'at once' as const],
])('a server that responds with %s is asked now and then', async (_, response) => {
  const { gate, clock, live, until, untilStatus, results, addElsewhere, listTitles } = await openLiveFixture(server)
  await untilStatus('live')
  gate.set('events', response)
  gate.set('wait', response)
  live.wake()
  if (response === 'at once') {
    // One early response may come from a server that stops.
    await until(() => live.state().status === 'waiting' && live.state().nextTryAt !== undefined)
    await clock.pass(1_000)
  }
  await untilStatus('polling')
  const begunAt = clock.pace.now()

  await addElsewhere('elsewhere')
  const count = results.length
  expect(live.state().nextTryAt).toBe(begunAt + 37_500)
  await clock.pass(37_499)
  expect(results.length).toBe(count)
  await clock.pass(1)
  await until(() => results.length === count + 1)

  expect(await listTitles()).toEqual(['elsewhere'])
})

test('a proxy that buffers events is detected, and the client uses long polling instead', async () => {
  const { gate, clock, live, until, untilStatus, results, addElsewhere, listTitles } = await openLiveFixture(server)
  await untilStatus('live')
  gate.set('events', hold)
  live.wake()
  await until(() => gate.requested.at(-1) === 'events')

  await clock.pass(9_999)
  expect(gate.requested.at(-1)).toBe('events')
  await clock.pass(1)
  await untilStatus('waiting')
  await until(() => gate.listening() === 1)
  const count = results.length
  gate.notify(await addElsewhere('elsewhere'))
  await until(() => results.length === count + 1)

  expect(await listTitles()).toEqual(['elsewhere'])
  expect(clock.pace.now()).toBe(10_000)
})

test('a long poll that ends without changes is repeated, and edits are sent meanwhile', async () => {
  const { gate, clock, replica, until, untilStatus, results } = await openLiveFixture(server, {
    ways: ['wait', 'poll'],
  })
  await until(() => gate.listening() === 1)

  await clock.pass(25_000)
  gate.notify(0)
  await until(() => gate.requested.filter((one) => one === 'wait').length === 2)
  await replica.create({ title: 'from here' })
  await clock.pass(100)
  await until(() => results.length === 2)

  expect(results[1]).toMatchObject({ sent: 1 })
  await untilStatus('waiting')
  expect(gate.requested).toEqual(['sync', 'wait', 'wait', 'sync'])
})

test('after a server that stops responds early, long polling goes on when it is back', async () => {
  const { gate, clock, live, until, untilStatus } = await openLiveFixture(server, { ways: ['wait', 'poll'] })
  await until(() => gate.listening() === 1)

  gate.notify(0)
  await until(() => live.state().nextTryAt !== undefined)
  await gate.close()
  await clock.pass(1_000)
  await until(() => live.state().nextTryAt !== undefined)
  await gate.open()
  await clock.pass(500)

  await untilStatus('waiting')
  await until(() => gate.listening() === 1)
})

test('a better channel is tried again after ten minutes', async () => {
  const { gate, clock, live, untilStatus, until } = await openLiveFixture(server, { pollMilliseconds: 60_000 })
  await untilStatus('live')
  gate.set('events', respondWithError(404))
  gate.set('wait', respondWithError(404))
  live.wake()
  await untilStatus('polling')

  gate.set('events')
  const count = gate.requested.length
  for (let polls = 1; polls <= 8; polls++) {
    await clock.pass(75_000)
    await until(() => gate.requested.length >= count + polls)
  }
  await untilStatus('live')

  expect(gate.requested.slice(count)).toEqual([...Array(8).fill('sync'), 'events'])
})

test('after three streams that end at once the client takes the fallback channel', async () => {
  const { gate, clock, live, untilStatus, until } = await openLiveFixture(server)
  await untilStatus('live')
  gate.set('events', (_, response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: {"pos":0}\n\n'),
  )
  live.wake()
  for (const milliseconds of [500, 1_000]) {
    await until(() => live.state().nextTryAt !== undefined)
    expect(live.state().nextTryAt).toBe(clock.pace.now() + milliseconds)
    await clock.pass(milliseconds)
  }

  await untilStatus('waiting')
  expect(gate.requested.filter((one) => one === 'events').length).toBe(4)
})

test('an expired token is refreshed, and no change is missed', async () => {
  await server.addUser('renewing')
  const fixture = await openLiveFixture(server, {}, 'renewing')
  const { gate, clock, live, untilStatus, until, results, addElsewhere } = fixture
  await untilStatus('live')

  gate.set('events', (request, response) => {
    gate.set('events')
    return respondWithError(401, {}, 'invalid_grant')(request, response)
  })
  gate.endStreams()
  await until(() => live.state().nextTryAt !== undefined)
  await addElsewhere('meanwhile')
  await clock.pass(500)
  await until(() => gate.listening() === 1)

  expect(gate.requested).toEqual(['token', 'sync', 'events', 'sync', 'events', 'token', 'events'])
  expect(results[1]).toMatchObject({ listed: 1 })
})

test('after its session has ended a replica is signed_out and keeps its edits until the next sign-in', async () => {
  const { clock, tokens, replica, live, untilStatus, until, results } = await openLiveFixture(server)
  await untilStatus('live')
  const known = await tokens.read()
  await tokens.clear()
  await replica.create({ title: 'from here' })
  await clock.pass(100)
  await untilStatus('signed_out')
  expect(live.state()).toMatchObject({ pending: 1, lastError: { code: 'signed_out' } })

  await clock.pass(60_000)
  expect(live.state().status).toBe('signed_out')
  if (known !== undefined) await tokens.write({ ...known, session: 'second' })
  await clock.pass(2_000)
  await until(() => results.at(-1)?.sent === 1)
  await untilStatus('live')

  expect(live.state().pending).toBe(0)
})

test('a stopped replica sends no requests and keeps waiting edits', async () => {
  const { gate, clock, replica, live, states, untilStatus } = await openLiveFixture(server)
  await untilStatus('live')
  await replica.create({ title: 'from here' })

  await live.stop()
  const count = gate.requested.length
  await replica.create({ title: 'later' })
  await clock.pass(3_600_000)

  expect(gate.requested.length).toBe(count)
  expect(states.at(-1)?.status).toBe('stopped')
  expect(replica.countPending()).toBe(2)
})

test.each([
  ['events', 'live'],
  ['wait', 'waiting'],
] as const)('a server of this project announces changes by %s', async (way, status) => {
  const { userName, token } = await server.openDevice()
  const tokens = createMemoryTokenStorage()
  await tokens.write({ accessToken: token, requestToken: '', session: 'only', expiresAt: Number.POSITIVE_INFINITY })
  const replica = await createReplica({ client: createTestClient(server, { tokens }), store: createMemoryLocalStore() })
  const other = await server.openDevice(userName)
  const clock = createDrivenClock()

  const listed = await new Promise<number>((resolve) => {
    let isAdded = false
    const live = replica.live({
      ways: [way],
      // Time stands still: only the channel under test can bring the change.
      pace: clock.pace,
      onState: async (state) => {
        if (state.status !== status || isAdded) return
        isAdded = true
        await other.sync({ new_thing: [{ local_id: 1, title: 'elsewhere' }] })
      },
      onSync: (result) => {
        if (result.listed > 0) resolve(result.listed)
      },
    })
    onTestFinished(live.stop)
  })

  expect(listed).toBe(1)
})
