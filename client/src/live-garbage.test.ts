import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { createTestClient } from '../../test/support/create-test-client.ts'
import { openGate, openLiveFixture } from '../../test/support/live-replica.ts'
import { openFileServer } from '../../test/support/open-test-server.ts'
import { createMemoryTokenStorage } from './tokens.ts'

// Node's fetch loses the signal of a Request that the garbage collector has taken, and so every abort.
setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')
const collectGarbage = async (): Promise<void> => {
  for (let count = 0; count < 4; count++) {
    await sleep(5)
    collect()
  }
}

const server = await openFileServer()

/** Starts a server that responds only with these words, and reports when the connection is closed. */
const holdOpen = (words?: string) => {
  let begin = () => {}
  let end = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const closed = new Promise<void>((resolve) => {
    end = resolve
  })
  const respond = (_: IncomingMessage, response: ServerResponse) => {
    response.on('close', end)
    if (words !== undefined) response.writeHead(200, { 'content-type': 'application/json' }).write(words)
    begin()
  }
  return { respond, begun, closed }
}

test('stop ends the event stream also after a garbage collection', async () => {
  const { gate, live, until, untilStatus } = await openLiveFixture(server)
  await untilStatus('live')
  await collectGarbage()

  await live.stop()
  await until(() => gate.listening() === 0)

  expect(gate.listening()).toBe(0)
})

test('stop ends a long poll also after a garbage collection', async () => {
  const { gate, live, until } = await openLiveFixture(server, { ways: ['wait'] })
  await until(() => gate.listening() === 1)
  await collectGarbage()

  await live.stop()
  await until(() => gate.listening() === 0)

  expect(gate.listening()).toBe(0)
})

test('a stream that is silent for a minute is ended also after a garbage collection', async () => {
  const { gate, clock, live, until, untilStatus } = await openLiveFixture(server, { ways: ['events', 'poll'] })
  await untilStatus('live')
  await collectGarbage()

  await clock.pass(60_000)
  await until(() => gate.listening() === 0)

  expect(live.state()).toMatchObject({ lastError: { code: 'network' } })
})

test.each([
  ['before its first byte', undefined],
  ['amid its body', '{"pos":'],
])('a sync is ended by its signal %s also after garbage was collected', async (_, words) => {
  const gate = await openGate(server, () => {})
  const { token } = await server.openDevice()
  const tokens = createMemoryTokenStorage()
  await tokens.write({ accessToken: token, requestToken: '', session: 'first', expiresAt: Number.POSITIVE_INFINITY })

  for (const retry of [undefined, {}]) {
    const client = createTestClient({ ...server, baseUrl: gate.baseUrl }, { tokens, ...(retry ? { retry } : {}) })
    const held = holdOpen(words)
    gate.set('sync', held.respond)
    const abort = new AbortController()
    const syncing = client.sync({}, { signal: abort.signal }).catch(({ name }: Error) => name)
    await held.begun
    await collectGarbage()

    abort.abort()
    await held.closed

    expect(await syncing).toBe('AbortError')
  }
})

test('the stream also ends with a fetch that takes only the Request', async () => {
  const { gate, until, untilStatus, live, tokens } = await openLiveFixture(server)
  await untilStatus('live')
  await live.stop()
  const own = createTestClient({ ...server, baseUrl: gate.baseUrl }, { tokens, fetch: (request) => fetch(request) })
  const abort = new AbortController()
  const stream = own.streamEvents({ signal: abort.signal })
  await stream.next()
  const next = stream.next().catch(({ name }: Error) => name)
  await collectGarbage()

  abort.abort()

  expect(await next).toBe('AbortError')
  await until(() => gate.listening() === 0)
})
