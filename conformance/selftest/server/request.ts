import type { IncomingMessage } from 'node:http'
import type { Exchange, Parameter, TokenWay } from './right-requests.ts'
import { findParameter, isObject, parseJson, refuse } from './values.ts'
import type { Session, World } from './world.ts'

const maxBodyBytes = 32 * 1024 * 1024

/** The whole body of a request. */
async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Parameters of a form or JSON body. */
function decodeBody(world: World, contentType: string, body: string): readonly Parameter[] {
  if (body === '') return []
  if (contentType === 'application/json' && world.behaviour.readsJsonBody) {
    const parsed = parseJson(world, body, 'the body')
    if (isObject(parsed)) return Object.entries(parsed)
    refuse(world, 'parameter-invalid', 'the body is not a JSON object')
  }
  if (contentType !== 'application/x-www-form-urlencoded') {
    refuse(world, 'content-type', 'send application/x-www-form-urlencoded')
  }
  return [...new URLSearchParams(body)]
}

/** The name of a parameter without its brackets. */
function baseName(name: string): string {
  return name.replace(/\[.*$/s, '')
}

/** What was asked, before anything of it is judged but the size and kind of its body. */
export async function readExchange(world: World, request: IncomingMessage): Promise<() => Exchange> {
  const bytes = await readBody(request)
  return () => {
    if (bytes.length > maxBodyBytes) refuse(world, 'body-large', 'the body is too large')
    const url = new URL(request.url ?? '/', 'http://localhost')
    const method = request.method ?? 'GET'
    const contentType = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
    const query: readonly Parameter[] = [...url.searchParams]
    const body = method === 'POST' ? decodeBody(world, contentType, bytes.toString('utf8')) : []
    const inBody = new Set(body.map(([name]) => baseName(name)))
    const reads = method !== 'POST' || world.behaviour.readsQueryOfPost
    const fromQuery = query.filter(([name]) => reads && !inBody.has(baseName(name)))
    const path = url.pathname.replace(/^\/v1\//, '').replace(/\/$/, '')
    const { authorization } = request.headers
    const exchange = { world, method, path, authorization, contentType, query, body, parameters: body }
    return { ...exchange, parameters: world.behaviour.parameters([...fromQuery, ...body], exchange) }
  }
}

/** The token in the header `Authorization`; undefined when there is none that this server reads. */
function readHeader({ world, authorization }: Exchange): string | undefined {
  const { schemes, readsNamedToken, readsQuotedToken } = world.behaviour
  if (authorization === undefined) return undefined
  const [, word = '', rest = ''] = /^(?:([A-Za-z]+)\s+)?(.*)$/s.exec(authorization.trim()) ?? []
  const [, name = '', value = ''] = /^([\w-]+)=(.*)$/s.exec(rest) ?? []
  if (!schemes.includes(word.toLowerCase())) return undefined
  if (name === '') return word === '' ? undefined : rest
  if (word !== '' && !readsNamedToken) return undefined
  return readsQuotedToken ? value.replace(/^"(.*)"$/s, '$1') : value
}

/** The session whose access token came with the request (interface 5.3 and 7). */
export function authenticate(exchange: Exchange): Session {
  const { world, query, body } = exchange
  const { behaviour } = world
  const given: (readonly [TokenWay, string | undefined])[] = [
    ['header', readHeader(exchange)],
    ['query', findParameter(query, 'access_token') as string | undefined],
    ['form', findParameter(body, 'access_token') as string | undefined],
  ]
  const headers = { 'www-authenticate': 'Bearer realm="things"' }
  const presented = given.filter(([way, token]) => behaviour.ways.includes(way) && token !== undefined)
  if (presented.length > 1) refuse(world, 'token-twice', 'Give the access token in one way only')
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
    const invalid = { 'www-authenticate': 'Bearer realm="things", error="invalid_token"' }
    refuse(world, 'token-invalid', 'The access token provided is invalid', invalid)
    throw new Error('a server that overlooks an invalid token must find a session for it')
  }
  found.pair.used = true
  return found.session
}
