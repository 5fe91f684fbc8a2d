import { expect, test } from 'vitest'
import { pushKeys } from '../../test/support/push-keys.ts'
import { openSyncStore } from '../../test/support/sync-store.ts'
import { ApiError } from '../api-error.ts'
import { createDeliveryRules } from '../outbound/address-guard.ts'
import type { Draft } from '../store/store.ts'
import { listDevices, maxDevices, registerDevice, unregisterDevice } from './devices.ts'
import { createSubscriptionGuard } from './subscriptions.ts'

const guard = createSubscriptionGuard(createDeliveryRules())

/** The app and the session of the registrations. */
const own = { clientId: 'app', sessionId: 'session' }

const openFixture = async () => {
  const { store, environment } = await openSyncStore()
  const write = <T>(work: (draft: Draft) => Promise<T>) => store.write('anna', 'web', work)
  return { store, environment, write }
}

test('a device is registered once per type and id, with its last parameters', async () => {
  const { store, environment, write } = await openFixture()
  const web = { ...own, type: 'webpush', id: 'a', endpoint: 'https://push.example/1', ...pushKeys }
  await write((draft) => registerDevice(draft, web, environment, guard))
  await write((draft) => registerDevice(draft, { ...own, type: 'other', id: 'a' }, environment, guard))
  await write((draft) => registerDevice(draft, { ...web, endpoint: 'https://push.example/2' }, environment, guard))
  expect(await listDevices(await store.read('anna'))).toEqual([
    { ...web, endpoint: 'https://push.example/2', registeredAt: 1_000, key: expect.any(String) },
    { ...own, type: 'other', id: 'a', registeredAt: 1_000, key: expect.any(String) },
  ])

  await write((draft) => unregisterDevice(draft, web))
  await write((draft) => unregisterDevice(draft, { ...own, type: 'unknown', id: 'a' }))

  expect(await listDevices(await store.read('anna'))).toEqual([
    { ...own, type: 'other', id: 'a', registeredAt: 1_000, key: expect.any(String) },
  ])
})

test('a new device replaces the one with the oldest registration of 100', async () => {
  const { store, environment, write } = await openFixture()
  const register = (id: string, seconds: number) =>
    write((draft) =>
      registerDevice(draft, { ...own, type: 'other', id }, { ...environment, now: () => seconds * 1000 }, guard),
    )
  await register('older', 0)
  for (let index = 1; index < maxDevices; index++) await register(`d${index}`, index)
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

test('a webpush device needs its endpoint and both keys', async () => {
  const { store, environment, write } = await openFixture()
  const device = { ...own, type: 'webpush', id: 'a', endpoint: 'https://push.example/1', ...pushKeys, auth: '' }

  const registering = write((draft) => registerDevice(draft, device, environment, guard))

  await expect(registering).rejects.toEqual(
    new ApiError('parameterInvalid', { parameter: 'auth', reason: 'is required when type is webpush' }),
  )
  expect(await listDevices(await store.read('anna'))).toEqual([])
})

test.each<[string, object, string]>([
  ['p256dh', { p256dh: 'key' }, 'must be a point of the curve P-256, uncompressed, as base64url'],
  ['p256dh', { p256dh: `B${'A'.repeat(86)}` }, 'must be a point of the curve P-256, uncompressed, as base64url'],
  ['auth', { auth: 'BTBZMqHH6r4Tts7J_aSI' }, 'must be 16 bytes as base64url'],
])('registering a webpush device with an invalid %s is an error that names it', async (parameter, bad, reason) => {
  const { store, environment, write } = await openFixture()
  const device = { ...own, type: 'webpush', id: 'a', endpoint: 'https://push.example/1', ...pushKeys, ...bad }

  const registering = write((draft) => registerDevice(draft, device, environment, guard))

  await expect(registering).rejects.toEqual(new ApiError('parameterInvalid', { parameter, reason }))
  expect(await listDevices(await store.read('anna'))).toEqual([])
})

test('an app neither replaces nor removes the device of another app with the same type and id', async () => {
  const { store, environment, write } = await openFixture()
  const device = { ...own, type: 'other', id: 'a' }
  const others = { ...device, clientId: 'other' }
  await write((draft) => registerDevice(draft, device, environment, guard))

  await write((draft) => registerDevice(draft, others, environment, guard))
  const both = await listDevices(await store.read('anna'))
  await write((draft) => unregisterDevice(draft, others))
  await write((draft) => unregisterDevice(draft, others))

  expect(both).toMatchObject([device, others])
  expect(await listDevices(await store.read('anna'))).toMatchObject([device])
})
