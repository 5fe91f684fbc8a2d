import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { routes } from '../../generated/routes.ts'
import { addApp } from '../../src/accounts/apps.ts'
import { createLoginAttempts } from '../../src/accounts/login-attempts.ts'
import { noQuotas } from '../../src/accounts/quotas.ts'
import { createErrorResponse, handleRequest } from '../../src/api/handle-request.ts'
import type { JsonResponse } from '../../src/api/handlers.ts'
import { type BodyBudgets, createBodyBudgets, createLimits, type Limits } from '../../src/api/limits.ts'
import { createSubscriptionGuard } from '../../src/delivery/subscriptions.ts'
import { type Environment, systemEnvironment } from '../../src/environment.ts'
import { createLive } from '../../src/live/live.ts'
import { createOperations } from '../../src/operations/operations.ts'
import { createDeliveryRules } from '../../src/outbound/address-guard.ts'
import { openMemoryStore } from '../../src/store/memory-store.ts'
import { thingForm } from '../../src/things/thing.ts'
import { openRaw, type RawConnection, rawHead } from './raw-connection.ts'
import { enrollDevice, enrollUser } from './test-device.ts'

type Headers = Readonly<Record<string, string>>

/** A server of the API alone, on real sockets, whose limits and rooms a test can see. */
export interface ApiServer {
  readonly limits: Limits
  readonly bodyBudgets: BodyBudgets
  /** Moves the server's clock. */
  readonly passSeconds: (seconds: number) => void
  /** The access token of a new user, or of one more session of the same one. */
  readonly enroll: (userName?: string) => Promise<{ readonly token: string; readonly userName: string }>
  /** Sends the head of a POST; the header `x-address` is taken for the sender's network address. */
  readonly begin: (path: string, headers: Headers, body?: string) => Promise<RawConnection>
  /** Sends a whole POST, and returns the response. */
  readonly post: (path: string, headers: Headers, body: string) => Promise<TestResponse>
}

/** A response on a connection. */
export interface TestResponse {
  readonly status: number
  readonly headers: string
  readonly body: { readonly error?: string; readonly error_description?: string }
}

/** The first response among what was received, once it is whole; before that undefined. */
export const findResponse = (received: string): TestResponse | undefined => {
  const response = received.replace('HTTP/1.1 100 Continue\r\n\r\n', '')
  const end = response.indexOf('\r\n\r\n')
  const length = Number(/content-length: (\d+)/i.exec(response)?.[1])
  if (end < 0 || !(response.length >= end + 4 + length)) return undefined
  const status = Number(response.slice(9, 12))
  return { status, headers: response.slice(0, end), body: JSON.parse(response.slice(end + 4, end + 4 + length)) }
}

/** Waits for the first response on a connection. */
export const readResponse = async ({ socket, received }: RawConnection): Promise<TestResponse> => {
  for (;;) {
    const response = findResponse(received())
    if (response !== undefined) return response
    await once(socket, 'data')
  }
}

/** Opens the server for one test. */
export const openApiServer = async (given: Partial<Limits> = {}): Promise<ApiServer> => {
  let passed = 0
  const environment: Environment = { ...systemEnvironment, now: () => systemEnvironment.now() + passed }
  const store = await openMemoryStore({ form: thingForm, monotonicMs: environment.now })
  const { clientId } = await addApp(store, 'tests', environment)
  const limits = createLimits(given)
  const bodyBudgets = createBodyBudgets(limits, environment.now)
  const attempts = createLoginAttempts(() => undefined)
  const guard = createSubscriptionGuard(createDeliveryRules())
  const live = createLive(store, environment, limits)
  const handlers = createOperations({
    store,
    environment,
    live,
    guard,
    rules: { attempts, allowsPasswordGrant: true },
    quotas: noQuotas,
    loadPreviews: undefined,
  })
  const api = { routes, handlers, store, environment, limits, bodyBudgets, allowsQueryToken: true }

  const handle: RequestListener = async (message, response) => {
    const { headers, url = '', method = '' } = message
    const { pathname, search } = new URL(url, 'http://localhost')
    const request = {
      ...{ method, path: pathname, query: search.slice(1), message, address: String(headers['x-address']) },
      ...{ authorization: headers.authorization, contentType: headers['content-type'] ?? '' },
      presence: response,
      requestId: () => 'fixture',
      continueBody: headers.expect === undefined ? undefined : () => response.writeContinue(),
    }
    const outcome = await handleRequest(api, request, () => undefined).catch(createErrorResponse)
    if ('events' in outcome && outcome.events !== undefined) throw new Error('no body is sent to a stream of events')
    const { status, headers: own, body } = outcome as JsonResponse
    const text = JSON.stringify(body)
    response.writeHead(status, { ...own, 'content-length': Buffer.byteLength(text) }).end(text)
  }
  const server = createServer(handle).on('checkContinue', handle).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await store.close()
  })

  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const begin: ApiServer['begin'] = (path, headers, body = '') =>
    openRaw(baseUrl, rawHead('POST', path, headers) + body)
  return {
    limits,
    bodyBudgets,
    passSeconds: (seconds) => {
      passed += seconds * 1000
    },
    enroll: async (known) => {
      const userName = known ?? (await enrollUser(store, environment))
      return { userName, token: await enrollDevice(store, userName, clientId, environment) }
    },
    begin,
    post: async (path, headers, body) => {
      const length = { 'content-length': String(Buffer.byteLength(body, 'utf8')) }
      return readResponse(await begin(path, { ...headers, ...length }, body))
    },
  }
}
