import { setTimeout } from 'node:timers/promises'
import type { Page } from 'puppeteer-core'
import { expect, test, vi } from 'vitest'
import { createTemporaryFolder, runCli, startCliServer } from '../support/run-cli.ts'
import { openFirefox } from './open-firefox.ts'

const patience = { timeout: 60_000, interval: 100 }

/** The one element with this role and name, as assistive technology finds it, as soon as it is there. */
const find = (page: Page, role: string, name: string) =>
  vi.waitFor(async () => {
    // The locators of the library wait by `eval`, which the pages forbid. Asked of a page that is just being left, Firefox
    // never responds: the page that came is queried again.
    const found = await Promise.race([page.$(`::-p-aria([name="${name}"][role="${role}"])`), setTimeout(2_000, null)])
    if (found === null) throw new Error(`there is no ${role} ${name}`)
    return found
  }, patience)
const click = async (page: Page, name: string) => (await find(page, 'button', name)).click()
const type = async (page: Page, role: string, name: string, text: string) => (await find(page, role, name)).type(text)
const see = (page: Page, text: string) =>
  expect.poll(() => page.$eval('body', (body) => body.innerText), patience).toContain(text)

/** Signs anna in to the app, through the server's own pages. */
const signIn = async (page: Page, home: string): Promise<void> => {
  await page.goto(home)
  await click(page, 'Sign in')
  await type(page, 'textbox', 'User name', 'anna')
  await page.type('input[type=password]', 'correct horse')
  await click(page, 'Sign in')
  await find(page, 'combobox', 'New item')
}

/** Adds an item as users do; resolves when it is in the list. */
const add = async (page: Page, title: string): Promise<void> => {
  await type(page, 'combobox', 'New item', title)
  await page.keyboard.press('Enter')
  await expect.poll(() => listTitles(page), patience).toContain(title)
}

const listTitles = (page: Page): Promise<string[]> =>
  page.$$eval('.windowed .title', (titles) => titles.map((title) => title.textContent ?? '').sort())

/** In one step, because the app tries by itself too, and the button is gone when that was sooner. */
const tryNow = (page: Page): Promise<void> =>
  page.$$eval('button', (buttons) => buttons.find((button) => button.textContent === 'Try now')?.click())

test('Firefox: signed in, an item is added and found; without a server the app opens and adds; then all is in step', async () => {
  const data = await createTemporaryFolder()
  await runCli(['user', 'add', 'anna', '--password-stdin', '--data', data], 'correct horse')
  const first = await startCliServer(data)
  const home = first.baseUrl.replace(/v1\/$/, '')
  const page = await openFirefox()
  await signIn(page, home)

  await add(page, 'Oat milk')
  await add(page, 'Bread')
  await type(page, 'combobox', 'Search', 'oat')
  await expect.poll(() => listTitles(page), patience).toEqual(['Oat milk'])
  await page.keyboard.press('Escape')
  await see(page, 'Everything is saved here and on the server.')
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })

  await first.stop()
  await page.reload()
  await add(page, 'Written on a train')
  await see(page, 'No connection. 1 change waits for the network.')

  await startCliServer(data, ['--port', new URL(home).port])
  await tryNow(page)
  await see(page, 'Everything is saved here and on the server.')
  const other = await openFirefox()
  await signIn(other, home)

  await expect.poll(() => listTitles(other), patience).toEqual(['Bread', 'Oat milk', 'Written on a train'])
  expect(await listTitles(page)).toEqual(['Bread', 'Oat milk', 'Written on a train'])
})
