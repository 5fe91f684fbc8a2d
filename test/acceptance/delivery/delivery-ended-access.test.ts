import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { addApp, removeApp } from '../../../src/accounts/apps.ts'
import { noQuotas } from '../../../src/accounts/quotas.ts'
import { endSession, endSessions, listSessions } from '../../../src/accounts/session-management.ts'
import { addPersonalToken } from '../../../src/accounts/token-grants.ts'
import { disableUser, enableUser, resetPassword } from '../../../src/accounts/users.ts'
import { runDeliveryCommand } from '../../../src/runtime/account-commands.ts'
import { startDelivery } from '../../../src/runtime/start-delivery.ts'
import { createThing } from '../../support/delivery.ts'
import { openReceiver } from '../../support/fake-receiver.ts'
import { openTestServer } from '../../support/open-test-server.ts'
import { signInBrowser } from '../../support/test-browser.ts'
import { enrollDevice } from '../../support/test-device.ts'

const deliveryAllow = ['127.0.0.0/8']

/** A webhook of an app or a personal token that was notified of one change, and an app of the same user that stays. */
const openFixture = async (kind: 'app' | 'token') => {
  const server = await openTestServer({ settings: { deliveryAllow } })
  const { store, environment, post } = server
  await server.addUser('berta')
  const delivery = await startDelivery({ store, environment, log: pino({ level: 'silent' }), deliveryAllow })
  onTestFinished(delivery.close)
  const { clientId } = await addApp(store, 'reader', environment)
  const userId = (await store.registry.findUserByName('berta'))?.id ?? ''
  const signIn = () => enrollDevice(store, 'berta', clientId, environment)
  const personal = () => addPersonalToken(store, { userId, name: 'script', isReadOnly: false }, environment)
  const token = kind === 'app' ? await signIn() : (await personal()).token
  const [mine, other] = [await openReceiver(), await openReceiver()]
  const register = (url: string, given: string) =>
    post('/webhook/register', { token: given, form: { target_url: url, event: 'any' } })
  await register(mine.url, token)
  await register(other.url, (await server.openDevice('berta')).token)
  const write = async (title: string) =>
    (await server.openDevice('berta')).sync({ new_thing: [{ local_id: 1, title }] })
  const untilSettled = () => vi.waitFor(async () => expect(await store.listOutboxEntries()).toEqual([]), 60_000)
  const list = async () =>
    (await runDeliveryCommand(
      { store, environment, baseUrl: server.baseUrl, quotas: noQuotas },
      { name: 'delivery list' },
    )) as { to: string }[]
  const findRow = async () => (await list()).find(({ to }) => to === mine.url)
  const page = async () => (await (await signInBrowser(server, 'berta')).open('/account/delivery')).html
  await write('before')
  await mine.untilReceived(1)
  await untilSettled()
  return { server, store, clientId, userId, token, signIn, mine, other, register, write, untilSettled, findRow, page }
}

type Fixture = Awaited<ReturnType<typeof openFixture>>

const ends: readonly [string, 'app' | 'token', 'resting' | 'gone', (fixture: Fixture) => Promise<unknown>][] = [
  [
    'its session ends',
    'app',
    'resting',
    ({ store, userId, clientId }) => endSessions(store, userId, (session) => session.clientId === clientId),
  ],
  [
    'the password is reset',
    'app',
    'resting',
    ({ store }) => resetPassword(store, { name: 'berta', password: 'correct horse' }),
  ],
  ['the user is disabled', 'app', 'resting', ({ store, server }) => disableUser(store, 'berta', server.environment)],
  ['it is removed', 'app', 'gone', ({ store, clientId }) => removeApp(store, clientId)],
  [
    'the personal token is revoked',
    'token',
    'gone',
    async ({ store, server, userId }) => {
      for (const { id, kind } of await listSessions(store, userId, server.environment))
        if (kind === 'token') await endSession(store, userId, id)
    },
  ],
]

test.each(ends)('a webhook gets nothing more of its user once %s', async (_, kind, becomes, end) => {
  const fixture = await openFixture(kind)
  await end(fixture)
  const [row] = [await fixture.findRow()]

  if ((await fixture.store.registry.findUserByName('berta'))?.disabledAt === undefined) await fixture.write('after')
  else {
    const dueAt = Date.now()
    await fixture.store.write(fixture.userId, 'x', async (draft) => {
      await draft.putThing(createThing('after'))
      await draft.putOutboxEntry(`webhook/${Object(row).id}`, dueAt)
    })
  }
  await fixture.untilSettled()

  expect(fixture.mine.received).toHaveLength(1)
  if (becomes === 'gone') expect([row, await fixture.findRow()]).toEqual([undefined, undefined])
  else
    expect(row).toMatchObject({
      state: 'resting',
      reason: expect.stringMatching(/^the (app is signed out|user is disabled)$/),
    })
})

test('a webhook whose app signs in again gets what it missed: at the next change, or when it registers', async () => {
  const fixture = await openFixture('app')
  const { store, userId, clientId, mine } = fixture
  const leave = () => endSessions(store, userId, (session) => session.clientId === clientId)
  await leave()
  await fixture.write('missed')
  await fixture.untilSettled()
  const page = await fixture.page()
  const shown = await fixture.findRow()

  await fixture.signIn()
  await fixture.write('next')
  await mine.untilReceived(2)
  await fixture.untilSettled()
  await leave()
  await fixture.write('missed, too')
  await fixture.untilSettled()
  await fixture.register(mine.url, await fixture.signIn())
  await mine.untilReceived(3)

  expect(shown).toMatchObject({ state: 'resting', waiting: true, reason: 'the app is signed out', last_failure: null })
  expect(page).toContain('Nothing is sent while the app is signed out; notifications wait')
  expect(mine.received.map(({ message }) => message.data.things?.map((thing) => Object(thing).title))).toEqual([
    ['before'],
    ['missed', 'next'],
    ['missed, too'],
  ])
})

test('a retry says why nothing is sent, and the test event of the page is rejected', async () => {
  const fixture = await openFixture('app')
  const { server, store, mine, userId, clientId } = fixture
  const { environment } = server
  const row = await fixture.findRow()
  const retry = () =>
    runDeliveryCommand(
      { store, environment, baseUrl: server.baseUrl, quotas: noQuotas },
      { name: 'delivery retry', hook: String(Object(row).id) },
    )
  const browser = await signInBrowser(server, 'berta')
  const before = await browser.open('/account/delivery')
  await endSessions(store, userId, (session) => session.clientId === clientId)
  const rejected = await browser.send(before, '/account/delivery', { act: 'test' })
  const signedOut = await retry()
  await disableUser(store, 'berta', environment)
  const disabled = await retry()
  await fixture.untilSettled()
  await enableUser(store, 'berta')
  await fixture.signIn()

  const living = await retry()

  const common = { user: 'berta', id: Object(row).id, to: mine.url, event: 'any' }
  expect(rejected.status).toBe(409)
  expect(rejected.html).toContain('Nothing is sent to this webhook while the app is signed out.')
  expect(signedOut).toEqual([{ ...common, reason: 'the app is signed out' }])
  expect(disabled).toEqual([{ ...common, reason: 'the user is disabled' }])
  expect(living).toEqual([common])
  expect(mine.received).toHaveLength(1)
})
