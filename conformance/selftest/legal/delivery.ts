import { randomUUID } from 'node:crypto'
import { right } from '../server/behaviour.ts'
import type { JsonObject } from '../server/world.ts'
import type { LegalDifference } from './difference.ts'

/** What a server may do otherwise that tells clients of changes (contract, delivery). */
export const legalDeliveries: readonly LegalDifference[] = [
  {
    id: 'hook-more-headers',
    title: 'sends headers of its own with each message',
    profile: 'full',
    behaviour: () => ({
      messageHeaders: { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'things/1', 'x-event': 'any' },
    }),
  },
  {
    id: 'hook-headers-in-capitals',
    title: 'writes the names of the headers of Standard Webhooks in capitals',
    profile: 'full',
    behaviour: () => ({
      signatureHeaders: (...all) =>
        Object.fromEntries(
          Object.entries(right.signatureHeaders(...all)).map(([name, value]) => [name.toUpperCase(), value]),
        ),
    }),
  },
  {
    id: 'hook-more-fields',
    title: 'tells more in a message than it has to',
    profile: 'full',
    behaviour: () => ({
      messageBody: (news, now) => {
        const body = right.messageBody(news, now)
        return { ...body, version: 1, data: { count: news.things.length, ...(body.data as JsonObject) } }
      },
    }),
  },
  {
    id: 'hook-several-signatures',
    title: 'signs each message by an older secret and by another kind of key, too',
    profile: 'full',
    behaviour: () => ({
      signature: (key, text) =>
        `${right.signature(Buffer.from('older'), text)} v1a,${'A'.repeat(88)} ${right.signature(key, text)}`,
    }),
  },
  {
    id: 'hook-secret-of-24-bytes',
    title: 'gives secrets of 24 bytes',
    profile: 'full',
    behaviour: () => ({ newSecret: () => `whsec_${Buffer.from(randomUUID().slice(0, 24)).toString('base64')}` }),
  },
  {
    id: 'hook-ids-are-uuids',
    title: 'gives messages UUIDs',
    profile: 'full',
    behaviour: () => ({ messageId: () => randomUUID() }),
  },
  {
    id: 'hook-tells-later',
    title: 'gathers changes for half a second before it tells of them',
    profile: 'full',
    behaviour: () => ({ beforeMessageMs: 500 }),
  },
  {
    id: 'hook-retries-later',
    title: 'tries a message again after more than three seconds',
    profile: 'full',
    behaviour: () => ({ retryMs: (_tries, after) => Math.max(3200, (after ?? 0) * 1000) }),
  },
  {
    id: 'hook-local-time',
    title: 'writes the time of a message with an offset',
    profile: 'full',
    behaviour: () => ({
      messageBody: (news, now) => ({
        ...right.messageBody(news, now),
        timestamp: new Date(now.getTime() + 3_600_000).toISOString().replace(/\.\d+Z$/, '+01:00'),
      }),
    }),
  },
  {
    id: 'hook-readable-json',
    title: 'writes messages in many lines',
    profile: 'full',
    behaviour: () => ({ messageText: (body) => JSON.stringify(body, undefined, 2) }),
  },
  {
    id: 'hook-without-empty-ids',
    title: 'leaves ids out where there are none',
    profile: 'full',
    behaviour: () => ({
      messageBody: (news, now) => {
        const body = right.messageBody(news, now)
        const { ids, ...rest } = body.data as JsonObject & { ids: unknown[] }
        return { ...body, data: ids.length === 0 ? rest : { ids, ...rest } }
      },
    }),
  },
  {
    id: 'hook-tells-with-id',
    title: 'answers more than it has to when a webhook is registered or listed',
    profile: 'full',
    behaviour: () => ({
      registered: (...all) => ({ ...right.registered(...all), id: 7 }),
      listedHook: (hook) => ({ ...(right.listedHook(hook) as JsonObject), id: 7, tries: 1 }),
    }),
  },
  {
    id: 'events-with-more-lines',
    title: 'names its events, sends comments among them, and says when to come back',
    profile: 'full',
    behaviour: () => ({
      event: (position) => `: hello\nretry: 2000\nevent: message\nid:${position}\ndata:{"pos": ${position}}\n\n:\n\n`,
    }),
  },
  {
    id: 'events-in-crlf',
    title: 'ends the lines of its streams with CR LF, and begins them with a comment',
    profile: 'full',
    behaviour: () => ({
      streamHeaders: { 'content-type': 'text/event-stream; charset=utf-8' },
      event: (position, isFirst) => right.event(position, isFirst).replaceAll('\n', '\r\n'),
    }),
  },
  {
    id: 'events-with-more-data',
    title: 'tells more than the position in an event, over two lines',
    profile: 'full',
    behaviour: () => ({
      event: (position) => `id: e-${position}\ndata: {"count": 1,\ndata: "pos": ${position}}\n\n`,
    }),
  },
  {
    id: 'events-look-seldom',
    title: 'looks every five seconds whether the token of a stream is still good',
    profile: 'full',
    behaviour: () => ({ tokenLookMs: 5000 }),
  },
  {
    id: 'wait-not-for-everything',
    title: 'answers a full listing at once, also in an empty account',
    profile: 'full',
    behaviour: () => ({ holdsBack: (account, from) => from !== 0 && right.holdsBack(account, from) }),
  },
  {
    id: 'device-list-more-fields',
    title: 'answers more than it has to on devices',
    profile: 'full',
    behaviour: () => ({
      registeredDevice: (device) => ({ ...right.registeredDevice(device), delivered: device.type === 'webpush' }),
      listedDevice: (...all) => ({ ...(right.listedDevice(...all) as JsonObject), last_success: 1_767_225_600 }),
    }),
  },
]
