import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFreePort } from '../free-port.ts'
import { send, sendRequest } from './ask.ts'
import { type Behind, openBehind } from './open-behind.ts'
import { type FrontProxy, findProgram, type ProxyContext } from './proxies.ts'
import { startProxy } from './start-proxy.ts'

const suite = fileURLToPath(new URL('../../conformance/dist/src/main.js', import.meta.url))

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** Tests that the sample of a proxy lets everything through that clients, users and the suite need. */
export const tryProxy = (proxy: FrontProxy): void => {
  describe.skipIf(findProgram(proxy.program) === undefined)(`thingsync behind ${proxy.name}`, () => {
    let context: ProxyContext
    let started: { readonly stop: () => Promise<void> } | undefined
    let root: Behind
    let below: Behind
    let rootUrl: string
    let belowUrl: string
    let waited: ReturnType<typeof sendRequest>

    beforeAll(async () => {
      const folder = await mkdtemp(join(tmpdir(), 'thingsync-proxy-'))
      const at = async (name: string) => (proxy.usesSocket ? join(folder, name) : `127.0.0.1:${await findFreePort()}`)
      context = { folder, port: await findFreePort(), root: await at('root.sock'), below: await at('below.sock') }
      rootUrl = `https://127.0.0.1:${context.port}/v1/`
      belowUrl = `https://127.0.0.1:${context.port}/things/v1/`
      root = await openBehind(context.root, rootUrl)
      below = await openBehind(context.below, belowUrl)
      started = await startProxy(proxy, context)
      // The longest that a client may request; looked at by the last test.
      waited = sendRequest(`${belowUrl}sync?from=0&wait=60`, { headers: bearer(below.quietToken) })
      waited.catch(() => undefined)
    })

    afterAll(async () => {
      await started?.stop()
      await root.close()
      await below.close()
      await rm(context.folder, { recursive: true })
    })

    test('the suite finds every rule of its profile core kept', async () => {
      const environment = {
        PATH: process.env.PATH ?? '',
        NODE_EXTRA_CA_CERTS: join(context.folder, 'chain.pem'),
        THINGSYNC_BASE_URL: rootUrl,
        THINGSYNC_CLIENT_ID: root.clientId,
        THINGSYNC_CLIENT_SECRET: root.clientSecret,
        THINGSYNC_USER: 'anna:correct horse\nbert:correct horse',
      }
      // On a busy machine four suites, proxies and servers wait for one another: that is no fault of a proxy.
      const child = spawn(process.execPath, [suite, 'run', '--profile', 'core', '--timeout', '60s'], {
        env: environment,
      })
      child.stderr.resume()
      const said = (await child.stdout.setEncoding('utf8').toArray()).join('')

      expect(said).toMatch(/^PASSED: \d\d+ MUST rules of profile core passed/m)
    })

    test.each(['whole host', 'path'])('events come at once (%s)', async (part) => {
      const [{ token }, url] = part === 'path' ? [below, belowUrl] : [root, rootUrl]
      const stream = await send(`${url}sync/events`, { headers: bearer(token) })
      const chunks = stream.setEncoding('utf8')[Symbol.asyncIterator]()

      const first = await chunks.next()
      const type = { 'content-type': 'application/json' }
      const options = { method: 'POST', headers: { ...bearer(token), ...type } }
      const added = await sendRequest(`${url}thing/add`, options, '{"title":"seen at once"}')
      stream.destroy()

      expect([stream.statusCode, first.value, added.status]).toEqual([200, expect.stringMatching(/^id: \d+\n/), 200])
    })

    test('a large upload is taken, and one that is too large is rejected by the server itself', async () => {
      const type = { 'content-type': 'application/x-www-form-urlencoded' }
      const upload = (bytes: number) => {
        const things = Array.from({ length: 200 }, (_, at) => ({
          title: `large ${at}`,
          local_id: at,
          html: 'x'.repeat(bytes / 200),
        }))
        const form = new URLSearchParams({ new_thing: JSON.stringify(things), limit: '0' })
        return sendRequest(
          `${rootUrl}sync`,
          { method: 'POST', headers: { ...bearer(root.token), ...type } },
          form.toString(),
        )
      }

      const [taken, rejected] = [await upload(20_000_000), await upload(34_000_000)]

      expect([taken.status, Object.keys(JSON.parse(taken.text).things.new)]).toEqual([
        200,
        expect.objectContaining({ length: 200 }),
      ])
      expect([rejected.status, rejected.text]).toEqual([413, expect.stringMatching(/^{"error":"too_large",/)])
    })

    test('what a client writes into X-Forwarded-For is believed by nobody', async () => {
      const type = { 'content-type': 'application/x-www-form-urlencoded' }
      const options = {
        method: 'POST',
        localAddress: '127.0.0.2',
        headers: {
          ...type,
          'x-forwarded-for': '203.0.113.9, 127.0.0.1',
          forwarded: 'for=203.0.113.9',
          'x-real-ip': '203.0.113.9',
        },
      }
      const grant = new URLSearchParams({
        grant_type: 'password',
        client_id: root.clientId,
        client_secret: 'x',
        username: 'a',
        password: 'a',
      })

      const response = await sendRequest(`${rootUrl}token`, options, grant.toString())

      expect(response.status).toBe(401)
      expect(root.lines.filter((line) => line.includes('sign-in failed')).at(-1)).toBe(
        'sign-in failed from 127.0.0.2: reason=client user=a',
      )
      expect(root.lines.join()).not.toContain('203.0.113.9')
    })

    test('below a path there are pages with cookies of their own, the web app, and metadata', async () => {
      const site = belowUrl.replace(/v1\/$/, '')
      const account = await sendRequest(`${site}account`)
      const signIn = await sendRequest(`${site}sign-in`)
      const ofHost = await sendRequest(new URL('/sign-in', site).href)
      const bare = await sendRequest(site.slice(0, -1))
      const app = await sendRequest(site)
      const metadata = await sendRequest(new URL('/.well-known/oauth-authorization-server/things', site).href)

      expect([account.status, account.headers.location]).toEqual([303, expect.stringMatching(/^\/things\/sign-in/)])
      const nameOf = ({ headers }: typeof signIn) => headers['set-cookie']?.join().replace(/=.*/s, '')
      expect([signIn.status, nameOf(signIn)]).toEqual([200, expect.stringMatching(/^__Host-thingsync-/)])
      expect(nameOf(signIn)).not.toBe(nameOf(ofHost))
      expect(signIn.text).toContain('action="/things/sign-in"')
      expect([bare.status, bare.headers.location]).toEqual([308, '/things/'])
      expect([app.status, app.headers['content-type']]).toEqual([200, expect.stringContaining('text/html')])
      expect(JSON.parse(metadata.text)).toMatchObject({ token_endpoint: `${belowUrl}token` })
    })

    test('a client that waits for changes for the maximum time gets a response of the server', async () => {
      const { status, text } = await waited

      expect([status, JSON.parse(text)]).toEqual([200, { pos: 0 }])
    })
  })
}
