import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openFileServer } from '../support/open-test-server.ts'
import { signInContext } from './furnish.ts'
import { furnishWeb, longTitle, readThing } from './furnish-web.ts'
import { openBrowser } from './open-page.ts'
import { addLine, addThing, goTo, listedItems, openSignedIn, openWebServer, seeList } from './web-app-page.ts'

const rowOf = (page: Page, title: string) =>
  listedItems(page).filter({ has: page.locator('.title', { hasText: new RegExp(`^${title}$`, 'u') }) })

/** A list in which anna has the items that every look at the app shows. */
const openFurnished = async (path = '') => {
  const server = await openFileServer({ settings: { web: true } })
  await furnishWeb(server)
  const context = await openBrowser()
  await signInContext(context, server, 'anna')
  const page = await context.newPage()
  await page.goto(`${server.baseUrl.replace(/v1\/$/, '')}${path}`)
  await listedItems(page).first().waitFor()
  return { context, page }
}

test('the title of a link opens its page in a new tab, and the rest of the row opens the item', async () => {
  const { home } = await openWebServer()
  const { context, page } = await openSignedIn(home)
  await addLine(page, `${home}docs The documents #read`, 'The documents')
  await addThing(page, 'A note')

  const opened = context.waitForEvent('page')
  await listedItems(page).getByRole('link', { name: 'The documents', exact: true }).click()
  const documents = await opened
  await documents.waitForURL(`${home}docs`)
  const hasOpener = await documents.evaluate(() => window.opener !== null)
  await documents.close()
  // Above the title, because the mouse is on the row and hides its date behind the actions.
  await rowOf(page, 'The documents')
    .locator('.row')
    .click({ position: { x: 300, y: 4 } })
  await page.getByRole('heading', { level: 1, name: 'The documents' }).waitFor()
  await page.goBack()
  await rowOf(page, 'A note')
    .locator('.icon')
    .click({ force: true, position: { x: 2, y: -14 } })
  await page.getByRole('heading', { level: 1, name: 'A note' }).waitFor()

  expect(hasOpener).toBe(false)
})

test('a row shows the note, and a search marks its words in title, host and note', async () => {
  const { page } = await openFurnished()

  await listedItems(page).getByText('Seven ideals for software').waitFor()
  await page.getByLabel('Search').fill('inkandswitch SPINNERS data')
  await seeList(page, [readThing])

  await expect
    .poll(() => listedItems(page).first().locator('mark').allInnerTexts())
    .toEqual(['data', 'spinners', 'data', 'inkandswitch'])
})

test('the mouse shows actions and a box on its row only; nothing moves or is covered', async () => {
  const { page } = await openFurnished()
  const row = rowOf(page, 'CRDT papers, a reading list')
  const todo = rowOf(page, 'Bread from the baker')
  const opacity = (of: typeof row) => of.locator('.select').evaluate((box) => getComputedStyle(box).opacity)
  const edges = (of: typeof row, part: string) =>
    of.locator(part).evaluate((element) => {
      const { left, right } = element.getBoundingClientRect()
      return { left, right }
    })
  const rightToLeft = listedItems(page).filter({ hasText: longTitle })

  const before = [await opacity(row), await row.getByRole('button').count()]
  await row.hover()
  await expect.poll(() => opacity(row)).toBe('1')
  const names = await row.getByRole('button').evaluateAll((all) => all.map((button) => button.getAttribute('title')))
  await todo.hover()
  const isTicked = await todo.getByRole('checkbox', { name: /^Done: / }).isVisible()
  await expect.poll(() => opacity(todo)).toBe('1')
  const hovered = [await edges(todo, '.select'), await edges(todo, '.todo')]
  await rightToLeft.hover()
  await rightToLeft.locator('.row-actions').waitFor()
  const [title, actions] = [await edges(rightToLeft, '.title'), await edges(rightToLeft, '.row-actions')]
  await row.hover()
  await row.getByTitle('Tag').click()
  await page.getByLabel('Tags to add, and -tags to remove').fill('later')
  await page.keyboard.press('Enter')
  await row.getByRole('link', { name: 'later', exact: true }).waitFor()
  const selecting = [await edges(todo, '.select'), await edges(todo, '.todo')]
  await page.getByRole('button', { name: 'Select none' }).click()
  await row.hover()
  await row.getByTitle('Archive').click()
  await row.waitFor({ state: 'detached' })

  expect(before).toEqual(['0', 0])
  expect(names).toEqual(['Archive', 'Tag', 'Delete'])
  expect(isTicked).toBe(true)
  // The circle of a to-do stays, and the box is beside it; nothing moves while items are selected.
  expect(selecting).toEqual(hovered)
  expect(hovered[0]?.right).toBeLessThan(hovered[1]?.left ?? 0)
  expect(title.right).toBeLessThanOrEqual(actions.left)
})

test('Control+K shows why each item is there, and a search without matches offers those of the archive', async () => {
  const { page } = await openFurnished()
  const field = page.getByRole('combobox', { name: 'Find items and commands' })
  const read = (group: string) => page.getByRole('group', { name: group }).getByRole('option').allInnerTexts()

  await page.keyboard.press('Control+k')
  await field.fill('re')
  await expect.poll(() => read('In notes and URLs')).toEqual([expect.stringMatching(/^Lentil.*\n.*recipes/u)])
  const items = await read('Items')
  await field.fill('spinners')
  await expect.poll(() => read('In notes and URLs')).toEqual([expect.stringMatching(/^Local-first.*\n.*No spinners/u)])
  await field.fill('library')
  await page.getByRole('option', { name: 'Add “library” as an item' }).waitFor()
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByLabel('Search').fill('library')
  await page.getByText('No matches for “library” in your 11 items.').waitFor()
  await page.getByRole('button', { name: 'Show 1 archived' }).click()
  await rowOf(page, 'Returned: library books').waitFor()

  // A word that begins with the text comes before one that contains it; a tag is whole or counted.
  expect(items[0]).toMatch(/^CRDT papers, a reading list/u)
  expect(items[1]).toMatch(/^Oat milk, coffee, something green/u)
  expect(items.join('\n')).toContain('travel\n+2')
})

test('the order and hidden done items are in the URL, and stay while the user goes through the app', async () => {
  const { page } = await openFurnished()
  const first = () => listedItems(page).locator('.title').first()

  await page.getByLabel('Sort by').selectOption({ label: 'Oldest first' })
  await first().getByText('Ideas for the allotment').waitFor()
  await page.getByLabel('Sort by').selectOption({ label: 'Title' })
  await first().getByText('A title that goes on').waitFor()
  await page.getByRole('button', { name: 'Hide done' }).click()
  await page.getByText('Bread from the baker').waitFor({ state: 'detached' })
  const { search } = new URL(page.url())
  await goTo(page, 'Tags')
  await goTo(page, 'Items')
  await page.reload()
  await first().getByText('A title that goes on').waitFor()
  const titles = await listedItems(page).locator('.title').allInnerTexts()
  await page.getByLabel('Sort by').selectOption({ label: 'Newest first' })
  await page.getByRole('button', { name: 'Hide done' }).click()
  await first().getByText('Oat milk').waitFor()

  expect(search).toBe('?sort=title&done=hidden')
  expect(titles.slice(1, 3)).toEqual(['Call the plumber about the bathroom', 'CRDT papers, a reading list'])
  expect(titles).not.toContain('Bread from the baker')
  expect(new URL(page.url()).search).toBe('')
})

test('what was changed last is first in that order, also in a later visit', async () => {
  const { page } = await openFurnished('?sort=changed')
  const first = () => listedItems(page).locator('.title').first()

  await rowOf(page, 'Water the ferns').getByLabel('Done: Water the ferns').click()
  await first().getByText('Water the ferns').waitFor()
  await page.reload()

  await first().getByText('Water the ferns').waitFor()
})

test('Escape leaves a screen and a dialog, Control+Z takes back, and Backspace deletes on a Mac only', async () => {
  const { home } = await openWebServer()
  const linux = await openSignedIn(home)
  const mac = await openSignedIn(home)
  await mac.page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'platform', { value: 'MacIntel' }))
  await mac.page.reload()
  for (const title of ['one', 'two']) await addThing(linux.page, title)
  await mac.page.getByText('2 items').waitFor()

  await linux.page.keyboard.press('Escape')
  for (const key of ['j', 'Backspace', 'Delete']) await linux.page.keyboard.press(key)
  await seeList(mac.page, ['one'])
  await linux.page.keyboard.press('Control+z')
  await mac.page.getByText('2 items').waitFor()
  for (const key of ['j', 'Backspace']) await mac.page.keyboard.press(key)
  await mac.page.getByText('1 item').waitFor()
  await mac.page.keyboard.press('Meta+z')
  await mac.page.getByText('2 items').waitFor()
  for (const screen of ['Help', 'Settings', 'Tags']) {
    await goTo(linux.page, screen)
    await linux.page.getByRole('heading', { level: 1, name: screen }).waitFor()
    await linux.page.keyboard.press('Escape')
    await listedItems(linux.page).first().waitFor()
  }
})
