import { expect } from '../../expect.ts'
import { coreSection } from './core-rules.ts'

/** Requests that the rule sends itself, so that it can be judged alone. */
const looks = 20

/** Errors that come and go (interface 4.3, 7): counted over the whole run and said once. */
export const steadinessRules = coreSection('4.3', [
  {
    id: 'SYNC-STEADY-01',
    title: 'MUST NOT answer a request with a server error that works when it is sent again',
    basis: 'derived',
    clauses: ['C-4.3-1'],
    faults: ['server-error-now-and-then'],
    last: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      for (let count = 0; count < looks; count += 1) await phone.sync({ from })
      const { wobbles } = lab.incidents()
      const [first] = wobbles
      const expected = 'no answer of 5xx in the whole run to a request that is answered otherwise a moment later'
      const came = `${wobbles.length} came, the first with status ${first?.status} to ${first?.method} ${first?.url}`
      expect(first === undefined, expected, came, first === undefined ? undefined : { exchange: first })
    },
  },
])
