/** What a request is made of; `form` and `json` set the content type. */
export interface TestRequest {
  readonly token?: string
  readonly query?: Readonly<Record<string, string>> | string
  readonly form?: Readonly<Record<string, string>> | readonly (readonly [string, string])[] | string
  readonly json?: unknown
  readonly body?: string | Uint8Array<ArrayBuffer>
  readonly headers?: Readonly<Record<string, string>>
}

/** A JSON response, whose parts a test names without asking for each whether it is there. */
export type Body = { readonly [name: string]: Body } & { readonly [index: number]: Body }

/** A response that was already checked by the document. */
export interface TestResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
  readonly text: string
}

/** The URL of a path below a base URL that ends in `/`. */
export const toUrl = (baseUrl: string, path: string, query: TestRequest['query'] = ''): string => {
  const text = typeof query === 'string' ? query : new URLSearchParams(query).toString()
  return `${baseUrl.slice(0, -1)}${path}${text === '' ? '' : `?${text}`}`
}

/** What fetch is given of a request. */
export const toInit = ({ token, form, json, body, headers }: TestRequest): RequestInit => {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
  if (json !== undefined) {
    const type = { 'content-type': 'application/json' }
    return { body: JSON.stringify(json), headers: { ...authorization, ...type, ...headers } }
  }
  if (form !== undefined) {
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const text = typeof form === 'string' ? form : new URLSearchParams(form as Record<string, string>).toString()
    return { body: text, headers: { ...authorization, ...type, ...headers } }
  }
  return { ...(body === undefined ? {} : { body }), headers: { ...authorization, ...headers } }
}
