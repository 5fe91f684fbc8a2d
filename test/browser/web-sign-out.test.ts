import { expect, test } from 'vitest'
import { goOffline, goTo, openSignedIn, openWebServer } from './web-app-page.ts'

const stillKnown = 'The server still has a session of this browser. The app ends it when it reaches the server.'

test.each([true, false])(
  'a sign-out that removes all (%s): the server also asks the next user for a password',
  async (all) => {
    const { home } = await openWebServer()
    const { page } = await openSignedIn(home)
    const listDrafts = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('draft')))
    await page.getByLabel('New item').fill('typed, not added')
    const drafts = await listDrafts()

    await goTo(page, 'Settings')
    await page.getByLabel('When signing out, remove my items from this device').setChecked(all)
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByRole('button', { name: 'Sign in' }).first().waitFor()
    const left = await listDrafts()
    await page.goto(`${home}account`)
    await page.getByLabel('Password', { exact: true }).waitFor()
    await page.goto(home)
    await page.getByRole('button', { name: 'Sign in' }).first().click()
    await page.getByLabel('Password', { exact: true }).waitFor()

    expect(await page.getByRole('button', { name: 'Allow' }).count()).toBe(0)
    expect(drafts).toHaveLength(1)
    expect(left).toEqual(all ? [] : drafts)
  },
)

test('a sign-out without the network says that the server still has the session, until it is reached', async () => {
  const { home } = await openWebServer()
  const { context, page } = await openSignedIn(home)

  await goTo(page, 'Settings')
  await goOffline(page)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText(stillKnown).waitFor()
  await context.setOffline(false)
  await page.getByText(stillKnown).waitFor({ state: 'detached' })
  await page.goto(`${home}account`)

  await page.getByLabel('Password', { exact: true }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/sign-in')
})
