import type { FetchParams, Middleware, RequestContext } from './client/runtime.js'

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

/** A middleware that writes the generated client's requests as a server of the interface takes them. Give the access token as `accessToken`. */
export const createWire = ({ bodies = 'form', token = 'bearer' }: WireOptions = {}): Middleware => ({
  async pre({ url, init }: RequestContext): Promise<FetchParams> {
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
