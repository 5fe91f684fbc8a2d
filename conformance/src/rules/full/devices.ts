import { expectSame } from '../../expect.ts'
import type { Rule } from '../../rule.ts'
import { expectError, expectObject, type Fields, post, without } from './answers.ts'
import { decided } from './decided.ts'

const deviceOf = (mark: string): Fields => ({
  type: 'webpush',
  id: mark,
  endpoint: `https://example.org/${mark}`,
  p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
  auth: 'tBHItJI5svbpez7KI4CCXg',
})

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
]
