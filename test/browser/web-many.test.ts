import { expect, test } from 'vitest'
import {
  addThing,
  allSaved,
  goTo,
  listedItems,
  openSignedIn,
  openWebServer,
  seeState,
  seeTitles,
} from './web-app-page.ts'

test('a range is tagged, archived and deleted at once, and each of it taken back, at once or from the list', async () => {
  const { home } = await openWebServer()
  const { page } = await openSignedIn(home)
  const names = ['one', 'two', 'three', 'four', 'five']
  for (const name of names) await addThing(page, name)
  const selectRange = async () => {
    await page.getByLabel('Select four', { exact: true }).click()
    await page.getByLabel('Select two', { exact: true }).click({ modifiers: ['Shift'] })
    await page.getByText('3 items selected').waitFor()
  }
  const bulk = page.getByRole('region', { name: '3 items selected' })
  const tagged = listedItems(page).getByRole('link', { name: 'both', exact: true })

  await selectRange()
  await page.getByLabel('Tags to add, and -tags to remove').fill('both')
  await bulk.getByRole('button', { name: 'Tag', exact: true }).click()
  await expect.poll(() => tagged.count()).toBe(3)
  await bulk.getByRole('button', { name: 'Archive', exact: true }).click()
  await seeTitles(page, ['one', 'five'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await seeTitles(page, names)
  await selectRange()
  await bulk.getByRole('button', { name: 'Delete', exact: true }).click()
  await seeTitles(page, ['one', 'five'])
  await seeState(page, allSaved)
  await page.getByRole('button', { name: 'Undo' }).click()
  await seeTitles(page, names)
  await goTo(page, 'History')
  await page.getByRole('listitem').filter({ hasText: 'Tagged 3 items' }).getByRole('button', { name: 'Undo' }).click()
  await goTo(page, 'Items')

  await expect.poll(() => tagged.count()).toBe(0)
  await seeState(page, allSaved)
  const other = await openSignedIn(home)
  await seeTitles(other.page, names)
})

test('a tag set before the first sync is removed even after the items were deleted and restored', async () => {
  const { home } = await openWebServer()
  const { context, page } = await openSignedIn(home)
  const names = ['one', 'two']
  await context.setOffline(true)
  for (const name of names) await addThing(page, name)
  for (const name of names) await page.getByLabel(`Select ${name}`, { exact: true }).click()
  const bulk = page.getByRole('region', { name: '2 items selected' })
  const tagged = listedItems(page).getByRole('link', { name: 'both', exact: true })
  await page.getByLabel('Tags to add, and -tags to remove').fill('both')
  await bulk.getByRole('button', { name: 'Tag', exact: true }).click()
  await expect.poll(() => tagged.count()).toBe(2)

  await context.setOffline(false)
  await seeState(page, allSaved)
  await bulk.getByRole('button', { name: 'Delete', exact: true }).click()
  await seeTitles(page, [])
  await seeState(page, allSaved)
  await page.getByRole('button', { name: 'Undo' }).click()
  await seeTitles(page, names)
  await goTo(page, 'History')
  await page.getByRole('listitem').filter({ hasText: 'Tagged 2 items' }).getByRole('button', { name: 'Undo' }).click()
  await goTo(page, 'Items')

  await expect.poll(() => tagged.count()).toBe(0)
})

test('when the window with the items dies, another one goes on, and the next one has the typed text', async () => {
  const { home } = await openWebServer()
  const { context, page } = await openSignedIn(home)
  await addThing(page, 'kept')
  await page.getByLabel('New item').fill('half a line')
  const second = await context.newPage()
  await second.goto(home)
  await listedItems(second).getByText('kept').waitFor()
  await page.bringToFront()

  const devtools = await context.newCDPSession(page)
  const crashed = page.waitForEvent('crash')
  devtools.send('Page.crash').catch(() => undefined)
  await crashed
  await addThing(second, 'added after that')
  const third = await context.newPage()
  await third.goto(home)
  await listedItems(third).getByText('added after that').waitFor()

  expect(await third.getByLabel('New item').inputValue()).toBe('half a line')
})
