import { expect, test } from 'vitest'
import { addApp } from '../../../src/accounts/apps.ts'
import { nobodysPasswordHash } from '../../../src/accounts/passwords.ts'
import { systemEnvironment as environment } from '../../../src/environment.ts'
import { openMemoryStore } from '../../../src/store/memory-store.ts'
import { StoreError } from '../../../src/store/store.ts'
import { thingForm } from '../../../src/things/thing.ts'
import { openFileServer, openTestServer } from '../../support/open-test-server.ts'
import { type BrowserResponse, createTestBrowser, readFormToken, signInBrowser } from '../../support/test-browser.ts'

const server = await openFileServer()
const { store } = server
// The first user of a server is admin.
const admin = await signInBrowser(server, 'anna')

const enroll = async () => {
  const user = await server.addNewUser()
  return { ...user, path: `/admin/users/${user.id}` }
}

const led = ({ status, location }: BrowserResponse): string => {
  expect(status).toBe(303)
  return location
}

/** The one-time link that a page shows, as a path. */
const readLink = ({ html }: BrowserResponse): string =>
  new URL(/<textarea[^>]*>(http.*?)<\/textarea>/.exec(html)?.[1] ?? '').href.replace(new URL(server.baseUrl).origin, '')

const signIn = async (username: string, password: string) => {
  const form = {
    grant_type: 'password',
    client_id: server.clientId,
    client_secret: server.clientSecret,
    username,
    password,
  }
  return (await server.post('/token', { form })).status
}

const adminPaths = ['/admin', '/admin/users', '/admin/apps', '/admin/limits', '/admin/store']

test('admin pages are not there for anybody else, signed in or not, to look at or to use', async () => {
  const { name, path, id } = await enroll()
  const browser = await signInBrowser(server, name)
  const form = readFormToken(await browser.open('/account'))
  const forms = [
    '/invite',
    '/withdraw',
    '',
    `/${id}/link`,
    `/${id}/disable`,
    `/${id}/enable`,
    `/${id}/promote`,
    `/${id}/demote`,
    `/${id}/remove`,
  ].map((end) => `/admin/users${end}`)
  const pages = [...adminPaths, path, `${path}/remove`, `${path}/export`]

  const looks = await Promise.all(pages.map(async (one) => (await browser.open(one)).status))
  const uses = await Promise.all(
    [...forms, `/admin/apps/${server.clientId}/remove`].map(async (one) => (await browser.post(one, form)).status),
  )
  const strange = await createTestBrowser(server).open('/admin/users')

  expect([new Set(looks), new Set(uses)]).toEqual([new Set([404]), new Set([404])])
  expect(led(strange)).toBe('/sign-in?next=%2Fadmin%2Fusers')
  expect(await signIn(name, 'correct horse')).toBe(200)
  expect((await browser.open('/account')).html).not.toContain('href="/admin"')
})

test('a URL of admins does not show other users what it takes', async () => {
  const { name, path } = await enroll()
  const browser = await signInBrowser(server, name)
  const anonymous = createTestBrowser(server)
  const forms = [`${path}/disable`, `${path}/enable`, `${path}/link`, '/admin/users/invite']

  const looks = await Promise.all(forms.flatMap((one) => [browser.open(one), anonymous.open(one)]))
  const uses = await Promise.all([...forms, ...adminPaths].map((one) => browser.post(one, { form_token: 'wrong' })))

  expect(looks.map(({ status }) => status)).toEqual(looks.map(() => 404))
  expect(uses.map(({ status }) => status)).toEqual(uses.map(() => 404))
  expect((await admin.open(`${path}/disable`)).status).toBe(405)
})

test('a user is added, gets a link, sets a password with it, and is signed in', async () => {
  const name = `new ${environment.newId()}`

  const added = led(await admin.send(await admin.open('/admin/users'), '/admin/users', { name }))
  const path = added.replace(/\?.*/, '')
  const link = readLink(await admin.open(led(await admin.send(await admin.open(added), `${path}/link`))))
  const browser = createTestBrowser(server)
  const page = await browser.open(link)
  const typed = { password: 'battery staple', again: 'battery staple' }
  const set = await browser.send(page, '/link', typed)

  expect(page.html).toContain(`<strong>${name}</strong>`)
  expect(led(set)).toBe('/account')
  expect((await browser.open('/account')).html).toContain(`<bdi>${name}</bdi>`)
  expect(await signIn(name, 'battery staple')).toBe(200)
  const again = await createTestBrowser(server).open(link)
  expect([again.status, again.html]).toEqual([404, expect.stringContaining('This link is not valid')])
})

test('an invited user chooses a name and a password that the admin never sees', async () => {
  const name = `invited ${environment.newId()}`

  const invited = await admin.send(await admin.open('/admin/users'), '/admin/users/invite')
  const link = readLink(await admin.open(led(invited)))
  const browser = createTestBrowser(server)
  const taken = await browser.send(await browser.open(link), '/link', {
    name: 'ANNA',
    password: 'battery staple',
    again: 'battery staple',
  })
  const created = await browser.send(taken, '/link', { name, password: 'battery staple', again: 'battery staple' })

  expect([taken.status, taken.html]).toEqual([
    422,
    expect.stringContaining('id="name-wrong">User &quot;anna&quot; exists already; choose another name.</span>'),
  ])
  expect(taken.html).toContain('value="ANNA"')
  expect(led(created)).toBe('/account')
  expect(await signIn(name, 'battery staple')).toBe(200)
})

test('an invitation may name the user, and then the name is fixed', async () => {
  const name = `named ${environment.newId()}`
  const page = await admin.open('/admin/users')
  const link = readLink(await admin.open(led(await admin.send(page, '/admin/users/invite', { invited: name }))))
  const browser = createTestBrowser(server)

  const response = await browser.send(await browser.open(link), '/link', {
    name: 'another',
    password: 'battery staple',
    again: 'battery staple',
  })

  expect(led(response)).toBe('/account')
  expect(await store.registry.findUserByName(name)).toBeDefined()
  expect(await store.registry.findUserByName('another')).toBeUndefined()
})

test('one invitation is for one user, even when two send it at once', async () => {
  const link = readLink(
    await admin.open(led(await admin.send(await admin.open('/admin/users'), '/admin/users/invite'))),
  )
  const accept = async (name: string) => {
    const browser = createTestBrowser(server)
    return (
      await browser.send(await browser.open(link), '/link', {
        name,
        password: 'battery staple',
        again: 'battery staple',
      })
    ).status
  }

  const responses = await Promise.all([accept(`one ${environment.newId()}`), accept(`two ${environment.newId()}`)])

  expect(responses.sort()).toEqual([303, 404])
})

test('an open invitation is listed until it is withdrawn, and then its link is dead', async () => {
  const name = `asked ${environment.newId()}`
  const shown = await admin.open(
    led(await admin.send(await admin.open('/admin/users'), '/admin/users/invite', { invited: name })),
  )
  const [, invitation = ''] =
    new RegExp(`<strong>${name}</strong>.*?name="invitation" value="([^"]*)"`, 's').exec(shown.html) ?? []

  const withdrawn = await admin.post('/admin/users/withdraw', { ...readFormToken(shown), invitation })

  expect(shown.html).toContain('Expires')
  expect(led(withdrawn)).toBe('/admin/users?done=withdrawn')
  expect((await admin.open('/admin/users')).html).not.toContain(name)
  expect((await createTestBrowser(server).open(readLink(shown))).status).toBe(404)
})

test('an invitation for a name that is taken is rejected, and the form keeps what was typed', async () => {
  const response = await admin.send(await admin.open('/admin/users'), '/admin/users/invite', { invited: ' Anna ' })

  expect([response.status, response.html]).toEqual([
    422,
    expect.stringContaining('User &quot;anna&quot; exists already; choose another name.'),
  ])
})

test('a disabled user has no access, and has it again with the same tokens when enabled', async () => {
  const { name, path } = await enroll()
  const browser = await signInBrowser(server, name)
  const token = await server.signIn(name)
  const use = async () => [
    (await server.get('/test', { token })).status,
    await signIn(name, 'correct horse'),
    (await browser.open('/account')).status,
  ]

  const disabled = await admin.send(await admin.open(path), `${path}/disable`)
  const whileDisabled = await use()
  const enabled = await admin.send(await admin.open(path), `${path}/enable`)

  expect((await admin.open(led(enabled))).html).toContain('its existing apps and tokens. Browsers must sign in again.')
  expect([led(disabled), led(enabled)]).toEqual([`${path}?done=disabled`, `${path}?done=enabled`])
  expect(whileDisabled).toEqual([401, 400, 303])
  expect(await use()).toEqual([200, 200, 303])
})

test('the only admin cannot disable or remove the own account', async () => {
  const anna = await store.registry.findUserByName('anna')
  const path = `/admin/users/${anna?.id}`
  const page = await admin.open(path)

  const response = await admin.send(page, `${path}/disable`)

  expect([response.status, response.html]).toEqual([
    422,
    expect.stringContaining('is the only administrator and cannot be disabled; promote another user first.'),
  ])
  expect(page.html).not.toContain('/remove')
  expect((await admin.open(`${path}/remove`)).status).toBe(404)
  expect((await admin.post(`${path}/remove`, { ...readFormToken(page), name: 'anna' })).status).toBe(404)
})

test('a user becomes admin and loses that role; the only admin keeps it', async () => {
  const { name, path } = await enroll()
  const browser = await signInBrowser(server, name)
  const anna = await store.registry.findUserByName('anna')

  const promoted = await admin.send(await admin.open(path), `${path}/promote`)
  const asAdmin = (await browser.open('/admin')).status
  const demoted = await admin.send(await admin.open(path), `${path}/demote`)
  const asNobody = (await browser.open('/admin')).status
  const own = await admin.send(await admin.open(`/admin/users/${anna?.id}`), `/admin/users/${anna?.id}/demote`)

  expect([led(promoted), led(demoted)]).toEqual([`${path}?done=promoted`, `${path}?done=demoted`])
  expect([asAdmin, asNobody]).toEqual([200, 404])
  expect([own.status, own.html]).toEqual([
    422,
    expect.stringContaining('the only administrator and cannot be demoted;'),
  ])
})

test('an account is removed after its name was typed, and an export was offered', async () => {
  const { name, id, path } = await enroll()
  const device = await server.openDevice(name)
  await device.sync({ new_thing: [{ local_id: '1', title: 'kept' }] })

  const page = await admin.open(`${path}/remove`)
  const file = await admin.open(`${path}/export`)
  const wrong = await admin.send(page, `${path}/remove`, { name: 'another name' })
  const removed = await admin.send(page, `${path}/remove`, { name })

  expect(page.html).toContain(`href="${path}/export"`)
  expect(JSON.parse(file.html).things).toEqual([expect.objectContaining({ title: 'kept' })])
  expect([wrong.status, wrong.html]).toEqual([422, expect.stringContaining('The name does not match.')])
  expect(led(removed)).toBe('/admin/users?done=removed')
  expect(await store.registry.findUser(id)).toBeUndefined()
  expect((await device.get('/test')).status).toBe(401)
  expect((await admin.open(path)).status).toBe(404)
})

test('all apps are listed with who registered them, and any can be removed', async () => {
  const { name, id } = await enroll()
  const { clientId } = await addApp(store, '<b>theirs</b>', environment, {
    ownerId: id,
    redirectUris: ['https://app.example/back'],
  })

  const page = await admin.open('/admin/apps')
  const removed = await admin.send(page, `/admin/apps/${clientId}/remove`)

  expect(page.html).toContain('&lt;b>theirs&lt;/b>')
  expect(page.html).toContain(name)
  expect(page.html).toContain('https://app.example/back')
  expect(led(removed)).toBe('/admin/apps?done=removed')
  expect(await store.registry.findApp(clientId)).toBeUndefined()
})

test('the reference is also found with a slash at the end', async () => {
  expect(led(await admin.open('/docs/'))).toBe('/docs')
})

test('limits show what is set', async () => {
  const { html } = await admin.open('/admin/limits')

  expect(html).toContain('<strong>4 MB</strong>')
  expect(html).toContain('<strong>10 in 5 minutes</strong>')
})

test('the page of the server says whether it can save changes', async () => {
  let isFull = false
  const inner = await openMemoryStore({ form: thingForm })
  const check = async () => {
    if (isFull) throw new StoreError('the disk is full')
  }
  const other = await openTestServer({ store: { ...inner, check } })
  const browser = await signInBrowser(other, 'anna')

  const good = await browser.open('/admin/store')
  isFull = true
  const bad = await browser.open('/admin/store')

  expect(good.html).toContain('The server works normally')
  expect([bad.status, bad.html]).toEqual([200, expect.stringContaining('The server cannot save changes now.')])
})

test('a thousand users are shown fifty at a time', async () => {
  const other = await openTestServer()
  await other.store.registry.change(async (registry) => {
    for (let count = 0; count < 1000; count++) {
      const name = `user ${String(count).padStart(4, '0')}`
      await registry.put('users', {
        id: `id${count}`,
        name,
        passwordHash: nobodysPasswordHash,
        createdAt: 1_700_000_000,
      })
    }
    const first = await registry.findUserByName('anna')
    if (first !== undefined) await registry.put('users', { ...first, isAdmin: true })
  })
  const browser = await signInBrowser(other, 'anna')
  const names = async (path: string) =>
    [...(await browser.open(path)).html.matchAll(/>(user \d{4})</g)].map(([, name]) => name)

  expect(await names('/admin/users')).toHaveLength(49)
  expect((await names('/admin/users?page=2'))[0]).toBe('user 0049')
  expect(await names('/admin/users?page=99999')).toEqual(['user 0999'])
  expect(await names('/admin/users?page=-1')).toHaveLength(49)
})
