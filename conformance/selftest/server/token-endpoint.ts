import type { RunningExchange, RunningWorld } from './behaviour.ts'
import { Refusal } from './refusal.ts'
import type { Reply } from './right-requests.ts'
import { findParameter } from './right-requests.ts'
import { refuse } from './values.ts'
import type { Pair, Session, World } from './world.ts'

/** A required parameter of the token endpoint. */
function required(exchange: RunningExchange, name: string): string {
  const value = findParameter(exchange.body, name)
  if (typeof value !== 'string' || value === '') refuse(exchange.world, 'grant-request', `${name} is required`)
  return String(value)
}

/** Client id and secret, from the form or from HTTP Basic (RFC 6749, 2.3.1). */
function readClient(exchange: RunningExchange, grant: string): readonly [id: string, secret: string] {
  const basic = /^Basic\s+(.+)$/i.exec(exchange.authorization ?? '')?.[1]
  if (basic === undefined || !exchange.world.behaviour.readsBasic) {
    const id = required(exchange, 'client_id')
    // With a code the client may be one that has no secret.
    const isOptional = grant === 'authorization_code' && findParameter(exchange.body, 'client_secret') === undefined
    return [id, isOptional ? '' : required(exchange, 'client_secret')]
  }
  const text = Buffer.from(basic, 'base64').toString('utf8')
  const [id = '', secret = ''] = text.split(':').map((part) => new URLSearchParams(`x=${part}`).get('x') ?? '')
  return [id, secret]
}

/** The id of the client, whose secret is right. */
function checkClient(exchange: RunningExchange, grant: string): string {
  const [id, secret] = readClient(exchange, grant)
  if (!exchange.world.behaviour.clientAccepted(exchange.world, id, secret, grant)) {
    refuse(exchange.world, 'grant-client', 'client_id or client_secret is wrong', { 'www-authenticate': 'Basic' })
  }
  return id
}

/** A new pair in a session, and the answer that tells it (interface 5.2). */
function issue(world: RunningWorld, session: Session, parent: Pair | undefined): Reply {
  const { newToken, tokenAnswer, tokenHeaders } = world.behaviour
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
  return { status: 200, headers: tokenHeaders, body: tokenAnswer(body, session) }
}

/** A session of the user, still without tokens. */
export function openSession(world: World, username: string, clientId: string = world.clientId): Session {
  const maps = { uploads: new Map(), pages: new Map(), memory: new Map() }
  const session: Session = { username, pairs: [], revoked: false, clientId, waiting: 0, ...maps }
  world.sessions.push(session)
  return session
}

function grantPassword(exchange: RunningExchange, clientId: string): Reply {
  const { world } = exchange
  const [username, password] = [required(exchange, 'username'), required(exchange, 'password')]
  const account = world.behaviour.findAccount(world, username)
  if (!world.behaviour.passwordAccepted(account, password) || account === undefined) {
    throw new Refusal('grant-refused', 'username or password is wrong')
  }
  return issue(world, openSession(world, account.username, clientId), undefined)
}

function grantRefresh(exchange: RunningExchange): Reply {
  const { world } = exchange
  const token = required(exchange, world.behaviour.refreshParameter)
  const found = world.behaviour.findRequestToken(world, token)
  if (found === undefined) throw new Refusal('grant-refused', 'the request token is invalid')
  const successors = found.session.pairs.filter(({ parent }) => parent === found.pair)
  const tolerates = world.behaviour.toleratesLostRefresh
  if (successors.some(({ used }) => used || !tolerates) && world.behaviour.endsReusedSession) {
    found.session.revoked = true
    throw new Refusal('grant-refused', 'the request token was used before; the session has ended')
  }
  found.pair.used = true
  return issue(world, world.behaviour.refreshedSession(found, world), found.pair)
}

function grantCode(exchange: RunningExchange): Reply {
  const code = findParameter(exchange.body, 'code')
  if (typeof code !== 'string' || code === '') refuse(exchange.world, 'code-missing', 'code is required')
  return exchange.world.behaviour.codeGranted(exchange)
}

/** The token endpoint (interface 5; contract, token). */
export function answerToken(exchange: RunningExchange): Reply {
  const { world } = exchange
  if (!world.behaviour.tokenReadsForm || exchange.contentType !== 'application/x-www-form-urlencoded') {
    refuse(world, 'content-type', 'send application/x-www-form-urlencoded')
  }
  const grant = world.behaviour.grantType(required(exchange, 'grant_type'))
  if (!['password', 'refresh_token', 'authorization_code'].includes(grant)) {
    throw new Refusal('grant-unknown', 'grant_type is not supported')
  }
  const clientId = checkClient(exchange, grant)
  if (grant === 'password') return grantPassword(exchange, clientId)
  if (grant === 'refresh_token') return grantRefresh(exchange)
  return grantCode(exchange)
}

function endSession(world: RunningWorld, session: Session): void {
  session.revoked = true
  if (!world.behaviour.endsDevices) return
  for (const { devices } of world.accounts.values()) {
    for (const [key, device] of devices) if (device.session === session) devices.delete(key)
  }
}

/** Revocation (RFC 7009): the token's session ends; an unknown token is no error. */
export function answerRevoke(exchange: RunningExchange): Reply {
  const { world } = exchange
  const token = required(exchange, 'token')
  checkClient(exchange, 'revoke')
  const session = world.sessions.find(({ pairs }) =>
    pairs.some(({ access, request }) => access === token || request === token),
  )
  if (session !== undefined && world.behaviour.revokes) endSession(world, session)
  return { status: 200, headers: {}, body: {} }
}
