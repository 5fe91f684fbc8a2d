import { randomUUID } from 'node:crypto'
import { right } from '../server/behaviour.ts'
import type { JsonObject } from '../server/world.ts'
import { type LegalDifference, legal } from './difference.ts'

/** What a server may do otherwise that tells clients of changes (contract, delivery). */
export const legalDeliveries: readonly LegalDifference[] = [
  legal('full', 'hook-more-headers', 'sends headers of its own with each message', () => ({
    messageHeaders: { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'things/1', 'x-event': 'any' },
  })),
  legal('full', 'hook-headers-in-capitals', 'writes the names of the headers of Standard Webhooks in capitals', () => ({
    signatureHeaders: (...all) =>
      Object.fromEntries(
        Object.entries(right.signatureHeaders(...all)).map(([name, value]) => [name.toUpperCase(), value]),
      ),
  })),
  legal('full', 'hook-more-fields', 'tells more in a message than it has to', () => ({
    messageBody: (news, now) => {
      const body = right.messageBody(news, now)
      return { ...body, version: 1, data: { count: news.things.length, ...(body.data as JsonObject) } }
    },
  })),
  legal(
    'full',
    'hook-several-signatures',
    'signs each message by an older secret and by another kind of key, too',
    () => ({
      signature: (key, text) =>
        `${right.signature(Buffer.from('older'), text)} v1a,${'A'.repeat(88)} ${right.signature(key, text)}`,
    }),
  ),
  legal('full', 'hook-secret-of-24-bytes', 'gives secrets of 24 bytes', () => ({
    newSecret: () => `whsec_${Buffer.from(randomUUID().slice(0, 24)).toString('base64')}`,
  })),
  legal('full', 'hook-ids-are-uuids', 'gives messages UUIDs', () => ({ messageId: () => randomUUID() })),
  legal('full', 'hook-tells-later', 'gathers changes for half a second before it tells of them', () => ({
    beforeMessageMs: 500,
  })),
  legal('full', 'hook-retries-later', 'tries a message again after more than three seconds', () => ({
    retryMs: (_tries, after) => Math.max(3200, (after ?? 0) * 1000),
  })),
  legal('full', 'hook-local-time', 'writes the time of a message with an offset', () => ({
    messageBody: (news, now) => ({
      ...right.messageBody(news, now),
      timestamp: new Date(now.getTime() + 3_600_000).toISOString().replace(/\.\d+Z$/, '+01:00'),
    }),
  })),
  legal('full', 'hook-readable-json', 'writes messages in many lines', () => ({
    messageText: (body) => JSON.stringify(body, undefined, 2),
  })),
  legal('full', 'hook-without-empty-ids', 'leaves ids out where there are none', () => ({
    messageBody: (news, now) => {
      const body = right.messageBody(news, now)
      const { ids, ...rest } = body.data as JsonObject & { ids: unknown[] }
      return { ...body, data: ids.length === 0 ? rest : { ids, ...rest } }
    },
  })),
  legal('full', 'hook-tells-with-id', 'answers more than it has to when a webhook is registered or listed', () => ({
    registered: (...all) => ({ ...right.registered(...all), id: 7 }),
    listedHook: (hook) => ({ ...(right.listedHook(hook) as JsonObject), id: 7, tries: 1 }),
  })),
  legal(
    'full',
    'events-with-more-lines',
    'names its events, sends comments among them, and says when to come back',
    () => ({
      event: (position) => `: hello\nretry: 2000\nevent: message\nid:${position}\ndata:{"pos": ${position}}\n\n:\n\n`,
    }),
  ),
  legal('full', 'events-in-crlf', 'ends the lines of its streams with CR LF, and begins them with a comment', () => ({
    streamHeaders: { 'content-type': 'text/event-stream; charset=utf-8' },
    event: (position, isFirst) => right.event(position, isFirst).replaceAll('\n', '\r\n'),
  })),
  legal('full', 'events-with-more-data', 'tells more than the position in an event, over two lines', () => ({
    event: (position) => `id: e-${position}\ndata: {"count": 1,\ndata: "pos": ${position}}\n\n`,
  })),
  legal('full', 'events-look-seldom', 'looks every five seconds whether the token of a stream is still good', () => ({
    tokenLookMs: 5000,
  })),
  legal('full', 'wait-not-for-everything', 'answers a full listing at once, also in an empty account', () => ({
    holdsBack: (account, from) => from !== 0 && right.holdsBack(account, from),
  })),
  legal('full', 'device-list-more-fields', 'answers more than it has to on devices', () => ({
    registeredDevice: (device) => ({ ...right.registeredDevice(device), delivered: device.type === 'webpush' }),
    listedDevice: (...all) => ({ ...(right.listedDevice(...all) as JsonObject), last_success: 1_767_225_600 }),
  })),
]
