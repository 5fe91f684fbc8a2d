import { expect, test } from 'vitest'
import { addApp } from '../../src/accounts/apps.ts'
import { systemEnvironment } from '../../src/environment.ts'
import { openFileServer } from '../support/open-test-server.ts'
import { signInContext } from './furnish.ts'
import { createKeyboard } from './keyboard.ts'
import { openBrowser, openPage } from './open-page.ts'

const server = await openFileServer()
const site = server.baseUrl.replace(/\/v1\/$/, '')

/** The admin, signed in, at the admin page; everything from there on is done by keys. */
const openAdmin = async (window: Parameters<typeof openBrowser>[0] = {}) => {
  const context = await openBrowser(window)
  await signInContext(context, server)
  const page = await context.newPage()
  await page.goto(`${site}/account`)
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
  const link = (name: string | RegExp) => page.getByRole('link', { name, exact: typeof name === 'string' })
  const field = (name: string) => page.getByLabel(name, { exact: true })
  const keys = createKeyboard(page)
  const goTo = async (name: string | RegExp, title: string) => {
    await keys.press(link(name))
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
  }
  await goTo('Admin', 'Admin')
  return { page, keys, button, link, field, goTo }
}

/** Another user with a keyboard, at a link that was passed on. */
const openTheirs = async (address: string) => {
  const page = await openPage({ width: 360 })
  await page.goto(address)
  const keys = createKeyboard(page)
  const setPassword = async (button: string) => {
    await keys.type(page.getByLabel('Password', { exact: true }), 'correct horse')
    await keys.type(page.getByLabel('Password again'), 'correct horse')
    await keys.press(page.getByRole('button', { name: button }))
  }
  return { page, keys, setPassword }
}

const newName = () => `user-${systemEnvironment.newId()}`

// Hundreds of keys, each of which a busy machine is waited for.
const patience = 120_000

test(
  'by keyboard: a user is added, given a link, disabled, enabled, promoted and demoted',
  async () => {
    const name = newName()
    const { page, keys, button, field, goTo } = await openAdmin()

    await goTo(/^Users/, 'Users')
    await keys.type(field('Name of the new user'), name)
    await keys.press(button('Add the user'))
    await keys.sees('The account is created.')
    await keys.press(button('Create a link'))
    await keys.sees('Link for the user')
    const theirs = await openTheirs(await keys.select(field('The link')))
    await theirs.setPassword('Set the password')
    await theirs.page.getByText(`Signed in as ${name}.`).waitFor()

    await keys.space(button('Disable'))
    await keys.sees('The account is disabled')
    await theirs.page.reload()
    await theirs.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    await keys.press(button('Enable'))
    await keys.sees('The account is enabled')

    await keys.press(button('Promote'))
    await keys.sees('The user is now an administrator.')
    await keys.press(button('Demote'), 'Shift+Tab')
    await keys.sees('The user is no longer an administrator.')
    expect(await page.getByText('An account.').count()).toBe(1)
  },
  patience,
)

test(
  'by keyboard: an invitation is created, used, and another one withdrawn',
  async () => {
    const [name, other] = [newName(), newName()]
    const { keys, button, field, goTo } = await openAdmin({ width: 360, scheme: 'dark', script: false })
    const invite = async (whom: string) => {
      await keys.type(field('User name'), whom)
      await keys.press(button('Create an invitation'))
      await keys.sees('Link for the user')
      return keys.select(field('The link'))
    }

    await goTo(/^Users/, 'Users')
    const theirs = await openTheirs(await invite(name))
    await theirs.setPassword('Create the account')
    await theirs.page.getByText(`Signed in as ${name}.`).waitFor()

    await goTo('Admin', 'Admin')
    await goTo(/^Users/, 'Users')
    const address = await invite(other)
    await keys.press(button(`Withdraw the invitation for ${other}`))
    await keys.sees('The invitation is withdrawn.')
    const late = await openTheirs(address)
    expect(await late.page.getByLabel('Password', { exact: true }).count()).toBe(0)
  },
  patience,
)

test(
  'by keyboard: a user is exported, and removed when the name is typed',
  async () => {
    const name = newName()
    await server.addUser(name)
    const { page, keys, button, link, field, goTo } = await openAdmin({ width: 360 })

    await goTo(/^Users/, 'Users')
    await goTo(name, name)
    await goTo('Remove…', `Remove ${name}`)
    const [download] = await Promise.all([page.waitForEvent('download'), keys.press(link('Download the export'))])
    expect(download.suggestedFilename()).toMatch(/\.json$/)
    await keys.type(field('Type the user name'), 'another name')
    await keys.press(button('Remove permanently'))
    await keys.sees('The name does not match.')
    await keys.type(field('Type the user name'), name)
    await keys.press(button('Remove permanently'))
    await keys.sees('The account and all its data are removed.')
    expect(await link(name).count()).toBe(0)
  },
  patience,
)

test(
  'by keyboard: any app is removed, and limits and the store are read',
  async () => {
    const app = `App ${systemEnvironment.newId()}`
    await addApp(server.store, app, systemEnvironment)
    const { page, keys, goTo } = await openAdmin({ scheme: 'dark' })

    await goTo(/^Apps \d/, 'Apps of the server')
    const row = page.getByRole('listitem').filter({ hasText: app })
    await keys.press(row.locator('summary'))
    await keys.press(row.getByRole('button', { name: 'Remove and sign out everywhere' }))
    await keys.sees('The app is removed')
    expect(await page.getByText(app).count()).toBe(0)

    await goTo('Admin', 'Admin')
    await goTo(/^Limits/, 'Limits')
    await goTo('Admin', 'Admin')
    await goTo(/^Server/, 'Server')
  },
  patience,
)
