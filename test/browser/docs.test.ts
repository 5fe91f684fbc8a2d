import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openFileServer } from '../support/open-test-server.ts'
import { checkPage } from './check-page.ts'
import { openPage } from './open-page.ts'

const server = await openFileServer()
const docs = new URL('/docs', server.baseUrl).href

/** Opens the form of an operation, and gives what it is in. */
const openForm = async (page: Page, operation: string) => {
  const section = page.locator(`section[aria-labelledby="${operation}"]`)
  await section.getByText('Try it', { exact: true }).click()
  return section
}

test('the reference can be used by everybody', async () => {
  const page = await openPage()
  await page.goto(docs)

  await checkPage(page)
}, 300_000)

test('the reference can be used by everybody with everything in it open', async () => {
  const page = await openPage()
  await page.goto(docs)

  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true
  })
  await page.waitForFunction(() => document.querySelector('a[data-form]') === null)

  await checkPage(page)
}, 300_000)

test('a token got on the page sends what needs one', async () => {
  const page = await openPage()
  await page.goto(docs)
  const grant = await openForm(page, 'grantToken')
  await grant.getByLabel('grant_type').fill('password')
  await grant.getByLabel('client_id').fill(server.clientId)
  await grant.getByLabel('client_secret').fill(server.clientSecret)
  await grant.getByLabel('username').fill('anna')
  await grant.getByLabel('password', { exact: true }).fill('correct horse')
  await grant.getByRole('button', { name: 'Send POST /token' }).click()
  await grant.getByText('now use this access token').waitFor()

  const sync = await openForm(page, 'postSync')
  await sync.getByLabel('from', { exact: true }).fill('0')
  await sync.getByLabel('new_thing').fill('{"local_id":"1","title":"Made on the page"}')
  await sync.getByRole('button', { name: 'Send POST /sync' }).click()
  await sync.locator('.response').getByText('200 OK').waitFor()
  const user = await openForm(page, 'getUser')
  await user.getByRole('button', { name: 'Send GET /user/get' }).click()
  await user.locator('.response').getByText('200 OK').waitFor()

  expect(JSON.parse(await sync.locator('.response pre').first().innerText())).toEqual({
    pos: 1,
    thingCount: 1,
    things: { new: { 1: expect.any(String) } },
  })
  expect(JSON.parse(await user.locator('.response pre').first().innerText())).toMatchObject({
    username: 'anna',
    pos: 1,
  })
})

test('a request without a token shows the error, and neither page nor URL nor command shows a secret', async () => {
  const page = await openPage()
  await page.goto(docs)
  const user = await openForm(page, 'getUser')

  await user.getByRole('button', { name: 'Send GET /user/get' }).click()
  await user.locator('.response').getByText('401 Unauthorized').waitFor()
  await page.getByLabel('Access token', { exact: true }).fill('secret-token')
  const grant = await openForm(page, 'grantToken')
  await grant.getByLabel('grant_type').fill('password')
  await grant.getByLabel('client_id').fill(server.clientId)
  await grant.getByLabel('client_secret').fill('secret-of-the-app')
  await grant.getByRole('button', { name: 'Send POST /token' }).click()
  await grant
    .locator('.response')
    .getByText(/^40[01] /)
    .waitFor()

  const shown = await page.locator('body').innerText()
  expect(shown).toContain('client_secret=…')
  expect(shown).not.toMatch(/secret-token|secret-of-the-app/)
  expect(page.url()).toBe(docs)
  expect(await page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0])
})

test('examples are filled in by their button, and required fields are requested', async () => {
  const page = await openPage()
  await page.goto(docs)
  const form = await openForm(page, 'addThing')
  const title = form.getByLabel('title', { exact: true })

  await form.getByRole('button', { name: 'Send POST /thing/add' }).click()
  const isMissing = await title.evaluate((field: HTMLInputElement) => field.validity.valueMissing)
  await form.getByRole('button', { name: 'Fill in the example' }).click()

  expect([isMissing, await form.locator('.response').innerText()]).toEqual([true, ''])
  expect(await title.inputValue()).not.toBe('')
})

test('the page says so when no response comes', async () => {
  const page = await openPage({ expected: /ERR_CONNECTION_REFUSED/ })
  await page.goto(docs)
  const user = await openForm(page, 'getUser')
  await page.route('**/v1/user/get', (route) => route.abort('connectionrefused'))

  await user.getByRole('button', { name: 'Send GET /user/get' }).click()

  await user.getByText('No response arrived').waitFor()
})

test('the page is sent by keyboard alone', async () => {
  const page = await openPage()
  await page.goto(docs)
  const section = page.locator('section[aria-labelledby="getTest"]')

  await section.getByText('Try it', { exact: true }).focus()
  await page.keyboard.press('Enter')
  await section.getByRole('button', { name: 'Send GET /test' }).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')

  await section.locator('.response').getByText('401 Unauthorized').waitFor()
})

test('a form that did not come leaves the link to its own page, where it can be sent', async () => {
  const page = await openPage({ expected: /ERR_CONNECTION_REFUSED/ })
  await page.goto(docs)
  await page.route('**/docs/try/getTest', (route) => route.abort('connectionrefused'))
  const failed = page.waitForEvent('requestfailed')

  const section = await openForm(page, 'getTest')
  await failed
  await page.unroute('**/docs/try/getTest')
  await section.getByRole('link', { name: 'Open the form' }).click()
  await page.getByRole('button', { name: 'Send GET /test' }).click()

  await page.locator('.response').getByText('401 Unauthorized').waitFor()
  expect(new URL(page.url()).pathname).toBe('/docs/try/getTest')
})

test('the focus goes from the link into the form when it comes', async () => {
  const page = await openPage()
  await page.goto(docs)
  let letGo: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route('**/docs/try/getTest', async (route) => {
    await held
    await route.continue()
  })

  const section = await openForm(page, 'getTest')
  await section.getByRole('link', { name: 'Open the form' }).focus()
  letGo()
  await section.getByRole('button', { name: 'Send GET /test' }).waitFor()

  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Send GET /test')
})

test('without JavaScript the reference is there to be read, and says what it cannot do', async () => {
  const page = await openPage({ script: false })
  await page.goto(docs)

  expect(await page.getByText('With JavaScript on').isVisible()).toBe(true)
  expect(await page.getByText('Try it', { exact: true }).first().isVisible()).toBe(false)
  expect(await page.locator('section[aria-labelledby="postSync"]').getByText('curl -sS').isVisible()).toBe(true)
  const [document] = await Promise.all([
    page.request.get(
      new URL((await page.getByRole('link', { name: 'openapi.yaml', exact: true }).getAttribute('href')) ?? '', docs)
        .href,
    ),
  ])
  expect(await document.text()).toMatch(/^openapi: 3/)
})

test('without JavaScript the page of a form shows the command instead', async () => {
  const page = await openPage({ script: false, width: 360 })
  await page.goto(`${docs}/try/addThing`)

  expect(await page.getByText('curl -sS').isVisible()).toBe(true)
  expect(await page.getByRole('button').count()).toBe(0)
})

test('the contents mark the section that is read', async () => {
  const page = await openPage()
  await page.goto(docs)
  const current = page.locator('nav.contents a[aria-current]')

  await page.locator('#postSync').evaluate((heading) => heading.scrollIntoView())

  await expect.poll(() => current.allInnerTexts()).toEqual(['POST /sync'])
})

test('on a phone the contents are closed, open in view of any section, and close when a link is followed', async () => {
  const page = await openPage({ width: 360 })
  await page.goto(docs)
  const link = page.locator('nav.contents a[href="#postSync"]')
  await page.locator('#getUser').evaluate((heading) => heading.scrollIntoView())

  expect(await link.isVisible()).toBe(false)
  await page.getByText('Contents', { exact: true }).click()
  await link.click()

  await expect.poll(() => page.locator('nav.contents a').first().isVisible()).toBe(false)
  await expect
    .poll(() => page.locator('#postSync').evaluate((heading) => heading.getBoundingClientRect().top))
    .toBeLessThan(200)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
})

test('every link within the page leads somewhere', async () => {
  const page = await openPage()
  await page.goto(docs)

  const lost = await page.evaluate(() =>
    [...document.querySelectorAll('a[href^="#"]')]
      .map((link) => link.getAttribute('href') ?? '')
      .filter((href) => document.getElementById(href.slice(1)) === null),
  )

  expect(lost).toEqual([])
})
