import type { IncomingMessage } from 'node:http'
import type { RunningExchange, RunningWorld } from './behaviour.ts'
import type { Parameter, TokenWay } from './right-requests.ts'
import { findParameter } from './right-requests.ts'
import { isObject, parseJson, refuse } from './values.ts'
import type { Session } from './world.ts'

const maxBodyBytes = 32 * 1024 * 1024

/** The whole body of a request. */
async function readBody(world: RunningWorld, request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return world.behaviour.bodyOf(chunks, request.headers, request.url ?? '')
}

/** Parameters of a form or JSON body. */
function decodeBody(world: RunningWorld, contentType: string, body: string): readonly Parameter[] {
  if (body === '') return []
  if (contentType === 'application/json' && world.behaviour.readsJsonBody) {
    const parsed = parseJson(world, body, 'the body')
    if (isObject(parsed)) return Object.entries(parsed)
    refuse(world, 'parameter-invalid', 'the body is not a JSON object')
  }
  if (contentType !== 'application/x-www-form-urlencoded') {
    refuse(world, 'content-type', 'send application/x-www-form-urlencoded')
  }
  return [...new URLSearchParams(world.behaviour.formText(body))]
}

/** The name of a parameter without its brackets. */
function baseName(name: string): string {
  return name.replace(/\[.*$/s, '')
}

/** A request whose body is received and not yet read. */
export interface Unread {
  readonly exchange: RunningExchange
  /** Decodes the body; `known` says that a valid token came in header or query. */
  readonly decode: (known: boolean) => RunningExchange
}

/** What was asked, before anything of it is judged. */
export async function readExchange(world: RunningWorld, request: IncomingMessage, gone: AbortSignal): Promise<Unread> {
  const bytes = await readBody(world, request)
  const url = new URL(request.url ?? '/', 'http://localhost')
  const method = request.method ?? 'GET'
  const contentType = world.behaviour.contentTypeOf(request.headers['content-type'] ?? '', request.url ?? '')
  const query: readonly Parameter[] = [...url.searchParams]
  const path = url.pathname.replace(/^\/v1\//, '').replace(/\/$/, '')
  const authorization = world.behaviour.authorizationOf(request)
  const host = request.headers.host ?? ''
  const lastEventId = request.headers['last-event-id'] as string | undefined
  const exchange: RunningExchange = {
    ...{ world, method, path, host, authorization, contentType, query, body: [], parameters: [], gone, lastEventId },
  }
  const decode = (known: boolean): RunningExchange => {
    const isShort = path === 'token' || path === 'revoke' || (!known && contentType === 'application/json')
    const most = isShort ? world.behaviour.maxUnknownBytes : maxBodyBytes
    if (bytes.length > most) refuse(world, 'body-large', 'the body is too large')
    const decoded = method === 'POST' ? decodeBody(world, contentType, bytes.toString('utf8')) : []
    const given = world.behaviour.form(decoded, exchange)
    const body = given.filter(([, value]) => value !== null || !world.behaviour.nullIsAbsent)
    const inBody = new Set(body.map(([name]) => baseName(name)))
    const reads = method !== 'POST' || world.behaviour.readsQueryOfPost
    const fromQuery = query.filter(([name]) => reads && !inBody.has(baseName(name)))
    const read = Object.assign(exchange, { body, parameters: body })
    return Object.assign(read, { parameters: world.behaviour.parameters([...fromQuery, ...body], read) })
  }
  return { exchange, decode }
}

/** The token in the header `Authorization`; undefined when there is none that this server reads. */
function readHeader({ world, authorization }: RunningExchange): string | undefined {
  const { schemes, readsNamedToken, readsQuotedToken } = world.behaviour
  if (authorization === undefined) return undefined
  const [, word = '', rest = ''] = /^(?:([A-Za-z]+)\s+)?(.*)$/s.exec(authorization.trim()) ?? []
  const [, name = '', value = ''] = /^([\w-]+)=(.*)$/s.exec(rest) ?? []
  if (!schemes.includes(word.toLowerCase())) return undefined
  if (name === '') return word === '' ? undefined : rest
  if (word !== '' && !readsNamedToken) return undefined
  return readsQuotedToken ? value.replace(/^"(.*)"$/s, '$1') : value
}

/** Refuses an invalid token in header or query before the body is read; whether a valid one came (contract, the access token). */
export function checkEarlyToken(exchange: RunningExchange): boolean {
  const { world, query } = exchange
  const early: (readonly [TokenWay, string | undefined])[] = [
    ['header', readHeader(exchange)],
    ['query', findParameter(query, 'access_token') as string | undefined],
  ]
  const given = early.filter(([way, token]) => world.behaviour.ways.includes(way) && token !== undefined)
  for (const [way, token = ''] of given) {
    exchange.way = way
    const isGood = world.behaviour.findAccessToken(world, token, way, exchange) !== undefined
    if (!isGood && given.length === 1 && world.behaviour.tokenBeforeBody) refuseToken(world)
    if (isGood) return true
  }
  return false
}

function refuseToken(world: RunningWorld): void {
  const invalid = { 'www-authenticate': 'Bearer realm="things", error="invalid_token"' }
  refuse(world, 'token-invalid', 'The access token provided is invalid', invalid)
}

/** The session whose access token came with the request (interface 5.3 and 7). */
export function authenticate(exchange: RunningExchange): Session {
  const { world, query, body } = exchange
  const { behaviour } = world
  const given: (readonly [TokenWay, string | undefined])[] = [
    ['header', readHeader(exchange)],
    ['query', findParameter(query, 'access_token') as string | undefined],
    ['form', findParameter(body, 'access_token') as string | undefined],
  ]
  const headers = { 'www-authenticate': 'Bearer realm="things"' }
  const presented = given.filter(([way, token]) => behaviour.ways.includes(way) && token !== undefined)
  if (!behaviour.toleratesTwice(new Set(presented.map(([, token]) => token)).size, presented.length)) {
    refuse(world, 'token-twice', 'Give one access token only')
  }
  const [first] = presented
  if (first === undefined) {
    const session = behaviour.anonymous(world, exchange)
    if (session !== undefined) return session
    refuse(world, 'token-missing', 'An access token is required', headers)
  }
  const [way, token = ''] = first ?? ['header' as const]
  exchange.way = way
  const found = behaviour.findAccessToken(world, token, way, exchange)
  if (found === undefined) {
    refuseToken(world)
    throw new Error('a server that overlooks an invalid token must find a session for it')
  }
  found.pair.used = true
  return found.session
}
