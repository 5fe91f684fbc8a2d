import { expect, test } from 'vitest'
import { openBrowser } from './open-page.ts'
import { openOtherDevice } from './upload-things.ts'
import {
  addThing,
  allSaved,
  expectedOffline,
  goTo,
  listedItems,
  openSignedIn,
  openWebServer,
  seeState,
  signInToApp,
} from './web-app-page.ts'

test('before a sign-in each tab offers it, and the items are in the tab that signed in', async () => {
  const { home } = await openWebServer()
  const context = await openBrowser({ expected: expectedOffline })
  const [first, second] = [await context.newPage(), await context.newPage()]
  await first.goto(home)
  await first.getByRole('button', { name: 'Sign in' }).waitFor()

  await signInToApp(second, home)
  await addThing(second, 'in the second')
  await listedItems(first).getByText('in the second').waitFor()
  await goTo(first, 'Settings')
  await first.getByRole('button', { name: 'Sign out' }).click()

  await first.getByRole('button', { name: 'Sign in' }).waitFor()
  await second.getByRole('button', { name: 'Sign in' }).waitFor()
})

/** What Chromium says of the requests of a page that crashed. */
const cutOff = new RegExp(`ERR_FAILED|${expectedOffline.source}`)

/** More than are written at once: the work takes three writes. */
const many = 600

test('an edit of many items goes on in a second window when the window with the items dies', async () => {
  const { data, home } = await openWebServer()
  const other = await openOtherDevice(data, home)
  await other.add(Array.from({ length: many }, (_, index) => ({ title: `thing ${index}` })))
  const { context, page } = await openSignedIn(home, '', cutOff)
  await page.getByText(`${many} items`, { exact: true }).waitFor()
  const second = await context.newPage()
  await second.goto(home)
  await second.getByText(`${many} items`, { exact: true }).waitFor()
  await listedItems(second)
    .getByRole('checkbox', { name: /^Select / })
    .first()
    .click()
  await second.getByRole('button', { name: 'Select all' }).click()
  await second.getByText(`${many} items selected`).waitFor()
  const devtools = await context.newCDPSession(page)
  const crashed = page.waitForEvent('crash')

  await second.locator('.bulk').getByRole('button', { name: 'Archive' }).click({ noWaitAfter: true })
  devtools.send('Page.crash').catch(() => undefined)
  await crashed
  await second.getByText('All items are archived.').waitFor()
  await seeState(second, allSaved)
  const archived = [...(await other.list()).values()].filter((thing) => 'archived' in thing && thing.archived === true)
  await goTo(second, 'History')
  await second.getByRole('button', { name: `Undo: Archived ${many} items` }).click()
  await goTo(second, 'Items')
  await second.getByText(`${many} items`, { exact: true }).waitFor()

  expect(archived).toHaveLength(many)
}, 300_000)

test('each window can undo what another one did', async () => {
  const { home } = await openWebServer()
  const { context, page } = await openSignedIn(home)
  await addThing(page, 'by the first')
  const second = await context.newPage()
  await second.goto(home)
  await addThing(second, 'by the second')

  await goTo(page, 'History')
  await page.getByRole('button', { name: 'Undo: Added “by the second”' }).click()
  await goTo(second, 'History')
  await second.getByRole('button', { name: 'Undo: Added “by the first”' }).click()
  await goTo(page, 'Items')

  await page.getByText('Nothing here yet').waitFor()
})
