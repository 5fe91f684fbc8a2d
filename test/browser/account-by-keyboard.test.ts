import { expect, test } from 'vitest'
import { systemEnvironment } from '../../src/environment.ts'
import { openFileServer } from '../support/open-test-server.ts'
import { signInContext } from './furnish.ts'
import { createKeyboard } from './keyboard.ts'
import { openBrowser, openPage } from './open-page.ts'

const server = await openFileServer()
const site = server.baseUrl.replace(/\/v1\/$/, '')

/** A new user, signed in, at the account page; everything from there on is done by keys. */
const openAccount = async (window: Parameters<typeof openBrowser>[0] = {}) => {
  const user = `user ${systemEnvironment.newId()}`
  await server.addUser(user)
  const context = await openBrowser(window)
  await signInContext(context, server, user)
  const page = await context.newPage()
  await page.goto(`${site}/account`)
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
  const link = (name: string | RegExp) => page.getByRole('link', { name, exact: typeof name === 'string' })
  const field = (name: string) => page.getByLabel(name, { exact: true })
  const unfold = (name: string) => page.locator('summary', { hasText: name })
  const keys = createKeyboard(page)
  const goTo = async (name: string, title: string | RegExp) => {
    await keys.press(link(name))
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
  }
  return { user, context, page, keys, button, link, field, unfold, goTo }
}

const statusOf = async (token: string) => (await server.get('/test', { token })).status

// Hundreds of keys, each of which a busy machine is waited for.
const patience = 120_000

test(
  'by keyboard: a token is created, copied, used and revoked, for reading only and for a month',
  async () => {
    const { page, keys, button, field, goTo } = await openAccount()

    await goTo('Access tokens', 'Access tokens')
    await keys.type(field('Name'), 'A script')
    await keys.reach(page.locator('input[name=term]:checked'))
    await page.keyboard.press('ArrowUp')
    await keys.space(page.getByRole('checkbox', { name: /Read-only/ }))
    await keys.press(button('Create the token'))
    await keys.sees('Your new token')
    const token = await keys.select(field('The token'))
    await keys.sees('read-only')
    expect([await statusOf(token), (await server.post('/sync', { token, json: { new_thing: [] } })).status]).toEqual([
      200, 403,
    ])
    expect(await keys.select(field('In a shell: sync with it'))).toContain(token)

    await keys.press(button('Revoke A script'))
    await keys.sees('The token is revoked')
    await keys.sees('You have no tokens.')
    expect(await statusOf(token)).toBe(401)
  },
  patience,
)

test(
  'by keyboard: an app is registered, its pair copied, corrected, given a new secret and removed',
  async () => {
    const { user, page, keys, button, link, field, unfold, goTo } = await openAccount({ width: 360 })
    const readPair = async () => {
      const env = await keys.select(field('As a .env file'))
      const read = (name: string) => new RegExp(`${name}=(\\S+)`).exec(env)?.[1] ?? ''
      return { client_id: read('CLIENT_ID'), client_secret: read('CLIENT_SECRET') }
    }
    const grant = async (pair: object) => {
      const form = { grant_type: 'password', username: user, password: 'correct horse', ...pair }
      return (await server.post('/token', { form })).status
    }

    await goTo('Apps', 'Apps')
    await keys.press(link('Register an app'))
    await keys.type(field('Name'), 'My reader')
    await keys.type(field('Redirect URIs'), 'ftp://reader.example/')
    await keys.press(button('Register'))
    await page.locator('[aria-invalid=true]').waitFor()
    await keys.type(field('Redirect URIs'), 'https://reader.example/back')
    await keys.space(button('Register'))
    await keys.sees('The client secret')
    const first = await readPair()
    expect(await keys.select(field('In a shell: get a token, then sync'))).toContain(first.client_secret)
    expect(await grant(first)).toBe(200)

    await keys.type(field('Name'), 'My better reader')
    await keys.space(page.getByRole('checkbox', { name: /Standard responses/ }))
    await keys.press(button('Save'))
    await keys.sees('The app is changed.')
    await page.getByRole('heading', { level: 1, name: 'My better reader' }).waitFor()

    await keys.press(unfold('Create a new client secret'))
    await keys.press(button('Create a new client secret'))
    await keys.sees('The client secret')
    const second = await readPair()
    expect([await grant(first), await grant(second)]).toEqual([401, 200])

    await keys.space(unfold('Remove the app'))
    await keys.press(page.getByRole('button', { name: 'Remove the app' }))
    await keys.sees('The app is removed')
    expect(await page.getByText('My better reader').count()).toBe(0)
    expect(await grant(second)).toBe(401)
  },
  patience,
)

test(
  'by keyboard: a public client is registered',
  async () => {
    const { page, keys, button, link, field, goTo } = await openAccount({ scheme: 'dark' })

    await goTo('Apps', 'Apps')
    await keys.press(link('Register an app'))
    await keys.type(field('Name'), 'Pocket notes')
    await keys.type(field('Redirect URIs'), 'com.example.notes:/back')
    await keys.reach(page.getByRole('radio', { name: /With a secret \(confidential client\)/ }))
    await page.keyboard.press('ArrowDown')
    await keys.press(button('Register'))

    await keys.sees('A public client, without a secret.')
    expect(await keys.select(field('As a .env file'))).toMatch(/CLIENT_ID=\w+/)
  },
  patience,
)

test(
  'by keyboard: the access of an app that is used is removed',
  async () => {
    const { user, keys, button, goTo } = await openAccount({ script: false })
    const { token } = await server.openDevice(user)

    await goTo('Apps', 'Apps')
    await keys.press(button('Remove access of tests'))

    await keys.sees('The app has no access now')
    expect(await statusOf(token)).toBe(401)
  },
  patience,
)

test(
  'by keyboard: one session is ended, then all others, then this one',
  async () => {
    const { user, page, keys, button, unfold, goTo } = await openAccount({ width: 360, scheme: 'dark' })
    const [first, second, third] = [
      await server.openDevice(user),
      await server.openDevice(user),
      await server.openDevice(user),
    ]
    const statuses = () => Promise.all([first, second, third].map(({ token }) => statusOf(token)))

    await goTo('Sessions', 'Sessions')
    await keys.press(button('Sign out of tests').first())
    await keys.sees('The app or browser is signed out.')
    expect((await statuses()).sort()).toEqual([200, 200, 401])

    await keys.press(unfold('Sign out all others'), 'Shift+Tab')
    await keys.press(button('Sign out 2 others'))
    await keys.sees('All others are signed out.')
    expect(await statuses()).toEqual([401, 401, 401])

    await keys.press(button(/^Sign out of Chrom/))
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    await keys.type(page.getByLabel('User name'), user)
    await keys.type(page.getByLabel('Password', { exact: true }), 'correct horse')
    await page.keyboard.press('Enter')
    await page.getByText(`Signed in as ${user}.`).waitFor()
  },
  patience,
)

test(
  'by keyboard: the password is mistyped, and changed',
  async () => {
    const { user, page, keys, button, field, goTo } = await openAccount()
    const change = async (old: string, again: string) => {
      await keys.type(field('Current password'), old)
      await keys.type(field('New password'), 'another horse')
      await keys.type(field('New password again'), again)
      await keys.press(button('Change password'))
    }

    await goTo('Password', 'Password')
    await change('wrong horse', 'another horse')
    await keys.sees('This is not your current password.')
    await change('correct horse', 'an other horse')
    await keys.sees('The passwords do not match.')
    await change('correct horse', 'another horse')
    await keys.sees('Your password is changed.')

    const other = await openPage()
    await other.goto(`${site}/sign-in`)
    const there = createKeyboard(other)
    await there.type(other.getByLabel('User name'), user)
    await there.type(other.getByLabel('Password', { exact: true }), 'another horse')
    await there.press(other.getByRole('button', { name: 'Sign in' }))
    await other.getByText(`Signed in as ${user}.`).waitFor()
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Password')
  },
  patience,
)

test(
  'by keyboard: what apps registered for delivery is removed',
  async () => {
    const { user, keys, button, goTo } = await openAccount()
    const device = await server.openDevice(user)
    await device.post('/webhook/register', { form: { target_url: 'https://reader.example/hook', event: 'any' } })
    await device.post('/register/device', { form: { type: 'other', id: 'phone' } })

    await goTo('Webhooks and push', 'Webhooks and push')
    await keys.press(button('Remove https://reader.example/hook'))
    await button('Remove https://reader.example/hook').waitFor({ state: 'detached' })
    await keys.sees('The registration is removed.')
    await keys.space(button('Remove phone'))
    await button('Remove phone').waitFor({ state: 'detached' })
  },
  patience,
)

test(
  'by keyboard: the account is downloaded, the content reached past the navigation, and the way out found',
  async () => {
    const { page, keys, button, link } = await openAccount({ width: 360 })

    await keys.press(link('Skip to content'))
    const [download] = await Promise.all([page.waitForEvent('download'), keys.press(link('Download as JSON'))])
    expect(download.suggestedFilename()).toMatch(/\.json$/)
    await keys.press(link('Access tokens'))
    await page.getByRole('heading', { level: 1, name: 'Access tokens' }).waitFor()
    await keys.press(link('Account'))
    await link('Download as JSON').waitFor()

    await keys.press(button('Sign out'))
    await button('Sign out').waitFor({ state: 'detached' })
    await page.goto(`${site}/account`)
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  },
  patience,
)
