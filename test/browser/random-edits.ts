import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Random } from '../store/faults/random.ts'
import { addLine, goTo, listedItems } from './web-app-page.ts'

type Edit = (page: Page, random: Random, name: string) => Promise<void>

const tags = ['shop', 'home', 'work', 'long-name'] as const

const add: Edit = (page, random, name) =>
  addLine(page, `${name} #${random.pick(tags)} https://example.com/${name.replaceAll(' ', '-')}`, name)

/** An item of the list, by its index from the top. */
const pickTitle = async (page: Page, random: Random): Promise<string> => {
  const titles = await listedItems(page).locator('.title').allInnerTexts()
  return titles[random.below(titles.length)] ?? ''
}

const rowOf = (page: Page, title: string) => listedItems(page).getByRole('link', { name: title, exact: true })

/** Presses a key on an item of the list, as soon as it has the focus. */
const press = async (page: Page, title: string, key: string): Promise<void> => {
  await rowOf(page, title).focus()
  await page.keyboard.press(key)
}

const rename: Edit = async (page, random, name) => {
  await press(page, await pickTitle(page, random), 'e')
  await page.getByLabel('Title').fill(name)
  if (random.below(2) === 0) await page.getByLabel('URL').fill(`https://example.com/${random.below(99)}`)
  if (random.below(2) === 0) await page.getByLabel('Tags').fill(`${random.pick(tags)} ${random.pick(tags)}`)
  await page.getByLabel('Title').press('Enter')
  await rowOf(page, name).waitFor()
}

const archive: Edit = async (page, random) => {
  const title = await pickTitle(page, random)
  await press(page, title, 'a')
  await rowOf(page, title).waitFor({ state: 'detached' })
}

const remove: Edit = async (page, random) => {
  const title = await pickTitle(page, random)
  await press(page, title, 'Delete')
  await rowOf(page, title).waitFor({ state: 'detached' })
}

/** Ends with something new: once the list shows that, it shows all that was done before. */
const undo: Edit = async (page, random, name) => {
  await goTo(page, 'History')
  const undone = page.getByRole('button', { name: /^Redo: / })
  const before = await undone.count()
  await page.keyboard.press('z')
  await expect.poll(() => undone.count()).toBe(before + 1)
  await goTo(page, 'Items')
  await add(page, random, name)
}

const tagMany: Edit = async (page, random) => {
  const titles = [await pickTitle(page, random), await pickTitle(page, random)]
  for (const title of new Set(titles)) await page.getByLabel(`Select ${title}`, { exact: true }).press('Space')
  const tag = random.pick(tags)
  await page.getByLabel('Tags to add, and -tags to remove').fill(random.below(3) === 0 ? `-${tag}` : tag)
  await page.getByRole('button', { name: 'Tag', exact: true }).click()
  await expect.poll(() => page.getByLabel('Tags to add, and -tags to remove').inputValue()).toBe('')
  await page.getByRole('button', { name: 'Select none' }).click()
}

/** Ends with something new, as `undo` does: which items have checkboxes depends on the settings. */
const setTag: Edit = async (page, random, name) => {
  await goTo(page, 'Tags')
  const pins = page.locator('.pin:not([aria-expanded])')
  const label = await pins.nth(random.below(await pins.count())).evaluate((pin: HTMLElement) => {
    const seen = pin.ariaLabel ?? ''
    pin.click()
    return seen
  })
  const tag = label.replace(/^(?:Pin|Unpin) /u, '')
  const next = label.startsWith('Pin ') ? `Unpin ${tag}` : `Pin ${tag}`
  await page.getByRole('button', { name: next, exact: true }).waitFor()
  await page.getByRole('button', { name: `Settings of ${tag}`, exact: true }).click()
  const box = page.getByLabel(`Checkboxes for ${tag}`, { exact: true })
  const todo = random.pick(['', 'strike', 'dont-strike'])
  await box.selectOption(todo)
  await expect.poll(() => box.inputValue()).toBe(todo)
  await goTo(page, 'Items')
  await add(page, random, name)
}

const tick: Edit = async (page, random, name) => {
  const boxes = listedItems(page).getByRole('checkbox', { name: /^Done: / })
  const count = await boxes.count()
  if (count === 0) return add(page, random, name)
  const box = boxes.nth(random.below(count))
  const label = (await box.getAttribute('aria-label')) ?? ''
  const checked = await box.isChecked()
  await box.click()
  await page.getByRole('checkbox', { name: label, exact: true, checked: !checked }).waitFor()
}

const kinds: readonly [Edit, ...Edit[]] = [add, add, add, rename, rename, archive, remove, undo, tagMany, setTag, tick]

/** Does one edit of a random kind through the page, and waits until the page shows it. `name` is a new title. */
export const editAsPeopleDo = async (page: Page, random: Random, name: string): Promise<void> => {
  const edit = random.pick(kinds)
  // What would empty the list, or needs something to be taken back, begins by adding.
  const isShort = (await listedItems(page).count()) < 4
  await (isShort ? add : edit)(page, random, name)
}
