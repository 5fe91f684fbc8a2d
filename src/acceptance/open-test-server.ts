import { onTestFinished } from 'vitest'
import { addApp } from '../accounts/apps.ts'
import { addUser } from '../accounts/users.ts'
import { pino } from 'pino'
import { openServer, type ServerSettings } from '../server.ts'
import { openMemoryStore } from '../store/memory-store.ts'
import type { Store } from '../store/store.ts'
import { thingForm } from '../things/thing-form.ts'
import { systemWorld, type World } from '../world.ts'
import { createJudge } from './judge-answer.ts'

/** What a request is made of; `form` and `json` set the content type. */
export interface TestRequest {
  readonly token?: string
  readonly query?: Readonly<Record<string, string>> | string
  readonly form?: Readonly<Record<string, string>> | readonly (readonly [string, string])[] | string
  readonly json?: unknown
  readonly body?: string | Uint8Array<ArrayBuffer>
  readonly headers?: Readonly<Record<string, string>>
}

/** A JSON answer, whose parts a test names without asking for each whether it is there. */
export type Body = { readonly [name: string]: Body } & { readonly [index: number]: Body }

/** An answer that was judged by the document already. */
export interface TestAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
  readonly text: string
}

/** A real server on a free port, with one app and the user `anna`. */
export interface TestServer {
  readonly baseUrl: string
  readonly store: Store
  readonly clientId: string
  readonly clientSecret: string
  readonly get: (path: string, request?: TestRequest) => Promise<TestAnswer>
  readonly post: (path: string, request?: TestRequest) => Promise<TestAnswer>
  readonly call: (method: string, path: string, request?: TestRequest) => Promise<TestAnswer>
  /** Makes a user with the password `correct horse`. */
  readonly addUser: (name: string) => Promise<void>
  /** A new session's access token. */
  readonly signIn: (name?: string) => Promise<string>
  readonly close: () => Promise<void>
}

const settings: ServerSettings = {
  host: '127.0.0.1',
  port: 0,
  maxBodyBytes: 4_000_000,
  requestTimeoutSeconds: 60,
  corsOrigins: [],
  trustProxy: false,
}

/** Opens a server for one test; it is closed when the test is finished. */
export const openTestServer = async (
  options: { readonly settings?: Partial<ServerSettings>; readonly store?: Store; readonly world?: World } = {},
): Promise<TestServer> => {
  const world = options.world ?? systemWorld
  const store = options.store ?? (await openMemoryStore({ form: thingForm, now: world.now }))
  const log = pino({ level: 'silent' })
  const server = await openServer({ store, settings: { ...settings, ...options.settings }, log, world })
  const { clientId, clientSecret } = await addApp(store, 'tests', world)
  const judge = await createJudge()

  const call = async (method: string, path: string, request: TestRequest = {}): Promise<TestAnswer> => {
    const answer = await fetch(toUrl(server.baseUrl, path, request.query), { method, ...toInit(request) })
    const text = await answer.text()
    const body = method === 'HEAD' ? undefined : JSON.parse(text)
    if (method !== 'HEAD') judge(method, path, answer.status, body)
    return { status: answer.status, headers: answer.headers, body, text }
  }
  const addTestUser = async (name: string) => {
    await addUser(store, { name, password: 'correct horse' }, world)
  }
  const signIn = async (name = 'anna') => {
    const form = { grant_type: 'password', client_id: clientId, client_secret: clientSecret }
    const { body } = await call('POST', '/token', { form: { ...form, username: name, password: 'correct horse' } })
    return String(body.access_token)
  }
  await addTestUser('anna')
  const close = async () => {
    await server.close()
    await store.close()
  }
  onTestFinished(close)
  return {
    baseUrl: server.baseUrl,
    store,
    clientId,
    clientSecret,
    call,
    get: (path, request) => call('GET', path, request),
    post: (path, request) => call('POST', path, request),
    addUser: addTestUser,
    signIn,
    close,
  }
}

const toUrl = (baseUrl: string, path: string, query: TestRequest['query'] = ''): string => {
  const text = typeof query === 'string' ? query : new URLSearchParams(query).toString()
  return `${baseUrl.slice(0, -1)}${path}${text === '' ? '' : `?${text}`}`
}

const toInit = ({ token, form, json, body, headers }: TestRequest): RequestInit => {
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
