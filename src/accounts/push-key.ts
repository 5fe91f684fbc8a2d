import { createECDH } from 'node:crypto'
import type { Key } from '../store/registry/registry.ts'
import type { Store } from '../store/store.ts'
import type { World } from '../world.ts'

const name = 'vapid'

/** An uncompressed point of P-256 and its 32 secret bytes, both as base64url. */
const makeKey = (world: World): Key => {
  const keys = createECDH('prime256v1')
  keys.generateKeys()
  // Node drops the zeros at the front of the secret.
  const secret = Buffer.from(keys.getPrivateKey('hex').padStart(64, '0'), 'hex')
  return {
    name,
    publicKey: keys.getPublicKey('base64url'),
    privateKey: secret.toString('base64url'),
    createdAt: Math.floor(world.now() / 1000),
  }
}

/**
 * The keys by which push services know this server (VAPID, RFC 8292): made when they are first asked for, and kept, because
 * a browser that subscribed with one public key takes messages of no other.
 * @throws StoreFailed when they cannot be kept
 */
export const findPushKey = async (store: Store, world: World): Promise<Key> => {
  const known = await store.registry.findKey(name)
  if (known !== undefined) return known
  return store.registry.change(async (registry) => {
    const newest = await registry.findKey(name)
    if (newest !== undefined) return newest
    const key = makeKey(world)
    await registry.put('keys', key)
    return key
  })
}
