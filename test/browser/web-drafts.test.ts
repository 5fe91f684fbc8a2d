import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { createTemporaryFolder } from '../support/run-cli.ts'
import { killBrowser, openProfileBrowser } from './open-kept-browser.ts'
import {
  addThing,
  allSaved,
  goTo,
  listedItems,
  openSignedIn,
  openWebServer,
  seeState,
  signInWith,
} from './web-app-page.ts'

/** Waits until a database of the page has this text: from then on no kill may take it. */
const seeDraft = (page: Page, text: string) =>
  expect
    .poll(() =>
      page.evaluate(async (wanted) => {
        const settled = <T>(request: IDBRequest<T>) =>
          new Promise<T>((resolve, reject) => {
            request.onsuccess = () => resolve(request.result)
            request.onerror = () => reject(request.error)
          })
        const texts = (await indexedDB.databases()).map(async ({ name = '' }) => {
          const database = await settled(indexedDB.open(name))
          const tables = [...database.objectStoreNames]
          const transaction = database.transaction(tables)
          const values = await Promise.all(tables.map((table) => settled(transaction.objectStore(table).getAll())))
          database.close()
          return JSON.stringify(values)
        })
        return (await Promise.all(texts)).some((one) => one.includes(wanted))
      }, text),
    )
    .toBe(true)

test('what was typed in the line and in a form is there again when the browser was killed', async () => {
  const { home } = await openWebServer()
  const folder = await createTemporaryFolder()
  const first = await openProfileBrowser(folder)
  const page = await signInWith(first, home)
  await addThing(page, 'plan')
  await seeState(page, allSaved)
  await listedItems(page).getByRole('link', { name: 'plan' }).click()
  await page.getByRole('button', { name: 'Edit' }).click()
  const line = page.getByLabel('New item')

  for (const typed of ['A', 'AB', 'ABC of lines']) await line.fill(typed)
  await page.getByLabel('Title').fill('a better plan')
  await page.getByRole('button', { name: 'Edit as HTML' }).click()
  await page.getByLabel('The note as HTML').fill('<p>why it is better</p>')
  await seeDraft(page, 'why it is better')
  await killBrowser(first, folder)
  const second = await (await openProfileBrowser(folder)).newPage()
  await second.goto(page.url())

  await expect.poll(() => second.getByLabel('New item').inputValue()).toBe('ABC of lines')
  await expect.poll(() => second.getByLabel('Title').inputValue()).toBe('a better plan')
  await expect.poll(() => second.getByLabel('The note as HTML').inputValue()).toBe('<p>why it is better</p>')
})

test('a line that was added does not come back when the browser was killed', async () => {
  const { home } = await openWebServer()
  const folder = await createTemporaryFolder()
  const first = await openProfileBrowser(folder)
  const page = await signInWith(first, home)

  await page.getByLabel('New item').fill('typed and added')
  await seeDraft(page, 'typed and added')
  await addThing(page, 'typed and added')
  await addThing(page, 'the last one')
  await page.getByLabel('New item').fill('half a line')
  await seeDraft(page, 'half a line')
  await killBrowser(first, folder)
  const second = await (await openProfileBrowser(folder)).newPage()
  await second.goto(home)
  await listedItems(second).getByText('typed and added').waitFor()

  expect(await second.getByLabel('New item').inputValue()).toBe('half a line')
})

test('typed text that the item has meanwhile is no unsaved text', async () => {
  const { home } = await openWebServer()
  const { page } = await openSignedIn(home)
  const { page: other } = await openSignedIn(home)
  await addThing(page, 'plan')
  const editTitle = async (window: Page) => {
    await listedItems(window).getByRole('link', { name: 'plan', exact: true }).click()
    await window.getByRole('button', { name: 'Edit', exact: true }).click()
    await window.getByLabel('Title').fill('a better plan')
  }
  const unsaved = page.getByText('Your unsaved text is restored')

  await editTitle(page)
  await goTo(page, 'Items')
  await listedItems(page).getByRole('link', { name: 'plan', exact: true }).click()
  await unsaved.waitFor()
  await goTo(page, 'Items')
  await editTitle(other)
  await other.getByLabel('Title').press('Enter')
  await listedItems(page).getByRole('link', { name: 'a better plan', exact: true }).click()
  await page.locator('.thing h1').getByText('a better plan').waitFor()

  expect(await unsaved.count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
})
