import { FetchError, type FetchParams, type Middleware, type RequestContext, ResponseError } from './client/runtime.js'

/** How requests are written. */
export type WireOptions = {
  /** `form` (the default) works with every server; `json` only where the server's document offers it. */
  bodies?: 'form' | 'json'
  /** Where the access token goes: `Authorization: Bearer T` (the default), `Authorization: access_token=T`, the query, or the body (of a GET: the query). */
  token?: 'bearer' | 'pair' | 'query' | 'body'
}

type Fields = Record<string, unknown>

const asText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

function* writeField(name: string, value: unknown): Generator<[string, string]> {
  if (value === null || value === undefined) return
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) {
    if (value.length === 1) yield [name, value[0]]
    else for (const item of value) yield [`${name}[]`, item]
  } else if (Array.isArray(value)) {
    yield [name, JSON.stringify(value.length === 1 ? value[0] : value)]
  } else if (typeof value === 'object') {
    for (const [key, member] of Object.entries(value)) yield [`${name}[${key}]`, asText(member)]
  } else {
    yield [name, asText(value)]
  }
}

/** The fields as a form of interface 4.3: objects as JSON text, several things as one JSON array, several ids repeated, maps as `name[key]`. */
export const writeForm = (fields: Fields): URLSearchParams =>
  new URLSearchParams(Object.entries(fields).flatMap(([name, value]) => [...writeField(name, value)]))

/** Members that a response must have, by the end of the path; the generated client does not check them. */
const requiredMembers: Readonly<Record<string, readonly string[]>> = {
  '/token': ['access_token', 'request_token'],
  '/sync': ['pos'],
  '/tags/get': ['favorite', 'other'],
  '/thing/add': ['_id'],
  '/thing/change': ['_id'],
  '/thing/delete': ['deleted_thing'],
  '/user/get': ['username', 'pos'],
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

async function readText(response: Response): Promise<string> {
  try {
    return await response.text()
  } catch (error) {
    throw new FetchError(error as Error, 'The connection broke before the response was complete')
  }
}

/**
 * Reads a response whole. A server may send an error with a success status: it gets the status 400.
 * @throws FetchError when the connection breaks, SyntaxError for a text that is not JSON, ResponseError when a member is missing
 */
async function checkResponse(url: string, response: Response): Promise<Response> {
  const text = await readText(response)
  const { ok, headers } = response
  const status = response.status
  if (!ok) return status === 0 ? response : new Response(text, { status, headers })
  const body: unknown = JSON.parse(text)
  if (isFields(body) && typeof body.error === 'string') return new Response(text, { status: 400, headers })
  const { pathname } = new URL(url)
  const required = Object.entries(requiredMembers).find(([path]) => pathname.endsWith(path))?.[1] ?? []
  const isComplete = required.length === 0 || (isFields(body) && required.every((name) => name in body))
  const checked = new Response(text, { status, headers })
  if (!isComplete) throw new ResponseError(checked, `The response lacks ${required.join(' or ')}`)
  return checked
}

/** A middleware that writes the generated client's requests as a server of the interface takes them, and checks the responses. It follows no redirect, because that could send a password or token to another server. Give the access token as `accessToken`. */
export const createWire = ({ bodies = 'form', token = 'bearer' }: WireOptions = {}): Middleware => ({
  post: ({ url, response }) => checkResponse(url, response),
  async pre({ url, init: given }: RequestContext): Promise<FetchParams> {
    const init: RequestInit = { ...given, redirect: 'manual' }
    const headers = new Headers(init.headers)
    const address = new URL(url)
    const hasJson = typeof init.body === 'string' && headers.get('content-type') === 'application/json'
    const fields: Fields | undefined = hasJson ? JSON.parse(String(init.body)) : undefined
    const accessToken = headers.get('authorization')?.replace(/^Bearer /, '')
    if (accessToken !== undefined) {
      headers.delete('authorization')
      if (token === 'bearer') headers.set('authorization', `Bearer ${accessToken}`)
      else if (token === 'pair') headers.set('authorization', `access_token=${accessToken}`)
      else if (token === 'body' && fields !== undefined) fields.access_token = accessToken
      else address.searchParams.set('access_token', accessToken)
    }
    if (fields === undefined) return { url: address.href, init: { ...init, headers } }
    if (bodies === 'form') headers.set('content-type', 'application/x-www-form-urlencoded')
    const body = bodies === 'form' ? writeForm(fields).toString() : JSON.stringify(fields)
    return { url: address.href, init: { ...init, headers, body } }
  },
})
