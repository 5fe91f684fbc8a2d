import { expect, test } from 'vitest'
import { hold, openLiveFixture, respondWithError } from '../../test/support/live-replica.ts'
import { openFileServer } from '../../test/support/open-test-server.ts'

const server = await openFileServer()

test('while the server is offline the waits double up to a minute, and then the replica goes on', async () => {
  const { gate, clock, live, replica, states, until, untilStatus, listTitles, addElsewhere } =
    await openLiveFixture(server)
  await untilStatus('live')

  await gate.close()
  await addElsewhere('elsewhere')
  const waits: number[] = []
  for (let attempt = 0; attempt < 10; attempt++) {
    await until(() => live.state().nextTryAt !== undefined)
    const { status, nextTryAt = 0, lastError } = live.state()
    expect({ status, lastError }).toMatchObject({ status: 'offline', lastError: { code: 'network' } })
    waits.push(nextTryAt - clock.pace.now())
    await clock.pass(nextTryAt - clock.pace.now())
  }
  await until(() => live.state().nextTryAt !== undefined)
  await replica.create({ title: 'from here' })
  await gate.open()
  await clock.pass(60_000)
  await untilStatus('live')

  expect(waits).toEqual([500, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
  expect(await listTitles()).toEqual(['elsewhere', 'from here'])
  expect(live.state()).toMatchObject({ pending: 0, lastError: undefined })
  expect(states.at(-1)).toEqual(live.state())
})

test('waits are random', async () => {
  const { gate, clock, live, until, untilStatus } = await openLiveFixture(server)
  await untilStatus('live')

  clock.setRandom(0.25)
  await gate.close()
  await until(() => live.state().nextTryAt !== undefined)

  expect(live.state().nextTryAt).toBe(125)
})

test('when the network is back the replica does not wait', async () => {
  const { gate, live, until, untilStatus, replica, results, changeNetwork } = await openLiveFixture(server)
  await untilStatus('live')
  await gate.close()
  await untilStatus('offline')
  await replica.create({ title: 'from here' })
  await until(() => live.state().nextTryAt !== undefined)

  await gate.open()
  changeNetwork()
  await untilStatus('live')

  expect(results.at(-1)).toMatchObject({ sent: 1 })
})

test('a page that becomes visible again tries at once', async () => {
  const { gate, live, until, untilStatus, changeNetwork } = await openLiveFixture(server)
  await untilStatus('live')
  await gate.close()
  await until(() => live.state().nextTryAt !== undefined)

  await gate.open()
  changeNetwork('shown')

  await untilStatus('live')
})

test('a connection that broke while the machine was suspended is opened again', async () => {
  const { gate, clock, until, untilStatus, listTitles, addElsewhere } = await openLiveFixture(server)
  await untilStatus('live')
  gate.set('events', hold)

  await addElsewhere('elsewhere')
  clock.jump(8 * 3_600_000)
  gate.set('events')
  await clock.pass(5_500)
  await until(() => gate.requested.filter((one) => one === 'events').length === 2)
  await untilStatus('live')

  expect(await listTitles()).toEqual(['elsewhere'])
})

test('a sync whose connection is silent for a minute is broken off and repeated', async () => {
  const { gate, clock, live, replica, until, untilStatus, results } = await openLiveFixture(server)
  await untilStatus('live')
  gate.set('sync', hold)
  await replica.create({ title: 'from here' })
  await clock.pass(100)
  await until(() => gate.requested.at(-1) === 'sync')

  await clock.pass(60_000)
  await untilStatus('offline')
  gate.set('sync')
  await clock.pass(500)
  await untilStatus('live')

  expect(results.at(-1)).toMatchObject({ sent: 1 })
  expect(live.state().pending).toBe(0)
})

test('the replica obeys Retry-After of 503, also when the network changes', async () => {
  const { gate, clock, live, untilStatus, until, changeNetwork, results } = await openLiveFixture(server)
  await untilStatus('live')
  gate.set('sync', respondWithError(503, { 'retry-after': '120' }, 'temporarily_unavailable'))
  live.wake()
  await until(() => live.state().nextTryAt !== undefined)

  expect(live.state()).toMatchObject({
    status: 'connecting',
    nextTryAt: 120_500,
    lastError: { code: 'rejected', status: 503, retryAfterSeconds: 120 },
  })
  const count = gate.requested.length
  changeNetwork()
  await clock.pass(120_499)
  expect(gate.requested.length).toBe(count)
  gate.set('sync')
  await clock.pass(1)
  await untilStatus('live')
  expect(results.length).toBe(2)
})

test('a session that may not listen on more connections (429) polls', async () => {
  const { gate, live, untilStatus } = await openLiveFixture(server)
  await untilStatus('live')
  gate.set('events', respondWithError(429, { 'retry-after': '5' }, 'slow_down'))
  gate.set('wait', respondWithError(429, { 'retry-after': '5' }, 'slow_down'))

  live.wake()

  await untilStatus('polling')
})
