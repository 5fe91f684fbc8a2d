import { expect, test } from 'vitest'
import { addLine, allSaved, goTo, listedItems, openSignedIn, openWebServer, seeState } from './web-app-page.ts'

test('pinned tags stand above the list in their colours, all tags with their counts, and done items are struck through or not', async () => {
  const { home } = await openWebServer()
  const { page } = await openSignedIn(home)
  await addLine(page, 'Milk #shop', 'Milk')
  await addLine(page, 'Bread #shop', 'Bread')
  await addLine(page, 'Ferns #home', 'Ferns')

  await goTo(page, 'Tags')
  await page.getByRole('button', { name: 'Pin shop', exact: true }).click()
  await page.getByRole('button', { name: 'Unpin shop' }).waitFor()
  await page.getByRole('button', { name: 'Settings of shop' }).click()
  await page.getByLabel('Other color').fill('#2f7d4f')
  await page.locator('.swatch.free.current').waitFor()
  await page.getByRole('radio', { name: 'Teal' }).check()
  await page.getByLabel('Checkboxes for shop').selectOption({ label: 'Checkbox' })
  const counts = await page.locator('.tag-line').allInnerTexts()
  await goTo(page, 'Items')
  const chip = page.getByRole('navigation', { name: 'Filters' }).getByRole('link', { name: 'shop', exact: true })
  const colour = await chip.evaluate((shown) => getComputedStyle(shown).getPropertyValue('--tag'))
  await listedItems(page).getByLabel('Done: Milk').click()
  await listedItems(page).getByRole('checkbox', { name: 'Done: Milk', checked: true }).waitFor()
  const struck = await listedItems(page).locator('.struck').count()
  await goTo(page, 'Tags')
  await page.getByRole('button', { name: 'Settings of shop' }).click()
  await page.getByLabel('Checkboxes for shop').selectOption({ label: 'Checkbox, strike when done' })
  await goTo(page, 'Items')
  await listedItems(page).locator('.struck', { hasText: 'Milk' }).waitFor()
  await chip.click()
  await expect.poll(() => listedItems(page).count()).toBe(2)
  await seeState(page, allSaved)

  // Behind the counts are the words of the settings, which may be read a moment later.
  expect(counts.map((line) => /^\S+\s+\d+/u.exec(line.trim())?.[0].replace(/\s+/u, ' '))).toEqual(['home 1', 'shop 2'])
  expect(colour).toBe('#259a8e')
  expect(struck).toBe(0)
})

test('an edit can be undone for ten seconds, and nothing moves for users who want no motion', async () => {
  const { home } = await openWebServer()
  const { context, page } = await openSignedIn(home)
  await context.clock.install()
  await page.reload()
  const undo = page.getByRole('button', { name: 'Undo', exact: true })
  const countMoving = () =>
    page.evaluate(
      () =>
        [...document.querySelectorAll('*')].filter((element) => {
          const { transitionDuration, animationName } = getComputedStyle(element)
          return animationName !== 'none' || transitionDuration.split(',').some((one) => Number.parseFloat(one) > 0)
        }).length,
    )

  await addLine(page, 'Milk', 'Milk')
  await undo.waitFor()
  const moving = await countMoving()
  await context.clock.runFor(9_000)
  const afterNine = await undo.count()
  await context.clock.runFor(2_000)
  await undo.waitFor({ state: 'detached' })
  await page.emulateMedia({ reducedMotion: 'no-preference' })

  expect([moving, afterNine]).toEqual([0, 1])
  expect(await countMoving()).toBeGreaterThan(0)
})
