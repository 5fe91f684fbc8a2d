import { expect, test } from 'vitest'
import {
  addThing,
  allSaved,
  goTo,
  listedItems,
  openOverwritten,
  openSignedIn,
  openWebServer,
  seeState,
  seeTitles,
} from './web-app-page.ts'

test('what was done is taken back from the list in a later visit, also what the server has named meanwhile', async () => {
  const { home } = await openWebServer()
  const { context, page } = await openSignedIn(home)
  await addThing(page, 'kept')
  await addThing(page, 'archived')
  await listedItems(page).getByRole('link', { name: 'archived', exact: true }).focus()
  await page.keyboard.press('a')
  await seeTitles(page, ['kept'])
  await listedItems(page).getByRole('link', { name: 'kept', exact: true }).focus()
  await page.keyboard.press('Delete')
  await seeTitles(page, [])
  await addThing(page, 'last')
  // The line is empty again once all of that is kept.
  await expect.poll(() => page.getByLabel('New item').inputValue()).toBe('')
  await seeState(page, allSaved)

  await page.close()
  const later = await context.newPage()
  await later.goto(home)
  await seeTitles(later, ['last'])
  const toasts = await later.getByRole('button', { name: 'Undo' }).count()
  await goTo(later, 'History')
  const undo = (name: string) => later.getByRole('button', { name: `Undo: ${name}`, exact: true })
  await undo('Deleted “kept”').click()
  await later.getByRole('button', { name: 'Redo: Deleted “kept”', exact: true }).waitFor()
  await undo('Archived “archived”').click()
  await undo('Added “last”').click()
  await goTo(later, 'Items')

  await seeTitles(later, ['archived', 'kept'])
  await seeState(later, allSaved)
  await later.reload()
  await seeTitles(later, ['archived', 'kept'])
  await later.keyboard.press('Escape')
  // The latest edit that was not undone: “archived” was added.
  await later.keyboard.press('z')
  await seeTitles(later, ['kept'])
  expect(toasts).toBe(0)
})

test('overwritten text is shown in later visits, until it was seen', async () => {
  const phone = await openOverwritten()
  await listedItems(phone.page).getByRole('link', { name: 'Other words' }).waitFor()

  await phone.page.reload()
  await goTo(phone.page, 'History')
  const shown = phone.page
    .locator('section')
    .filter({ has: phone.page.getByText('Replaced by an edit on another device') })
  await shown.getByRole('link', { name: 'My words' }).waitFor()
  await phone.page.getByRole('button', { name: 'Dismiss' }).click()
  await phone.page.getByRole('heading', { name: 'History' }).waitFor()
  await expect.poll(() => phone.page.locator('section.note').count()).toBe(0)
  await phone.page.reload()
  await phone.page.getByRole('heading', { name: 'History' }).waitFor()
  await expect.poll(() => phone.page.locator('section.note').count()).toBe(0)
  await goTo(phone.page, 'Items')
  await listedItems(phone.page).getByRole('link', { name: 'Other words' }).click()

  await phone.page.getByRole('button', { name: 'Restore this version' }).waitFor()
})
