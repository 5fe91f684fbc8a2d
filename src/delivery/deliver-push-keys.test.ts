import { createECDH } from 'node:crypto'
import { expect, test } from 'vitest'
import { systemEnvironment } from '../environment.ts'
import { openMemoryStore } from '../store/memory-store.ts'
import { thingForm } from '../things/thing.ts'
import { findPushKeys } from './deliver-push.ts'

test('the keys for push are made once, however many ask for them first', async () => {
  const store = await openMemoryStore({ form: thingForm })

  const [one, another] = await Promise.all([
    findPushKeys(store, systemEnvironment),
    findPushKeys(store, systemEnvironment),
  ])
  const later = await findPushKeys(store, systemEnvironment)

  expect([another, later]).toEqual([one, one])
  expect(await store.registry.findKey('vapid')).toEqual(one)
})

test('the public key is the point that belongs to the private one', async () => {
  const store = await openMemoryStore({ form: thingForm })
  const { publicKey, privateKey } = await findPushKeys(store, systemEnvironment)

  const keys = createECDH('prime256v1')
  keys.setPrivateKey(Buffer.from(privateKey, 'base64url'))

  expect(Buffer.from(privateKey, 'base64url')).toHaveLength(32)
  expect(keys.getPublicKey('base64url')).toBe(publicKey)
})
