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
  await first.getByRole('button', { name: 'Use them here' }).click()
  await listedItems(first).getByText('in the second').waitFor()
  await goTo(first, 'Settings')
  await first.getByRole('button', { name: 'Sign out' }).click()

  await first.getByRole('button', { name: 'Sign in' }).waitFor()
  await second.getByRole('button', { name: 'Sign in' }).waitFor()
})

/** More than are written at once: the work takes three writes. */
const many = 600

test('a tab that takes over while another one archives many items completes the edit, and can undo it', async () => {
  const { data, home } = await openWebServer()
  const other = await openOtherDevice(data, home)
  await other.add(Array.from({ length: many }, (_, index) => ({ title: `thing ${index}` })))
  const { context, page } = await openSignedIn(home)
  await page.getByText(`${many} items`, { exact: true }).waitFor()
  const second = await context.newPage()
  await second.goto(home)
  await second.getByRole('button', { name: 'Use them here' }).waitFor()
  await listedItems(page)
    .getByRole('checkbox', { name: /^Select / })
    .first()
    .click()
  await page.getByRole('button', { name: 'Select all' }).click()
  await page.getByText(`${many} items selected`).waitFor()

  await second.evaluate(() => {
    new BroadcastChannel('go').onmessage = () => document.querySelector<HTMLElement>('main button')?.click()
  })
  const whenRequested = await page.evaluate(
    () =>
      new Promise<string | undefined>((resolve) => {
        new BroadcastChannel('thingsync / hold').onmessage = ({ data: message }) => {
          if (message === 'now') resolve(document.querySelector('.toast .action')?.textContent ?? 'still at work')
        }
        const buttons = [...document.querySelectorAll<HTMLElement>('.bulk button')]
        buttons.find(({ textContent }) => textContent === 'Archive')?.click()
        new BroadcastChannel('go').postMessage('')
      }),
  )
  await page.getByRole('button', { name: 'Use them here' }).waitFor()
  await second.getByText(`0 of ${many} items`).waitFor()
  await seeState(second, allSaved)
  const archived = [...(await other.list()).values()].filter((thing) => 'archived' in thing && thing.archived === true)
  await goTo(second, 'Recent')
  await second.getByRole('button', { name: `Undo: Archived ${many} items` }).click()
  await goTo(second, 'Items')
  await second.getByText(`${many} items`, { exact: true }).waitFor()

  expect(whenRequested).toBe('still at work')
  expect(archived).toHaveLength(many)
}, 300_000)
