import { isObject, showValue } from '../encoding.ts'
import { expect, expectSame } from '../expect.ts'
import type { Lab } from '../lab.ts'
import { createPushSubscription, type PushSubscription, readVapid } from '../receiver/message-crypto.ts'
import type { Delivery, Mailbox } from '../receiver/receiver.ts'
import type { Replica } from '../replica.ts'
import { asSetup, Finding } from '../result.ts'
import { extensionRule, type Rule } from '../rule.ts'
import { openSession, pause } from './live-6.ts'
import {
  describeReply,
  expectArray,
  expectError,
  expectObject,
  type Fields,
  get,
  post,
  without,
} from './operation-steps.ts'

const deviceOf = (mark: string): Fields => ({
  type: 'webpush',
  id: mark,
  endpoint: `https://example.org/${mark}`,
  p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
  auth: 'tBHItJI5svbpez7KI4CCXg',
})

/** A device of a push service that this project does not know. */
const otherOf = (mark: string): Fields => ({ type: 'another-service', id: mark })

/** Returns the devices of this rule, as device/list shows them to the replica. */
const findListed = async (lab: Lab, replica: Replica) => {
  const reply = await get(replica, 'device/list')
  const all = expectArray(reply, 'device/list returns a list')
  return { reply, listed: all.filter(({ id }) => `${id}`.startsWith(lab.mark)) }
}

/** Registers a device as a setup step, and unregisters it after the rule. */
const registerDevice = (lab: Lab, replica: Replica, fields: Fields): Promise<unknown> => {
  lab.afterwards(() => post(replica, 'unregister/device', fields))
  return asSetup('registering a device', async () =>
    expectObject(await post(replica, 'register/device', fields), 'the device is correct'),
  )
}

/** Values that Web Push does not allow, by parameter. */
const wrongValues: readonly (readonly [name: string, value: string])[] = [
  ['endpoint', 'not a URL'],
  ['endpoint', 'ftp://example.org/x'],
  ['p256dh', 'AAAA'],
  ['p256dh', 'not base64url at all!'],
  ['auth', 'AAAA'],
]

/** Rules of section 4.1: devices (contract, the other operations). Each rule unregisters its devices. */
export const deviceRules: readonly Rule[] = [
  extensionRule({
    id: 'DEVICE-REGISTER-01',
    title: 'MUST register a device and say so in the response',
    section: '4.1',
    requirements: ['K-device-1'],
    faults: ['device-register-response'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      for (const fields of [deviceOf(lab.mark), { type: 'another-service', id: lab.mark }]) {
        const reply = await post(phone, 'register/device', fields)
        expectSame(expectObject(reply, 'type and id are given').registered, true, 'registered', reply)
        await post(phone, 'unregister/device', fields)
      }
    },
  }),
  extensionRule({
    id: 'DEVICE-REGISTER-02',
    title: 'MUST reject a device without type or id, and webpush without its keys',
    section: '4.1',
    requirements: ['K-device-1', 'K-error-1'],
    faults: ['device-type-unchecked'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      for (const name of Object.keys(deviceOf(lab.mark))) {
        const reply = await post(phone, 'register/device', without(deviceOf(lab.mark), name))
        expectError(reply, 400, 'parameter_invalid', `${name} is missing`)
      }
    },
  }),
  extensionRule({
    id: 'DEVICE-ALIAS-01',
    title: 'MUST take device/register and device/unregister as names of the same operations',
    section: '4.1',
    requirements: ['K-device-1'],
    faults: ['device-alias-missing', 'device-unregister-alias-response'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const registered = await post(phone, 'device/register', deviceOf(lab.mark))
      expectSame(
        expectObject(registered, 'it is register/device by another name').registered,
        true,
        'registered',
        registered,
      )
      const unregistered = await post(phone, 'device/unregister', deviceOf(lab.mark))
      expectSame(
        expectObject(unregistered, 'it is unregister/device by another name').unregistered,
        true,
        'unregistered',
        unregistered,
      )
    },
  }),
  extensionRule({
    id: 'DEVICE-UNREGISTER-01',
    title: 'MUST unregister a device and say so in the response',
    section: '4.1',
    requirements: ['K-device-1'],
    faults: ['device-unregister-response', 'device-register-rejected'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      expectObject(await post(phone, 'register/device', deviceOf(lab.mark)), 'the device is correct')
      const reply = await post(phone, 'unregister/device', deviceOf(lab.mark))
      expectSame(expectObject(reply, 'the device was registered').unregistered, true, 'unregistered', reply)
    },
  }),
  extensionRule({
    id: 'DEVICE-KEYS-01',
    title: 'MUST reject a webpush device whose endpoint is no http URL, or whose keys are none',
    section: '4.1',
    requirements: ['K-device-1', 'K-error-1'],
    faults: [
      'device-endpoint-unchecked',
      'device-p256dh-unchecked',
      'device-auth-unchecked',
      'device-register-rejected',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      await registerDevice(lab, phone, deviceOf(lab.mark))
      for (const [name, value] of wrongValues) {
        const reply = await post(phone, 'register/device', { ...deviceOf(lab.mark), [name]: value })
        expectError(reply, 400, 'parameter_invalid', `${name} is ${value}`)
      }
    },
  }),
  extensionRule({
    id: 'DEVICE-DELIVERED-01',
    title: 'MUST say delivered: false for a device of another type than webpush, and only for such',
    section: '4.1',
    requirements: ['K-push-3'],
    faults: ['device-delivered-unsaid', 'device-delivered-always'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      for (const [fields, wanted] of [
        [otherOf(lab.mark), false],
        [deviceOf(lab.mark), undefined],
      ] as const) {
        lab.afterwards(() => post(phone, 'unregister/device', fields))
        const reply = await post(phone, 'register/device', fields)
        const { delivered } = expectObject(reply, 'the device is correct')
        const isRight = delivered === wanted || (wanted === undefined && delivered === true)
        const said = wanted === false ? 'delivered: false' : 'no delivered: false'
        expect(isRight, `${said}, because the type is ${fields.type}`, describeReply(reply), reply)
      }
    },
  }),
  extensionRule({
    id: 'DEVICE-LIST-01',
    title: 'MUST list a device once, however often it is registered, until it is unregistered',
    section: '4.1',
    requirements: ['K-push-4', 'K-push-2'],
    faults: ['device-list-missing', 'device-listed-twice', 'device-list-repeated', 'device-list-keeps-unregistered'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      await registerDevice(lab, phone, deviceOf(lab.mark))
      await registerDevice(lab, phone, { ...deviceOf(lab.mark), endpoint: `https://example.org/${lab.unique()}` })
      const { reply, listed } = await findListed(lab, phone)
      const seen = listed.map(({ type, id }) => `${type} ${id}`)
      expectSame(seen, [`webpush ${lab.mark}`], 'type and id of the devices that this rule registered', reply)
      await post(phone, 'unregister/device', deviceOf(lab.mark))
      const after = await findListed(lab, phone)
      expectSame(after.listed, [], 'devices that are left, because it was unregistered', after.reply)
    },
  }),
  extensionRule({
    id: 'DEVICE-LIST-02',
    title: 'MUST NOT show the endpoint and the keys of a device in device/list',
    section: '4.1',
    requirements: ['K-push-4'],
    faults: ['device-list-with-keys', 'device-list-with-endpoint', 'device-list-missing', 'device-list-empty'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const fields: Fields = { ...deviceOf(lab.mark), endpoint: `https://example.org/push/of-${lab.mark}` }
      await registerDevice(lab, phone, fields)
      const { reply, listed } = await findListed(lab, phone)
      expect(listed.length === 1, 'the device that was registered', describeReply(reply), reply)
      for (const name of ['endpoint', 'p256dh', 'auth'] as const) {
        expect(!reply.text.includes(fields[name] ?? ''), `no ${name} in the list`, 'it stands there', reply)
      }
    },
  }),
  extensionRule({
    id: 'DEVICE-LIST-03',
    title: "MUST NOT list another user's devices",
    section: '4.1',
    requirements: ['K-push-4'],
    faults: ['device-list-of-all-users'],
    check: async (lab) => {
      const otherUser = await lab.otherUser()
      await registerDevice(lab, await lab.replica('phone'), deviceOf(`${lab.mark}1`))
      await registerDevice(lab, otherUser, deviceOf(`${lab.mark}2`))
      const { reply, listed } = await findListed(lab, otherUser)
      const seen = listed.map(({ id }) => id)
      expectSame(seen, [`${lab.mark}2`], 'ids of the devices of this rule that the other user sees', reply)
    },
  }),
  extensionRule({
    id: 'DEVICE-SESSION-01',
    title: 'MUST forget the devices of a session that is revoked',
    section: '4.1',
    requirements: ['K-push-2'],
    faults: ['device-outlives-session', 'device-list-empty'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const { token, revoke } = await openSession(lab)
      const form = Object.entries(deviceOf(lab.mark))
      await asSetup('registering a device', () =>
        lab.present({ path: 'register/device', form }, token, { kind: 'form' }),
      )
      const before = await findListed(lab, phone)
      await asSetup('listing the device', async () =>
        expect(before.listed.length === 1, 'the device in device/list', describeReply(before.reply), before.reply),
      )
      await revoke()
      const after = await findListed(lab, phone)
      expectSame(after.listed, [], 'devices that are left, because their session was revoked', after.reply)
    },
  }),
  extensionRule({
    id: 'DEVICE-KEY-01',
    title: 'MUST respond to device/key with the public key of the server, always the same',
    section: '4.1',
    requirements: ['K-push-5'],
    faults: ['device-key-missing', 'device-key-compressed', 'device-key-again'],
    check: async (lab) => {
      const first = await get(await lab.replica('phone'), 'device/key')
      const { key } = expectObject(first, 'device/key returns the key')
      const bytes = Buffer.from(`${key}`, 'base64url')
      expect(
        bytes.length === 65 && bytes[0] === 4 && /^[\w-]+$/.test(`${key}`),
        'key: 65 bytes as base64url, the uncompressed point of a P-256 key',
        describeReply(first),
        first,
      )
      const second = await get(await lab.replica('laptop'), 'device/key')
      expectSame(second.json?.key, key, 'the same key to another session', second)
    },
  }),
]

const daySeconds = 86_400

/** Registers a webpush device of the replica at the URL as a setup step, and unregisters it after the rule. */
const registerPush = async (lab: Lab, replica: Replica, endpoint: string, id = lab.mark): Promise<PushSubscription> => {
  const subscription = createPushSubscription()
  const fields: Fields = { type: 'webpush', id, endpoint, ...subscription.keys }
  lab.afterwards(() => post(replica, 'unregister/device', fields))
  await asSetup('registering a device', async () =>
    expectObject(await post(replica, 'register/device', fields), 'the device is correct'),
  )
  return subscription
}

/** Takes the next push message of a mailbox. @throws Finding when none comes. */
const takePush = async (lab: Lab, mailbox: Mailbox, because: string): Promise<Delivery> => {
  const { eventMs } = lab.options.timeouts
  const delivery = await mailbox.take(eventMs)
  if (delivery !== undefined) return delivery
  throw new Finding(`a push message at ${mailbox.url}, because ${because}`, `none came within ${eventMs / 1000} s`)
}

/** Reads the position in a push message. @throws Finding without one. */
const readPosition = (lab: Lab, subscription: PushSubscription, delivery: Delivery): number => {
  const opened = subscription.open(delivery)
  const came = 'wrong' in opened ? opened.wrong : showValue(opened.text)
  const json = 'text' in opened ? lab.readJson(opened.text) : undefined
  const pos = isObject(json) ? json.pos : undefined
  expect(typeof pos === 'number', 'a message in aes128gcm (RFC 8291) that decrypts to {"pos": N}', `${came} came`)
  return pos
}

/** Returns the positions of the messages up to the first one that is not before the given position. */
const takePositions = async (
  lab: Lab,
  mailbox: Mailbox,
  subscription: PushSubscription,
  position: number,
  because: string,
): Promise<readonly number[]> => {
  const positions: number[] = []
  for (;;) {
    const pos = readPosition(lab, subscription, await takePush(lab, mailbox, `${because}, which ended at ${position}`))
    positions.push(pos)
    if (pos >= position) return positions
  }
}

/** Registers a device of phone, and waits for the message about a change of laptop. */
const takeFirst = async (
  lab: Lab,
): Promise<{ mailbox: Mailbox; delivery: Delivery; subscription: PushSubscription }> => {
  const mailbox = lab.mailbox(() => ({ status: 201 }))
  const subscription = await registerPush(lab, await lab.replica('phone'), mailbox.url)
  await (await lab.replica('laptop')).create()
  return { mailbox, subscription, delivery: await takePush(lab, mailbox, 'laptop created a thing') }
}

/** Rules of section 6: Web Push (contract, delivery). The suite's receiver is the push service. */
export const pushRules: readonly Rule[] = [
  extensionRule({
    id: 'PUSH-MESSAGE-01',
    title: 'MUST notify a webpush device of a change by an encrypted message that holds the position',
    section: '6',
    requirements: ['K-push-1'],
    faults: [
      'push-never',
      'push-put',
      'push-plain',
      'push-plain-at-first',
      'push-without-secret',
      'push-without-pos',
      'push-old-pos',
    ],
    alone: true,
    check: async (lab) => {
      const laptop = await lab.replica('laptop')
      const { delivery, mailbox, subscription } = await takeFirst(lab)
      expect(delivery.method === 'POST', 'a POST (RFC 8030)', `${delivery.method} came`)
      readPosition(lab, subscription, delivery)
      await laptop.create()
      await takePositions(lab, mailbox, subscription, await laptop.position(), 'laptop created a thing')
    },
  }),
  extensionRule({
    id: 'PUSH-HEADERS-01',
    title: 'MUST send push messages with a day to live and one topic, so that the newest replaces the older',
    section: '6',
    requirements: ['K-push-1'],
    faults: ['push-without-ttl', 'push-ttl-long', 'push-without-topic', 'push-topic-each', 'push-topic-long'],
    alone: true,
    check: async (lab) => {
      const { delivery, mailbox } = await takeFirst(lab)
      const { ttl = 'none', topic = 'none' } = delivery.headers
      expect(Number(ttl) === daySeconds, `TTL: ${daySeconds}`, `${ttl} came`)
      expect(
        /^[\w-]{1,32}$/.test(topic) && topic !== 'none',
        'a Topic of up to 32 characters of base64url',
        `${topic} came`,
      )
      await (await lab.replica('laptop')).create()
      const next = (await takePush(lab, mailbox, 'laptop created another thing')).headers.topic
      expect(next === topic, `the same Topic again, ${topic}`, `${next} came`)
    },
  }),
  extensionRule({
    id: 'PUSH-VAPID-01',
    title: 'MUST sign push messages (RFC 8292) with the key of device/key, for the push service, for a day at most',
    section: '6',
    requirements: ['K-push-1', 'K-push-5'],
    faults: [
      'push-without-vapid',
      'push-vapid-other-key',
      'push-vapid-badly-signed',
      'push-vapid-audience',
      'push-vapid-for-ever',
    ],
    alone: true,
    check: async (lab) => {
      const { delivery, mailbox } = await takeFirst(lab)
      const vapid = readVapid(delivery)
      const given = `${delivery.headers.authorization ?? 'none'} came`
      expect(vapid?.isSigned === true, 'Authorization: vapid t=…, k=…, a token signed by ES256', given)
      const { key } = expectObject(await get(await lab.replica('phone'), 'device/key'), 'it returns the key')
      expect(vapid.key === key, `the key of device/key, ${key}`, `${vapid.key} came`)
      const { aud, exp } = vapid.claims
      const { origin } = new URL(mailbox.url)
      expect(aud === origin, `aud ${origin}, the origin of the endpoint`, `${showValue(aud)} came`)
      // Clocks may differ by a few minutes.
      const left = Number(exp) - delivery.date
      const isSoon = left > -300 && left <= daySeconds + 300
      expect(isSoon, 'exp within the next 24 hours', `${showValue(exp)} came, in ${Math.round(left)} s`)
    },
  }),
  extensionRule({
    id: 'PUSH-OWN-01',
    title: "MUST NOT notify a device of its own session's changes",
    section: '6',
    requirements: ['K-push-1'],
    faults: ['push-own-changes'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const [mine, theirs] = [lab.mailbox(() => ({ status: 201 })), lab.mailbox(() => ({ status: 201 }))]
      const subscription = await registerPush(lab, phone, mine.url)
      await registerPush(lab, laptop, theirs.url, `${lab.mark}2`)
      await phone.create()
      await takePush(lab, theirs, 'phone created a thing')
      await laptop.create()
      const notified = await takePositions(lab, mine, subscription, await laptop.position(), 'laptop created a thing')
      expect(notified.length === 1, "one message, of laptop's change, and none of phone's own", `${notified} came`)
    },
  }),
  extensionRule({
    id: 'PUSH-USER-01',
    title: "MUST NOT notify a device of another user's changes",
    section: '6',
    requirements: ['K-push-1'],
    faults: ['push-told-of-all-users'],
    alone: true,
    check: async (lab) => {
      const otherUser = await lab.otherUser()
      const other = await lab.otherUser('other-user-2')
      const [mine, theirs] = [lab.mailbox(() => ({ status: 201 })), lab.mailbox(() => ({ status: 201 }))]
      const subscription = await registerPush(lab, await lab.replica('phone'), mine.url)
      await registerPush(lab, otherUser, theirs.url)
      await other.create()
      await takePush(lab, theirs, 'other-user-2 created a thing')
      const laptop = await lab.replica('laptop')
      await laptop.create()
      const notified = await takePositions(lab, mine, subscription, await laptop.position(), 'laptop created a thing')
      expect(notified.length === 1, "one message, of laptop's change, and none of other-user-2's", `${notified} came`)
    },
  }),
  extensionRule({
    id: 'PUSH-GONE-01',
    title: 'MUST remove a device whose push service responds with 404 or 410',
    section: '6',
    requirements: ['K-push-2'],
    faults: ['push-gone-kept', 'push-missing-kept'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const removed = [404, 410].map((status) => ({
        status,
        id: `${lab.mark}${status}`,
        mailbox: lab.mailbox(() => ({ status })),
      }))
      for (const { id, mailbox } of removed) await registerPush(lab, phone, mailbox.url, id)
      await (await lab.replica('laptop')).create()
      for (const { mailbox } of removed) await takePush(lab, mailbox, 'laptop created a thing')
      const until = performance.now() + lab.options.timeouts.eventMs
      for (;;) {
        const reply = await get(phone, 'device/list')
        const left = expectArray(reply, 'it lists devices').map(({ id }) => `${id}`)
        const [kept] = removed.filter(({ id }) => left.includes(id))
        if (kept === undefined) return
        const expected = `device/list without the device whose push service responded with ${kept.status}`
        expect(performance.now() < until, expected, 'it is listed', reply)
        await pause(50)
      }
    },
  }),
  extensionRule({
    id: 'PUSH-AGAIN-01',
    title: 'MUST send only to the last endpoint that was registered under an id',
    section: '6',
    requirements: ['K-push-2'],
    faults: ['push-to-old-address', 'push-to-all-addresses'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const [old, current] = [lab.mailbox(() => ({ status: 201 })), lab.mailbox(() => ({ status: 201 }))]
      await registerPush(lab, phone, old.url)
      const subscription = await registerPush(lab, phone, current.url)
      // The second change comes after the message about the first one, at either URL.
      for (const which of ['a', 'another']) {
        await laptop.create()
        await takePositions(lab, current, subscription, await laptop.position(), `laptop created ${which} thing`)
      }
      const came = old.deliveries.length
      expect(came === 0, 'nothing at the URL that was replaced', `${came} messages came`)
    },
  }),
]
