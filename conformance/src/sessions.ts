import type { Client, Reply } from './client.ts'
import { Blocked, Finding } from './finding.ts'
import type { Pair } from './form.ts'
import { showValue } from './json.ts'
import type { Exchange } from './result.ts'
import type { Target } from './target.ts'

/** A pair of tokens of one user, leased to one replica at a time. */
export interface Session {
  /** Place of the user in the target's list, from 0. */
  readonly user: number
  /** The access token; a new grant is taken when its validity is nearly over. */
  readonly token: (record: (exchange: Exchange) => void) => Promise<string>
}

/** Sessions that are kept and lent again, so that a run of a hundred rules does not ask for hundreds of grants. */
export interface SessionPool {
  readonly lease: (user: number) => Session
  readonly giveBack: (session: Session) => void
  /** Tokens that were given so far are used no more. */
  readonly renew: () => void
}

/** Parameters of a correct password grant of the user (interface 5.1). */
export const writePasswordGrant = (target: Target, user: number): Pair[] => {
  const credentials = target.users[user]
  if (credentials === undefined) throw new Blocked(`this needs credentials of ${user + 1} users`)
  return [
    ['grant_type', 'password'],
    ['client_id', target.clientId],
    ['client_secret', target.clientSecret],
    ['username', credentials.username],
    ['password', credentials.password],
  ]
}

/** The access token of a token answer; throws a Finding when there is none. */
export const readAccessToken = (reply: Reply): string => {
  const token = reply.json?.access_token
  if (typeof token === 'string' && token !== '' && reply.error === undefined) return token
  const came =
    reply.json === undefined ? `${reply.status} without a JSON object` : `${reply.status} ${showValue(reply.json)}`
  throw new Finding('the token endpoint to answer the grant with an access_token', came, reply.exchange)
}

/** Share of `expires_in` after which a token is replaced. */
const usableShare = 0.7

/** Makes an empty pool; tokens are asked for when first needed. */
export const createSessionPool = (client: Client, target: Target): SessionPool => {
  const idle: Session[] = []
  let generation = 0
  const createSession = (user: number): Session => {
    let current: { token: string; until: number; generation: number } | undefined
    let asked: Promise<string> | undefined
    const ask = async (record: (exchange: Exchange) => void): Promise<string> => {
      const reply = await client.send({ path: 'token', form: writePasswordGrant(target, user) }, record)
      const token = readAccessToken(reply)
      const seconds = Number(reply.json?.expires_in)
      const validMs = (seconds > 0 ? seconds : 3600) * 1000
      current = { token, until: performance.now() + validMs * usableShare, generation }
      return token
    }
    return {
      user,
      token: async (record) => {
        const isUsable = current?.generation === generation && performance.now() < current.until
        if (current !== undefined && isUsable) return current.token
        asked ??= ask(record).finally(() => {
          asked = undefined
        })
        return asked
      },
    }
  }
  return {
    lease: (user) => {
      const index = idle.findIndex((session) => session.user === user)
      return idle.splice(index, index === -1 ? 0 : 1)[0] ?? createSession(user)
    },
    giveBack: (session) => {
      idle.push(session)
    },
    renew: () => {
      generation += 1
    },
  }
}
