import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  addLine,
  addThing,
  allSaved,
  goTo,
  listedItems,
  openSignedIn,
  openWebServer,
  seeList,
  seeState,
  seeTitles,
} from './web-app-page.ts'

const focused = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.closest('li')?.querySelector('.title')?.textContent ?? document.activeElement?.id,
  )

/** Waits until the focus is in the row of this item, or in the element with this id. */
const seeFocus = (page: Page, where: string) => expect.poll(() => focused(page)).toBe(where)

test('every key of the help does what the help says', async () => {
  const { home } = await openWebServer()
  const { context, page } = await openSignedIn(home)
  const { keyboard } = page
  await addLine(page, `${home}docs one #todo`, 'one')
  for (const title of ['two', 'three', 'four']) await addThing(page, title)
  await goTo(page, 'Tags')
  await page.getByRole('button', { name: 'Settings of todo' }).click()
  await page.getByLabel('Checkboxes for todo').selectOption({ label: 'Checkbox, strike when done' })
  await goTo(page, 'Items')
  const pressed: string[] = []
  const press = async (key: string) => {
    pressed.push(key)
    await keyboard.press(key)
  }

  await press('?')
  await page.getByRole('heading', { name: 'Help' }).waitFor()
  await press('Escape')
  await listedItems(page).first().waitFor()
  await press('?')
  await page.getByRole('heading', { name: 'Help' }).waitFor()
  const helped = await page.locator('kbd').allInnerTexts()
  await press('/')
  await seeFocus(page, 'search')
  await press('Escape')
  await press('n')
  await seeFocus(page, 'add')
  await keyboard.type('five')
  await keyboard.press('Enter')
  await seeList(page, ['five', 'four', 'three', 'two', 'one'])
  await press('Escape')
  await press('j')
  await seeFocus(page, 'five')
  await press('j')
  await seeFocus(page, 'four')
  await press('k')
  await seeFocus(page, 'five')
  await press('x')
  await page.getByText('1 item selected').waitFor()
  await press('j')
  await press('j')
  await press('Shift+X')
  await page.getByText('3 items selected').waitFor()
  await press('#')
  await keyboard.type('many')
  await keyboard.press('Enter')
  await expect.poll(() => listedItems(page).getByRole('link', { name: 'many', exact: true }).count()).toBe(3)
  await seeFocus(page, 'three')
  await press('z')
  await expect.poll(() => listedItems(page).getByRole('link', { name: 'many', exact: true }).count()).toBe(0)
  await press('Escape')
  await expect.poll(() => page.getByText('items selected').count()).toBe(0)
  await press('k')
  await seeFocus(page, 'four')
  await press('a')
  await seeList(page, ['five', 'three', 'two', 'one'])
  // The next one takes the focus: nobody wants to begin at the top again.
  await seeFocus(page, 'three')
  await press('Delete')
  await seeList(page, ['five', 'two', 'one'])
  await seeFocus(page, 'two')
  await press('j')
  await seeFocus(page, 'one')
  const opened = context.waitForEvent('page')
  await press('o')
  await (await opened).waitForURL(`${home}docs`)
  await (await opened).close()
  await keyboard.press('Control+k')
  pressed.push('Ctrl+K')
  await page.getByRole('combobox', { name: 'Find items and commands' }).fill('undo')
  await press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await seeFocus(page, 'one')
  await press('c')
  await listedItems(page).getByRole('checkbox', { name: 'Done: one', checked: true }).waitFor()
  await press('Enter')
  await page.getByRole('heading', { name: 'one' }).waitFor()
  await press('c')
  await page.getByRole('checkbox', { name: 'Done', checked: false }).waitFor()
  await press('e')
  await seeFocus(page, 'title')
  await keyboard.press('End')
  await keyboard.type(' more')
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: 'one more' }).waitFor()
  await press('a')
  await page.getByText('archived', { exact: true }).first().waitFor()
  await press('a')
  await expect.poll(() => page.getByText('archived', { exact: true }).count()).toBe(0)
  await press('Escape')
  await seeFocus(page, 'one more')
  await press('e')
  await seeFocus(page, 'title')
  await press('Escape')
  await press('Escape')
  // The focus has the same name while the item is still shown.
  await listedItems(page).first().waitFor()
  await seeFocus(page, 'one more')
  await press('Delete')

  await seeList(page, ['five', 'two'])
  expect(helped.filter((key) => !pressed.includes(key))).toEqual([])
})

test.each([
  { key: '#', screen: 'Items', field: 'bulk-tags' },
  { key: 'n', screen: 'Tags', field: 'add' },
  { key: '/', screen: 'Tags', field: 'search' },
])(
  'the key $key on the screen $screen gives the field the focus before the next key',
  async ({ key, screen, field }) => {
    const { home } = await openWebServer()
    const { page } = await openSignedIn(home)
    await addThing(page, 'Ferns')
    await goTo(page, screen)
    await listedItems(page)
      .first()
      .waitFor({ state: screen === 'Items' ? 'visible' : 'hidden' })

    const focusedAtOnce = await page.evaluate(async (pressed) => {
      document.querySelector<HTMLElement>('li[data-index="0"] .open')?.focus()
      document.activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', { key: pressed, bubbles: true, cancelable: true }),
      )
      // After the rendering, which is a microtask, and before the next frame.
      for (let turn = 0; turn < 20; turn++) await Promise.resolve()
      return document.activeElement?.id
    }, key)

    expect(focusedAtOnce).toBe(field)
  },
)

test('a list that has moved while an item was read still has the focus on that item', async () => {
  const { home } = await openWebServer()
  const phone = await openSignedIn(home)
  const laptop = await openSignedIn(home)
  for (const title of ['first', 'second']) await addThing(phone.page, title)
  await seeTitles(laptop.page, ['first', 'second'])

  await laptop.page.keyboard.press('Escape')
  for (const key of ['j', 'j', 'Enter']) await laptop.page.keyboard.press(key)
  const read = await laptop.page.locator('.thing h1').innerText()
  await addThing(phone.page, 'third')
  await laptop.page.locator('.windowed .title', { hasText: 'third' }).waitFor({ state: 'attached' })
  await laptop.page.keyboard.press('Escape')

  await seeTitles(laptop.page, ['first', 'second', 'third'])
  await seeFocus(laptop.page, read)
})

test('where a button goes away with what it did, the focus goes on from there, and not from the top', async () => {
  const { home } = await openWebServer()
  const { page } = await openSignedIn(home)
  const { keyboard } = page
  const press = async (name: string | RegExp, key = 'Enter') => {
    await page.getByRole('button', { name }).focus()
    await keyboard.press(key)
  }
  const named = () =>
    page.evaluate(() => {
      const { ariaLabel, id, textContent } = document.activeElement ?? document.body
      return ariaLabel ?? (id || textContent)
    })
  const seeNamed = (name: string) => expect.poll(named).toBe(name)
  const numbers = Array.from({ length: 101 }, (_, number) => `#n${number}`)
  await addLine(page, `one #alpha ${numbers.join(' ')}`, 'one')
  await addThing(page, 'two')

  await goTo(page, 'Tags')
  await press('Settings of alpha')
  await page.getByLabel('New name of alpha').fill('beta')
  await keyboard.press('Enter')
  await seeNamed('beta')
  await press(/more/)
  await seeNamed('n99')

  await goTo(page, 'Items')
  const row = listedItems(page).filter({ hasText: 'one' })
  await row.getByRole('checkbox', { name: 'Select one' }).press('Space')
  await press('Select none')
  await seeFocus(page, 'one')
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: 'one' }).waitFor()
  await page.goto(`${page.url()}&edit`)
  await page.getByLabel('Title').press('Control+Enter')
  await listedItems(page).first().waitFor()
  await seeNamed('content')

  await goTo(page, 'Settings')
  await seeState(page, allSaved)
  await press('Sign out')
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
})

test('what can be undone is there for as long as its button has the focus', async () => {
  const { home } = await openWebServer()
  const { page } = await openSignedIn(home)
  await page.clock.install()
  const undo = page.getByRole('button', { name: 'Undo' })
  await addThing(page, 'one')

  await undo.focus()
  await page.clock.runFor(30_000)
  expect(await undo.evaluate((button) => button === document.activeElement)).toBe(true)
  await page.getByLabel('New item').focus()
  await page.clock.runFor(30_000)

  expect(await undo.count()).toBe(0)
})
