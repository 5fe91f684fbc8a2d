import { createDeliveryRules } from '../../src/outbound/address-guard.ts'
import type { Outcome } from '../../src/outbound/client.ts'
import { createOutbound, type OutboundOptions } from '../../src/outbound/client.ts'

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
