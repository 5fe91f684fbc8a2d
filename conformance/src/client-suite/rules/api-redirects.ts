/*
 * Rules of the profile `api` about redirects: they leak no secret, have an end, and are no success. Start reading at
 * `redirectRules`.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '../../encoding.ts'
import { type ClientLab, expectThat, lastExchange } from '../client-lab.ts'
import { clientRulesOf } from '../client-rule.ts'
import { type Matcher, respondWith } from '../wire.ts'
import { decode } from './api-tokens.ts'

/** The ways in which a redirect leads to no response of the protocol. */
const deadEnds: readonly (readonly [how: string, status: number, location?: string])[] = [
  ['it has no Location', 302],
  ['its Location is empty', 307, ''],
  ['its Location is no URL', 302, 'http://['],
  ['its Location is no URL of HTTP', 308, 'mailto:alice@example.org'],
]

/** The requests that a redirect can meet. */
const redirected: readonly (readonly [path: 'sync' | 'token', parameters: JsonObject])[] = [
  ['sync', { from: 0 }],
  ['sync', { from: 0, new_thing: [{ local_id: 'a', title: 'x', date: 1 }] }],
  ['token', { from: 0 }],
]

const maxRedirects = 30

/** Redirects without an end: to the same URL, or to another one each time. */
const endless: readonly (readonly [status: number, isLoop: boolean])[] = [
  [307, true],
  [302, false],
  [308, false],
]

/** Rules about redirects that lead to nothing. */
export const redirectRules = clientRulesOf('api', '7', [
  {
    id: 'CLIENT-REDIRECT-01',
    title: 'MUST return an error when a redirect leads to no response of the protocol',
    requirements: ['D-7-2'],
    check: async (lab) =>
      lab.forEachVariant(deadEnds, async ([how, status, location], lab) => {
        for (const [path, parameters] of redirected) {
          const server = await lab.openServer()
          const client = await lab.client(server)
          if (path !== 'token') await client.succeed('sync', { from: 0 })
          const headers = location === undefined ? {} : { location }
          const stop = server.wire.always(path, respondWith(status, '', headers))
          await client.fail('sync', parameters, `a redirect of ${path} came, and ${how}`)
          stop()
          await client.succeed('sync', { from: 0 }, 'the server redirects no more')
        }
      }),
  },
  {
    id: 'CLIENT-REDIRECT-02',
    title: `SHOULD follow at most ${maxRedirects} redirects for one request, and then return an error`,
    requirements: ['D-7-5'],
    check: async (lab) =>
      lab.forEachVariant(redirected, async ([path, parameters], lab) => {
        const server = await lab.openServer()
        const client = await lab.client(server)
        if (path !== 'token') await client.succeed('sync', { from: 0 })
        for (const [status, isLoop] of endless) {
          let hops = 0
          let most = 0
          const stop = server.wire.always(path, async (step) => {
            // A client may repeat a request that failed: that is another request, with redirects of its own.
            hops = /[?&]hop=/.test(step.request.url) ? hops + 1 : 0
            most = Math.max(most, hops)
            const location = `${server.wire.baseUrl}${path}${isLoop ? '' : `?hop=${hops + 1}`}`
            await respondWith(status, '', { location })(step)
          })
          await client.fail('sync', parameters, 'the redirects have no end')
          stop()
          const exchange = lastExchange(server.wire.exchanges, (request) => request.path === path)
          const expected = `at most ${maxRedirects} redirects that it follows, with status ${status}`
          expectThat(most <= maxRedirects, expected, `it followed ${most}`, exchange)
        }
      }),
  },
])

/** Another server, which keeps everything that it gets. */
interface Thief {
  readonly port: number
  /** Each request as text, decoded. */
  readonly stolen: string[]
  readonly close: () => Promise<void>
}

async function openThief(): Promise<Thief> {
  const stolen: string[] = []
  const server = createServer((request, response) => {
    let text = `${request.url} ${JSON.stringify(request.headers)} `
    request.on('data', (chunk: Buffer) => {
      text += decode(chunk.toString('utf8').replaceAll('+', ' '))
    })
    request.on('end', () => {
      stolen.push(text)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"pos":1}')
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    stolen,
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** One request of a client that is redirected to another server. */
interface Leak {
  readonly status: number
  readonly path: string
  readonly matcher: Matcher
  readonly command: string
  readonly parameters: JsonObject
}

const oneThing: JsonObject = { from: 0, new_thing: [{ local_id: 'a', title: 'x', date: 1 }] }
const leak = (status: number, path: string, command: string, parameters: JsonObject = {}): Leak => {
  const matcher: Matcher = (request) => request.path === path
  return { status, path, matcher, command, parameters }
}

/** Redirects of each kind of request; each request has a secret. */
const leaks: readonly Leak[] = [
  ...[301, 302, 303, 307, 308].map((status) => leak(status, 'sync', 'sync', { from: 0 })),
  ...[302, 307, 308].map((status) => leak(status, 'sync', 'sync', oneThing)),
  ...[302, 307, 308].map((status) => leak(status, 'token', 'sync', { from: 0 })),
  { ...leak(307, 'token', 'refresh'), matcher: 'refresh' },
]
const listLeaks: readonly Leak[] = [leak(302, 'sync', 'list', { from: 0 }), leak(307, 'sync', 'list', { from: 0 })]
const operationLeaks: readonly Leak[] = [
  ...[leak(307, 'thing/add', 'thing-add', { title: 'x' }), leak(302, 'things/get', 'things-get')],
  ...[leak(308, 'user/get', 'user-get'), leak(307, 'thing/delete', 'thing-delete', { _id: 'a1' })],
]
const revokeLeaks: readonly Leak[] = [leak(307, 'revoke', 'revoke')]

/** Where redirects lead: another host, another port of the same host, and another host after a hop on this one. */
const routes = ['another host', 'another port', 'a hop, and then another host', 'a URL without a scheme'] as const

async function expectNoLeak(lab: ClientLab, thief: Thief, each: Leak, route: (typeof routes)[number]): Promise<void> {
  const { status, path, matcher, command, parameters } = each
  const server = await lab.openServer()
  const client = await lab.client(server)
  const isFirst = path === 'token' && command === 'sync'
  if (!isFirst) await client.succeed('sync', { from: 0 })
  const host = route === 'another port' ? '127.0.0.1' : 'localhost'
  const scheme = route === 'a URL without a scheme' ? '' : 'http:'
  const away = respondWith(status, '{}', { location: `${scheme}//${host}:${thief.port}/v1/${path}` })
  server.wire.always(matcher, away)
  if (route === 'a hop, and then another host')
    server.wire.once(matcher, respondWith(status, '{}', { location: `${server.wire.baseUrl}${path}` }))
  const before = thief.stolen.length
  // Whether it follows or not: no secret may arrive.
  await client.call(command, parameters)
  const texts = thief.stolen.slice(before)
  const secrets = server.secrets().filter(([secret]) => texts.some((text) => text.includes(secret)))
  const names = secrets.map(([, name]) => name).join(' and ')
  const expected = `no secret at another server after ${status} on ${path}, to ${route}`
  expectThat(secrets.length === 0, expected, `the other server got ${names}`)
  await lab.reset()
}

/** Rules about redirects to another server. */
export const leakRules = clientRulesOf('api', '5.3', [
  {
    id: 'CLIENT-SECRET-04',
    title: 'MUST NOT send a token or a password to another server when a response redirects it',
    requirements: ['D-5.3-3'],
    check: async (lab) => {
      const all = [
        ...leaks,
        ...(lab.has('list') ? listLeaks : []),
        ...(lab.has('operations') ? operationLeaks : []),
        ...(lab.has('revoke') ? revokeLeaks : []),
      ]
      const thief = await openThief()
      try {
        for (const [index, each] of all.entries()) {
          const [first, ...others] = routes
          await expectNoLeak(lab, thief, each, first)
          // The other ways in turn: a client has one place that follows redirects.
          await expectNoLeak(lab, thief, each, others[index % others.length] ?? first)
        }
      } finally {
        await thief.close()
      }
    },
  },
])
