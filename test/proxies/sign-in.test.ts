import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFreePort } from '../free-port.ts'
import { sendRequest } from './ask.ts'
import { type Behind, openBehind } from './open-behind.ts'
import { type FrontProxy, findProgram, nginx, type ProxyContext } from './proxies.ts'
import { startProxy } from './start-proxy.ts'

const signingIn: FrontProxy = {
  ...nginx,
  sample: 'nginx-sign-in.conf',
  replacements: ({ folder, port, root }) => [
    ['listen 443', `listen 127.0.0.1:${port}`],
    ['/etc/ssl/things.example', folder],
    ['/etc/nginx/thingsync.htpasswd', join(folder, 'htpasswd')],
    ['/run/thingsync/thingsync.sock', root],
  ],
}

const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
})

describe.skipIf(findProgram(nginx.program) === undefined)('thingsync behind an nginx that signs users in', () => {
  let context: ProxyContext
  let site: string
  let behind: Behind
  let started: { readonly stop: () => Promise<void> } | undefined

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'thingsync-proxy-'))
    context = { folder, port: await findFreePort(), root: join(folder, 'root.sock'), below: '' }
    site = `https://127.0.0.1:${context.port}/`
    behind = await openBehind(context.root, `${site}v1/`, { authHeader: 'X-Forwarded-User' })
    await writeFile(join(folder, 'htpasswd'), 'anna:{PLAIN}of the proxy\nzoe:{PLAIN}of the proxy\n')
    started = await startProxy(signingIn, context)
  })

  afterAll(async () => {
    await started?.stop()
    await behind.close()
    await rm(context.folder, { recursive: true })
  })

  /** Where the sign-in page leads, and whose account is seen with the cookie that it gives. */
  const signIn = async (headers: Readonly<Record<string, string>>) => {
    const page = await sendRequest(`${site}sign-in`, { headers })
    const cookie = (page.headers['set-cookie'] ?? []).map((one) => one.replace(/;.*/, '')).join('; ')
    const account = await sendRequest(`${site}account`, { headers: { ...headers, cookie } })
    return { status: page.status, account: account.status, names: account.text.match(/anna|bert/g)?.at(0) }
  }

  test('whom it has signed in is signed in here, whatever name the client writes into the header', async () => {
    const anna = basic('anna', 'of the proxy')

    const own = await signIn(anna)
    const lying = await signIn({ ...anna, 'x-forwarded-user': 'bert' })
    const unknown = await signIn(basic('zoe', 'of the proxy'))

    expect(own).toEqual({ status: 303, account: 200, names: 'anna' })
    expect(lying).toEqual(own)
    expect([unknown.status, unknown.names]).toEqual([403, undefined])
  })

  test.each(['sign-in', 'account', '', 'v1/../sign-in', 'v1/%2e%2e/sign-in'])(
    'without a sign-in there, or with a wrong password, nobody gets to the pages (/%s)',
    async (path) => {
      const nobody = await sendRequest(`${site}${path}`, { headers: { 'x-forwarded-user': 'bert' } })
      const wrong = await sendRequest(`${site}${path}`, {
        headers: { ...basic('bert', 'x'), 'x-forwarded-user': 'bert' },
      })

      expect([nobody.status, wrong.status]).toEqual([401, 401])
      expect(wrong.text).toContain('nginx')
    },
  )

  test('apps come with their tokens, and a name that nobody has checked signs nobody in', async () => {
    const app = await sendRequest(`${site}v1/user/get`, { headers: { authorization: `Bearer ${behind.token}` } })
    const named = await sendRequest(`${site}v1/user/get`, {
      headers: { ...basic('bert', 'x'), 'x-forwarded-user': 'bert' },
    })

    expect([app.status, JSON.parse(app.text).username]).toEqual([200, 'anna'])
    expect([named.status, JSON.parse(named.text).error]).toEqual([401, 'invalid_request'])
  })
})
