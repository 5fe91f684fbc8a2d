import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { checkPage } from './check-page.ts'
import { walkByKeyboard } from './walk-by-keyboard.ts'
import { addLine, addThing, listedItems, openSignedIn, openWebServer, seeList, seeTitles } from './web-app-page.ts'

const wide = { width: 1440, height: 900 }

/** The heading of the item beside the list. */
const seePane = (page: Page, title: string) =>
  page.locator('.pane').getByRole('heading', { level: 1, name: title, exact: true }).waitFor()

const openWide = async () => {
  const { home } = await openWebServer()
  const { page } = await openSignedIn(home, '', undefined, wide)
  await addLine(page, 'one #home', 'one')
  for (const title of ['two', 'three']) await addThing(page, title)
  await seeTitles(page, ['one', 'two', 'three'])
  await page.keyboard.press('Escape')
  return { home, page, titles: await listedItems(page).locator('.title').allInnerTexts() }
}

test('in a wide window tags, list and item are side by side, and j and k move the item', async () => {
  const { page, titles } = await openWide()
  const [first = '', second = ''] = titles
  const lefts = () =>
    page.evaluate(() =>
      ['.side', '.things', '.pane'].map((name) => document.querySelector(name)?.getBoundingClientRect().left ?? 0),
    )

  await page.keyboard.press('j')
  await seePane(page, first)
  await page.keyboard.press('j')
  await seePane(page, second)
  await page.keyboard.press('k')
  await seePane(page, first)
  const [side = 0, list = 0, pane = 0] = await lefts()
  const focused = await page.evaluate(() => document.activeElement?.closest('li')?.querySelector('.title')?.textContent)
  await page.keyboard.press('Escape')
  await page.locator('.pane').waitFor({ state: 'detached' })
  await page.goBack()
  await seePane(page, first)

  expect([side < list, list < pane]).toEqual([true, true])
  expect(focused).toBe(first)
})

test('keys act once on the item beside the list, wherever the focus is', async () => {
  const { page, titles } = await openWide()
  const [first = '', second = ''] = titles

  await page.keyboard.press('j')
  await seePane(page, first)
  await page.keyboard.press('a')
  await seeList(page, titles.slice(1))
  // The item beside the list follows the focus.
  await seePane(page, second)
  await page.keyboard.press('z')
  await seeList(page, titles)
  await page.locator('.pane').getByRole('button', { name: 'Edit' }).focus()
  await page.keyboard.press('Delete')
  await seeList(
    page,
    titles.filter((title) => title !== second),
  )
  await page.locator('.pane').waitFor({ state: 'detached' })
  await page.keyboard.press('Control+z')

  await seeTitles(page, titles)
})

test('a click opens an item beside the list, which stays where it is, and the form beside it saves', async () => {
  const { page } = await openWide()
  const top = () =>
    listedItems(page)
      .first()
      .evaluate((row) => row.getBoundingClientRect().top)
  const before = await top()

  await listedItems(page).getByRole('link', { name: 'two', exact: true }).click()
  await seePane(page, 'two')
  await page.keyboard.press('e')
  await page.getByLabel('Title').fill('two and a half')
  await page.getByRole('button', { name: 'Save' }).click()
  await seePane(page, 'two and a half')
  await seeTitles(page, ['one', 'two and a half', 'three'])
  await page.getByRole('button', { name: 'Close the item' }).click()

  expect(await top()).toBe(before)
})

test('the actions for selected items take the place of the item beside the list, until none is selected', async () => {
  const { page, titles } = await openWide()
  const [first = ''] = titles
  const bulk = page.getByRole('region', { name: '1 item selected' })
  const readLeft = (name: string) => page.locator(name).evaluate((element) => element.getBoundingClientRect().left)

  await page.keyboard.press('j')
  await seePane(page, first)
  const left = await readLeft('.pane')
  await page.keyboard.press('x')
  await bulk.getByRole('listitem').getByText(first, { exact: true }).waitFor()
  const replaced = [await page.locator('.pane').isVisible(), await readLeft('.bulk')]
  await page.keyboard.press('Escape')
  await bulk.waitFor({ state: 'detached' })
  await seePane(page, first)
  await page.keyboard.press('x')
  await bulk.waitFor()
  await checkPage(page)

  expect(replaced).toEqual([false, left])
})

test('the tags of the left pane filter the list, and everybody can use the three panes', async () => {
  const { page } = await openWide()

  await page.locator('.side').getByRole('link', { name: 'home', exact: true }).click()
  await seeList(page, ['one'])
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await page.locator('.pane').waitFor()

  await checkPage(page)
  await walkByKeyboard(page)
})

test('Control+K finds items and commands by name, by the keyboard alone', async () => {
  const { page } = await openWide()
  const field = page.getByRole('combobox', { name: 'Find items and commands' })
  const active = () => page.locator('[role=option][aria-selected=true]').innerText()

  await page.getByLabel('New item').focus()
  await page.keyboard.press('Control+k')
  await field.fill('thre')
  await expect.poll(active).toMatch(/^three/u)
  await checkPage(page)
  await page.keyboard.press('Enter')
  await seePane(page, 'three')
  await page.keyboard.press('Control+k')
  await field.fill('hom')
  await expect.poll(active).toMatch(/^#home/u)
  await field.fill('sort')
  await page.keyboard.press('ArrowDown')
  await expect.poll(active).toBe('Sort by: Oldest first')
  await page.keyboard.press('Enter')
  await expect.poll(() => new URL(page.url()).search).toBe('?sort=oldest')
  await page.keyboard.press('Control+k')
  await field.waitFor()
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })

  expect(await page.getByRole('dialog').count()).toBe(0)
})
