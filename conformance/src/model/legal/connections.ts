import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../../lab.ts'
import { findPair, rightServer } from '../behavior.ts'
import { ApiError, type JsonObject, type Pair, type Session } from '../state.ts'
import { type LegalDifference, legal } from './difference.ts'

function isRefreshed(session: Session, pair: Pair): boolean {
  return session.pairs.some(({ parent }) => parent === pair)
}

/** Differences in connections, tokens and supported operations. */
export const legalConnections: readonly LegalDifference[] = [
  legal('full', 'slow-chunked', 'sends its responses in small slow pieces', () => ({
    chunks: { bytes: 3000, pause: 1 },
  })),
  legal('full', 'slow', 'takes a while for each response, each time another', () => {
    const random = createRandom('slow')
    return { delay: () => sleep(random() * 30) }
  }),
  legal('full', 'connection-closed', 'closes the connection after each response', () => ({
    reply: (reply) => ({ ...reply, headers: { ...reply.headers, connection: 'close' } }),
  })),
  legal('full', 'connection-closed-quietly', 'closes the connection after each response and does not say so', () => ({
    closesQuietly: true,
  })),
  legal('full', 'throttled', 'responds with 429 and Retry-After now and then', () => {
    let count = 0
    return {
      delay: async () => {
        count += 1
        if (count % 200 === 0) throw new ApiError('throttled', 'Slow down', { 'retry-after': '1' })
      },
    }
  }),
  legal('full', 'throttled-streams', 'responds with 429 and Retry-After to the first stream of each session', () => {
    const known = new Set<string | undefined>()
    return {
      delay: async ({ path, authorization }) => {
        if (path !== 'sync/events' || known.has(authorization)) return
        known.add(authorization)
        throw new ApiError('throttled', 'Slow down', { 'retry-after': '1' })
      },
    }
  }),
  legal('core', 'header-bearer-only', 'reads no header but `Bearer token`', () => ({
    schemes: ['bearer'],
    readsNamedToken: false,
    readsQuotedToken: false,
  })),
  legal('core', 'header-oauth-only', 'reads no header but `OAuth token`', () => ({
    schemes: ['oauth'],
    readsNamedToken: false,
    readsQuotedToken: false,
  })),
  legal('core', 'header-named-only', 'reads no header but `access_token=token`', () => ({
    schemes: [''],
    readsQuotedToken: false,
  })),
  legal('core', 'header-token-only', 'reads no header but `Token token`', () => ({
    schemes: ['token'],
    readsNamedToken: false,
  })),
  legal('core', 'request-token-once', 'takes each refresh token once', () => ({
    endsReusedSession: false,
    findRequestToken: (state, token) => {
      const found = rightServer.findRequestToken(state, token)
      return found !== undefined && isRefreshed(found.session, found.pair) ? undefined : found
    },
  })),
  legal('core', 'request-token-often', 'takes each refresh token as often as it comes', () => ({
    endsReusedSession: false,
  })),
  legal('core', 'refresh-ends-old-access', 'ends an access token when it is refreshed', () => ({
    findAccessToken: (state, token) => {
      const found = findPair(state, 'access', token)
      return found !== undefined && isRefreshed(found.session, found.pair) ? undefined : found
    },
  })),
  legal('core', 'access-tokens-expire-soon', 'lets access tokens expire after five seconds, and says so', () => {
    const granted = new Map<string, number>()
    return {
      tokenResponse: (response) => {
        granted.set(String(response.access_token), Date.now())
        return { ...response, expires_in: 5 }
      },
      findAccessToken: (state, token, way, exchange) => {
        const expired = Date.now() - (granted.get(token) ?? 0) > 5000
        return expired ? undefined : rightServer.findAccessToken(state, token, way, exchange)
      },
    }
  }),
  legal('full', 'tokens-are-odd', 'gives tokens of every character that a header can carry', () => ({
    newToken: (kind, username, old) => `${rightServer.newToken(kind, username, old)}~.+/-_=`,
    readsQuotedToken: true,
  })),
  legal('core', 'refresh-token-unnamed', 'has no refresh_token beside request_token', () => ({
    tokenResponse: ({ refresh_token: _alias, ...response }) => response,
    tokenHeaders: {},
    readsBasic: false,
  })),
  legal('core', 'only-token-and-sync', 'has no operations but token and sync', () => ({
    operations: ['token', 'sync'],
  })),
]

/** Permitted differences in notifying clients of changes (contract, delivery). */
export const legalDeliveries: readonly LegalDifference[] = [
  legal('full', 'hook-more-headers', 'sends headers of its own with each message', () => ({
    messageHeaders: { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'things/1', 'x-event': 'any' },
  })),
  legal('full', 'hook-headers-in-capitals', 'writes the names of the headers of Standard Webhooks in capitals', () => ({
    signatureHeaders: (...all) =>
      Object.fromEntries(
        Object.entries(rightServer.signatureHeaders(...all)).map(([name, value]) => [name.toUpperCase(), value]),
      ),
  })),
  legal('full', 'hook-more-fields', 'sends more in a message than it has to', () => ({
    messageBody: (news, now) => {
      const body = rightServer.messageBody(news, now)
      return { ...body, version: 1, data: { count: news.things.length, ...(body.data as JsonObject) } }
    },
  })),
  legal(
    'full',
    'hook-several-signatures',
    'also signs each message by an older secret and by another kind of key',
    () => ({
      signature: (key, text) =>
        `${rightServer.signature(Buffer.from('older'), text)} v1a,${'A'.repeat(88)} ${rightServer.signature(key, text)}`,
    }),
  ),
  legal('full', 'hook-secret-of-24-bytes', 'gives secrets of 24 bytes', () => ({
    newSecret: () => `whsec_${Buffer.from(randomUUID().slice(0, 24)).toString('base64')}`,
  })),
  legal('full', 'hook-ids-are-uuids', 'gives messages UUIDs', () => ({ messageId: () => randomUUID() })),
  legal('full', 'hook-tells-later', 'gathers changes for half a second before it sends them', () => ({
    beforeMessageMs: 500,
  })),
  legal('full', 'hook-retries-later', 'tries a message again after more than three seconds', () => ({
    retryMs: (_tries, after) => Math.max(3200, (after ?? 0) * 1000),
  })),
  legal('full', 'hook-local-time', 'writes the time of a message with an offset', () => ({
    messageBody: (news, now) => ({
      ...rightServer.messageBody(news, now),
      timestamp: new Date(now.getTime() + 3_600_000).toISOString().replace(/\.\d+Z$/, '+01:00'),
    }),
  })),
  legal('full', 'hook-readable-json', 'writes messages in many lines', () => ({
    messageText: (body) => JSON.stringify(body, undefined, 2),
  })),
  legal('full', 'hook-without-empty-ids', 'leaves ids out where there are none', () => ({
    messageBody: (news, now) => {
      const body = rightServer.messageBody(news, now)
      const { ids, ...rest } = body.data as JsonObject & { ids: unknown[] }
      return { ...body, data: ids.length === 0 ? rest : { ids, ...rest } }
    },
  })),
  legal('full', 'hook-tells-with-id', 'returns more than it has to when a webhook is registered or listed', () => ({
    registered: (...all) => ({ ...rightServer.registered(...all), id: 7 }),
    listedHook: (hook) => ({ ...(rightServer.listedHook(hook) as JsonObject), id: 7, tries: 1 }),
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
    event: (position, isFirst) => rightServer.event(position, isFirst).replaceAll('\n', '\r\n'),
  })),
  legal('full', 'events-with-more-data', 'sends more than the position in an event, over two lines', () => ({
    event: (position) => `id: e-${position}\ndata: {"count": 1,\ndata: "pos": ${position}}\n\n`,
  })),
  legal('full', 'events-look-seldom', 'looks every five seconds whether the token of a stream is still good', () => ({
    tokenLookMs: 5000,
  })),
  legal('full', 'wait-not-for-everything', 'responds to a full sync at once, also in an empty account', () => ({
    holdsBack: (account, from) => from !== 0 && rightServer.holdsBack(account, from),
  })),
  legal('full', 'device-list-more-fields', 'returns more than it has to on devices', () => ({
    registeredDevice: (device) => ({ ...rightServer.registeredDevice(device), delivered: device.type === 'webpush' }),
    listedDevice: (...all) => ({ ...(rightServer.listedDevice(...all) as JsonObject), last_success: 1_767_225_600 }),
  })),
]

/** Permitted differences after a restart. */
export const legalRestarts: readonly LegalDifference[] = [
  legal('full', 'positions-jump-at-a-restart', 'leaves out a thousand positions when it is started again', () => ({
    restarted: ({ accounts }) => {
      for (const account of accounts.values()) account.position += 1000
    },
  })),
  legal('full', 'pages-end-with-a-restart', 'keeps the snapshots that pages are taken from in memory only', () => ({
    restarted: ({ sessions }) => {
      for (const { pages } of sessions) pages.clear()
    },
  })),
  legal(
    'core',
    'local-ids-forgotten-at-a-restart',
    'keeps in memory only what was uploaded with which client-assigned ID',
    () => ({
      restarted: ({ sessions }) => {
        for (const { uploads } of sessions) uploads.clear()
      },
    }),
  ),
  legal('core', 'busy-after-a-restart', 'asks for patience in its first responses after a restart', () => {
    let left = 0
    return {
      restarted: () => {
        left = 3
      },
      delay: async () => {
        if (left === 0) return
        left -= 1
        throw new ApiError('throttled', 'the server has only just been started', { 'retry-after': '0' })
      },
    }
  }),
]
