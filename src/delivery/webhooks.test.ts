import { expect, test } from 'vitest'
import { pushKeys } from '../../test/support/push-keys.ts'
import { openSyncStore } from '../../test/support/sync-store.ts'
import { ApiError } from '../api-error.ts'
import { createDeliveryRules } from '../outbound/address-guard.ts'
import type { Draft } from '../store/store.ts'
import { registerDevice } from './devices.ts'
import { createSubscriptionGuard } from './subscriptions.ts'
import {
  findManualRetryWait,
  listAllWebhooks,
  listSecrets,
  listWebhooks,
  maxWebhooks,
  pauseByAdministrator,
  registerWebhook,
  replaceSecret,
  resumeWebhook,
  unregisterWebhook,
  type Webhook,
  type WebhookKey,
} from './webhooks.ts'

const guard = createSubscriptionGuard(createDeliveryRules())

const openFixture = async () => {
  const { store, environment } = await openSyncStore()
  const write = <T>(work: (draft: Draft) => Promise<T>) => store.write('anna', 'web', work)
  return { store, environment, write }
}

const any = { targetUrl: 'https://example.com/hook', event: 'any', clientId: 'app' } as const

/** Fields of each new webhook. */
const known = { id: expect.stringMatching(/^id\d+$/), told: 0, registeredAt: 1000 }

test('a webhook is registered once per app, URL and event, and its secret is returned once', async () => {
  const { store, environment, write } = await openFixture()
  const tag = { ...any, event: 'tag' } as const
  const other = { ...any, clientId: 'other app' } as const
  const register = (key: WebhookKey) => write((draft) => registerWebhook(draft, key, environment, guard))

  const first = [await register(any), await register(tag), await register(other)]
  const again = [await register(any), await register(tag), await register(other)]

  expect(first).toEqual(['whsec_secret1=', 'whsec_secret2=', 'whsec_secret3='])
  expect(again).toEqual([undefined, undefined, undefined])
  expect(await listWebhooks(await store.read('anna'))).toEqual([
    { ...any, ...known, secret: 'whsec_secret1=' },
    { ...tag, ...known, secret: 'whsec_secret2=' },
    { ...other, ...known, secret: 'whsec_secret3=' },
  ])
  expect(await listWebhooks(await store.read('berta'))).toEqual([])
})

test('only its app can unregister a webhook, and unregistering an unknown one is no error', async () => {
  const { store, environment, write } = await openFixture()
  await write((draft) => registerWebhook(draft, any, environment, guard))
  const unregister = (key: WebhookKey) => write((draft) => unregisterWebhook(draft, key, environment))

  await unregister({ ...any, event: 'tag' })
  await unregister({ ...any, clientId: 'other app' })
  expect(await listWebhooks(await store.read('anna'))).toHaveLength(1)
  await unregister(any)
  await unregister(any)

  expect(await listWebhooks(await store.read('anna'))).toEqual([])
  expect(await write((draft) => registerWebhook(draft, any, environment, guard))).toBe('whsec_secret2=')
})

test('a user has at most 20 webhooks', async () => {
  const { store, environment, write } = await openFixture()
  const register = (index: number) =>
    write((draft) => registerWebhook(draft, { ...any, targetUrl: `https://example.com/${index}` }, environment, guard))
  for (let index = 0; index < maxWebhooks; index++) await register(index)

  const reason = 'is one more than the 20 webhooks that a user may have; unregister another'
  await expect(register(20)).rejects.toEqual(new ApiError('parameterInvalid', { parameter: 'target_url', reason }))
  expect(await register(3)).toBeUndefined()

  expect(await listWebhooks(await store.read('anna'))).toHaveLength(20)
})

const inside = 'must lead to the public internet, or to a host that the setting delivery_allow of this server names'

test.each<[string, string]>([
  ['http://[', 'must be an absolute http or https URL'],
  ['https://', 'must be an absolute http or https URL'],
  ['ftp://example.com/', 'must be an absolute http or https URL'],
  ['https://example.com/\ud800', 'must be an absolute http or https URL'],
  ['https://example.org\\@example.com/', 'must be an absolute http or https URL'],
  ['http:///example.com', 'must be an absolute http or https URL'],
  ['http:example.com', 'must be an absolute http or https URL'],
  ['http://.', 'must be an absolute http or https URL'],
  ['http://a..b/', 'must be an absolute http or https URL'],
  ['http://example.com:0/', 'must be an absolute http or https URL'],
  ['http://@example.com/', 'must not contain a user name or password'],
  ['http://:@example.com/', 'must not contain a user name or password'],
  ['https://exam\tple.com/', 'must be an absolute http or https URL'],
  ['https://anna@example.com/', 'must not contain a user name or password'],
  ['https://:horse@example.com/', 'must not contain a user name or password'],
  ['http://[::1]/', inside],
  ['https://169.254.169.254/latest', inside],
])('registering at %j is an error', async (url, reason) => {
  const { store, environment, write } = await openFixture()
  const push = { type: 'webpush', id: 'a', endpoint: url, ...pushKeys, clientId: 'app', sessionId: 'session' }

  const hook = write((draft) => registerWebhook(draft, { ...any, targetUrl: url }, environment, guard))
  const device = write((draft) => registerDevice(draft, push, environment, guard))

  await expect(hook).rejects.toEqual(new ApiError('parameterInvalid', { parameter: 'target_url', reason }))
  await expect(device).rejects.toEqual(new ApiError('parameterInvalid', { parameter: 'endpoint', reason }))
  expect(await listWebhooks(await store.read('anna'))).toEqual([])
})

test.each([
  'HTTP://Example.com/x',
  'https://example.com.:8443/@x?y=a@b',
  'http://[2606:4700::1]/',
  'https://ü.example/ü',
])('a webhook is registered at %s', async (targetUrl) => {
  const { environment, write } = await openFixture()

  const secret = await write((draft) => registerWebhook(draft, { ...any, targetUrl }, environment, guard))

  expect(secret).toBe('whsec_secret1=')
})

test('a webhook that the administrator paused stays paused after unregistering and registering', async () => {
  const { store, environment, write } = await openFixture()
  const kept = async () => (await listAllWebhooks(await store.read('anna')))[0] as Webhook
  await write((draft) => registerWebhook(draft, any, environment, guard))
  await write(async (draft) => pauseByAdministrator(draft, await kept(), environment))

  await write((draft) => unregisterWebhook(draft, any, environment))
  const shown = await listWebhooks(await store.read('anna'))
  const secret = await write((draft) => registerWebhook(draft, any, environment, guard))
  const again = await kept()
  await write((draft) => unregisterWebhook(draft, any, environment))
  await write(async (draft) => resumeWebhook(draft, await kept(), environment))

  expect(shown).toEqual([])
  expect(secret).toBe('whsec_secret2=')
  expect(again).toMatchObject({ pausedAt: 1000, pausedBy: 'administrator', secret })
  expect(await kept()).toBeUndefined()
})

test('all secrets that were replaced within a day sign, and a fourth replacement is an error', async () => {
  const { store, environment, write } = await openFixture()
  const find = async () => (await listWebhooks(await store.read('anna')))[0] as Webhook
  const replace = () => write(async (draft) => replaceSecret(draft, await find(), environment))
  const first = await write((draft) => registerWebhook(draft, any, environment, guard))
  const later = [await replace(), await replace(), await replace()]

  const replacing = replace()

  await expect(replacing).rejects.toThrow('secret was replaced 3 times within a day')
  expect(listSecrets(await find(), environment)).toEqual([...later.reverse(), first])
  const tomorrow = { ...environment, now: () => environment.now() + 86_400_000 }
  expect(listSecrets(await find(), tomorrow)).toEqual([later[0]])
})

test('a manual retry is possible ten seconds after the previous one', async () => {
  const { environment } = await openFixture()
  const webhook = { ...any, secret: 's', id: 'hook', registeredAt: 1, told: 0 }

  const waits = [0, 9_500, 10_000].map((ago) =>
    findManualRetryWait({ ...webhook, triedByHandAt: environment.now() - ago }, environment),
  )

  expect([findManualRetryWait(webhook, environment), ...waits]).toEqual([0, 10, 1, 0])
})
