import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { checkPage } from './check-page.ts'
import { openOtherDevice } from './upload-things.ts'
import {
  addThing,
  allSaved,
  expectedOffline,
  goTo,
  listedItems,
  openDetails,
  openOverwritten,
  openSignedIn,
  openWebServer,
  seeState,
} from './web-app-page.ts'

const expected = new RegExp(`^Applying inline style violates|${expectedOffline.source}`)

/** A browser in which anna reads an item with these fields. */
const openItem = async (fields: object) => {
  const { data, home } = await openWebServer()
  const other = await openOtherDevice(data, home)
  const [id = ''] = await other.add([fields])
  const { page } = await openSignedIn(home, '', expected)
  await listedItems(page).first().waitFor()
  await page.goto(`${home}?thing=${id}`)
  await page.getByRole('heading', { level: 1, name: 'Plan' }).waitFor()
  return { page, read: async () => (await other.list()).get(id) }
}
const heading = (page: Page) => page.locator('.thing h1')
const note = (page: Page) => page.getByRole('textbox', { name: 'Note', exact: true })
const patient = { timeout: 60_000 }

test('a click on the title edits it in its place: nothing moves, Escape restores it, Enter saves it', async () => {
  const { page, read } = await openItem({ title: 'Plan', html: '<p>below</p>' })
  const below = async () => (await page.locator('.thing').getByText('below').boundingBox())?.y
  const before = await below()

  await heading(page).click()
  await page.getByLabel('Title').fill('never mind')
  const during = await below()
  await page.getByLabel('Title').press('Escape')
  await heading(page).getByText('Plan').waitFor()
  await heading(page).click()
  await page.getByLabel('Title').fill('Better plan')
  await page.getByLabel('Title').press('Enter')
  await heading(page).getByText('Better plan').waitFor()

  expect(during).toBe(before)
  await expect.poll(read, patient).toMatchObject({ title: 'Better plan', html: '<p>below</p>' })
  expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
})

test('a click in the note begins the editing at that place, and typed text is there again after a reload', async () => {
  const { page, read } = await openItem({ title: 'Plan', html: '<p>first</p><p>second</p>' })
  const first = page.locator('.thing').getByText('first')
  const box = await first.boundingBox()

  await first.click({ position: { x: 300, y: (box?.height ?? 0) / 2 } })
  await note(page).waitFor()
  await page.keyboard.type(' line')
  await expect.poll(() => note(page).innerText()).toContain('first line')
  await page.reload()
  await page.getByText('Your unsaved text is restored').waitFor()
  await note(page).getByText('first line').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()

  await expect.poll(read, patient).toMatchObject({ html: '<p>first line</p><p>second</p>' })
})

test('Escape in the note, the URL or the date leaves the editing at once, and keeps what was typed', async () => {
  const { page, read } = await openItem({ title: 'Plan', html: '<p>first</p>', url: 'https://a.example/' })
  const fields = page.locator('.thing.edit')

  await page.locator('.thing').getByText('first').click()
  await note(page).press('Escape')
  await fields.waitFor({ state: 'detached' })
  await openDetails(page)
  await page.getByLabel('Date').press('Escape')
  await fields.waitFor({ state: 'detached' })
  await openDetails(page)
  await page.getByLabel('URL').fill('https://b.example/')
  await page.getByLabel('URL').press('Escape')
  await listedItems(page)
    .first()
    .click({ position: { x: 300, y: 4 } })
  await page.getByText('Your unsaved text is restored').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()

  await expect.poll(read, patient).toMatchObject({ url: 'https://b.example/', html: '<p>first</p>' })
})

test('Escape right after Details was opened closes the fields and not the item', async () => {
  const { page } = await openItem({ title: 'Plan' })

  await page.evaluate(async () => {
    document.querySelector<HTMLElement>('.item-details summary')?.click()
    await Promise.resolve()
    const date = document.querySelector<HTMLElement>('.item-details #date')
    date?.focus()
    date?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))
  })
  await page.locator('.item-details:not([open])').waitFor()

  expect(await page.getByLabel('Date').isVisible()).toBe(false)
  expect(await heading(page).innerText()).toBe('Plan')
})

test('all fields are in one form, where Escape restores a field, and a date keeps its seconds while its minute stays', async () => {
  const { page, read } = await openItem({ title: 'Plan', url: 'https://a.example/', date: 1_700_000_007 })
  const date = page.getByLabel('Date')

  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const shown = await date.inputValue()
  await date.fill('2020-02-02T02:02')
  await date.fill(shown)
  await page.getByLabel('Title').fill('never mind')
  await page.getByLabel('Title').press('Escape')
  await page.getByLabel('URL').fill('https://b.example/')
  await page.getByRole('button', { name: 'Save' }).click()

  await expect.poll(read, patient).toMatchObject({ title: 'Plan', url: 'https://b.example/', date: 1_700_000_007 })
})

test('tasks are typed as in Markdown, and ticked in the note while it is read', async () => {
  const { page, read } = await openItem({ title: 'Plan' })

  await page.getByRole('button', { name: 'Add a note' }).click()
  await note(page).waitFor()
  await page.keyboard.type('[ ] milk')
  await page.keyboard.press('Enter')
  await page.keyboard.type('bread')
  await page.keyboard.press('Control+Enter')
  await page.locator('.thing > .prose li.task').first().waitFor()
  await page
    .locator('.thing > .prose li.task')
    .last()
    .click({ position: { x: 5, y: 12 } })

  await expect.poll(read, patient).toMatchObject({ html: '<ul><li><p>☐ milk</p></li><li><p>☑ bread</p></li></ul>' })
})

test('pasted Markdown becomes formatted text, and a pasted image is rejected with a sentence', async () => {
  const { page, read } = await openItem({ title: 'Plan', html: '<p></p>' })
  const paste = (kinds: Readonly<Record<string, string>>, image = false) =>
    note(page).evaluate(
      (field, [texts, hasImage]) => {
        const clipboardData = new DataTransfer()
        for (const [kind, text] of Object.entries(texts)) clipboardData.setData(kind, text)
        if (hasImage) clipboardData.items.add(new File(['x'], 'a.png', { type: 'image/png' }))
        field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      },
      [kinds, image] as const,
    )
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await note(page).click()

  await paste({}, true)
  await page.getByText('A note cannot hold images').waitFor()
  await paste({
    'text/plain': '## Head\n\n- [x] done\n\n| a |\n|---|\n| 1 |\n\n```\ncode\n```\n\n[t](https://a.example/)',
    'text/html': '<meta charset="utf-8"><div><span>## Head</span></div>',
  })
  await checkPage(page)
  await page.getByRole('button', { name: 'Save' }).click()

  await expect.poll(read, patient).toMatchObject({
    html:
      '<h2>Head</h2><ul><li><p>☑ done</p></li></ul><table><tbody><tr><th><p>a</p></th></tr><tr><td><p>1</p></td></tr>' +
      '</tbody></table><pre><code>code</code></pre><p><a href="https://a.example/">t</a></p>',
  })
}, 300_000)

test('a replaced edit is announced once, marked at its item, and restored from the notice', async () => {
  const { page } = await openOverwritten()
  const notice = page.locator('.conflict[role=status]')

  await notice.getByText('“My words” was replaced by an edit on another device.').waitFor()
  await page.reload()
  await notice.getByRole('button', { name: 'Show' }).click()
  await heading(page).getByText('Other words').waitFor()
  await page.locator('.thing .replaced').getByText('Replaced by an edit on another device').waitFor()
  await checkPage(page)
  await notice.getByRole('button', { name: 'Restore mine' }).click()

  await heading(page).getByText('My words').waitFor()
  await expect.poll(() => notice.getByRole('button').count()).toBe(0)
  await seeState(page, allSaved)
}, 300_000)

test('a notice of a replaced edit stays away once it is dismissed, and the item keeps the text', async () => {
  const { page } = await openOverwritten()
  const notice = page.locator('.conflict[role=status]')

  await notice.getByRole('button', { name: 'Dismiss' }).click()
  await expect.poll(() => notice.getByRole('button').count()).toBe(0)
  await page.reload()
  await addThing(page, 'later')
  expect(await notice.getByRole('button').count()).toBe(0)
  await goTo(page, 'History')
  await page.getByRole('heading', { name: 'History' }).waitFor()
  await expect.poll(() => page.locator('section.note').count()).toBe(0)
  await goTo(page, 'Items')
  await listedItems(page).getByRole('link', { name: 'Other words' }).click()
  await page.getByRole('button', { name: 'Restore this version' }).waitFor()
})
