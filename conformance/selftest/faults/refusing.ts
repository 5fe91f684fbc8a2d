import type { Behaviour } from '../server/behaviour.ts'
import { Refusal } from '../server/refusal.ts'
import type { Exchange } from '../server/right-requests.ts'

/** Some requests answered as unknown operations. */
export function refusing(matches: (exchange: Exchange) => boolean): Partial<Behaviour> {
  return {
    parameters: (all, exchange) => {
      if (matches(exchange)) throw new Refusal('operation-unknown', 'there is no such operation')
      return all
    },
  }
}
