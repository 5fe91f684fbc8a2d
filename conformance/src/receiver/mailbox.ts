import type { IncomingMessage, ServerResponse } from 'node:http'

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
export type Answer = { readonly status: number; readonly headers?: Readonly<Record<string, string>> } | 'close'

/** Decides how a delivery is answered; one that takes its time holds the request. */
export type Answering = (delivery: Delivery) => Answer | Promise<Answer>

/** An address of its own at the suite's receiver. */
export interface Mailbox {
  readonly url: string
  /** What came so far. */
  readonly deliveries: readonly Delivery[]
  /** Most requests that were under way at the same time. */
  readonly mostAtOnce: () => number
  /** The next delivery that was not taken yet; undefined when none came within the time. */
  readonly take: (patienceMs: number) => Promise<Delivery | undefined>
}

/** A mailbox from the inside of the receiver. */
export interface OpenMailbox extends Mailbox {
  readonly accept: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  /** From now on whoever comes is told that nobody is here, by 410, so that a forgotten webhook ends by itself. */
  readonly shut: () => void
}

/** Longest body that is read; far more than a message may have. */
const mostBytes = 8 * 1024 * 1024

const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    length += (chunk as Buffer).length
    if (length <= mostBytes) chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}

const headersOf = (request: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, [value].flat().join(', ')]))

/** What all mailboxes of a receiver know of the server. */
export interface Hearing {
  hasHeard: boolean
  /** Times that something was waited for and nothing at all had ever come. */
  vain: number
}

/** Vain waits after which a server that never sent anything is waited for a moment only: it delivers nothing. */
const mostVain = 3

const momentMs = 500

/** Makes a mailbox; `onAnswered` is told of each delivery and what it was answered. */
export const createMailbox = (
  url: string,
  answering: Answering,
  onAnswered: (delivery: Delivery, answer: Answer) => void,
  hearing: Hearing = { hasHeard: false, vain: 0 },
): OpenMailbox => {
  const deliveries: Delivery[] = []
  const arrivals = new EventTarget()
  let taken = 0
  let underWay = 0
  let mostAtOnce = 0
  let isShut = false
  const open = new Set<ServerResponse>()

  const untilArrival = (patienceMs: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, patienceMs)
      const arrived = (): void => {
        clearTimeout(timer)
        resolve()
      }
      arrivals.addEventListener('arrival', arrived, { once: true })
    })

  return {
    url,
    deliveries,
    mostAtOnce: () => mostAtOnce,
    take: async (patienceMs) => {
      const isDeaf = !hearing.hasHeard && hearing.vain >= mostVain
      const until = performance.now() + (isDeaf ? Math.min(patienceMs, momentMs) : patienceMs)
      while (taken >= deliveries.length) {
        const left = until - performance.now()
        if (left <= 0) {
          hearing.vain += 1
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
      hearing.hasHeard = true
      underWay += 1
      mostAtOnce = Math.max(mostAtOnce, underWay)
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
      const answer = await answering(delivery)
      onAnswered(delivery, answer)
      if (answer === 'close') response.destroy()
      else response.writeHead(answer.status, answer.headers ?? {}).end()
    },
    shut: () => {
      isShut = true
      for (const response of open) response.destroy()
    },
  }
}
