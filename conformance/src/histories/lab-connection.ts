import type { RawRequest } from '../client.ts'
import { Finding } from '../finding.ts'
import type { Lab } from '../lab.ts'
import { readAccessToken } from '../sessions.ts'
import type { Connection } from './connection.ts'
import type { ReplicaName } from './plan.ts'

interface OwnPair {
  readonly access: string
  readonly request: string
  /** When a new grant is due, by `performance.now()`. */
  readonly until: number
}

/**
 * Lets a lab's replicas play histories. A replica works with the lab's session until it refreshes for the first time; then
 * it takes a pair of its own, because the lab's tokens serve other rules later.
 */
export const openLabConnection = (lab: Lab): Connection => {
  const pairs = new Map<ReplicaName, OwnPair>()

  const grant = async (changes: Readonly<Record<string, string>> = {}): Promise<OwnPair> => {
    const reply = await lab.token(changes)
    const access = readAccessToken(reply)
    const request = reply.json?.request_token
    if (typeof request !== 'string') {
      throw new Finding('the grant to be answered with a request_token', 'there is none', reply.exchange)
    }
    const seconds = Number(reply.json?.expires_in)
    return { access, request, until: performance.now() + (seconds > 0 ? seconds : 3600) * 700 }
  }

  const ownPair = async (who: ReplicaName): Promise<OwnPair | undefined> => {
    const pair = pairs.get(who)
    if (pair === undefined || performance.now() < pair.until) return pair
    const renewed = await grant()
    pairs.set(who, renewed)
    return renewed
  }

  return {
    sync: async (who, parameters, kind) => {
      const body = kind === 'upload' ? { form: parameters } : { query: parameters }
      const request: RawRequest = { who, path: 'sync', ...body }
      const pair = await ownPair(who)
      if (pair === undefined) return (await lab.replica(who)).send(request)
      return lab.present(request, pair.access, { kind: kind === 'upload' ? 'form' : 'query' })
    },
    refresh: async (who) => {
      const { request } = (await ownPair(who)) ?? (await grant())
      pairs.set(who, await grant({ grant_type: 'refresh_token', refresh_token: request }))
    },
  }
}
