import { findParameter, type Reply, type RunningExchange, type RunningState } from './behavior.ts'
import { throwError } from './request.ts'
import { ApiError, type Pair, type ServerState, type Session } from './state.ts'

/** Reads a required parameter of the token endpoint. */
function required(exchange: RunningExchange, name: string): string {
  const value = findParameter(exchange.body, name)
  if (typeof value !== 'string' || value === '') throwError(exchange.state, 'grant-request', `${name} is required`)
  return String(value)
}

/** Reads client id and secret, from the form or from HTTP Basic (RFC 6749, 2.3.1). */
function readClient(exchange: RunningExchange, grant: string): readonly [id: string, secret: string] {
  const basic = /^Basic\s+(.+)$/i.exec(exchange.authorization ?? '')?.[1]
  if (basic === undefined || !exchange.state.behavior.readsBasic) {
    const id = required(exchange, 'client_id')
    // In the authorization code grant the client may be a public client.
    const isOptional = grant === 'authorization_code' && findParameter(exchange.body, 'client_secret') === undefined
    return [id, isOptional ? '' : required(exchange, 'client_secret')]
  }
  const text = Buffer.from(basic, 'base64').toString('utf8')
  const [id = '', secret = ''] = text.split(':').map((part) => new URLSearchParams(`x=${part}`).get('x') ?? '')
  return [id, secret]
}

/** Authenticates the client and returns its id. */
function checkClient(exchange: RunningExchange, grant: string): string {
  const [id, secret] = readClient(exchange, grant)
  if (!exchange.state.behavior.clientAccepted(exchange.state, id, secret, grant)) {
    throwError(exchange.state, 'grant-client', 'client_id or client_secret is wrong', { 'www-authenticate': 'Basic' })
  }
  return id
}

/** Creates a pair of tokens in a session, and the response with it (interface 5.2). */
function issue(state: RunningState, session: Session, parent: Pair | undefined): Reply {
  const { newToken, tokenResponse, tokenHeaders } = state.behavior
  const access = newToken('access', session.username, parent?.access)
  const request = newToken('request', session.username, parent?.request)
  session.pairs.push({ access, request, parent, used: false })
  const body = {
    access_token: access,
    expires_in: 3600,
    request_token: request,
    refresh_token: request,
    token_type: 'bearer',
    scope: null,
  }
  return { status: 200, headers: tokenHeaders, body: tokenResponse(body, session) }
}

/** Creates a session of the user, without tokens. */
export function openSession(state: ServerState, username: string, clientId: string = state.clientId): Session {
  const maps = { uploads: new Map(), pages: new Map(), memory: new Map() }
  const session: Session = { username, pairs: [], revoked: false, clientId, waiting: 0, ...maps }
  state.sessions.push(session)
  return session
}

function grantPassword(exchange: RunningExchange, clientId: string): Reply {
  const { state } = exchange
  const [username, password] = [required(exchange, 'username'), required(exchange, 'password')]
  const account = state.behavior.findAccount(state, username)
  if (!state.behavior.passwordAccepted(account, password) || account === undefined) {
    throw new ApiError('grant-rejected', 'username or password is wrong')
  }
  return issue(state, openSession(state, account.username, clientId), undefined)
}

function grantRefresh(exchange: RunningExchange, clientId: string): Reply {
  const { state } = exchange
  const token = required(exchange, state.behavior.refreshParameter)
  const found = state.behavior.findRequestToken(state, token)
  if (found === undefined || !state.behavior.ownsSession(found.session, clientId, 'refresh')) {
    throw new ApiError('grant-rejected', 'the refresh token is invalid')
  }
  const successors = found.session.pairs.filter(({ parent }) => parent === found.pair)
  const tolerates = state.behavior.toleratesLostRefresh
  if (successors.some(({ used }) => used || !tolerates) && state.behavior.endsReusedSession) {
    found.session.revoked = true
    throw new ApiError('grant-rejected', 'the refresh token was used before; the session has ended')
  }
  found.pair.used = true
  return issue(state, state.behavior.refreshedSession(found, state), found.pair)
}

function grantCode(exchange: RunningExchange): Reply {
  const code = findParameter(exchange.body, 'code')
  if (typeof code !== 'string' || code === '') throwError(exchange.state, 'code-missing', 'code is required')
  return exchange.state.behavior.codeGranted(exchange)
}

/** The token endpoint (interface 5; contract, token). */
export function respondToToken(exchange: RunningExchange): Reply {
  const { state } = exchange
  if (!state.behavior.tokenReadsForm || exchange.contentType !== 'application/x-www-form-urlencoded') {
    throwError(state, 'content-type', 'send application/x-www-form-urlencoded')
  }
  const grant = state.behavior.grantType(required(exchange, 'grant_type'))
  if (!['password', 'refresh_token', 'authorization_code'].includes(grant)) {
    throw new ApiError('grant-unknown', 'grant_type is not supported')
  }
  const clientId = checkClient(exchange, grant)
  if (grant === 'password') return grantPassword(exchange, clientId)
  if (grant === 'refresh_token') return grantRefresh(exchange, clientId)
  return grantCode(exchange)
}

function endSession(state: RunningState, session: Session): void {
  session.revoked = true
  if (!state.behavior.endsDevices) return
  for (const { devices } of state.accounts.values()) {
    for (const [key, device] of devices) if (device.session === session) devices.delete(key)
  }
}

/** Revocation (RFC 7009): the token's session ends; an unknown token is no error. */
export function respondToRevoke(exchange: RunningExchange): Reply {
  const { state } = exchange
  const token = required(exchange, 'token')
  const clientId = checkClient(exchange, 'revoke')
  const session = state.sessions.find(({ pairs }) =>
    pairs.some(({ access, request }) => access === token || request === token),
  )
  const isOwn = session !== undefined && state.behavior.ownsSession(session, clientId, 'revoke')
  if (isOwn && state.behavior.revokes) endSession(state, session)
  return { status: 200, headers: {}, body: {} }
}

/** Handles paths beside the version segment; undefined for any other path. */
export function respondBeside(exchange: RunningExchange): Reply | undefined {
  const { state, path, host, query } = exchange
  if (path === '/.well-known/oauth-authorization-server') {
    return { status: 200, headers: {}, body: state.behavior.metadata(`http://${host}`) }
  }
  if (path !== '/authorize') return undefined
  const isKnown = findParameter(query, 'client_id') === state.clientId
  const redirect = String(findParameter(query, 'redirect_uri') ?? '')
  return state.behavior.authorizeUnknown(isKnown ? 'redirect' : 'app', redirect)
}
