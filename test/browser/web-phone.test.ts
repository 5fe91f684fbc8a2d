import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  addLine,
  addThing,
  allSaved,
  goTo,
  listedItems,
  openSignedIn,
  openWebServer,
  seeState,
  seeTitles,
} from './web-app-page.ts'

/** One finger that moves over the screen, from the middle of an element; a page sees a touch, and the browser may scroll. */
const swipe = async (page: Page, on: Locator, byX: number, byY = 0): Promise<void> => {
  const tools = await page.context().newCDPSession(page)
  const { x, y, width, height } = (await on.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  const [fromX, fromY] = [x + width / 3, y + height / 2]
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', step: number) =>
    tools.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: fromX + byX * step, y: fromY + byY * step }],
    })
  await send('touchStart', 0)
  for (const step of [0.25, 0.5, 0.75, 1]) await send('touchMove', step)
  await send('touchEnd', 1)
}
const rowOf = (page: Page, title: string) =>
  listedItems(page).filter({ has: page.getByRole('link', { name: title, exact: true }) })

test('the app speaks German where the user chooses it, with German dates, and keeps the choice', async () => {
  const { home } = await openWebServer()
  const { page } = await openSignedIn(home)
  await addThing(page, 'Milch')

  await goTo(page, 'Settings')
  await page.getByLabel('Language').selectOption({ label: 'Deutsch' })
  await page.getByRole('heading', { name: 'Einstellungen' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Einstellungen' }).waitFor()
  await goTo(page, 'Einträge')
  await page.getByRole('status').getByText('Alles ist hier und auf dem Server gespeichert.').waitFor()
  const row = page.getByRole('list', { name: 'Einträge' }).getByRole('listitem')
  const day = new Intl.DateTimeFormat('de', { day: 'numeric', month: 'short' }).format(Date.now())

  expect(await row.locator('time').innerText()).toBe(day)
  expect(await page.locator('html').getAttribute('lang')).toBe('de')
})

test('at 320 pixels an item with an endless tag is read and edited without scrolling sideways', async () => {
  const { home } = await openWebServer()
  const { page } = await openSignedIn(home, '', undefined, { width: 320 })
  const readWidth = () => page.evaluate(() => document.documentElement.scrollWidth)
  await addLine(page, `long #${'T'.repeat(120)}`, 'long')
  await listedItems(page).getByRole('link', { name: 'long', exact: true }).click()
  await page.getByRole('button', { name: 'Edit' }).waitFor()

  const read = await readWidth()
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Date').waitFor()
  const edited = await readWidth()

  expect([read, edited]).toEqual([320, 320])
})

test('in a window of 320 by 256 pixels, a large one at 400 %, nothing stands before the row that is selected', async () => {
  const { home } = await openWebServer()
  const { page } = await openSignedIn(home, '', undefined, { width: 320, height: 256 })
  await addThing(page, 'one')
  await page.keyboard.press('Escape')
  await rowOf(page, 'one').getByRole('checkbox').check()
  const box = rowOf(page, 'one').getByRole('checkbox')
  await page.getByRole('button', { name: 'Delete' }).waitFor()

  const add = page.getByRole('button', { name: 'Add', exact: true })
  // What can be undone is above everything for ten seconds.
  await page.locator('.toast p').waitFor({ state: 'detached' })
  for (const part of [box, page.getByRole('button', { name: 'Delete' }), add]) {
    const isOnTop = await part.evaluate((element) => {
      element.scrollIntoView({ block: 'start', behavior: 'instant' })
      const { left, top, width, height } = element.getBoundingClientRect()
      return [0.1, 0.5, 0.9].every((share) =>
        element.contains(document.elementFromPoint(left + width / 2, top + height * share)),
      )
    })
    expect(isOnTop).toBe(true)
  }
})

test('forced colors show the present screen and the chosen filter, and paper has no buttons', async () => {
  const { home } = await openWebServer()
  const { page } = await openSignedIn(home)
  await addThing(page, 'one')
  const readStyle = (name: string, property: 'borderBottomColor' | 'backgroundColor') =>
    page.getByRole('link', { name, exact: true }).evaluate((link, key) => getComputedStyle(link)[key], property)
  await page.emulateMedia({ forcedColors: 'active' })

  const [present, other] = [await readStyle('Items', 'borderBottomColor'), await readStyle('Tags', 'borderBottomColor')]
  const [chosen, filter] = [await readStyle('All', 'backgroundColor'), await readStyle('Archived', 'backgroundColor')]
  await listedItems(page).getByRole('link', { name: 'one', exact: true }).click()
  await page.getByRole('heading', { name: 'one' }).waitFor()
  await page.emulateMedia({ forcedColors: 'none', media: 'print' })

  expect(present).not.toBe(other)
  expect(chosen).not.toBe(filter)
  expect(await page.getByRole('button').count()).toBe(0)
  expect(await page.getByRole('navigation').count()).toBe(0)
  expect(await page.getByRole('heading', { name: 'one' }).isVisible()).toBe(true)
})

test('at 320 pixels the bar at the bottom has its five targets in one line in German, and no dot if all is saved', async () => {
  const { home } = await openWebServer()
  const { page } = await openSignedIn(home, '?screen=settings', undefined, { width: 320 })

  await page.getByLabel('Language').selectOption({ label: 'Deutsch' })
  const bar = page.getByRole('navigation', { name: 'Seiten' })
  await bar.getByRole('link', { name: 'Einträge' }).waitFor()
  const targets = bar.locator('a, button')
  const boxes = await targets.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON()))
  const wide = await targets.evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth).length)
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  await bar.getByRole('link', { name: 'Mehr Seiten', exact: true }).click()
  await page.locator('.sheet').getByText('Alles ist hier und auf dem Server gespeichert.').waitFor()
  await page.getByRole('link', { name: 'Hilfe', exact: true }).click()
  await page.getByRole('heading', { name: 'Hilfe' }).waitFor()

  expect(boxes.length).toBe(5)
  expect(await bar.locator('.dot').count()).toBe(0)
  expect(boxes.every(({ left, right, width }) => left >= 0 && right <= 320 && width >= 24)).toBe(true)
  expect([wide, width]).toEqual([0, 320])
  expect(await bar.locator('[aria-current=page]').innerText()).toMatch(/^Mehr/u)
})

test('on a phone the first row is within 160 pixels, and only the search stays at the top while the list scrolls', async () => {
  const { home } = await openWebServer()
  const { page } = await openSignedIn(home, '', undefined, { width: 390, height: 844 })
  for (let number = 0; number < 12; number++) await addThing(page, `thing ${number}`)
  await page.getByLabel('New item').press('Escape')
  const firstTop = () =>
    listedItems(page)
      .first()
      .evaluate((row) => row.getBoundingClientRect().top)
  const bottomOfTop = () =>
    page.evaluate(() => {
      const field = document.querySelector('.search-field')
      return field?.getBoundingClientRect().bottom ?? 0
    })

  const before = await firstTop()
  await page.evaluate(() => scrollTo(0, 400))

  expect(before).toBeLessThanOrEqual(160)
  await expect.poll(bottomOfTop).toBeLessThanOrEqual(64)
  expect(
    await page.getByRole('link', { name: 'All', exact: true }).evaluate((chip) => chip.getBoundingClientRect().bottom),
  ).toBeLessThan(0)
})

test('a long press selects, a tap selects more, and a pull at the top synchronizes', async () => {
  const { home } = await openWebServer()
  const { page } = await openSignedIn(home, '', undefined, { width: 390, height: 844, hasTouch: true })
  for (const title of ['one', 'two']) await addThing(page, title)
  await page.getByLabel('New item').press('Escape')
  await seeState(page, allSaved)
  const tools = await page.context().newCDPSession(page)
  const at = async (title: string) => {
    const { x, y, height } = (await rowOf(page, title).boundingBox()) ?? { x: 0, y: 0, height: 0 }
    return { x: x + 150, y: y + height / 2 }
  }

  await tools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [await at('one')] })
  await page.getByText('1 item selected').waitFor()
  await tools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  const two = await at('two')
  await page.touchscreen.tap(two.x, two.y)
  await page.getByText('2 items selected').waitFor()
  await page.getByRole('button', { name: 'Select none' }).click()
  const synced = page.waitForRequest((request) => new URL(request.url()).pathname.endsWith('/v1/sync'))
  await swipe(page, rowOf(page, 'one'), 0, 260)
  await synced

  expect(await listedItems(page).count()).toBe(2)
})

test('at 360 pixels a thumb does the day’s work: add, tick, swipe right for done and left for the archive, undo, read, edit', async () => {
  const { home } = await openWebServer()
  const { page } = await openSignedIn(home, '', undefined, { width: 360, height: 740 })
  const isInside = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)
  const sideways: string[] = []
  const look = async (where: string) => {
    if (!(await isInside())) sideways.push(where)
  }
  await addLine(page, 'Milk #shop', 'Milk')
  for (const title of ['left', 'right', 'up and down', `${'long '.repeat(40)}end`]) await addThing(page, title)
  await look('list')
  await goTo(page, 'Tags')
  await page.getByRole('button', { name: 'Settings of shop' }).click()
  await page.getByLabel('Checkboxes for shop').selectOption({ label: 'Checkbox, strike when done' })
  await look('tags')
  await goTo(page, 'Items')

  await listedItems(page).getByLabel('Done: Milk').click()
  await listedItems(page).getByRole('checkbox', { name: 'Done: Milk', checked: true }).waitFor()
  await swipe(page, rowOf(page, 'Milk'), 160)
  await listedItems(page).getByRole('checkbox', { name: 'Done: Milk', checked: false }).waitFor()
  await swipe(page, rowOf(page, 'left'), -160)
  await rowOf(page, 'left').waitFor({ state: 'detached' })
  await swipe(page, rowOf(page, 'right'), -160)
  await rowOf(page, 'right').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await rowOf(page, 'right').waitFor()
  // Scrolling, a short swipe, and a swipe that has no action on its side change nothing.
  await swipe(page, rowOf(page, 'up and down'), 20, -160)
  await swipe(page, rowOf(page, 'up and down'), -70)
  await swipe(page, rowOf(page, 'up and down'), 160)
  await listedItems(page).getByRole('link', { name: 'up and down' }).click()
  await look('thing')
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Title').fill('edited')
  await page.getByRole('toolbar', { name: 'Formatting' }).waitFor()
  await look('edit')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'edited' }).waitFor()
  for (const screen of ['History', 'Settings', 'Help']) {
    await goTo(page, screen)
    await page.getByRole('heading', { level: 1, name: screen }).waitFor()
    await look(screen)
  }
  await goTo(page, 'Items')
  await seeTitles(page, ['Milk', 'right', 'edited', `${'long '.repeat(40)}end`])
  await page.getByRole('link', { name: 'Archived' }).click()
  await seeTitles(page, ['left'])

  // What is touched is as large as WCAG 2.2 requires (2.5.8), and sizes follow the settings of the user.
  const small = await page.locator('button, nav a, input').evaluateAll((all) =>
    all
      .filter((element) => element.checkVisibility())
      .map((element) => ({
        name: element.outerHTML,
        box: (element.closest('label') ?? element).getBoundingClientRect(),
      }))
      .filter(({ box }) => box.height > 1 && (box.height < 24 || box.width < 24))
      .map(({ name, box }) => `${name}: ${box.width} x ${box.height}`),
  )
  const rowHeight = () =>
    listedItems(page)
      .first()
      .evaluate((row) => row.getBoundingClientRect().height)
  const before = await rowHeight()
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%'
  })
  expect(await rowHeight()).toBe(2 * before)
  expect(small).toEqual([])
  expect(sideways).toEqual([])
})

test('what other devices do is here without a reload, and moves neither what is read nor what is typed', async () => {
  const { home } = await openWebServer()
  const phone = await openSignedIn(home)
  const laptop = await openSignedIn(home, '', undefined, { height: 400 })
  for (let number = 0; number < 12; number++) await addThing(phone.page, `thing ${number}`)
  await expect.poll(() => laptop.page.locator('.count').innerText()).toContain('12 items')
  await laptop.page.getByLabel('New item').fill('being typed')
  const read = laptop.page.locator('.windowed li[data-index="6"] .title')
  const title = await read.innerText()
  const row = laptop.page.locator('.windowed .title', { hasText: new RegExp(`^${title}$`, 'u') })
  await row.evaluate((element) => element.closest('li')?.scrollIntoView({ block: 'start', behavior: 'instant' }))
  const top = () => row.evaluate((element) => Math.round(element.getBoundingClientRect().top))
  const before = await top()

  await addThing(phone.page, 'the newest')
  await laptop.page.getByText('13 items').waitFor()

  expect(await laptop.page.getByLabel('New item').inputValue()).toBe('being typed')
  await expect.poll(top).toBe(before)
})
