/*
 * Rules of the profile `api` about tokens: how the client obtains, presents, refreshes and protects them. Start reading
 * at `grantRules`.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { rightServer } from '../../model/behavior.ts'
import type { Outcome } from '../adapter.ts'
import {
  type ApiClient,
  type ClientLab,
  expectEqual,
  expectThat,
  formsOfSecret,
  lastExchange,
  showError,
} from '../client-lab.ts'
import { clientRulesOf } from '../client-rule.ts'
import type { ScriptedServer } from '../scripted-server.ts'
import {
  type Act,
  isRefresh,
  loseRequest,
  loseResponse,
  pass,
  rejectToken,
  respondWith,
  valuesOf,
  type WireExchange,
  type WireRequest,
} from '../wire.ts'

const isSync = ({ path }: WireRequest): boolean => path === 'sync'
const isToken = ({ path }: WireRequest): boolean => path === 'token'

/** Returns the places of a request in which a text stands: a header, the URL or the body. */
export function placesOf(request: WireRequest, secret: string): readonly string[] {
  const { headers, query, form, url } = request
  const header = Object.entries(headers).flatMap(([name, value]) =>
    String(value).includes(secret) ? [`header ${name}`] : [],
  )
  const inUrl = query.some(([, value]) => value.includes(secret)) || decode(url).includes(secret) ? ['URL'] : []
  const body = form.some(([, value]) => value.includes(secret)) || request.body.includes(secret) ? ['body'] : []
  return [...header, ...inUrl, ...body]
}

/** Decodes a URL; returns it as it is when it is not percent-encoded. */
export function decode(url: string): string {
  try {
    return decodeURIComponent(url)
  } catch (error) {
    if (error instanceof URIError) return url
    throw error
  }
}

/** Expects that no request has a secret in its URL. */
export function expectNoSecretInUrls(server: ScriptedServer): void {
  for (const exchange of server.wire.exchanges) {
    for (const [secret, name] of server.secrets()) {
      const places = placesOf(exchange.request, secret)
      expectThat(!places.includes('URL'), 'no secret in a URL', `the URL has ${name}`, exchange)
    }
  }
}

/** Rules about obtaining tokens. */
export const grantRules = clientRulesOf('api', '5.1', [
  {
    id: 'CLIENT-TOKEN-01',
    title: 'MUST request tokens by POST with a form body, with the exact credentials',
    requirements: ['D-5.1-1'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      await client.succeed('sync', { from: 0 }, 'the credentials are right')
      const exchange = lastExchange(server.wire.exchanges, isToken)
      const { username, password } = server.credentials()
      const read = (name: string): string | undefined => exchange?.request.form.find(([each]) => each === name)?.[1]
      expectEqual(
        {
          method: exchange?.request.method,
          grant: read('grant_type'),
          username: read('username'),
          password: read('password'),
        },
        { method: 'POST', grant: 'password', username, password },
        'a POST with the form of the password grant',
        exchange,
      )
    },
  },
  {
    id: 'CLIENT-TOKEN-02',
    title: 'MUST return the token response, with `scope` null and a validity of any length',
    section: '5.2',
    requirements: ['D-5.2-5', 'D-9-1'],
    features: ['tokens'],
    check: async (lab) => {
      for (const expires_in of [1, 3600, 31_536_000]) {
        const server = await lab.openServer({
          // The member refresh_token is not in the interface: a server need not have it.
          behavior: {
            tokenResponse: ({ refresh_token: _alias, ...response }) => ({ ...response, expires_in, more: 1 }),
          },
        })
        const { username, password, ...app } = server.credentials()
        const client = await lab.client(server, { ...app, username: username ?? '', password: password ?? '' })
        const response = await client.succeed('token', { username: username ?? '', password: password ?? '' })
        const pair = server.model.state.sessions.at(-1)?.pairs.at(-1)
        const { access_token, request_token, scope = null } = response
        expectEqual(
          { access_token, request_token, expires_in: response.expires_in, scope },
          { access_token: pair?.access, request_token: pair?.request, expires_in, scope: null },
          'the token response',
        )
        await client.succeed('sync', { from: 0 }, `the tokens are valid, although for ${expires_in} seconds`)
        await lab.reset()
      }
    },
  },
  {
    id: 'CLIENT-TOKEN-03',
    title: 'MUST return an error for a wrong password, and nothing like a success',
    section: '7',
    requirements: ['D-7-1'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server, { ...server.credentials(), password: 'wrong' })
      await client.fail('sync', { from: 0 }, 'the password is wrong')
      const tries = server.wire.requests('token').length
      expectThat(tries <= 3, 'at most 3 token requests with a wrong password', `${tries} came`)
    },
  },
  {
    id: 'CLIENT-TOKEN-04',
    title: 'SHOULD request one pair of tokens when several first requests run at once',
    features: ['concurrent'],
    requirements: ['D-5.1-3'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      await Promise.all([1, 2, 3].map(() => client.succeed('sync', { from: 0 })))
      const grants = server.wire.requests('token').length
      expectThat(grants === 1, 'one token request', `${grants} came`)
    },
  },
  {
    id: 'CLIENT-TOKEN-05',
    title: 'MUST use the tokens that it begins with',
    features: ['tokens'],
    requirements: ['D-5.2-5'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server, await server.withTokens())
      await client.succeed('sync', { from: 0 }, 'the tokens are valid')
      const grants = server.wire.requests('token').length
      expectThat(grants === 0, 'no token request', `${grants} came`)
    },
  },
  {
    id: 'CLIENT-TOKEN-06',
    title: 'MUST send user name, password, client ID and client secret character for character',
    requirements: ['D-5.1-1'],
    check: async (lab) => {
      const tokens = { access_token: 'a1', request_token: 'r1', token_type: 'bearer', expires_in: 3600, scope: null }
      for (const credentials of awkwardCredentials) {
        const server = await lab.openServer()
        server.wire.always('token', respondWith(200, tokens))
        server.wire.always('sync', respondWith(200, { pos: 1 }))
        const { base_url = '' } = server.credentials()
        const client = await lab.client(server, { base_url, ...credentials })
        await client.succeed('sync', { from: 0 }, 'the server accepts these credentials')
        const { username, password } = credentials
        await client.succeed('token', { username, password }, 'the server accepts these credentials')
        for (const exchange of server.wire.exchanges.filter(({ request }) => isToken(request))) {
          const sent = Object.keys(credentials).map((name) => [name, valuesOf(exchange.request, name)])
          const wanted = Object.entries(credentials).map(([name, value]) => [name, [value]])
          expectEqual(sent, wanted, 'the credentials as they were given', exchange)
        }
        await lab.reset()
      }
    },
  },
])

/** Credentials that trimming, another text encoding, another letter case or reading as a number would change. */
const awkwardCredentials = [
  { client_id: 'App-1', client_secret: '+/=%41&ä', username: 'Ann.Other+tag@Example.org', password: ' both ends ' },
  { client_id: '007', client_secret: '1e5', username: '0012', password: '000123' },
  { client_id: 'app', client_secret: 'Secret', username: 'é', password: 'e\u0301 日本語 😀 "q" \\ \u00a0<b>' },
  { client_id: 'app', client_secret: 'x'.repeat(100), username: 'u'.repeat(60), password: '\u2003é'.repeat(60) },
]

/** Rules about presenting and protecting secrets. */
export const presentationRules = clientRulesOf('api', '5.3', [
  {
    id: 'CLIENT-SECRET-01',
    title: 'MUST present the access token in exactly one way',
    requirements: ['D-5.3-1'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      await client.succeed('sync', { from: 0 })
      await client.succeed('sync', { from: 0, new_thing: [{ local_id: 'a', title: 'x' }] })
      const token = server.model.state.sessions.at(-1)?.pairs.at(-1)?.access ?? ''
      for (const exchange of server.wire.exchanges.filter(({ request }) => isSync(request))) {
        const places = placesOf(exchange.request, token)
        expectThat(
          places.length === 1,
          'the access token in one place of the request',
          `it is in ${places.join(' and ') || 'none'}`,
          exchange,
        )
      }
    },
  },
  {
    id: 'CLIENT-SECRET-02',
    title: 'MUST NOT put a token, a password or a client secret into a URL',
    requirements: ['D-5.3-2'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      await client.succeed('sync', { from: 0 })
      await client.succeed('sync', { from: 0, new_thing: [{ local_id: 'a', title: 'x' }] })
      const { error } = await client.call('refresh')
      expectThat(error?.kind !== 'internal', 'a refresh that works', `${showError(error)} came`)
      if (lab.has('list')) await client.succeed('list', { from: 0 })
      expectNoSecretInUrls(server)
    },
  },
  {
    id: 'CLIENT-SECRET-03',
    title: 'MUST NOT send the password or the client secret with a sync',
    requirements: ['D-5.3-1'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      await client.succeed('sync', { from: 0 })
      const exchange = lastExchange(server.wire.exchanges, isSync) as WireExchange
      const { password, client_secret } = server.credentials()
      const basic = Buffer.from(`${server.model.clientId}:${client_secret}`).toString('base64')
      const places = [String(password), String(client_secret), basic].flatMap((secret) =>
        placesOf(exchange.request, secret),
      )
      expectThat(
        places.length === 0,
        'the access token as the only secret of a sync',
        `a password or secret is in ${places.join(' and ')}`,
        exchange,
      )
    },
  },
  {
    id: 'CLIENT-SECRET-05',
    title: 'MUST NOT repeat a token, a password or a client secret in an error',
    requirements: ['D-5.3-4'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      for (const [how, { error }] of await failInManyWays(server, client)) {
        const told = findSecrets(server, JSON.stringify(error ?? null))
        expectThat(told.length === 0, `no secret in the error of ${how}`, `it has ${told.join(' and ')}`)
      }
    },
  },
  {
    id: 'CLIENT-SECRET-06',
    title: 'MUST NOT write a token, a password or a client secret to its standard error',
    requirements: ['D-5.3-4'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      await failInManyWays(server, client)
      const told = findSecrets(server, await client.endAndReadErrors())
      expectThat(told.length === 0, 'no secret in the standard error of the adapter', `it has ${told.join(' and ')}`)
    },
  },
])

/** Returns the names of the secrets of a server that a text has, in any form. */
function findSecrets(server: ScriptedServer, text: string): readonly string[] {
  const { clientId, clientSecret } = server.model
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  const secrets = [...server.secrets(), [basic, '{client_secret} in the form of HTTP Basic'] as const]
  return secrets.flatMap(([secret, name]) => (formsOfSecret(secret).some((form) => text.includes(form)) ? [name] : []))
}

/** Lets a client sign in, sync, upload, refresh and fail in many ways, and returns the outcome of each command. */
async function failInManyWays(
  server: ScriptedServer,
  client: ApiClient,
): Promise<readonly (readonly [how: string, outcome: Outcome])[]> {
  const outcomes: (readonly [string, Outcome])[] = []
  const run = async (
    how: string,
    command: 'sync' | 'refresh',
    matcher?: 'sync' | 'token',
    act?: Act,
  ): Promise<void> => {
    const stop = matcher === undefined || act === undefined ? undefined : server.wire.always(matcher, act)
    const upload = { from: 0, new_thing: [{ local_id: how, title: how }] }
    outcomes.push([`${command} (${how})`, await client.call(command, command === 'sync' ? upload : {})])
    stop?.()
  }
  const rejected = { error: 'parameter_invalid', error_description: 'no' }
  await run('nothing is wrong', 'sync')
  await run('the server rejects it', 'sync', 'sync', respondWith(422, rejected))
  await run('a page of HTML comes', 'sync', 'sync', respondWith(500, '<h1>500</h1>', { 'content-type': 'text/html' }))
  await run('the connection breaks', 'sync', 'sync', loseRequest)
  await run('nothing is wrong', 'refresh')
  await run('the token endpoint fails', 'refresh', 'token', respondWith(500, rejected))
  server.expireAccessTokens()
  await run('the access token is expired', 'sync')
  server.endSessions()
  await run('no token is valid', 'sync')
  await run('the refresh token is invalid', 'refresh')
  return outcomes
}

/** Rules about refreshing. */
export const refreshRules = clientRulesOf('api', '5.2', [
  {
    id: 'CLIENT-REFRESH-01',
    title: 'MUST send the value of request_token as refresh_token',
    section: '5.1',
    requirements: ['D-5.1-2'],
    check: async (lab) => {
      // The member refresh_token is not in the interface: a server need not have it.
      const server = await lab.openServer({
        behavior: { tokenResponse: ({ refresh_token: _alias, ...response }) => response },
      })
      const client = await lab.client(server)
      await client.succeed('sync', { from: 0 })
      const pair = server.model.state.sessions.at(-1)?.pairs.at(-1)
      await client.succeed('refresh')
      const exchange = lastExchange(server.wire.exchanges, isRefresh)
      expectThat(exchange !== undefined, 'a request with grant_type=refresh_token', 'none came')
      expectEqual(valuesOf(exchange.request, 'refresh_token'), [pair?.request], 'refresh_token', exchange)
    },
  },
  {
    id: 'CLIENT-REFRESH-02',
    title: 'MUST use both new tokens after a refresh',
    requirements: ['D-5.2-1'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      await client.succeed('sync', { from: 0 })
      for (let count = 0; count < 3; count += 1) {
        await client.succeed('refresh', {}, 'the last refresh token is valid')
        server.expireAccessTokens()
        const pair = server.model.state.sessions.at(-1)?.pairs.at(-1)
        await client.call('sync', { from: 0 })
        const exchange = server.wire.exchanges.findLast(
          ({ request }) => isSync(request) && placesOf(request, pair?.access ?? '').length > 0,
        )
        expectThat(
          exchange !== undefined,
          'a sync with the new access token',
          'the client presented another one',
          lastExchange(server.wire.exchanges, isSync),
        )
      }
    },
  },
  {
    id: 'CLIENT-REFRESH-03',
    title: 'MUST have one refresh under way when two requests find the token expired',
    features: ['concurrent'],
    requirements: ['D-5.2-2'],
    check: async (lab) => {
      for (const isApart of [false, true]) {
        const { server, outcomes } = await syncTwiceExpired(lab, isApart)
        const refreshes = server.wire.requests('refresh')
        const tokens = refreshes.flatMap((request) => valuesOf(request, 'refresh_token'))
        const exchange = lastExchange(server.wire.exchanges, isRefresh)
        expectThat(
          new Set(tokens).size === tokens.length,
          'each refresh token once',
          `${refreshes.length} refreshes came, with one token twice`,
          exchange,
        )
        const errors = outcomes.flatMap(({ error }) => error ?? [])
        if (refreshes.length > 0)
          expectThat(
            errors.length === 0,
            'both requests to succeed after one refresh',
            `${errors.map((error) => showError(error)).join(', ')} came`,
            exchange,
          )
        else
          expectThat(
            errors.every(({ kind }) => kind !== 'internal'),
            'a right error of both',
            `${errors.map((error) => showError(error)).join(', ')} came`,
          )
        await lab.reset()
      }
    },
  },
  {
    id: 'CLIENT-REFRESH-04',
    title: 'MUST NOT repeat a rejected refresh in a loop, and MUST report that the user has to sign in',
    features: ['tokens'],
    requirements: ['D-5.2-4'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server, await server.withTokens())
      await client.succeed('sync', { from: 0 })
      server.endSessions()
      const error = await client.fail('sync', { from: 0 }, 'no token is valid any more')
      const isRight = error.kind === 'signed_out' || error.kind === 'rejected'
      expectThat(isRight, 'an error of the kind signed_out, or rejected', `${showError(error)} came`)
      const requests = server.wire.exchanges.length
      expectThat(requests <= 8, 'at most 8 requests in all', `${requests} came`, server.wire.exchanges.at(-1))
    },
  },
  {
    id: 'CLIENT-REFRESH-05',
    title: 'MUST NOT take a sync that is rejected again and again for an expired token without end',
    requirements: ['D-5.2-4'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      await client.succeed('sync', { from: 0 })
      server.wire.always('sync', rejectToken)
      await client.fail('sync', { from: 0 }, 'every access token is rejected')
      const requests = server.wire.exchanges.length
      expectThat(requests <= 10, 'at most 10 requests in all', `${requests} came`, server.wire.exchanges.at(-1))
    },
  },
  {
    id: 'CLIENT-REFRESH-06',
    title: 'MUST NOT present an access token that it revoked',
    features: ['revoke'],
    requirements: ['D-5.2-4'],
    check: async (lab) => {
      const server = await lab.openServer({ behavior: { tokenResponse: rightServer.tokenResponse } })
      const client = await lab.client(server, lab.has('tokens') ? await server.withTokens() : server.credentials())
      await client.succeed('sync', { from: 0 })
      const pair = server.model.state.sessions.findLast(({ pairs }) => pairs.some(({ used }) => used))?.pairs.at(-1)
      await client.succeed('revoke')
      const exchange = server.wire.exchanges.at(-1)
      expectThat(
        exchange?.request.path === 'revoke',
        'a request to revoke',
        `${exchange?.request.path ?? 'nothing'} was requested`,
        exchange,
      )
      await client.call('sync', { from: 0 })
      const again = server.wire.exchanges.findLast(
        ({ request }) => isSync(request) && request.number > (exchange?.request.number ?? 0),
      )
      const isPresented = again !== undefined && placesOf(again.request, pair?.access ?? 'none').length > 0
      expectThat(!isPresented, 'no request with the revoked token', 'the client presented it again', again)
    },
  },
  {
    id: 'CLIENT-REFRESH-07',
    title: 'SHOULD NOT refresh again when another request has replaced the token that was rejected',
    features: ['concurrent'],
    requirements: ['D-5.2-7'],
    check: async (lab) => {
      const { server } = await syncTwiceExpired(lab, true)
      const count = server.wire.requests('refresh').length
      const exchange = lastExchange(server.wire.exchanges, isRefresh)
      expectThat(count <= 1, 'one refresh, because the second sync can use the new token', `${count} came`, exchange)
    },
  },
  {
    id: 'CLIENT-REFRESH-08',
    title: 'SHOULD NOT obtain new tokens for each request when tokens are valid for a minute',
    requirements: ['D-5.2-7', 'D-5.2-5'],
    check: async (lab) => {
      const tokenResponse = (response: object): object => ({ ...response, expires_in: 60 })
      const server = await lab.openServer({ behavior: { tokenResponse } })
      const client = await lab.client(server)
      for (let count = 0; count < 6; count += 1) await client.succeed('sync', { from: 0 })
      const requests = server.wire.requests('token').length
      const exchange = lastExchange(server.wire.exchanges, isToken)
      expectThat(requests <= 2, 'at most 2 token requests for 6 syncs', `${requests} came`, exchange)
    },
  },
  {
    id: 'CLIENT-REFRESH-13',
    title: 'SHOULD NOT obtain new tokens again and again while they are valid, for a minute or for years',
    requirements: ['D-5.2-7', 'D-5.2-5'],
    check: async (lab) =>
      lab.forEachVariant([...validities], async (expires_in, lab) => {
        const tokenResponse = (response: object): object => ({ ...response, expires_in })
        const server = await lab.openServer({ behavior: { tokenResponse } })
        const client = await lab.client(server)
        for (let count = 0; count < 5; count += 1) {
          await client.succeed('sync', { from: 0 })
          // A client that takes seconds for milliseconds finds a validity of a minute over now.
          await wait(70)
        }
        const requests = server.wire.requests('token').length
        const expected = `at most 2 token requests for 5 syncs, with tokens that are valid for ${expires_in} seconds`
        expectThat(requests <= 2, expected, `${requests} came`, lastExchange(server.wire.exchanges, isToken))
      }),
  },
  {
    id: 'CLIENT-REFRESH-09',
    title: 'MUST NOT end the session when the token endpoint is busy, broken or silent',
    features: ['tokens'],
    requirements: ['D-5.2-6'],
    maxMs: 180_000,
    check: async (lab) =>
      lab.forEachVariant(failedRefreshes, async ([how, act], lab) => {
        const server = await lab.openServer()
        const client = await lab.client(server, await server.withTokens())
        await client.succeed('sync', { from: 0 })
        const stop = server.wire.always('token', act)
        const { error } = await client.call('refresh')
        stop()
        expectThat(
          error?.kind !== 'signed_out' && error?.kind !== 'internal',
          `a success, or an error of another kind than signed_out, because ${how}`,
          `${showError(error)} came`,
          lastExchange(server.wire.exchanges, isToken),
        )
        await client.succeed('refresh', {}, `the refresh token is still valid, although ${how} before`)
        await client.succeed('sync', { from: 0 }, 'the new tokens are valid')
      }),
  },
  {
    id: 'CLIENT-REFRESH-10',
    title: 'MUST refresh an expired access token by itself, and repeat the request once',
    features: ['auto-refresh'],
    requirements: ['D-5.2-3'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      await client.succeed('sync', { from: 0 })
      server.expireAccessTokens()
      await client.succeed('sync', { from: 0 }, 'the refresh token is valid')
      server.expireAccessTokens()
      const upload = { from: 0, new_thing: [{ local_id: 'a', title: 'after a refresh' }] }
      await client.succeed('sync', upload, 'the refresh token is valid')
      const count = server.titled('after a refresh').length
      expectThat(count === 1, 'one thing in the account', `${count} came`)
      if (!lab.has('list')) return
      server.expireAccessTokens()
      const { count: listed } = await client.succeed('list', { from: 0 }, 'the refresh token is valid')
      expectEqual(listed, 1, 'the count of the listing')
    },
  },
  {
    id: 'CLIENT-REFRESH-14',
    title: 'SHOULD refresh with the refresh token, and not send the password again, when the access token expired',
    requirements: ['D-5.1-3'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      await client.succeed('sync', { from: 0 })
      const before = server.wire.requests('token').length
      for (let count = 0; count < 2; count += 1) {
        server.expireAccessTokens()
        // A library may leave refreshing to its user.
        await client.call('sync', { from: 0 })
      }
      const grants = server.wire.requests('token').slice(before)
      const wrong = grants.filter((request) => !isRefresh(request)).length
      expectThat(wrong === 0, 'requests with grant_type=refresh_token only', `${wrong} others came`)
    },
  },
  {
    id: 'CLIENT-REFRESH-12',
    title: 'MUST NOT report success for an upload that an expired access token kept from the account',
    requirements: ['D-5.2-3'],
    check: async (lab) => {
      const server = await lab.openServer()
      const client = await lab.client(server)
      await client.succeed('sync', { from: 0 })
      for (const [index, method] of ['the first', 'the second'].entries()) {
        server.expireAccessTokens()
        const title = `after ${index}`
        const { result } = await client.call('sync', { from: 0, new_thing: [{ local_id: 'a', title }] })
        const count = server.titled(title).length
        const expected = `one thing of ${method} upload in the account, or an error`
        expectThat(result === undefined || count === 1, expected, `the upload succeeded, and ${count} came`)
      }
    },
  },
  {
    id: 'CLIENT-REFRESH-11',
    title: 'MUST recognize an expired access token by `invalid_grant`, whatever the status is',
    requirements: ['D-7-1', 'D-5.2-3'],
    check: async (lab) => {
      const refreshesWith = async (status: number): Promise<boolean> => {
        const server = await lab.openServer({ behavior: { errorStatus: () => status } })
        const client = await lab.client(server)
        await client.succeed('sync', { from: 0 })
        server.expireAccessTokens()
        const { error } = await client.call('sync', { from: 0 })
        const isRight = error === undefined || (error.kind !== 'internal' && error.kind !== 'unexpected_response')
        const exchange = lastExchange(server.wire.exchanges, isSync)
        const expected = `a success, or an error of the kind rejected, for invalid_grant with status ${status}`
        expectThat(isRight, expected, `${showError(error)} came`, exchange)
        return error === undefined
      }
      // A library may leave refreshing to its user; then it does so with every status.
      const refreshesItself = await refreshesWith(401)
      for (const status of [400, 403, 200]) {
        const isRefreshed = await refreshesWith(status)
        expectThat(
          isRefreshed || !refreshesItself,
          `a refresh and a success after invalid_grant with status ${status}, as with 401`,
          'the client returned the error',
        )
      }
    },
  },
])

/** Validities in seconds. The last three are above 2^31 or 2^32 in milliseconds, or in microseconds above 2^53. */
const validities = [60, 3600, 2_147_484, 4_294_968, 10_000_000_000] as const

/** The ways in which a refresh fails although its token is valid. */
const failedRefreshes: readonly (readonly [how: string, act: Act])[] = [
  ['the request was lost', loseRequest],
  ['the response was lost', loseResponse],
  [
    'the server responded with 503',
    respondWith(503, { error: 'temporarily_unavailable', error_description: 'later' }, { 'retry-after': '0' }),
  ],
  ['the server responded with 500', respondWith(500, { error: 'server_error', error_description: 'no' })],
  ['the server responded with 429', respondWith(429, { error: 'slow_down', error_description: 'later' })],
  ['a page of HTML came', respondWith(502, '<html>Bad Gateway</html>', { 'content-type': 'text/html' })],
]

/**
 * Runs two syncs with an expired access token; both are on their way before the first of them is rejected. With
 * `isApart`, the second rejection comes after the end of the first command.
 */
async function syncTwiceExpired(
  lab: ClientLab,
  isApart: boolean,
): Promise<{ readonly server: ScriptedServer; readonly outcomes: readonly Outcome[] }> {
  const server = await lab.openServer({ behavior: { toleratesLostRefresh: false } })
  const client = await lab.client(server)
  await client.succeed('sync', { from: 0 })
  server.expireAccessTokens()
  const [both, ended] = [createSignal(), createSignal()]
  let arrived = 0
  // The model server rejects the token. A client that sends one request at a time does not wait here without end.
  const atMost = (signal: Promise<void>): Promise<void> => Promise.race([signal, wait(3000, undefined, { ref: false })])
  for (let count = 0; count < 2; count += 1) {
    server.wire.once('sync', async (step) => {
      arrived += 1
      const isSecond = arrived === 2
      if (isSecond) both.give()
      await atMost(both.given)
      if (isSecond && isApart) await atMost(ended.given)
      await pass(step)
    })
  }
  const calls = [1, 2].map(() => client.call('sync', { from: 0 }).finally(ended.give))
  return { server, outcomes: await Promise.all(calls) }
}

function createSignal(): { readonly given: Promise<void>; readonly give: () => void } {
  let give = (): void => {}
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return { given, give: () => give() }
}
