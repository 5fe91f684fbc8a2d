import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { addApp } from '../../../src/accounts/apps.ts'
import { listSessions } from '../../../src/accounts/session-management.ts'
import { addPersonalToken } from '../../../src/accounts/token-grants.ts'
import { registerDevice } from '../../../src/delivery/devices.ts'
import { createSubscriptionGuard } from '../../../src/delivery/subscriptions.ts'
import { registerWebhook } from '../../../src/delivery/webhooks.ts'
import { systemEnvironment as environment } from '../../../src/environment.ts'
import { createDeliveryRules } from '../../../src/outbound/address-guard.ts'
import { openFileServer, openTestServer } from '../../support/open-test-server.ts'
import { pushKeys } from '../../support/push-keys.ts'
import { type BrowserResponse, readFormToken, signInBrowser } from '../../support/test-browser.ts'

const server = await openFileServer()
const { store } = server

/** A user of their own, whom no other test knows, signed in. */
const enroll = async () => {
  const user = await server.addNewUser()
  return { ...user, browser: await signInBrowser(server, user.name) }
}

/** The path on this server that a redirect leads to. */
const led = ({ status, location }: BrowserResponse): string => {
  expect(status).toBe(303)
  return location
}

const readCopies = ({ html }: BrowserResponse): string[] =>
  [...html.matchAll(/<textarea[^>]* readonly[^>]*>(.*?)<\/textarea>/gs)].map(([, text = '']) =>
    text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
  )

const kindsOf = async (userId: string) =>
  (await listSessions(store, userId, environment)).map(({ kind, name }) => name ?? kind).sort()

test('the account shows how many things there are, and gives them all as JSON', async () => {
  const { name, browser } = await enroll()
  const device = await server.openDevice(name)
  await device.sync({
    new_thing: [{ local_id: '1', title: 'A <b>title</b>', tags: 'x' }],
    tag: { x: { favorite: true } },
  })

  const page = await browser.open('/account')
  const file = await browser.open('/account/export')

  expect(page.html).toMatch(/<dt>Items<\/dt><dd>1<\/dd>/)
  expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="thingsync-user-\w+\.json"$/)
  expect(JSON.parse(file.html)).toEqual({
    format: 'thingsync account',
    version: 1,
    exported: expect.any(Number),
    username: name,
    date: expect.any(Number),
    pos: 2,
    tags: { x: { favorite: true, color: false, todo: false } },
    things: [{ _id: expect.any(String), title: 'A <b>title</b>', tags: 'x', date: expect.any(Number) }],
  })
})

test('each session can be ended, and what used it is out', async () => {
  const { name, id, browser } = await enroll()
  const token = await server.signIn(name)
  const [app] = (await listSessions(store, id, environment)).filter(({ kind }) => kind === 'app')

  const page = await browser.open('/account/sessions')
  const after = await browser.send(page, `/account/sessions/${app?.id}/end`)

  expect(page.html).toContain('this browser')
  expect(led(after)).toBe('/account/sessions?done=one')
  expect((await browser.open(led(after))).html).toContain('The app or browser is signed out.')
  expect((await server.get('/test', { token })).status).toBe(401)
  expect(await kindsOf(id)).toEqual(['browser'])
})

test('the sessions of one browser are one row, which begins with the session of this request', async () => {
  const { name, browser } = await enroll()
  await signInBrowser(server, name)
  await server.signIn(name)

  const { html } = await browser.open('/account/sessions')

  const rows = html.slice(html.indexOf('<main')).split('<strong>').slice(1)
  expect(rows.map((row) => [...row.matchAll(/Account pages|App(?=, )|in use now/g)].map(String))).toEqual([
    ['Account pages', 'in use now', 'Account pages'],
    ['App'],
  ])
})

test('ending the session of this browser signs it out', async () => {
  const { id, browser } = await enroll()
  const [session] = await listSessions(store, id, environment)

  const response = await browser.send(await browser.open('/account/sessions'), `/account/sessions/${session?.id}/end`)

  expect(led(response)).toBe('/sign-in')
  expect(led(await browser.open('/account'))).toBe('/sign-in?next=%2Faccount')
})

test('all but this browser are ended at once', async () => {
  const { name, id, browser } = await enroll()
  await signInBrowser(server, name)
  await server.signIn(name)

  await browser.send(await browser.open('/account/sessions'), '/account/sessions/end-others')

  expect(await kindsOf(id)).toEqual(['browser'])
  expect((await browser.open('/account')).status).toBe(200)
})

test('a new password ends everything but this browser, whose cookie is another then', async () => {
  const { name, browser } = await enroll()
  const token = await server.signIn(name)
  const other = await signInBrowser(server, name)
  const [before] = browser.cookies.values()
  const typed = { old: 'correct horse', password: 'battery staple', again: 'battery staple' }

  const response = await browser.send(await browser.open('/account/password'), '/account/password', typed)

  expect(led(response)).toBe('/account/password?done=changed')
  expect((await browser.open('/account')).status).toBe(200)
  expect([...browser.cookies.values()]).not.toContain(before)
  expect((await other.open('/account')).status).toBe(303)
  expect((await server.get('/test', { token })).status).toBe(401)
})

test.each([
  [
    'a wrong old one',
    { old: 'wrong horse', password: 'battery staple', again: 'battery staple' },
    'This is not your current password.',
  ],
  [
    'a short new one',
    { old: 'correct horse', password: 'short', again: 'short' },
    'The password must have at least 8 characters.',
  ],
  [
    'another one below',
    { old: 'correct horse', password: 'battery staple', again: 'battery stable' },
    'The passwords do not match.',
  ],
])(
  'a change of password is rejected for %s, beside the field, and no password is sent back',
  async (_name, typed, wrong) => {
    const { browser } = await enroll()

    const response = await browser.send(await browser.open('/account/password'), '/account/password', typed)

    expect(response.status).toBe(422)
    expect(response.html).toMatch(new RegExp(`<span class="wrong" id="\\w+-wrong">${wrong}</span>`))
    for (const secret of Object.values(typed)) expect(response.html).not.toContain(`value="${secret}"`)
  },
)

test('ten wrong old passwords stop the eleventh, and a browser elsewhere goes on', async () => {
  const proxied = await openTestServer({ settings: { trustProxy: ['loopback'] } })
  await proxied.addUser('carla')
  const [here, elsewhere] = [{ 'x-forwarded-for': '203.0.113.1' }, { 'x-forwarded-for': '203.0.113.2' }]
  const browser = await signInBrowser(proxied, 'carla', here)
  const other = await signInBrowser(proxied, 'carla', elsewhere)
  const change = async (one: typeof browser, old: string) =>
    (
      await one.send(await one.open('/account/password'), '/account/password', {
        old,
        password: 'battery staple',
        again: 'battery staple',
      })
    ).status

  const responses = []
  for (let count = 0; count < 11; count++) responses.push(await change(browser, 'wrong horse'))

  expect(responses).toEqual([...Array(10).fill(422), 429])
  expect(await change(other, 'correct horse')).toBe(303)
})

const appForm = { name: 'My <app>', redirect_uris: 'https://app.example/back\ncom.example.app:/back', kind: 'secret' }

test('an app that is registered works with the lines that are shown, as they are pasted', async () => {
  const { browser } = await enroll()

  const created = await browser.send(await browser.open('/account/apps/new'), '/account/apps/new', appForm)
  const page = await browser.open(led(created))
  const [variables = '', curl = ''] = readCopies(page)
  const shell = promisify(execFile)('sh', ['-c', curl])
  shell.child.stdin?.end('correct horse\n')
  const { stdout, stderr } = await shell

  expect(variables.split('\n')).toEqual([
    `THINGSYNC_BASE_URL=${server.baseUrl}`,
    expect.stringMatching(/^THINGSYNC_CLIENT_ID=\w{20}$/),
    expect.stringMatching(/^THINGSYNC_CLIENT_SECRET=[\w-]{43}$/),
  ])
  expect(stderr).toBe('')
  expect(stdout).toBe('Password: \n{"pos":0}\n')
})

test('a secret is shown for five minutes, only to the browser that created it', async () => {
  const { name, browser } = await enroll()
  const other = await signInBrowser(server, name)

  const created = led(await browser.send(await browser.open('/account/apps/new'), '/account/apps/new', appForm))

  expect((await browser.open(created)).html).toContain('THINGSYNC_CLIENT_SECRET=')
  expect((await browser.open(created)).html).toContain('THINGSYNC_CLIENT_SECRET=')
  expect((await other.open(created)).html).not.toContain('THINGSYNC_CLIENT_SECRET=')
  expect((await browser.open(created.replace(/\?.*/, ''))).html).not.toContain('THINGSYNC_CLIENT_SECRET=')
})

test('a form that is sent twice creates one app, and one token', async () => {
  const { id, browser } = await enroll()
  const [apps, tokens] = [await browser.open('/account/apps/new'), await browser.open('/account/tokens')]
  const sendApp = () => browser.send(apps, '/account/apps/new', appForm)
  const sendToken = () => browser.send(tokens, '/account/tokens', { name: 'backup', term: '30' })

  const responses = await Promise.all([sendApp(), sendApp(), sendToken(), sendToken()])
  const again = await sendApp()

  expect(new Set([...responses, again].map(led)).size).toBe(2)
  expect((await store.registry.listApps()).filter(({ ownerId }) => ownerId === id)).toHaveLength(1)
  expect(await kindsOf(id)).toEqual(['backup', 'browser'])
})

test('what is wrong with an app stands beside its field, with what was typed', async () => {
  const { browser } = await enroll()
  const typed = { ...appForm, name: '"><i>', redirect_uris: 'http://app.example/back', standard: 'on' }

  const response = await browser.send(await browser.open('/account/apps/new'), '/account/apps/new', typed)

  expect(response.status).toBe(422)
  expect(response.html).toContain(
    'id="redirect_uris-wrong">The redirect URI &quot;http://app.example/back&quot; uses http,',
  )
  expect(response.html).toContain('value="&quot;>&lt;i>"')
  expect(response.html).toContain('>http://app.example/back</textarea>')
  expect(response.html).toMatch(/name="standard" value="on" checked/)
})

test('an app is changed, gets a new secret, and is removed', async () => {
  const { id, name, browser } = await enroll()
  const { clientId, clientSecret } = await addApp(store, 'old name', environment, { ownerId: id })
  const signIn = (secret: string) =>
    server.post('/token', {
      form: {
        grant_type: 'password',
        client_id: clientId,
        client_secret: secret,
        username: name,
        password: 'correct horse',
      },
    })
  const path = `/account/apps/${clientId}`

  const changed = await browser.send(await browser.open(path), path, {
    name: 'new name',
    redirect_uris: '',
    standard: 'on',
  })
  const renewed = await browser.send(await browser.open(path), `${path}/secret`)
  const [variables = ''] = readCopies(await browser.open(led(renewed)))
  const newSecret = /SECRET=(.*)$/.exec(variables)?.[1] ?? ''

  expect(led(changed)).toBe(`${path}?done=changed`)
  expect(await store.registry.findApp(clientId)).toMatchObject({
    name: 'new name',
    isStandard: true,
    redirectUris: [],
  })
  expect([(await signIn(clientSecret)).status, (await signIn(newSecret)).status]).toEqual([401, 200])
  expect(led(await browser.send(await browser.open(path), `${path}/remove`))).toBe('/account/apps?done=removed')
  expect(await store.registry.findApp(clientId)).toBeUndefined()
  expect(await kindsOf(id)).toEqual(['browser'])
})

test('a public client has no secret to show or to renew', async () => {
  const { browser } = await enroll()
  const path = led(
    await browser.send(await browser.open('/account/apps/new'), '/account/apps/new', { ...appForm, kind: 'public' }),
  ).replace(/\?.*/, '')
  const page = await browser.open(path)

  expect(page.html).toContain('A public client, without a secret.')
  expect(page.html).not.toContain('CLIENT_SECRET')
  expect((await browser.post(`${path}/secret`, readFormToken(page))).status).toBe(404)
})

/** The form token of a page, for a form that the page does not have. */

test('signing out of an app ends it on all devices of the user, and of no other user', async () => {
  const { name, id, browser } = await enroll()
  const [one, two, others] = [await server.signIn(name), await server.signIn(name), await server.signIn('anna')]

  const page = await browser.open('/account/apps')
  await browser.send(page, `/account/apps/${server.clientId}/leave`)

  expect(page.html).toContain('On 2 devices')
  const states = await Promise.all(
    [one, two, others].map(async (token) => (await server.get('/test', { token })).status),
  )
  expect(states).toEqual([401, 401, 200])
  expect(await kindsOf(id)).toEqual(['browser'])
})

test('a read-only token is shown once, reads, changes nothing, and is revoked', async () => {
  const { name, id, browser } = await enroll()
  const form = { name: 'backup', term: '90', read_only: 'on' }

  const created = await browser.send(await browser.open('/account/tokens'), '/account/tokens', form)
  const [token = '', curl = ''] = readCopies(await browser.open(led(created)))
  const { stdout } = await promisify(execFile)('sh', ['-c', curl])
  const [listed] = (await listSessions(store, id, environment)).filter(({ kind }) => kind === 'token')

  expect(stdout).toBe('{"pos":0}\n')
  expect((await server.get('/test', { token })).body).toEqual({ user: name })
  expect(listed).toMatchObject({ name: 'backup', isReadOnly: true })
  expect((listed?.expiresAt ?? 0) - (listed?.createdAt ?? 0)).toBe(90 * 24 * 3600)
  expect((await browser.open('/account/tokens')).html).not.toContain(token)
  await browser.send(await browser.open('/account/tokens'), `/account/tokens/${listed?.id}/revoke`)
  expect((await server.get('/test', { token })).status).toBe(401)
})

test.each(['iphone', 'android'])('the values of the page for %s save a page with a new token', async (phone) => {
  const { browser } = await enroll()
  const form = { name: 'phone', term: 'never' }
  const created = led(await browser.send(await browser.open('/account/tokens'), '/account/tokens', form))
  const link = new RegExp(`href="([^"]*/account/tokens/${phone}\\?token=[^"]*)"`).exec(
    (await browser.open(created)).html,
  )?.[1]

  const [url = '', authorization = '', field = ''] = readCopies(
    await browser.open((link ?? '').replaceAll('&amp;', '&')),
  )
  const body = new URLSearchParams({ [field]: 'https://example.org/read' })
  const response = await fetch(url, { method: 'POST', headers: { authorization }, body })
  const later = await browser.open(`/account/tokens/${phone}`)

  expect(await response.json()).toMatchObject({ title: 'https://example.org/read', url: 'https://example.org/read' })
  expect(readCopies(later)[1]).toBe('Bearer TOKEN')
})

test('webhooks and devices are shown with what is stored of them, without secrets, and can be removed', async () => {
  const { id, browser } = await enroll()
  const guard = createSubscriptionGuard(createDeliveryRules())
  const targetUrl = 'https://hooks.example/?a=<b>'
  const [session] = await listSessions(store, id, environment)
  await store.write(id, 'x', async (draft) => {
    await registerWebhook(draft, { targetUrl, event: 'any', clientId: server.clientId }, server.environment, guard)
    const keys = { endpoint: 'https://push.example/secret', ...pushKeys }
    const device = {
      type: 'webpush',
      id: 'my "phone"',
      ...keys,
      clientId: server.clientId,
      sessionId: session?.id ?? '',
    }
    await registerDevice(draft, device, server.environment, guard)
  })

  const page = await browser.open('/account/delivery')
  const removed = await browser.send(page, '/account/delivery', { act: 'remove' })
  const empty = await browser.open('/account/delivery')

  expect(page.html).toContain('https://hooks.example/?a=&lt;b>')
  expect(page.html).not.toMatch(/whsec_|push\.example\/secret/)
  expect(page.html).toContain('my &quot;phone&quot;')
  expect(led(removed)).toBe('/account/delivery?done=remove')
  expect(empty.html).not.toContain('hooks.example')
  expect(empty.html).toContain('my &quot;phone&quot;')
})

test('ids of another user are not there, and nothing happens to them', async () => {
  const [{ id: owner, name }, { browser }] = [await enroll(), await enroll()]
  const { clientId } = await addApp(store, 'theirs', environment, { ownerId: owner })
  const { id: tokenId } = await addPersonalToken(
    store,
    { userId: owner, name: 'theirs', isReadOnly: false },
    environment,
  )
  await server.signIn(name)
  const sessions = (await listSessions(store, owner, environment)).map(({ id }) => id)
  const form = readFormToken(await browser.open('/account'))
  const before = await kindsOf(owner)

  const paths = [
    ...sessions.map((id) => `/account/sessions/${id}/end`),
    `/account/tokens/${tokenId}/revoke`,
    `/account/apps/${server.clientId}/leave`,
    `/account/apps/${clientId}`,
    `/account/apps/${clientId}/secret`,
    `/account/apps/${clientId}/remove`,
  ]
  const responses = await Promise.all(paths.map(async (path) => (await browser.post(path, form)).status))

  expect(new Set(responses)).toEqual(new Set([404]))
  expect((await browser.open(`/account/apps/${clientId}`)).status).toBe(404)
  expect(await kindsOf(owner)).toEqual(before)
  expect(await store.registry.findApp(clientId)).toMatchObject({ name: 'theirs' })
})
