import { expect, expectSame } from '../../expect.ts'
import { asSetup } from '../../finding.ts'
import type { Lab } from '../../lab.ts'
import type { Replica } from '../../replica.ts'
import type { Rule } from '../../rule.ts'
import { describeReply, expectArray, expectError, expectObject, type Fields, get, post, without } from './answers.ts'
import { decided } from './decided.ts'
import { openSession } from './live-steps.ts'

const deviceOf = (mark: string): Fields => ({
  type: 'webpush',
  id: mark,
  endpoint: `https://example.org/${mark}`,
  p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
  auth: 'tBHItJI5svbpez7KI4CCXg',
})

/** A device of a push service that this project does not know. */
const otherOf = (mark: string): Fields => ({ type: 'another-service', id: mark })

/** The devices of this rule, as device/list shows them to the replica. */
const findListed = async (lab: Lab, replica: Replica) => {
  const reply = await get(replica, 'device/list')
  const all = expectArray(reply, 'device/list answers a list')
  return { reply, listed: all.filter(({ id }) => `${id}`.startsWith(lab.mark)) }
}

/** Registers a device as a preparing step and unregisters it when the rule is over. */
const registerDevice = (lab: Lab, replica: Replica, fields: Fields): Promise<unknown> => {
  lab.afterwards(() => post(replica, 'unregister/device', fields))
  return asSetup('registering a device', async () =>
    expectObject(await post(replica, 'register/device', fields), 'the device is correct'),
  )
}

/** Values that Web Push cannot have, by parameter. */
const wrongValues: readonly (readonly [name: string, value: string])[] = [
  ['endpoint', 'not an address'],
  ['endpoint', 'ftp://example.org/x'],
  ['p256dh', 'AAAA'],
  ['p256dh', 'not base64url at all!'],
  ['auth', 'AAAA'],
]

/** Rules of section 4.1: devices (contract, the other operations). What is registered is unregistered again. */
export const deviceRules: readonly Rule[] = [
  decided({
    id: 'DEVICE-REGISTER-01',
    title: 'MUST register a device and answer so',
    section: '4.1',
    clauses: ['K-device-1'],
    faults: ['device-register-answer'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      for (const fields of [deviceOf(lab.mark), { type: 'another-service', id: lab.mark }]) {
        const reply = await post(phone, 'register/device', fields)
        expectSame(expectObject(reply, 'type and id are given').registered, true, 'registered', reply)
        await post(phone, 'unregister/device', fields)
      }
    },
  }),
  decided({
    id: 'DEVICE-REGISTER-02',
    title: 'MUST refuse a device without type or id, and webpush without its keys',
    section: '4.1',
    clauses: ['K-device-1', 'K-error-1'],
    faults: ['device-type-unchecked'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      for (const name of Object.keys(deviceOf(lab.mark))) {
        const reply = await post(phone, 'register/device', without(deviceOf(lab.mark), name))
        expectError(reply, 400, 'parameter_invalid', `${name} is missing`)
      }
    },
  }),
  decided({
    id: 'DEVICE-ALIAS-01',
    title: 'MUST take device/register and device/unregister as names of the same operations',
    section: '4.1',
    clauses: ['K-device-1'],
    faults: ['device-alias-missing', 'device-unregister-alias-answer'],
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
  decided({
    id: 'DEVICE-UNREGISTER-01',
    title: 'MUST unregister a device and answer so',
    section: '4.1',
    clauses: ['K-device-1'],
    faults: ['device-unregister-answer', 'device-register-refused'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      expectObject(await post(phone, 'register/device', deviceOf(lab.mark)), 'the device is correct')
      const reply = await post(phone, 'unregister/device', deviceOf(lab.mark))
      expectSame(expectObject(reply, 'the device was registered').unregistered, true, 'unregistered', reply)
    },
  }),
  decided({
    id: 'DEVICE-KEYS-01',
    title: 'MUST refuse a webpush device whose endpoint is no http address, or whose keys are none',
    section: '4.1',
    clauses: ['K-device-1', 'K-error-1'],
    faults: [
      'device-endpoint-unchecked',
      'device-p256dh-unchecked',
      'device-auth-unchecked',
      'device-register-refused',
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
  decided({
    id: 'DEVICE-DELIVERED-01',
    title: 'MUST say delivered: false for a device of another type than webpush, and only for such',
    section: '4.1',
    clauses: ['K-push-3'],
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
  decided({
    id: 'DEVICE-LIST-01',
    title: 'MUST list a device once, however often it is registered, until it is unregistered',
    section: '4.1',
    clauses: ['K-push-4', 'K-push-2'],
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
  decided({
    id: 'DEVICE-LIST-02',
    title: 'MUST NOT show the address and the keys of a device in device/list',
    section: '4.1',
    clauses: ['K-push-4'],
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
  decided({
    id: 'DEVICE-LIST-03',
    title: "MUST NOT list another user's devices",
    section: '4.1',
    clauses: ['K-push-4'],
    faults: ['device-list-of-all-users'],
    check: async (lab) => {
      const stranger = await lab.stranger()
      await registerDevice(lab, await lab.replica('phone'), deviceOf(`${lab.mark}1`))
      await registerDevice(lab, stranger, deviceOf(`${lab.mark}2`))
      const { reply, listed } = await findListed(lab, stranger)
      const seen = listed.map(({ id }) => id)
      expectSame(seen, [`${lab.mark}2`], 'ids of the devices of this rule that stranger sees', reply)
    },
  }),
  decided({
    id: 'DEVICE-SESSION-01',
    title: 'MUST forget the devices of a session that is revoked',
    section: '4.1',
    clauses: ['K-push-2'],
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
  decided({
    id: 'DEVICE-KEY-01',
    title: 'MUST answer device/key with the public key of the server, always the same',
    section: '4.1',
    clauses: ['K-push-5'],
    faults: ['device-key-missing', 'device-key-compressed', 'device-key-anew'],
    check: async (lab) => {
      const first = await get(await lab.replica('phone'), 'device/key')
      const { key } = expectObject(first, 'device/key answers the key')
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
