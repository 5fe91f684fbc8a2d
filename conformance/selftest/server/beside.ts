import type { RunningExchange } from './behaviour.ts'
import type { Reply } from './right-requests.ts'
import { findParameter } from './right-requests.ts'

/** What lies beside the version segment; undefined for anything else. */
export function answerBeside(exchange: RunningExchange): Reply | undefined {
  const { world, path, host, query } = exchange
  if (path === '/.well-known/oauth-authorization-server') {
    return { status: 200, headers: {}, body: world.behaviour.metadata(`http://${host}`) }
  }
  if (path !== '/authorize') return undefined
  const isKnown = findParameter(query, 'client_id') === world.clientId
  const redirect = String(findParameter(query, 'redirect_uri') ?? '')
  return world.behaviour.authorizeUnknown(isKnown ? 'redirect' : 'app', redirect)
}
