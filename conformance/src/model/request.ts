import type { IncomingMessage } from 'node:http'
import { findParameter, type Parameter, type RunningExchange, type RunningState, type TokenWay } from './behavior.ts'
import { ApiError, type ErrorReason, type Json, type JsonObject, type Session } from './state.ts'

/** Throws an error, unless this server ignores it. */
export function throwError(
  state: RunningState,
  reason: ErrorReason,
  message: string,
  headers?: Record<string, string>,
): void {
  if (!state.behavior.overlooks.includes(reason)) throw new ApiError(reason, message, headers)
}

/** Whether a value is a JSON object. */
export function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parses a value that may be JSON in the text of a form. */
export function parseJson(state: RunningState, value: Json, name: string): Json {
  if (typeof value !== 'string') return value
  if (depthOf(value) > state.behavior.maxJsonDepth) throwError(state, 'bad-json', `${name} nests too deep`)
  try {
    return JSON.parse(value)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throwError(state, 'bad-json', `${name} is not JSON`)
    return undefined
  }
}

/** Returns the depth of the brackets in a JSON text, without brackets in strings. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (const bracket of text.replace(/"(?:[^"\\]|\\.)*"/gs, '').match(/[[\]{}]/g) ?? []) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1
    deepest = Math.max(deepest, depth)
  }
  return deepest
}

const booleans = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

/** Returns the fields that have a value; null is no value (contract, sync 8). */
export function withoutNulls(state: RunningState, given: JsonObject): JsonObject {
  if (!state.behavior.nullIsAbsent) return given
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
}

/** Reads a boolean in any accepted spelling; undefined stays undefined. */
export function readBoolean(state: RunningState, value: Json, name: string): boolean | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'boolean') return value
  const found = state.behavior.readsBooleanText ? booleans.get(state.behavior.booleanText(String(value))) : undefined
  if (found === undefined) throwError(state, 'boolean-invalid', `${name} is not a boolean`)
  return found
}

/** Reads a finite number, or text with one; undefined stays undefined. */
export function readNumber(state: RunningState, value: Json, name: string): number | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'number' && Number.isFinite(value)) return value
  const text = typeof value === 'string' ? value.trim() : ''
  if (text !== '' && Number.isFinite(Number(text))) return Number(text)
  throwError(state, 'number-invalid', `${name} is not a number`)
  return undefined
}

/** Reads text without NUL and lone surrogates; undefined stays undefined. */
export function readText(state: RunningState, value: Json, name: string): string | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string') throwError(state, 'text-invalid', `${name} is not a text`)
  const text = String(value)
  if (text.includes('\0')) throwError(state, 'nul', `${name} holds NUL`)
  if (/\p{Surrogate}/u.test(text)) throwError(state, 'lone-surrogate', `${name} holds a lone surrogate`)
  return text
}

/** Reads a text parameter; undefined when it is absent. */
export function textParameter(exchange: RunningExchange, name: string): string | undefined {
  return readText(exchange.state, findParameter(exchange.parameters, name), name)
}

/** Reads a whole number of zero or more; undefined when it is absent. */
export function countParameter(exchange: RunningExchange, name: string): number | undefined {
  const value = readNumber(exchange.state, findParameter(exchange.parameters, name), name)
  if (value !== undefined && (value < 0 || !Number.isInteger(value))) {
    throwError(exchange.state, 'number-invalid', `${name} is not a whole number of 0 or more`)
  }
  return value
}

const maxBodyBytes = 32 * 1024 * 1024

/** Reads the whole body of a request. */
async function readBody(state: RunningState, request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return state.behavior.bodyOf(chunks, request.headers, request.url ?? '')
}

/** Decodes the parameters of a form or JSON body. */
function decodeBody(state: RunningState, contentType: string, body: string): readonly Parameter[] {
  if (body === '') return []
  if (contentType === 'application/json' && state.behavior.readsJsonBody) {
    const parsed = parseJson(state, body, 'the body')
    if (isObject(parsed)) return Object.entries(parsed)
    throwError(state, 'parameter-invalid', 'the body is not a JSON object')
  }
  if (contentType !== 'application/x-www-form-urlencoded') {
    throwError(state, 'content-type', 'send application/x-www-form-urlencoded')
  }
  return [...new URLSearchParams(state.behavior.formText(body))]
}

/** Returns the name of a parameter without its brackets. */
function baseName(name: string): string {
  return name.replace(/\[.*$/s, '')
}

/** A request whose body is received but not decoded. */
export interface Unread {
  readonly exchange: RunningExchange
  /** Decodes the body; `known`: a valid token came in header or query. */
  readonly decode: (known: boolean) => RunningExchange
}

/** Reads a request without checking it. */
export async function readExchange(
  state: RunningState,
  request: IncomingMessage,
  disconnected: AbortSignal,
): Promise<Unread> {
  const bytes = await readBody(state, request)
  const url = new URL(request.url ?? '/', 'http://localhost')
  const method = request.method ?? 'GET'
  const contentType = state.behavior.contentTypeOf(request.headers['content-type'] ?? '', request.url ?? '')
  const query: readonly Parameter[] = [...url.searchParams]
  const path = url.pathname.replace(/^\/v1\//, '').replace(/\/$/, '')
  const authorization = state.behavior.authorizationOf(request)
  const host = request.headers.host ?? ''
  const lastEventId = request.headers['last-event-id'] as string | undefined
  const exchange: RunningExchange = {
    ...{
      state,
      method,
      path,
      host,
      authorization,
      contentType,
      query,
      body: [],
      parameters: [],
      disconnected: disconnected,
      lastEventId,
    },
  }
  const decode = (known: boolean): RunningExchange => {
    const isShort = path === 'token' || path === 'revoke' || (!known && contentType === 'application/json')
    const max = isShort ? state.behavior.maxUnknownBytes : maxBodyBytes
    if (bytes.length > max) throwError(state, 'body-large', 'the body is too large')
    const decoded = method === 'POST' ? decodeBody(state, contentType, bytes.toString('utf8')) : []
    const given = state.behavior.form(decoded, exchange)
    const body = given.filter(([, value]) => value !== null || !state.behavior.nullIsAbsent)
    const inBody = new Set(body.map(([name]) => baseName(name)))
    const reads = method !== 'POST' || state.behavior.readsQueryOfPost
    const fromQuery = query.filter(([name]) => reads && !inBody.has(baseName(name)))
    const read = Object.assign(exchange, { body, parameters: body })
    return Object.assign(read, { parameters: state.behavior.parameters([...fromQuery, ...body], read) })
  }
  return { exchange, decode }
}

/** Reads the token in the header `Authorization`; undefined when this server reads none. */
function readHeader({ state, authorization }: RunningExchange): string | undefined {
  const { schemes, readsNamedToken, readsQuotedToken } = state.behavior
  if (authorization === undefined) return undefined
  const [, word = '', rest = ''] = /^(?:([A-Za-z]+)\s+)?(.*)$/s.exec(authorization.trim()) ?? []
  const [, name = '', value = ''] = /^([\w-]+)=(.*)$/s.exec(rest) ?? []
  if (!schemes.includes(word.toLowerCase())) return undefined
  if (name === '') return word === '' ? undefined : rest
  if (word !== '' && !readsNamedToken) return undefined
  return readsQuotedToken ? value.replace(/^"(.*)"$/s, '$1') : value
}

/**
 * Rejects an invalid token in header or query before the body is read (contract, the access token). Returns whether a
 * valid token came.
 */
export function checkEarlyToken(exchange: RunningExchange): boolean {
  const { state, query } = exchange
  const early: (readonly [TokenWay, string | undefined])[] = [
    ['header', readHeader(exchange)],
    ['query', findParameter(query, 'access_token') as string | undefined],
  ]
  const given = early.filter(([way, token]) => state.behavior.ways.includes(way) && token !== undefined)
  for (const [way, token = ''] of given) {
    exchange.way = way
    const isGood = state.behavior.findAccessToken(state, token, way, exchange) !== undefined
    if (!isGood && given.length === 1 && state.behavior.tokenBeforeBody) throwTokenError(state)
    if (isGood) return true
  }
  return false
}

function throwTokenError(state: RunningState): void {
  const invalid = { 'www-authenticate': 'Bearer realm="things", error="invalid_token"' }
  throwError(state, 'token-invalid', 'The access token provided is invalid', invalid)
}

/** Finds the session of the request's access token (interface 5.3 and 7). */
export function authenticate(exchange: RunningExchange): Session {
  const { state, query, body } = exchange
  const { behavior } = state
  const given: (readonly [TokenWay, string | undefined])[] = [
    ['header', readHeader(exchange)],
    ['query', findParameter(query, 'access_token') as string | undefined],
    ['form', findParameter(body, 'access_token') as string | undefined],
  ]
  const headers = { 'www-authenticate': 'Bearer realm="things"' }
  const presented = given.filter(([way, token]) => behavior.ways.includes(way) && token !== undefined)
  if (!behavior.toleratesTwice(new Set(presented.map(([, token]) => token)).size, presented.length)) {
    throwError(state, 'token-twice', 'Give one access token only')
  }
  const [first] = presented
  if (first === undefined) {
    const session = behavior.anonymous(state, exchange)
    if (session !== undefined) return session
    throwError(state, 'token-missing', 'An access token is required', headers)
  }
  const [way, token = ''] = first ?? ['header' as const]
  exchange.way = way
  const found = behavior.findAccessToken(state, token, way, exchange)
  if (found === undefined) {
    throwTokenError(state)
    throw new Error('a server that overlooks an invalid token must find a session for it')
  }
  found.pair.used = true
  return found.session
}
