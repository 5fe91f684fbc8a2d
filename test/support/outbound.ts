import { createDeliveryRules } from '../../src/outbound/address-guard.ts'
import type { Outcome } from '../../src/outbound/client.ts'
import { createOutbound, type OutboundOptions } from '../../src/outbound/client.ts'
import { createReadPage, type PageOutcome, type ReadPageOptions } from '../../src/outbound/read-page.ts'

/** What an address that is not allowed comes to. */
export const notAllowed: Outcome = {
  kind: 'failed',
  reason:
    'Nothing was sent: the name is unknown, or this server may not deliver to its address (setting delivery_allow).',
}
/** What of an allowed one is told, however it failed. */
export const noResponse: Outcome = { kind: 'failed', reason: 'The receiver did not respond.' }

export const loopback = ['127.0.0.1']

/** Sends to delivery targets that are allowed beside the public ones. */
export const createTestOutbound = (targets: readonly string[], options: Partial<OutboundOptions> = {}) => {
  const outbound = createOutbound(createDeliveryRules(targets), { version: '1.2.3', ...options })
  const send = (url: string, signal?: AbortSignal) =>
    outbound.send({
      url,
      headers: { 'content-type': 'application/json' },
      body: '{"a":1}',
      ...(signal ? { signal } : {}),
    })
  return { ...outbound, send }
}

/** Resolves names with these responses one after the other, and repeats the last one. */
export const createNames = (...responses: readonly (readonly string[])[]) => {
  const requested: string[] = []
  return {
    requested: requested,
    resolveName: async (name: string) => {
      requested.push(name)
      return responses[Math.min(requested.length, responses.length) - 1] ?? []
    },
  }
}

/** Reads pages of targets that are allowed beside the public ones, each as text. */
export const createTestReader = (targets: readonly string[], options: Partial<ReadPageOptions> = {}) => {
  const rules = createDeliveryRules(targets, 'link_preview_allow')
  const readPage = createReadPage(rules, { version: '1.2.3', ...options })
  const read = (url: string): Promise<PageOutcome<string>> =>
    readPage(url, async ({ body }) => {
      const chunks: Uint8Array[] = []
      for await (const chunk of body) chunks.push(chunk)
      return Buffer.concat(chunks).toString()
    })
  return { read, readPage }
}

/** The reason for a page whose host is unknown or not allowed. */
export const pageNotAllowed = {
  kind: 'failed',
  reason: 'its host is unknown, or this server may not read from its address (setting link_preview_allow)',
} as const

/** What the attack tests of the guard need to know of a sender of requests. */
interface GuardedSender {
  readonly create: (
    targets: readonly string[],
    options?: Partial<Pick<OutboundOptions, 'resolveName' | 'timeoutMs'>>,
  ) => (url: string) => Promise<unknown>
  /** The outcome of an empty response with status 200. */
  readonly responded: unknown
  readonly notAllowed: unknown
  readonly noResponse: unknown
}

/** All that sends requests to URLs of users, by name: each has to withstand the same attacks. */
export const guardedSenders: readonly (readonly [name: string, sender: GuardedSender])[] = [
  [
    'a delivery',
    {
      create: (...options) => createTestOutbound(...options).send,
      responded: { kind: 'responded', status: 200 },
      notAllowed,
      noResponse,
    },
  ],
  [
    'a link preview',
    {
      create: (...options) => createTestReader(...options).read,
      responded: { kind: 'read', result: '' },
      notAllowed: pageNotAllowed,
      noResponse: { kind: 'failed', reason: 'its host did not respond' },
    },
  ],
]
