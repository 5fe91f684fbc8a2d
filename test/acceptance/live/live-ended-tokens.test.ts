import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { addApp } from '../../../src/accounts/apps.ts'
import { endSessions } from '../../../src/accounts/session-management.ts'
import { disableUser } from '../../../src/accounts/users.ts'
import type { Limits } from '../../../src/api/limits.ts'
import { type Environment, systemEnvironment } from '../../../src/environment.ts'
import { createHandler } from '../../../src/http/handler.ts'
import { eventOf, openEventReader } from '../../support/event-reader.ts'
import { enrollDevice, enrollUser } from '../../support/test-device.ts'
import { openWatchedStore } from '../../support/watched-store.ts'

/** A server of a user's account whose clock a test can move. */
const openFixture = async (limits: Partial<Limits> = {}) => {
  let passed = 0
  const environment: Environment = { ...systemEnvironment, now: () => systemEnvironment.now() + passed }
  const { store, untilWatched } = await openWatchedStore(environment.now)
  const { clientId } = await addApp(store, 'tests', environment)
  // The earliest user is admin, and the only admin cannot be disabled.
  await enrollUser(store, { ...environment, now: () => 0 })
  const userName = await enrollUser(store, environment)
  const token = await enrollDevice(store, userName, clientId, environment)
  const userId = String((await store.registry.findUserByName(userName))?.id)
  const handle = await createHandler({ store, environment, limits })
  const server = createServer(handle).listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await store.close()
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`
  const setting = { favorite: true, color: false, todo: false } as const
  return {
    baseUrl,
    token,
    untilWatched,
    change: () => store.write(userId, 'another session', (draft) => draft.putTag('todo', setting)),
    wait: () => fetch(`${baseUrl}sync?wait=60`, { headers: { authorization: `Bearer ${token}` } }),
    ends: {
      expired: async () => {
        passed += 2 * 3600_000
      },
      revoked: async () => void (await endSessions(store, userId, () => true)),
      disabled: async () => void (await disableUser(store, userName, environment)),
    },
  }
}

const ways = ['expired', 'revoked', 'disabled'] as const

test.each(ways)('a stream sends nothing more once its token is %s', async (way) => {
  const fixture = await openFixture()
  const events = await openEventReader(fixture.baseUrl, fixture.token)
  expect(await events.next()).toBe(eventOf(0))

  await fixture.ends[way]()
  await fixture.change()

  expect(await events.next()).toBeUndefined()
  await fixture.untilWatched(0)
})

test.each(ways)('a stream ends with its next sign of life when its token is %s', async (way) => {
  const fixture = await openFixture({ keepAliveSeconds: 0.5 })
  const events = await openEventReader(fixture.baseUrl, fixture.token)
  expect(await events.next()).toBe(eventOf(0))
  expect(await events.next()).toBe(':')

  await fixture.ends[way]()

  let last = await events.next()
  while (last === ':') last = await events.next()
  expect(last).toBeUndefined()
})

test.each(ways)('a wait ends with 401 when its token is %s', async (way) => {
  const fixture = await openFixture({ keepAliveSeconds: 0.5 })
  const waiting = fixture.wait()
  await fixture.untilWatched(1)

  await fixture.ends[way]()

  const response = await waiting
  expect([response.status, (await response.json()).error]).toEqual([401, 'invalid_grant'])
})

const hour = { keepAliveSeconds: 3600 }

test.each(['revoked', 'disabled'] as const)('a stream and a wait end at once when their token is %s', async (way) => {
  const fixture = await openFixture(hour)
  const events = await openEventReader(fixture.baseUrl, fixture.token)
  expect(await events.next()).toBe(eventOf(0))
  const waiting = fixture.wait()
  await fixture.untilWatched(2)

  await fixture.ends[way]()

  expect(await events.next()).toBeUndefined()
  expect((await waiting).status).toBe(401)
  await fixture.untilWatched(0)
})

test('a wait whose token has ended gets no change either', async () => {
  const fixture = await openFixture()
  const waiting = fixture.wait()
  await fixture.untilWatched(1)

  await fixture.ends.revoked()
  await fixture.change()

  expect((await waiting).status).toBe(401)
})
