import { createECDH, type ECDH, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { createRequire } from 'node:module'
import { buffer } from 'node:stream/consumers'
import { importJWK, jwtVerify } from 'jose'
import type { PushKeys } from '../../src/outbound/web-push.ts'
import { openServerAsReceiver } from './outbound-receiver.ts'

interface DecryptOptions {
  readonly version: 'aes128gcm'
  readonly privateKey: ECDH
  readonly authSecret: Buffer
}
// Has no types. Written by an author of the RFCs, so it is a second opinion on what we encrypt.
const { decrypt } = createRequire(import.meta.url)('http_ece') as {
  readonly decrypt: (body: Buffer, options: DecryptOptions) => Buffer
}

/** What reached a device. */
export interface PushReceived {
  readonly device: string
  readonly message: string
  readonly ttl: string
  readonly topic: string
  readonly urgency: string
  /** The public key of the sender as base64url, and the contact of its administrator. */
  readonly publicKey: string
  readonly contact: string | undefined
}

/** What a browser, or UnifiedPush, gives to a page that subscribes. */
export interface PushSubscription extends PushKeys {
  readonly endpoint: string
}

/** A push service on 127.0.0.1, together with the devices of its users, until the test is finished. */
export interface PushService {
  /** Subscribes a device; with a server's public key it takes messages of this server only. */
  readonly subscribe: (device: string, serverKey?: string) => PushSubscription
  /** From the first to the last. */
  readonly received: readonly PushReceived[]
  /** Why requests were rejected. */
  readonly rejected: readonly string[]
  /** Responds to the next requests so, whatever they are; by default with 201. */
  readonly respondWith: (status: number, headers?: OutgoingHttpHeaders) => void
}

interface Subscriber {
  readonly device: string
  readonly privateKey: ECDH
  readonly authSecret: Buffer
  readonly serverKey: string | undefined
}

const verifySender = async (authorization: string, origin: string, serverKey: string | undefined) => {
  const [, token = '', k = ''] = /^vapid t=([^,\s]+), k=([\w-]+)$/.exec(authorization) ?? []
  if (serverKey !== undefined && k !== serverKey) throw new Error('this device is subscribed to another server')
  const point = Buffer.from(k, 'base64url')
  const x = point.toString('base64url', 1, 33)
  const key = await importJWK({ kty: 'EC', crv: 'P-256', x, y: point.toString('base64url', 33) }, 'ES256')
  const options = { audience: origin, algorithms: ['ES256'], requiredClaims: ['exp'], typ: 'JWT' }
  const { payload } = await jwtVerify(token, key, options)
  if ((payload.exp ?? 0) > Date.now() / 1000 + 86_400) throw new Error('exp is more than a day away')
  return { publicKey: k, contact: payload.sub }
}

const headersOf = ({ headers }: IncomingMessage) => {
  const [ttl = '', topic = '', urgency = ''] = ['ttl', 'topic', 'urgency'].map((name) => String(headers[name] ?? ''))
  if (!/^\d+$/.test(ttl)) throw new Error('TTL is required')
  if (!/^[\w-]{0,32}$/.test(topic)) throw new Error('Topic is too long or holds other characters')
  if (!/^(very-low|low|normal|high)?$/.test(urgency)) throw new Error('Urgency is unknown')
  if (headers['content-encoding'] !== 'aes128gcm') throw new Error('Content-Encoding is another one')
  return { ttl, topic, urgency }
}

/** Opens a push service that checks what it is sent with other people's code, and decrypts it as the devices do. */
export const openPushService = async (): Promise<PushService> => {
  const subscribers = new Map<string, Subscriber>()
  const received: PushReceived[] = []
  const rejected: string[] = []
  let reply: readonly [number, OutgoingHttpHeaders] = [201, {}]

  const take = async (request: IncomingMessage): Promise<PushReceived> => {
    const body = await buffer(request)
    const subscriber = subscribers.get(request.url ?? '')
    if (subscriber === undefined || request.method !== 'POST') throw new Error('there is no such subscription')
    const headers = headersOf(request)
    if (body.length > 4096) throw new Error('the body is too long')
    const { serverKey, device, ...keys } = subscriber
    const sender = await verifySender(request.headers.authorization ?? '', origin, serverKey)
    const message = decrypt(body, { version: 'aes128gcm', ...keys }).toString()
    return { device, message, ...headers, ...sender }
  }
  const server = createServer(async (request, response) => {
    try {
      received.push(await take(request))
      response.writeHead(...reply).end()
    } catch (error) {
      rejected.push(error instanceof Error ? error.message : String(error))
      response.writeHead(400).end()
    }
  })
  const origin = `http://127.0.0.1:${(await openServerAsReceiver(server)).port}`

  return {
    subscribe: (device, serverKey) => {
      const privateKey = createECDH('prime256v1')
      const p256dh = privateKey.generateKeys('base64url')
      const authSecret = randomBytes(16)
      const path = `/${randomBytes(16).toString('base64url')}`
      subscribers.set(path, { device, privateKey, authSecret, serverKey })
      return { endpoint: `${origin}${path}`, p256dh, auth: authSecret.toString('base64url') }
    },
    received,
    rejected,
    respondWith: (status, headers = {}) => {
      reply = [status, headers]
    },
  }
}
