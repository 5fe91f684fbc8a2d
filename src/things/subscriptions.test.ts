import { expect, test } from 'vitest'
import { pushKeys } from '../acceptance/push-keys.ts'
import { createDeliveryRules } from '../outbound/delivery-rules.ts'
import { createSubscriptionGuard } from '../outbound/subscription-guard.ts'
import { Refused } from '../refused.ts'
import type { Draft } from '../store/store.ts'
import {
  listDevices,
  listWebhooks,
  mostDevices,
  mostWebhooks,
  registerDevice,
  registerWebhook,
  unregisterDevice,
  unregisterWebhook,
  type WebhookKey,
} from './subscriptions.ts'
import { openSyncTrial } from './sync-trial.ts'

const guard = createSubscriptionGuard(createDeliveryRules())

const openTrial = async () => {
  const { store, world } = await openSyncTrial()
  const write = <T>(work: (draft: Draft) => Promise<T>) => store.write('anna', 'web', work)
  return { store, world, write }
}

const any = { targetUrl: 'https://example.com/hook', event: 'any', clientId: 'app' } as const

test('a webhook is registered once per app, address and event, and its secret is shown once', async () => {
  const { store, world, write } = await openTrial()
  const tag = { ...any, event: 'tag' } as const
  const other = { ...any, clientId: 'other app' } as const
  const register = (key: WebhookKey) => write((draft) => registerWebhook(draft, key, world, guard))

  const first = [await register(any), await register(tag), await register(other)]
  const again = [await register(any), await register(tag), await register(other)]

  expect(first).toEqual(['whsec_secret1=', 'whsec_secret2=', 'whsec_secret3='])
  expect(again).toEqual([undefined, undefined, undefined])
  expect(await listWebhooks(await store.read('anna'))).toEqual([
    { ...any, secret: 'whsec_secret1=' },
    { ...tag, secret: 'whsec_secret2=' },
    { ...other, secret: 'whsec_secret3=' },
  ])
  expect(await listWebhooks(await store.read('berta'))).toEqual([])
})

test('a webhook is unregistered by its app only, and one that is unknown is fine', async () => {
  const { store, world, write } = await openTrial()
  await write((draft) => registerWebhook(draft, any, world, guard))
  const unregister = (key: WebhookKey) => write((draft) => unregisterWebhook(draft, key))

  await unregister({ ...any, event: 'tag' })
  await unregister({ ...any, clientId: 'other app' })
  expect(await listWebhooks(await store.read('anna'))).toHaveLength(1)
  await unregister(any)
  await unregister(any)

  expect(await listWebhooks(await store.read('anna'))).toEqual([])
  expect(await write((draft) => registerWebhook(draft, any, world, guard))).toBe('whsec_secret2=')
})

test('a webhook of an older folder, whose app is not known, is kept until an app registers or unregisters it', async () => {
  const { store, world, write } = await openTrial()
  const older = { targetUrl: any.targetUrl, event: 'any', secret: 'old secret' } as const
  const putOlder = (draft: Draft) =>
    draft.putRecord('webhook', 'all', JSON.stringify([older.event, older.targetUrl]), older)
  await write(putOlder)
  expect(await listWebhooks(await store.read('anna'))).toEqual([older])

  expect(await write((draft) => registerWebhook(draft, any, world, guard))).toBe('whsec_secret1=')
  expect(await listWebhooks(await store.read('anna'))).toEqual([{ ...any, secret: 'whsec_secret1=' }])
  await write(putOlder)
  await write((draft) => unregisterWebhook(draft, { ...any, clientId: 'other app' }))

  expect(await listWebhooks(await store.read('anna'))).toEqual([{ ...any, secret: 'whsec_secret1=' }])
})

test('a user has at most 20 webhooks', async () => {
  const { store, world, write } = await openTrial()
  const register = (index: number) =>
    write((draft) => registerWebhook(draft, { ...any, targetUrl: `https://example.com/${index}` }, world, guard))
  for (let index = 0; index < mostWebhooks; index++) await register(index)

  const reason = 'is one more than the 20 webhooks that a user may have; unregister another'
  await expect(register(20)).rejects.toEqual(new Refused('parameterInvalid', { parameter: 'target_url', reason }))
  expect(await register(3)).toBeUndefined()

  expect(await listWebhooks(await store.read('anna'))).toHaveLength(20)
})

const inside = 'must lead to the public internet, or to a host that the setting delivery_allow of this server names'

test.each<[string, string]>([
  ['http://[', 'must be an absolute http or https address'],
  ['https://', 'must be an absolute http or https address'],
  ['ftp://example.com/', 'must be an absolute http or https address'],
  ['https://example.com/\ud800', 'must be an absolute http or https address'],
  ['https://example.org\\@example.com/', 'must be an absolute http or https address'],
  ['http:///example.com', 'must be an absolute http or https address'],
  ['http:example.com', 'must be an absolute http or https address'],
  ['http://.', 'must be an absolute http or https address'],
  ['http://a..b/', 'must be an absolute http or https address'],
  ['http://example.com:0/', 'must be an absolute http or https address'],
  ['http://@example.com/', 'must not hold a user name or password'],
  ['http://:@example.com/', 'must not hold a user name or password'],
  ['https://exam\tple.com/', 'must be an absolute http or https address'],
  ['https://anna@example.com/', 'must not hold a user name or password'],
  ['https://:horse@example.com/', 'must not hold a user name or password'],
  ['http://[::1]/', inside],
  ['https://169.254.169.254/latest', inside],
])('nothing is registered at %j', async (address, reason) => {
  const { store, world, write } = await openTrial()
  const push = { type: 'webpush', id: 'a', endpoint: address, ...pushKeys }

  const hook = write((draft) => registerWebhook(draft, { ...any, targetUrl: address }, world, guard))
  const device = write((draft) => registerDevice(draft, push, world, guard))

  await expect(hook).rejects.toEqual(new Refused('parameterInvalid', { parameter: 'target_url', reason }))
  await expect(device).rejects.toEqual(new Refused('parameterInvalid', { parameter: 'endpoint', reason }))
  expect(await listWebhooks(await store.read('anna'))).toEqual([])
})

test.each([
  'HTTP://Example.com/x',
  'https://example.com.:8443/@x?y=a@b',
  'http://[2606:4700::1]/',
  'https://ü.example/ü',
])('a webhook is registered at %s', async (targetUrl) => {
  const { world, write } = await openTrial()

  const secret = await write((draft) => registerWebhook(draft, { ...any, targetUrl }, world, guard))

  expect(secret).toBe('whsec_secret1=')
})

test('a device is registered once per type and id, with what it said last', async () => {
  const { store, world, write } = await openTrial()
  const web = { type: 'webpush', id: 'a', endpoint: 'https://push.example/1', ...pushKeys }
  await write((draft) => registerDevice(draft, web, world, guard))
  await write((draft) => registerDevice(draft, { type: 'other', id: 'a' }, world, guard))
  await write((draft) => registerDevice(draft, { ...web, endpoint: 'https://push.example/2' }, world, guard))
  expect(await listDevices(await store.read('anna'))).toEqual([
    { ...web, endpoint: 'https://push.example/2', registeredAt: 1_000 },
    { type: 'other', id: 'a', registeredAt: 1_000 },
  ])

  await write((draft) => unregisterDevice(draft, web))
  await write((draft) => unregisterDevice(draft, { type: 'unknown', id: 'a' }))

  expect(await listDevices(await store.read('anna'))).toEqual([{ type: 'other', id: 'a', registeredAt: 1_000 }])
})

test('of 100 devices the one that was not registered for the longest time makes place for another', async () => {
  const { store, world, write } = await openTrial()
  const register = (id: string, seconds: number) =>
    write((draft) => registerDevice(draft, { type: 'other', id }, { ...world, now: () => seconds * 1000 }, guard))
  await write((draft) =>
    draft.putRecord('device', 'all', JSON.stringify(['other', 'older']), { type: 'other', id: 'older' }),
  )
  for (let index = 1; index < mostDevices; index++) await register(`d${index}`, index)
  await register('d1', 1000)
  const idsOf = async () => (await listDevices(await store.read('anna'))).map(({ id }) => id)
  expect(await idsOf()).toHaveLength(100)

  await register('new', 1001)
  await register('newer', 1002)

  const ids = await idsOf()
  expect(ids).toHaveLength(100)
  expect(['older', 'd1', 'd2', 'd3', 'new', 'newer'].filter((id) => ids.includes(id))).toEqual([
    'd1',
    'd3',
    'new',
    'newer',
  ])
})

test('a webpush device must say its endpoint and both keys', async () => {
  const { store, world, write } = await openTrial()
  const device = { type: 'webpush', id: 'a', endpoint: 'https://push.example/1', ...pushKeys, auth: '' }

  const refused = write((draft) => registerDevice(draft, device, world, guard))

  await expect(refused).rejects.toEqual(
    new Refused('parameterInvalid', { parameter: 'auth', reason: 'is required when type is webpush' }),
  )
  expect(await listDevices(await store.read('anna'))).toEqual([])
})

test.each<[string, object, string]>([
  ['p256dh', { p256dh: 'key' }, 'must be a point of the curve P-256, uncompressed, as base64url'],
  ['p256dh', { p256dh: `B${'A'.repeat(86)}` }, 'must be a point of the curve P-256, uncompressed, as base64url'],
  ['auth', { auth: 'BTBZMqHH6r4Tts7J_aSI' }, 'must be 16 bytes as base64url'],
])('a webpush device with a bad %s is refused by name', async (parameter, bad, reason) => {
  const { store, world, write } = await openTrial()
  const device = { type: 'webpush', id: 'a', endpoint: 'https://push.example/1', ...pushKeys, ...bad }

  const refused = write((draft) => registerDevice(draft, device, world, guard))

  await expect(refused).rejects.toEqual(new Refused('parameterInvalid', { parameter, reason }))
  expect(await listDevices(await store.read('anna'))).toEqual([])
})
