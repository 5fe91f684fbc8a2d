import { expect, test } from 'vitest'
import { Refused } from '../refused.ts'
import type { Draft } from '../store/store.ts'
import { openSyncTrial } from '../things/sync-trial.ts'
import { listWebhooks, mostWebhooks, registerWebhook, unregisterWebhook, type WebhookKey } from './webhooks.ts'

const openTrial = async () => {
  const { store, world } = await openSyncTrial()
  const write = <T>(work: (draft: Draft) => Promise<T>) => store.write('anna', 'web', work)
  return { store, world, write }
}

const any = { targetUrl: 'https://example.com/hook', event: 'any', clientId: 'app' } as const

/** What every webhook has from its registration on. */
const known = { id: expect.stringMatching(/^id\d+$/), told: 0, registeredAt: 1000 }

test('a webhook is registered once per app, address and event, and its secret is shown once', async () => {
  const { store, world, write } = await openTrial()
  const tag = { ...any, event: 'tag' } as const
  const other = { ...any, clientId: 'other app' } as const
  const register = (key: WebhookKey) => write((draft) => registerWebhook(draft, key, world))

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

test('a webhook is unregistered by its app only, and one that is unknown is fine', async () => {
  const { store, world, write } = await openTrial()
  await write((draft) => registerWebhook(draft, any, world))
  const unregister = (key: WebhookKey) => write((draft) => unregisterWebhook(draft, key))

  await unregister({ ...any, event: 'tag' })
  await unregister({ ...any, clientId: 'other app' })
  expect(await listWebhooks(await store.read('anna'))).toHaveLength(1)
  await unregister(any)
  await unregister(any)

  expect(await listWebhooks(await store.read('anna'))).toEqual([])
  expect(await write((draft) => registerWebhook(draft, any, world))).toBe('whsec_secret2=')
})

test('a webhook of an older folder, whose app is not known, is kept until an app registers or unregisters it', async () => {
  const { store, world, write } = await openTrial()
  const older = { targetUrl: any.targetUrl, event: 'any', secret: 'old secret' } as const
  const putOlder = (draft: Draft) =>
    draft.putRecord('webhook', 'all', JSON.stringify([older.event, older.targetUrl]), older)
  await write(putOlder)
  expect(await listWebhooks(await store.read('anna'))).toEqual([older])

  expect(await write((draft) => registerWebhook(draft, any, world))).toBe('whsec_secret1=')
  expect(await listWebhooks(await store.read('anna'))).toEqual([{ ...any, ...known, secret: 'whsec_secret1=' }])
  await write(putOlder)
  await write((draft) => unregisterWebhook(draft, { ...any, clientId: 'other app' }))

  expect(await listWebhooks(await store.read('anna'))).toEqual([{ ...any, ...known, secret: 'whsec_secret1=' }])
})

test('a user has at most 20 webhooks', async () => {
  const { store, world, write } = await openTrial()
  const register = (index: number) =>
    write((draft) => registerWebhook(draft, { ...any, targetUrl: `https://example.com/${index}` }, world))
  for (let index = 0; index < mostWebhooks; index++) await register(index)

  const reason = 'is one more than the 20 webhooks that a user may have; unregister another'
  await expect(register(20)).rejects.toEqual(new Refused('parameterInvalid', { parameter: 'target_url', reason }))
  expect(await register(3)).toBeUndefined()

  expect(await listWebhooks(await store.read('anna'))).toHaveLength(20)
})
