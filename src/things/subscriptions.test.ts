import { expect, test } from 'vitest'
import { Refused } from '../refused.ts'
import type { Draft } from '../store/store.ts'
import {
  listDevices,
  listWebhooks,
  registerDevice,
  registerWebhook,
  unregisterDevice,
  unregisterWebhook,
} from './subscriptions.ts'
import { openSyncTrial } from './sync-trial.ts'

const openTrial = async () => {
  const { store, world } = await openSyncTrial()
  const write = <T>(work: (draft: Draft) => Promise<T>) => store.write('anna', 'web', work)
  return { store, world, write }
}

test('a webhook is registered once per address and event, with a secret that stays', async () => {
  const { store, world, write } = await openTrial()
  const any = { targetUrl: 'https://example.com/hook', event: 'any' } as const
  const tag = { ...any, event: 'tag' } as const

  const first = await write((draft) => registerWebhook(draft, any, world))
  const second = await write((draft) => registerWebhook(draft, tag, world))
  const again = await write((draft) => registerWebhook(draft, any, world))

  expect([first, second, again]).toEqual([
    { ...any, secret: 'secret1' },
    { ...tag, secret: 'secret2' },
    { ...any, secret: 'secret1' },
  ])
  expect(await listWebhooks(await store.read('anna'))).toEqual([first, second])
  expect(await listWebhooks(await store.read('berta'))).toEqual([])
})

test('a webhook is unregistered, and one that is unknown is fine', async () => {
  const { store, world, write } = await openTrial()
  const hook = { targetUrl: 'https://example.com/hook', event: 'any' } as const
  await write((draft) => registerWebhook(draft, hook, world))

  await write((draft) => unregisterWebhook(draft, { ...hook, event: 'tag' }))
  expect(await listWebhooks(await store.read('anna'))).toHaveLength(1)
  await write((draft) => unregisterWebhook(draft, hook))
  await write((draft) => unregisterWebhook(draft, hook))

  expect(await listWebhooks(await store.read('anna'))).toEqual([])
})

test('a device is registered once per type and id, with what it said last', async () => {
  const { store, write } = await openTrial()
  const web = { type: 'webpush', id: 'a', endpoint: 'https://push.example/1', p256dh: 'key', auth: 'secret' }
  await write((draft) => registerDevice(draft, web))
  await write((draft) => registerDevice(draft, { type: 'other', id: 'a' }))
  await write((draft) => registerDevice(draft, { ...web, endpoint: 'https://push.example/2' }))
  expect(await listDevices(await store.read('anna'))).toEqual([
    { ...web, endpoint: 'https://push.example/2' },
    { type: 'other', id: 'a' },
  ])

  await write((draft) => unregisterDevice(draft, web))
  await write((draft) => unregisterDevice(draft, { type: 'unknown', id: 'a' }))

  expect(await listDevices(await store.read('anna'))).toEqual([{ type: 'other', id: 'a' }])
})

test('a webpush device must say its endpoint and both keys', async () => {
  const { store, write } = await openTrial()
  const device = { type: 'webpush', id: 'a', endpoint: 'https://push.example/1', p256dh: 'key', auth: '' }

  const refused = write((draft) => registerDevice(draft, device))

  await expect(refused).rejects.toEqual(
    new Refused('parameterInvalid', { parameter: 'auth', reason: 'is required when type is webpush' }),
  )
  expect(await listDevices(await store.read('anna'))).toEqual([])
})
