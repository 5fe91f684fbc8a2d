import { expect, expectSame } from '../../expect.ts'
import type { Rule } from '../../rule.ts'
import { describeReply, expectObject, expectPosition, get, post } from './answers.ts'
import { decided } from './decided.ts'

/** Rules of section 4.1: user/get and test (contract, the other operations). */
export const userRules: readonly Rule[] = [
  decided({
    id: 'USER-GET-01',
    title: "MUST answer user/get with the user's name",
    section: '4.1',
    clauses: ['K-user-1'],
    faults: ['user-get-other-name'],
    check: async (lab) => {
      const reply = await get(await lab.replica('phone'), 'user/get')
      expectSame(
        expectObject(reply, 'user/get answers the user').username,
        lab.target.users[0]?.username,
        'username',
        reply,
      )
    },
  }),
  decided({
    id: 'USER-GET-02',
    title: 'MUST answer user/get with the date of creation in Unix time',
    section: '4.1',
    clauses: ['K-user-1'],
    faults: ['user-get-date-missing'],
    check: async (lab) => {
      const reply = await get(await lab.replica('phone'), 'user/get')
      const { date } = expectObject(reply, 'user/get answers the user')
      const isPast = typeof date === 'number' && date <= Date.now() / 1000 + 86_400
      expect(isPast, 'date, a number of seconds that is not in the future', describeReply(reply), reply)
    },
  }),
  decided({
    id: 'USER-GET-03',
    title: 'MUST answer user/get with the current position',
    section: '4.1',
    clauses: ['K-user-1'],
    faults: ['user-get-pos-missing'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const before = await phone.position()
      const reply = await get(phone, 'user/get')
      const { pos } = expectObject(reply, 'user/get answers the user')
      expectPosition(pos, before, reply)
    },
  }),
  decided({
    id: 'USER-GET-04',
    title: 'MUST answer user/get with the number of things',
    section: '4.1',
    clauses: ['K-user-1'],
    faults: ['user-get-thing-count-missing'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const before = expectObject(await get(phone, 'user/get'), 'user/get answers the user').thingCount
      const [gone = ''] = await phone.createMany([{}, {}, { archived: true }])
      await phone.remove(gone)
      const reply = await get(phone, 'user/get')
      const { thingCount } = expectObject(reply, 'user/get answers the user')
      expectSame(thingCount, Number(before) + 2, 'thingCount, three things being created and one deleted', reply)
    },
  }),
  decided({
    id: 'USER-TEST-01',
    title: "MUST answer test with the user's name, to GET and to POST",
    section: '4.1',
    clauses: ['K-user-2'],
    faults: ['test-user-missing'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      for (const reply of [await get(phone, 'test'), await post(phone, 'test')]) {
        expectSame(expectObject(reply, 'the token is valid').user, lab.target.users[0]?.username, 'user', reply)
      }
    },
  }),
]
