import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { addLine, addThing, goTo, listedItems, openSignedIn, openWebServer, seeTitles } from './web-app-page.ts'

/** Pastes text as the clipboard does; a test browser has no clipboard that pages may read. */
const paste = (page: Page, text: string): Promise<void> =>
  page.getByLabel('New item').evaluate((field, pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', pasted)
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)

test('the first #todo is a to-do at once, a checkbox in the line makes one, and the empty filter explains itself', async () => {
  const { home } = await openWebServer()
  const { page } = await openSignedIn(home)
  await addThing(page, 'Book')
  const filter = page.getByRole('navigation', { name: 'Filters' }).getByRole('link', { name: 'To do' })

  await filter.click()
  await page.getByText('write [] before it, or #todo behind it').waitFor()
  await addLine(page, 'Buy milk #todo', 'Buy milk')
  await addLine(page, '[] Buy bread', 'Buy bread')
  await seeTitles(page, ['Buy bread', 'Buy milk'])
  await listedItems(page).getByLabel('Done: Buy milk').click()
  await seeTitles(page, ['Buy bread'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await seeTitles(page, ['Buy bread', 'Buy milk'])

  expect(await listedItems(page).locator('.tag').allInnerTexts()).toEqual(['todo', 'todo'])
})

test('# suggests tags by keyboard: Tab and Enter take one, Escape closes, and a whole tag is added at once', async () => {
  const { home } = await openWebServer()
  const { page } = await openSignedIn(home)
  await addLine(page, 'Milk #shop', 'Milk')
  await addLine(page, 'Ferns #home/garden', 'Ferns')
  const field = page.getByLabel('New item')
  const options = page.getByRole('listbox').getByRole('option')

  await field.pressSequentially('Bread #')
  await expect.poll(() => options.allInnerTexts()).toEqual(['home/garden\n1', 'shop\n1'])
  await field.press('Escape')
  await expect.poll(() => options.count()).toBe(0)
  await field.pressSequentially('sh')
  await page.getByRole('option', { name: 'shop', selected: true }).waitFor()
  await field.press('Tab')
  await field.pressSequentially('#gar')
  await field.press('Enter')
  expect(await field.inputValue()).toBe('Bread #shop #home/garden ')
  await field.press('Enter')
  await listedItems(page).getByRole('link', { name: 'Bread' }).waitFor()
  await addLine(page, 'Butter #shop', 'Butter')

  await page.getByLabel('Search').pressSequentially('#ga')
  await page.getByLabel('Search').press('Tab')
  await seeTitles(page, ['Bread', 'Ferns'])
  await page.getByLabel('Search').fill('#home')
  await seeTitles(page, ['Bread', 'Ferns'])
})

test('tags of an item are chips: Backspace removes the last, a button any of them', async () => {
  const { home } = await openWebServer()
  const { page } = await openSignedIn(home)
  await addLine(page, 'Milk #shop #home #now', 'Milk')
  await listedItems(page).getByRole('link', { name: 'Milk' }).focus()
  await page.keyboard.press('e')
  const field = page.getByLabel('Tags', { exact: true })
  const chips = page.locator('.tag-field .tag')

  await field.press('Backspace')
  await page.getByRole('button', { name: 'Remove the tag shop' }).click()
  await field.pressSequentially('soon,later ')
  await expect.poll(() => chips.allInnerTexts()).toEqual(['home', 'soon', 'later'])
  await page.getByRole('button', { name: 'Save' }).click()

  await expect.poll(() => listedItems(page).locator('.tag').allInnerTexts()).toEqual(['home', 'soon', 'later'])
})

test('three pasted lines are three items after a preview, undo removes all, and the preview survives a reload', async () => {
  const { home } = await openWebServer()
  const { page } = await openSignedIn(home)

  await paste(page, '- one #a\nhttps://two.example/\n[] third line\n')
  await page.getByRole('heading', { name: 'Add 3 items?' }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Add all 3' }).click()
  await seeTitles(page, ['one', 'third line', 'two.example'])
  await listedItems(page).getByLabel('Done: third line').waitFor()
  await page.getByText('Added 3 items').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await seeTitles(page, [])

  await paste(page, 'one\ntwo')
  await page.getByRole('button', { name: 'Add as one item' }).click()
  expect(await page.getByLabel('New item').inputValue()).toBe('one two')
})

test('a known URL is not added twice unless the user wants it', async () => {
  const { home } = await openWebServer()
  const { page } = await openSignedIn(home)
  await addLine(page, 'https://example.org/a A page', 'A page')
  const field = page.getByLabel('New item')

  await field.fill('http://www.example.org/a/?utm_source=x')
  await field.press('Enter')
  await page.getByText(/^You saved this/).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Open')
  expect(await listedItems(page).count()).toBe(1)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'A page' }).waitFor()
  expect(await field.inputValue()).toBe('')

  await goTo(page, 'Items')
  await field.fill('https://example.org/a Again')
  await page.getByRole('button', { name: 'Add anyway' }).click()
  await seeTitles(page, ['A page', 'Again'])
})

test('a saved search is a chip until it is removed, also after a reload', async () => {
  const { home } = await openWebServer()
  const { page } = await openSignedIn(home)
  await addLine(page, 'Milk #shop', 'Milk')
  await addLine(page, 'Ferns #home', 'Ferns')
  const chip = page.getByRole('navigation', { name: 'Filters' }).getByRole('link', { name: 'To buy' })

  await page.getByLabel('Search').fill('#shop')
  await page.getByRole('button', { name: 'Save search' }).click()
  await page.getByLabel('Name of the saved search').fill('To buy')
  await page.getByLabel('Name of the saved search').press('Enter')
  await chip.waitFor()
  await page.goto(home)
  await chip.click()
  await seeTitles(page, ['Milk'])
  await page.getByRole('button', { name: 'Remove search' }).click()
  await chip.waitFor({ state: 'detached' })
})

test('each color of a tag has text of at least 4.5:1, in light and dark', async () => {
  const { home } = await openWebServer()
  const { page } = await openSignedIn(home)
  const colors = ['#000000', '#ffffff', '#ffff00', '#00ff00', '#0000ff', '#ff00ff', '#808080', '#00ffff', '#ff0000']
  const measure = () =>
    page.evaluate((free) => {
      const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
      if (context === null) throw new Error('no canvas')
      const luminance = (color: string): number => {
        context.fillStyle = color
        context.fillRect(0, 0, 1, 1)
        const [red = 0, green = 0, blue = 0] = [...context.getImageData(0, 0, 1, 1).data].map((value) => {
          const part = value / 255
          return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
        })
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue
      }
      const palette = [...document.querySelectorAll<HTMLElement>('.swatch[style]')].map((swatch) =>
        swatch.style.getPropertyValue('--tag'),
      )
      const chip = document.createElement('span')
      chip.className = 'tag'
      document.body.append(chip)
      const contrasts = [...palette, ...free].map((color) => {
        chip.style.setProperty('--tag', color)
        const { color: ink, backgroundColor } = getComputedStyle(chip)
        const [light = 0, dark = 0] = [luminance(ink), luminance(backgroundColor)].sort((one, other) => other - one)
        return { color, contrast: (light + 0.05) / (dark + 0.05) }
      })
      chip.remove()
      return contrasts
    }, colors)
  await addLine(page, 'Milk #shop', 'Milk')
  await goTo(page, 'Tags')
  await page.getByRole('button', { name: 'Settings of shop' }).click()
  await page.getByRole('radio', { name: 'Teal' }).waitFor()

  const light = await measure()
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await measure()

  expect(light.length).toBe(12 + colors.length)
  expect([...light, ...dark].filter(({ contrast }) => contrast < 4.5)).toEqual([])
})

test('a search without matches is cleared, or becomes an item', async () => {
  const { home } = await openWebServer()
  const { page } = await openSignedIn(home, '', undefined, { width: 390, height: 844 })
  const field = page.getByLabel('New item')
  const bar = page.getByRole('navigation', { name: 'Screens' })
  await bar.getByRole('button', { name: 'Add', exact: true }).click()
  await field.fill('Milk')
  await field.press('Enter')
  await page.getByRole('button', { name: 'Close the line' }).click()
  await field.waitFor({ state: 'hidden' })

  await page.getByLabel('Search').fill('asparagus')
  await expect.poll(() => bar.locator('[aria-current]').innerText()).toBe('Search')
  await page.getByRole('button', { name: 'Clear search' }).click()
  await seeTitles(page, ['Milk'])
  await page.getByLabel('Search').fill('asparagus')
  await page.getByRole('button', { name: 'Add “asparagus” as an item' }).click()
  await expect.poll(() => field.inputValue()).toBe('asparagus')
  await field.press('Enter')
  await seeTitles(page, ['asparagus', 'Milk'])
  await page.getByRole('button', { name: 'Close the line' }).click()
  await page.getByLabel('Search').fill('milk')
  await page.getByRole('button', { name: 'Save or export' }).click()
  await page.getByRole('link', { name: 'Export', exact: true }).click()

  await page.getByRole('heading', { name: 'Import and export' }).waitFor()
})
