import { type Logger, pino } from 'pino'
import { afterAll, onTestFinished } from 'vitest'
import { addApp } from '../../src/accounts/apps.ts'
import { addUser } from '../../src/accounts/users.ts'
import { type Environment, systemEnvironment } from '../../src/environment.ts'
import type { ServerSettings } from '../../src/http/server.ts'
import { openServer } from '../../src/http/server.ts'
import type { Store } from '../../src/store/store.ts'
import { createResponseCheck } from './check-response.ts'
import { openTestStore } from './open-test-store.ts'
import { enrollDevice, enrollUser } from './test-device.ts'
import { type Body, type TestRequest, type TestResponse, toInit, toUrl } from './test-request.ts'
import { createDoubledWrites } from './write-twice.ts'

type Send = (path: string, request?: TestRequest) => Promise<TestResponse>

/** A client of one user with a session of its own. */
export interface TestDevice {
  readonly userName: string
  readonly token: string
  readonly get: Send
  readonly post: Send
  /** Uploads by a JSON body and lists; fails unless the response is 200. */
  readonly sync: (upload?: object) => Promise<Body>
}

/** A real server on a free port, with one app and the user `anna`. */
export interface TestServer {
  /** Where it listens, with the path of its base URL. */
  readonly baseUrl: string
  readonly store: Store
  /** What works of writes to the store go by: each is done twice, and has to be given the same both times. */
  readonly environment: Environment
  readonly clientId: string
  readonly clientSecret: string
  readonly get: Send
  readonly post: Send
  readonly call: (method: string, path: string, request?: TestRequest) => Promise<TestResponse>
  /** Makes a user with the password `correct horse`. */
  readonly addUser: (name: string) => Promise<void>
  /** Adds a user whom no other test knows, with the password `correct horse`. */
  readonly addNewUser: () => Promise<{ readonly id: string; readonly name: string }>
  /** A new session's access token, by the token endpoint. */
  readonly signIn: (name?: string) => Promise<string>
  /** A device of a user; without a name of a new one, whom no other test knows. */
  readonly openDevice: (userName?: string) => Promise<TestDevice>
  /** Two devices of a new user. */
  readonly openTwoDevices: () => Promise<{ readonly phone: TestDevice; readonly laptop: TestDevice }>
  readonly close: () => Promise<void>
}

/** What a test may decide about its server. */
export interface TestServerOptions {
  readonly settings?: Partial<ServerSettings>
  readonly store?: Store
  readonly environment?: Environment
  /** Silent by default. */
  readonly log?: Logger
}

const settings: ServerSettings = {
  host: '127.0.0.1',
  port: 0,
  maxBodyBytes: 4_000_000,
  requestTimeoutSeconds: 60,
  corsOrigins: [],
  trustProxy: [],
}

/** Opens a server for one test; it is closed when the test is finished. */
export const openTestServer = async (options: TestServerOptions = {}): Promise<TestServer> => {
  const server = await startServer(options)
  onTestFinished(server.close)
  return server
}

/** Opens a server for all tests of a file, which take devices of users of their own; it is closed after the last. */
export const openFileServer = async (options: TestServerOptions = {}): Promise<TestServer> => {
  const server = await startServer(options)
  afterAll(server.close)
  return server
}

// Compiling the document's schemas costs more than most tests.
const responseCheck = createResponseCheck()

const startServer = async (options: TestServerOptions): Promise<TestServer> => {
  const doubled = createDoubledWrites(options.environment ?? systemEnvironment)
  const { environment } = doubled
  const store = options.store ?? (await openTestStore(doubled))
  const log = options.log ?? pino({ level: 'silent' })
  const server = await openServer({ store, settings: { ...settings, ...options.settings }, log, environment })
  const baseUrl = `http://127.0.0.1:${server.port}${new URL(server.baseUrl).pathname}`
  const { clientId, clientSecret } = await addApp(store, 'tests', environment)

  const call = async (method: string, path: string, request: TestRequest = {}): Promise<TestResponse> => {
    const response = await fetch(toUrl(baseUrl, path, request.query), { method, ...toInit(request) })
    const text = await response.text()
    const body = method === 'HEAD' ? undefined : JSON.parse(text)
    if (method !== 'HEAD') (await responseCheck)(method, path, response.status, body)
    return { status: response.status, headers: response.headers, body, text }
  }
  const addTestUser = async (name: string) => {
    await addUser(store, { name, password: 'correct horse' }, environment)
  }
  const addNewUser = async () => {
    const name = `user ${environment.newId()}`
    const { id } = await addUser(store, { name, password: 'correct horse' }, environment)
    return { id, name }
  }
  const signIn = async (name = 'anna') => {
    const form = { grant_type: 'password', client_id: clientId, client_secret: clientSecret }
    const { body } = await call('POST', '/token', { form: { ...form, username: name, password: 'correct horse' } })
    return String(body.access_token)
  }
  const openDevice = async (userName?: string): Promise<TestDevice> => {
    const name = userName ?? (await enrollUser(store, environment))
    const token = await enrollDevice(store, name, clientId, environment)
    const post: Send = (path, request) => call('POST', path, { token, ...request })
    const sync = async (upload: object = {}) => {
      const { status, body } = await post('/sync', { json: upload })
      if (status !== 200) throw new Error(`sync failed: ${status} ${JSON.stringify(body)}`)
      return body
    }
    return { userName: name, token, get: (path, request) => call('GET', path, { token, ...request }), post, sync }
  }
  const openTwoDevices = async () => {
    const phone = await openDevice()
    return { phone, laptop: await openDevice(phone.userName) }
  }
  await addTestUser('anna')
  return {
    baseUrl,
    store,
    environment,
    clientId,
    clientSecret,
    call,
    get: (path, request) => call('GET', path, request),
    post: (path, request) => call('POST', path, request),
    addUser: addTestUser,
    addNewUser,
    signIn,
    openDevice,
    openTwoDevices,
    close: async () => {
      await server.close()
      await store.close()
    },
  }
}
