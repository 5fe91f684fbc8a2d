import { expect, expectThing } from '../../expect.ts'
import type { Pair } from '../../form.ts'
import { readAccessToken } from '../../sessions.ts'
import { readSyncAnswer } from '../../sync-answer.ts'
import { coreSection } from './core-rules.ts'
import { grant } from './transport-4-3.ts'

/** Parameters in another order than usual (interface 4.2, 4.3). */
export const transportOrderRules = coreSection('4.3', [
  {
    id: 'WIRE-ORDER-01',
    title: 'MUST read parameters in whatever order they come',
    clauses: ['C-4.3-2', 'C-5.3-3', 'C-4.2-1'],
    basis: 'derived',
    faults: [
      'form-token-only-last',
      'form-token-only-first',
      'from-only-first',
      'limit-first-lists-none',
      'grant-type-only-first',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const old = await phone.create()
      const from = await laptop.position()
      const id = await phone.create()
      const token: Pair = ['access_token', await phone.token()]
      const others: Pair[] = [
        ['limit', '500'],
        ['from', `${from}`],
      ]
      for (const form of [
        [token, ...others],
        [...others, token],
        [others[0] ?? token, token, others[1] ?? token],
      ]) {
        const answer = readSyncAnswer(
          await lab.request({ path: 'sync', form }),
          `a sync with ${form.map(([name]) => name).join(', ')}`,
        )
        expectThing(answer, id, `phone created it after ${from}`)
        expect(!answer.things.has(old), `no ${old}, created before ${from}`, 'it is listed', answer)
      }
      readAccessToken(await lab.request({ path: 'token', form: grant(lab).reverse() }))
    },
  },
  {
    id: 'WIRE-ORDER-02',
    title: 'MUST read the parameters of a GET in whatever order they come',
    clauses: ['C-4.3-1', 'C-5.3-2'],
    basis: 'derived',
    faults: [
      'from-only-first-in-query',
      'from-only-last-in-query',
      'query-token-only-first',
      'limit-first-in-query-lists-none',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const old = await phone.create()
      const from: Pair = ['from', `${await laptop.position()}`]
      const id = await phone.create()
      const token: Pair = ['access_token', await phone.token()]
      const limit: Pair = ['limit', '500']
      for (const query of [
        [token, from, limit],
        [from, limit, token],
        [limit, token, from],
      ]) {
        const names = query.map(([name]) => name).join(', ')
        const answer = readSyncAnswer(await lab.request({ path: 'sync', query }), `a GET with ${names}`)
        expectThing(answer, id, `phone created it after ${from[1]}`)
        expect(!answer.things.has(old), `no ${old}, created before ${from[1]} (${names})`, 'it is listed', answer)
      }
    },
  },
])
