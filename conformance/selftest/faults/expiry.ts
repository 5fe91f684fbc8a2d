import { randomBytes } from 'node:crypto'
import { type Behaviour, right } from '../server/behaviour.ts'
import type { Exchange, TokenWay } from '../server/right-requests.ts'
import type { JsonObject } from '../server/world.ts'
import { type Fault, fault, grants } from './fault.ts'

const { findAccessToken } = right
const ways: readonly TokenWay[] = ['header', 'query', 'form']
const validSeconds = 1

/** How old a token of these servers is, which it says itself. */
function ageOf(token: string): number {
  const [, issued] = token.split('.')
  return Date.now() - Number(issued)
}

/** A server whose tokens expire after a second, unless `outlives` says so. */
function expiring(outlives: (token: string, way: TokenWay) => boolean): Partial<Behaviour> {
  return {
    ...grants((answer) => ({ ...answer, expires_in: validSeconds })),
    newToken: (_kind, _username, previous) =>
      `${randomBytes(18).toString('base64url')}.${Date.now()}${previous === undefined ? '' : '.refreshed'}`,
    findAccessToken: (world, token, way, exchange) => {
      const isOver = ageOf(token) > validSeconds * 1000 && !outlives(token, way)
      return isOver ? undefined : findAccessToken(world, token, way, exchange)
    },
  }
}

function presented({ authorization, query, body }: Exchange): string {
  const parameter = [...query, ...body].find(([name]) => name === 'access_token')?.[1]
  return String(parameter ?? authorization ?? '')
}

/** Access tokens whose time is over (interface 5.3, 7, 8). */
export const expiryFaults: readonly Fault[] = [
  ...ways.flatMap((way): Fault[] => [
    fault(
      `token-outlives-in-${way}`,
      `takes expired tokens (${way})`,
      expiring((_token, given) => given === way),
    ),
    fault(`token-expired-differs-in-${way}`, `has an error of its own for expired tokens (${way})`, {
      ...expiring(() => false),
      reply: (reply, exchange) => {
        const isExpired = reply.status === 401 && exchange.way === way && presented(exchange).includes('.')
        const body = { ...(reply.body as JsonObject), error: 'expired_token' }
        return isExpired ? { ...reply, body } : reply
      },
    }),
  ]),
  fault('token-expired-from-the-start', 'gives tokens that have expired, and says that they are valid for a second', {
    ...expiring(() => false),
    findAccessToken: () => undefined,
  }),
  fault(
    'token-refreshed-outlives',
    'notes no end for the tokens of a refresh',
    expiring((token) => token.endsWith('.refreshed')),
  ),
]
