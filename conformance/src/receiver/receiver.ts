import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that came to the suite's receiver. */
export interface Delivery {
  /** Place in the order of arrival at its mailbox, from 0. */
  readonly place: number
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** When its last byte came, in milliseconds of `performance.now()`. */
  readonly at: number
  /** The same by the clock, Unix time in seconds. */
  readonly date: number
}

/** How a delivery is answered; `close` breaks the connection instead. */
export type DeliveryResponse =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | 'close'

/** Decides how a delivery is answered; one that takes its time holds the request. */
export type Respond = (delivery: Delivery) => DeliveryResponse | Promise<DeliveryResponse>

/** An address of its own at the suite's receiver. */
export interface Mailbox {
  readonly url: string
  /** What came so far. */
  readonly deliveries: readonly Delivery[]
  /** Most requests that were under way at the same time. */
  readonly maxAtOnce: () => number
  /** The next delivery that was not taken yet; undefined when none came within the time. */
  readonly take: (timeoutMs: number) => Promise<Delivery | undefined>
}

/** A mailbox from the inside of the receiver. */
interface OpenMailbox extends Mailbox {
  readonly accept: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  /** From now on whoever comes is told that nobody is here, by 410, so that a forgotten webhook ends by itself. */
  readonly shut: () => void
}

/** Longest body that is read; far more than a message may have. */
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

/** What all mailboxes of a receiver know of the server. */
interface ReceiverActivity {
  hasReceived: boolean
  /** Times that something was waited for and nothing at all had ever come. */
  emptyWaits: number
}

/** Vain waits after which a server that never sent anything is waited for a moment only: it delivers nothing. */
const maxEmptyWaits = 3

const momentMs = 500

/** Makes a mailbox; `onAnswered` is told of each delivery and what it was answered. */
const createMailbox = (
  url: string,
  respond: Respond,
  onResponded: (delivery: Delivery, reply: DeliveryResponse) => void,
  activity: ReceiverActivity = { hasReceived: false, emptyWaits: 0 },
): OpenMailbox => {
  const deliveries: Delivery[] = []
  const arrivals = new EventTarget()
  let taken = 0
  let underWay = 0
  let maxAtOnce = 0
  let isShut = false
  const open = new Set<ServerResponse>()

  const untilArrival = (timeoutMs: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, timeoutMs)
      const arrived = (): void => {
        clearTimeout(timer)
        resolve()
      }
      arrivals.addEventListener('arrival', arrived, { once: true })
    })

  return {
    url,
    deliveries,
    maxAtOnce: () => maxAtOnce,
    take: async (timeoutMs) => {
      const isDeaf = !activity.hasReceived && activity.emptyWaits >= maxEmptyWaits
      const until = performance.now() + (isDeaf ? Math.min(timeoutMs, momentMs) : timeoutMs)
      while (taken >= deliveries.length) {
        const left = until - performance.now()
        if (left <= 0) {
          activity.emptyWaits += 1
          return undefined
        }
        await untilArrival(left)
      }
      taken += 1
      return deliveries[taken - 1]
    },
    accept: async (request, response) => {
      if (isShut) {
        response.writeHead(410).end()
        return
      }
      activity.hasReceived = true
      underWay += 1
      maxAtOnce = Math.max(maxAtOnce, underWay)
      open.add(response)
      response.on('close', () => {
        underWay -= 1
        open.delete(response)
      })
      const body = await readBody(request)
      const now = { at: performance.now(), date: Date.now() / 1000 }
      const received = { method: request.method ?? '', headers: headersOf(request), body, ...now }
      const delivery: Delivery = { place: deliveries.length, ...received }
      deliveries.push(delivery)
      arrivals.dispatchEvent(new Event('arrival'))
      const reply = await respond(delivery)
      onResponded(delivery, reply)
      if (reply === 'close') response.destroy()
      else response.writeHead(reply.status, reply.headers ?? {}).end()
    },
    shut: () => {
      isShut = true
      for (const response of open) response.destroy()
    },
  }
}

/** Where the suite listens as a receiver of webhooks. */
export interface ReceiverOptions {
  readonly host: string
  /** 0: a free one. */
  readonly port: number
  /** How the server under test reaches it, when not by host and port. */
  readonly url?: string
}

/** A mailbox, and what ends it. */
interface LentMailbox {
  readonly mailbox: Mailbox
  readonly shut: () => void
}

/** The receiver of webhooks and of push messages that the suite plays, with an address for each mailbox. */
export interface Receiver {
  /** How the server under test reaches it; no slash at the end. */
  readonly url: string
  readonly lend: (respond: Respond, onResponded: (delivery: Delivery, reply: DeliveryResponse) => void) => LentMailbox
  readonly close: () => Promise<void>
}

/** Starts to listen; rejects with the system's error where that is not possible. */
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
    // A request that breaks off is none that was delivered.
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
    lend: (respond, onResponded) => {
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
