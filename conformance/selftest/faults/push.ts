import { createECDH, randomBytes } from 'node:crypto'
import { right } from '../server/behaviour.ts'
import type { JsonObject } from '../server/world.ts'
import { type Fault, fault, makeFaults, without } from './fault.ts'

/** Headers of push messages without one of them, or with others. */
const headers = (edit: (all: Record<string, string>) => Record<string, string>): Fault['behaviour'] => ({
  pushHeaders: () => edit(right.pushHeaders()),
})

/** Devices whose messages go to some of the addresses that they had, the first one first. */
const toAddresses = (choose: (all: readonly string[]) => readonly string[]): Fault['behaviour'] => {
  const known = new Map<string, Set<string>>()
  return {
    deviceOwner: (device) => {
      const all = known.get(device.id) ?? new Set()
      known.set(device.id, all.add(String(device.fields.endpoint)))
      return right.deviceOwner(device)
    },
    endpointsOf: ({ id }) => choose([...(known.get(id) ?? [])]),
  }
}

/** Faults against what is decided on Web Push. */
export const pushFaults: readonly Fault[] = [
  fault('push-never', 'tells devices nothing', { pushes: () => false }),
  fault('push-put', 'sends push messages by PUT', { pushMethod: 'PUT' }),
  fault(
    'push-plain-at-first',
    'does not encrypt the first message to a device',
    (() => {
      const known = new Set<string>()
      return {
        encryptPush: (text, p256dh, auth) => {
          const key = p256dh.toString('hex')
          const isFirst = !known.has(key)
          known.add(key)
          return isFirst ? Buffer.from(text) : right.encryptPush(text, p256dh, auth)
        },
      } satisfies Fault['behaviour']
    })(),
  ),
  fault('push-plain', 'does not encrypt push messages', { encryptPush: (text) => Buffer.from(text) }),
  fault('push-without-secret', 'encrypts push messages without the secret of the device', {
    encryptPush: (text, p256dh) => right.encryptPush(text, p256dh, Buffer.alloc(16)),
  }),
  fault('push-without-pos', 'sends push messages that say nothing', { pushText: () => '{}' }),
  fault('push-old-pos', 'tells devices the position before the change', {
    pushText: (position) => right.pushText(position - 1),
  }),
  ...makeFaults(
    headers,
    ['push-without-ttl', 'leaves TTL out', ({ ttl: _, ...rest }) => rest],
    ['push-ttl-long', 'lets push messages live for four weeks', (all) => ({ ...all, ttl: '2419200' })],
    ['push-without-topic', 'leaves Topic out', ({ topic: _, ...rest }) => rest],
    [
      'push-topic-each',
      'gives each push message a topic of its own',
      (all) => ({ ...all, topic: randomBytes(12).toString('base64url') }),
    ],
    [
      'push-topic-long',
      'has a topic of more than 32 characters',
      (all) => ({ ...all, topic: 'positions-of-the-account-of-this-device' }),
    ],
  ),
  fault('push-without-vapid', 'does not sign push messages', { vapid: () => ({}) }),
  fault('push-vapid-other-key', 'answers another key in device/key than it signs with', {
    deviceKey: () => createECDH('prime256v1').generateKeys('base64url', 'uncompressed'),
  }),
  fault('push-vapid-badly-signed', 'signs other claims of push messages than it sends', {
    vapidSignature: (text) => right.vapidSignature(`${text} `),
  }),
  fault('push-vapid-audience', 'names the whole endpoint in aud', {
    vapidClaims: (endpoint) => ({ ...(right.vapidClaims(endpoint) as JsonObject), aud: endpoint }),
  }),
  fault('push-vapid-for-ever', 'leaves exp out', {
    vapidClaims: (endpoint) => without(right.vapidClaims(endpoint) as JsonObject, 'exp'),
  }),
  fault('push-own-changes', 'tells a device of its own changes', { pushes: () => true }),
  fault('push-told-of-all-users', 'tells devices of the changes of all users', {
    toldOf: (_account, world) => [...world.accounts.values()],
  }),
  fault('push-gone-kept', 'keeps a device that is gone', { endsDevice: [404] }),
  fault('push-missing-kept', 'keeps a device that the push service does not know', { endsDevice: [410] }),
  fault(
    'push-to-old-address',
    'sends to the first address of a device',
    toAddresses((all) => all.slice(0, 1)),
  ),
  fault(
    'push-to-all-addresses',
    'sends to every address that a device had',
    toAddresses((all) => all),
  ),
]
