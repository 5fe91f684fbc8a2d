import { createECDH } from 'node:crypto'
import { expect, test } from 'vitest'
import { systemEnvironment } from '../environment.ts'
import { openMemoryStore } from '../store/memory-store.ts'
import { thingForm } from '../things/thing.ts'
import { findPushKeys } from './deliver-push.ts'

test('the push keys are created once, even by two simultaneous first calls', async () => {
  const store = await openMemoryStore({ form: thingForm })

  const [first, second] = await Promise.all([
    findPushKeys(store, systemEnvironment),
    findPushKeys(store, systemEnvironment),
  ])
  const later = await findPushKeys(store, systemEnvironment)

  expect([second, later]).toEqual([first, first])
  expect(await store.registry.findKey('vapid')).toEqual(first)
})

test('the public key belongs to the private key', async () => {
  const store = await openMemoryStore({ form: thingForm })
  const { publicKey, privateKey } = await findPushKeys(store, systemEnvironment)

  const keys = createECDH('prime256v1')
  keys.setPrivateKey(Buffer.from(privateKey, 'base64url'))

  expect(Buffer.from(privateKey, 'base64url')).toHaveLength(32)
  expect(keys.getPublicKey('base64url')).toBe(publicKey)
})
