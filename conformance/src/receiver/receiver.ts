/*
 * The receiver of webhooks and push messages that the suite runs during a run, with one mailbox for each rule.
 * `message-crypto.ts` verifies signatures and decrypts push messages. The folder must not know rules or the runner.
 * Start reading at `openReceiver`.
 */
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request to the suite's receiver. */
export interface Delivery {
  /** Index in the order of arrival at its mailbox, from 0. */
  readonly index: number
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** Time of its last byte, in milliseconds of `performance.now()`. */
  readonly at: number
  /** The same time as Unix time in seconds. */
  readonly date: number
}

/** The response to a delivery; `close` breaks the connection instead. */
export type DeliveryResponse =
  | {
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string | Uint8Array
    }
  | 'close'

/** Decides the response to a delivery; a pending promise holds the request. */
export type Respond = (delivery: Delivery) => DeliveryResponse | Promise<DeliveryResponse>

/** A URL of its own at the suite's receiver. */
export interface Mailbox {
  readonly url: string
  /** The deliveries so far. */
  readonly deliveries: readonly Delivery[]
  /** Returns the maximum number of concurrent requests so far. */
  readonly maxConcurrent: () => number
  /** Takes the next delivery; resolves to undefined when none came within the time. */
  readonly take: (timeoutMs: number) => Promise<Delivery | undefined>
}

/** A mailbox with the functions that only the receiver calls. */
interface OpenMailbox extends Mailbox {
  readonly accept: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  /** Responds with 410 from now on, so that a forgotten webhook ends by itself. */
  readonly shut: () => void
}

/** Maximum size of a body that is read; far more than a message may have. */
const maxBytes = 8 * 1024 * 1024

const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    length += (chunk as Buffer).length
    if (length <= maxBytes) chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}

const headersOf = (request: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, [value].flat().join(', ')]))

/** The receiver's knowledge of the server, shared by all mailboxes. */
interface ReceiverActivity {
  hasReceived: boolean
  /** Number of waits that ended without a delivery, before any delivery. */
  emptyWaits: number
}

/** Number of such waits after which a server that never sent anything gets a short wait only. */
const maxEmptyWaits = 3

const shortWaitMs = 500

/** Creates a mailbox; `onResponded` receives each delivery and its response. */
const createMailbox = (
  url: string,
  respond: Respond,
  onResponded: (delivery: Delivery, reply: DeliveryResponse) => void,
  activity: ReceiverActivity = { hasReceived: false, emptyWaits: 0 },
): OpenMailbox => {
  const deliveries: Delivery[] = []
  const arrivals = new EventTarget()
  let nextIndex = 0
  let concurrent = 0
  let maxConcurrent = 0
  let isShut = false
  const openResponses = new Set<ServerResponse>()

  const waitForArrival = (timeoutMs: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, timeoutMs)
      const onArrival = (): void => {
        clearTimeout(timer)
        resolve()
      }
      arrivals.addEventListener('arrival', onArrival, { once: true })
    })

  return {
    url,
    deliveries,
    maxConcurrent: () => maxConcurrent,
    take: async (timeoutMs) => {
      const isServerSilent = !activity.hasReceived && activity.emptyWaits >= maxEmptyWaits
      const deadline = performance.now() + (isServerSilent ? Math.min(timeoutMs, shortWaitMs) : timeoutMs)
      while (nextIndex >= deliveries.length) {
        const left = deadline - performance.now()
        if (left <= 0) {
          activity.emptyWaits += 1
          return undefined
        }
        await waitForArrival(left)
      }
      nextIndex += 1
      return deliveries[nextIndex - 1]
    },
    accept: async (request, response) => {
      if (isShut) {
        response.writeHead(410).end()
        return
      }
      activity.hasReceived = true
      concurrent += 1
      maxConcurrent = Math.max(maxConcurrent, concurrent)
      openResponses.add(response)
      response.on('close', () => {
        concurrent -= 1
        openResponses.delete(response)
      })
      const body = await readBody(request)
      const now = { at: performance.now(), date: Date.now() / 1000 }
      const received = { method: request.method ?? '', headers: headersOf(request), body, ...now }
      const delivery: Delivery = { index: deliveries.length, ...received }
      deliveries.push(delivery)
      arrivals.dispatchEvent(new Event('arrival'))
      const reply = await respond(delivery)
      onResponded(delivery, reply)
      if (reply === 'close') response.destroy()
      else response.writeHead(reply.status, reply.headers ?? {}).end(reply.body)
    },
    shut: () => {
      isShut = true
      for (const response of openResponses) response.destroy()
    },
  }
}

/** The address of the suite's receiver of webhooks. */
export interface ReceiverOptions {
  readonly host: string
  /** The port; 0 chooses a free one. */
  readonly port: number
  /** The URL by which the server under test reaches it; default: host and port. */
  readonly url?: string
}

/** A mailbox and the function that shuts it. */
interface MailboxHandle {
  readonly mailbox: Mailbox
  readonly shut: () => void
}

/** The suite's receiver of webhooks and push messages, with a URL for each mailbox. */
export interface Receiver {
  /** The URL by which the server under test reaches it; no slash at the end. */
  readonly url: string
  readonly openMailbox: (
    respond: Respond,
    onResponded: (delivery: Delivery, reply: DeliveryResponse) => void,
  ) => MailboxHandle
  readonly close: () => Promise<void>
}

/** Opens a receiver; the caller closes it. @throws the system's error when it cannot listen. */
export const openReceiver = async ({ host, port, url }: ReceiverOptions): Promise<Receiver> => {
  const mailboxes = new Map<string, OpenMailbox>()
  const activity = { hasReceived: false, emptyWaits: 0 }
  const server = createServer((request, response) => {
    const name = /[^/]+$/.exec((request.url ?? '').split('?')[0] ?? '')?.[0] ?? ''
    const mailbox = mailboxes.get(name)
    if (mailbox === undefined) {
      response.writeHead(410).end()
      return
    }
    // A request that breaks off is not a delivery.
    mailbox.accept(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const address = server.address() as AddressInfo
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address
  const base = (url ?? `http://${shown}:${address.port}`).replace(/\/+$/, '')
  return {
    url: base,
    openMailbox: (respond, onResponded) => {
      const name = randomBytes(12).toString('hex')
      const mailbox = createMailbox(`${base}/${name}`, respond, onResponded, activity)
      mailboxes.set(name, mailbox)
      return { mailbox, shut: mailbox.shut }
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
