import { createECDH, randomBytes } from 'node:crypto'
import { right } from '../server/behaviour.ts'
import type { JsonObject } from '../server/world.ts'
import { type Fault, without } from './fault.ts'

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
  { id: 'push-never', title: 'tells devices nothing', behaviour: { pushes: () => false } },
  { id: 'push-put', title: 'sends push messages by PUT', behaviour: { pushMethod: 'PUT' } },
  {
    id: 'push-plain-at-first',
    title: 'does not encrypt the first message to a device',
    behaviour: (() => {
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
  },
  {
    id: 'push-plain',
    title: 'does not encrypt push messages',
    behaviour: { encryptPush: (text) => Buffer.from(text) },
  },
  {
    id: 'push-without-secret',
    title: 'encrypts push messages without the secret of the device',
    behaviour: { encryptPush: (text, p256dh) => right.encryptPush(text, p256dh, Buffer.alloc(16)) },
  },
  { id: 'push-without-pos', title: 'sends push messages that say nothing', behaviour: { pushText: () => '{}' } },
  {
    id: 'push-old-pos',
    title: 'tells devices the position before the change',
    behaviour: { pushText: (position) => right.pushText(position - 1) },
  },
  { id: 'push-without-ttl', title: 'leaves TTL out', behaviour: headers(({ ttl: _, ...rest }) => rest) },
  {
    id: 'push-ttl-long',
    title: 'lets push messages live for four weeks',
    behaviour: headers((all) => ({ ...all, ttl: '2419200' })),
  },
  { id: 'push-without-topic', title: 'leaves Topic out', behaviour: headers(({ topic: _, ...rest }) => rest) },
  {
    id: 'push-topic-each',
    title: 'gives each push message a topic of its own',
    behaviour: headers((all) => ({ ...all, topic: randomBytes(12).toString('base64url') })),
  },
  {
    id: 'push-topic-long',
    title: 'has a topic of more than 32 characters',
    behaviour: headers((all) => ({ ...all, topic: 'positions-of-the-account-of-this-device' })),
  },
  { id: 'push-without-vapid', title: 'does not sign push messages', behaviour: { vapid: () => ({}) } },
  {
    id: 'push-vapid-other-key',
    title: 'answers another key in device/key than it signs with',
    behaviour: { deviceKey: () => createECDH('prime256v1').generateKeys('base64url', 'uncompressed') },
  },
  {
    id: 'push-vapid-badly-signed',
    title: 'signs other claims of push messages than it sends',
    behaviour: { vapidSignature: (text) => right.vapidSignature(`${text} `) },
  },
  {
    id: 'push-vapid-audience',
    title: 'names the whole endpoint in aud',
    behaviour: { vapidClaims: (endpoint) => ({ ...(right.vapidClaims(endpoint) as JsonObject), aud: endpoint }) },
  },
  {
    id: 'push-vapid-for-ever',
    title: 'leaves exp out',
    behaviour: { vapidClaims: (endpoint) => without(right.vapidClaims(endpoint) as JsonObject, 'exp') },
  },
  { id: 'push-own-changes', title: 'tells a device of its own changes', behaviour: { pushes: () => true } },
  {
    id: 'push-told-of-all-users',
    title: 'tells devices of the changes of all users',
    behaviour: { toldOf: (_account, world) => [...world.accounts.values()] },
  },
  { id: 'push-gone-kept', title: 'keeps a device that is gone', behaviour: { endsDevice: [404] } },
  {
    id: 'push-missing-kept',
    title: 'keeps a device that the push service does not know',
    behaviour: { endsDevice: [410] },
  },
  {
    id: 'push-to-old-address',
    title: 'sends to the first address of a device',
    behaviour: toAddresses((all) => all.slice(0, 1)),
  },
  {
    id: 'push-to-all-addresses',
    title: 'sends to every address that a device had',
    behaviour: toAddresses((all) => all),
  },
]
