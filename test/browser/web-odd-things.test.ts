import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openOtherDevice } from './upload-things.ts'
import { allSaved, goTo, listedItems, openSignedIn, openWebServer, seeState } from './web-app-page.ts'

const openWith = async (things: readonly object[], args: readonly string[] = []) => {
  const { data, home } = await openWebServer(args)
  const other = await openOtherDevice(data, home)
  const ids = await other.add(things)
  const { page } = await openSignedIn(home, '', /^Applying inline style violates|status of 413/)
  await listedItems(page).first().waitFor()
  const open = async (index: number, more = '') => {
    await page.goto(`${home}?thing=${ids[index]}${more}`)
    await page.locator(more === '' ? '.thing' : '.edit #note').waitFor()
  }
  const read = async (index: number) => (await other.list()).get(ids[index] ?? '')
  return { page, home, open, read }
}
/** As long as everything else is waited for: the change goes to the server and back. */
const patient = { timeout: 60_000 }
const save = (page: Page) => page.getByRole('button', { name: 'Save' }).click()
const heading = (page: Page) => page.locator('.thing h1')
const isInside = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)

test('the longest title is edited beside the rest, and one of 100,000 characters is reported and kept', async () => {
  const title = `${'word '.repeat(6_000)}${'x'.repeat(35_000)}`
  const { page, home, open, read } = await openWith([{ title, html: '<p>below</p>' }])
  await page.setViewportSize({ width: 360, height: 740 })

  expect((await listedItems(page).locator('.title').innerText()).length).toBeLessThanOrEqual(300)
  await open(0)
  expect(await heading(page).textContent()).toBe(title)
  expect((await page.locator('.thing').getByText('below').boundingBox())?.y).toBeLessThan(740)
  // What is cut off can be reached by keyboard.
  expect(await heading(page).getAttribute('tabindex')).toBe('0')
  expect(await isInside(page)).toBe(true)
  await open(0, '&edit=')
  await page.getByLabel('Title').press('Control+Home')
  await page.getByLabel('Title').pressSequentially('New ')
  await save(page)
  await expect.poll(() => read(0), patient).toMatchObject({ title: `New ${title}` })
  await page.goto(`${home}?screen=recent`)
  expect((await page.locator('main').innerText()).length).toBeLessThan(2_000)

  const longer = 'longer '.repeat(15_000).trim()
  await open(0, '&edit=')
  await page.getByLabel('Title').fill(longer)
  await save(page)
  await seeState(page, 'The server did not accept 1 change.')
  await open(0)
  expect(await heading(page).textContent()).toBe(longer)
}, 300_000)

test('right-to-left and combining text keeps its order and its bytes, and turns nothing around it', async () => {
  const title = 'שלום \u202eevil\u202c עולם'
  const html = '<p>مرحبا</p><p>Ne\u0301e Z\u0335\u0321\u0328a\u0300\u0301\u0302</p>'
  const { page, open, read } = await openWith([{ title, html, tags: 'תג e\u0301' }])

  await open(0)
  expect(await heading(page).textContent()).toBe(title)
  expect(await heading(page).evaluate((shown) => getComputedStyle(shown).direction)).toBe('rtl')
  expect(await page.locator('.thing .about bdi').allTextContents()).toEqual(['תג', 'e\u0301'])
  expect(await page.getByRole('button', { name: 'Edit' }).evaluate((shown) => getComputedStyle(shown).direction)).toBe(
    'ltr',
  )
  await open(0, '&edit=')
  await page.getByLabel('Title').press('End')
  await page.getByLabel('Title').pressSequentially('!')
  await save(page)

  await expect.poll(() => read(0), patient).toMatchObject({ title: `${title}!`, html, tags: 'תג e\u0301' })
})

test('dates before 1970, and those that no calendar has, are shown and kept', async () => {
  const dates = [-2_208_988_800, -62_200_000_000, -1, 9_000_000_000_000]
  const { page, open, read } = await openWith(dates.map((date, index) => ({ title: `dated ${index}`, date })))

  await open(0)
  await page.getByText(/Added 1 Jan 1900/).waitFor()
  await open(3)
  await page.getByText('Added 9000000000000').waitFor()
  for (const [index, date] of dates.entries()) {
    await open(index, '&edit=')
    await page.getByLabel('Title').fill(`kept ${index}`)
    await save(page)
    await expect.poll(() => read(index), patient).toMatchObject({ title: `kept ${index}`, date })
  }
  await open(0, '&edit=')
  await page.getByLabel('Date').fill('1848-03-18T12:00:00')
  await save(page)
  await expect
    .poll(async () => (await read(0)) as { readonly date: number })
    .toMatchObject({
      date: new Date('1848-03-18T12:00:00').getTime() / 1000,
    })
})

test('a URL that is no page is shown and never a link', async () => {
  const addresses = [
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'data:text/html,<script>1</script>',
    'vbscript:x',
    'no URL',
  ]
  const { page, open } = await openWith(addresses.map((url) => ({ title: 'thing', url })))

  for (const [index, address] of addresses.entries()) {
    await open(index)
    await page.getByText('not a web URL, so not a link').waitFor()
    expect(await page.locator('.thing .head bdi').first().textContent()).toBe(address.trim())
    expect(await page.locator('.thing .head > p a:not(.tag)').count()).toBe(0)
  }
})

test('10,000 tags are found and shown in parts; an item with a thousand of them is edited', async () => {
  const things = Array.from({ length: 10 }, (_, index) => ({
    title: `thing ${index}`,
    tags: Array.from({ length: 1_000 }, (_one, tag) => `tag-${index}-${tag}`).join(' '),
  }))
  const { page, home, open, read } = await openWith(things)

  await page.goto(`${home}?screen=tags`)
  await page.getByLabel('Find a tag').fill('tag-7-999')
  await page.getByRole('link', { name: 'tag-7-999' }).click()
  await expect.poll(() => listedItems(page).locator('.title').allInnerTexts()).toEqual(['thing 7'])
  await page.goto(`${home}?screen=tags`)
  await page.locator('.tag-line').first().waitFor()
  expect(await page.locator('.tag-line').count()).toBeLessThan(1_000)
  await open(3)
  expect(await page.locator('.thing .about .tag').count()).toBe(1_000)
  await open(3, '&edit=')
  await page.getByLabel('Tags').press('End')
  await page.getByLabel('Tags').pressSequentially(' new')
  await save(page)
  await expect.poll(() => read(3), patient).toMatchObject({ tags: `${things[3]?.tags} new` })
}, 300_000)

test('an upload that is rejected is shown with its item; its text is kept, and sent once it is shorter', async () => {
  const { page, open, read } = await openWith([{ title: 'too long', html: '<p>a</p>' }], ['--max-body-bytes', '20000'])
  await open(0, '&edit=')
  await page.getByRole('button', { name: 'Edit as HTML' }).click()
  const long = 'typed '.repeat(6_000)
  await page.getByLabel('The note as HTML').fill(long)
  await save(page)

  await seeState(page, 'The server did not accept 1 change.')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  const shown = page.locator('section').filter({ hasText: 'The server did not accept this' })
  await shown.getByText('Your edit is kept.').waitFor()
  await shown.getByRole('link', { name: 'too long', exact: true }).click()
  await expect.poll(() => page.locator('.thing .prose').innerText()).toContain('typed typed')
  expect(await read(0)).toMatchObject({ html: '<p>a</p>' })
  await open(0, '&edit=')
  expect(await page.locator('#note').innerText()).toContain('typed typed')
  await page.getByRole('textbox', { name: 'Note' }).fill('short')
  await save(page)
  await seeState(page, allSaved)

  await expect.poll(() => read(0), patient).toMatchObject({ html: '<p>short</p>' })
})

test('an item without title and URL has words to be opened by, in both languages', async () => {
  const { page } = await openWith([{ title: '' }])
  const link = listedItems(page).getByRole('link', { name: '(no title)' })

  await link.click()
  await heading(page).getByText('(no title)').waitFor()
  await page.getByRole('button', { name: 'Delete' }).click()
  await goTo(page, 'History')
  await page.getByText('Deleted “(no title)”').first().waitFor()
  const undo = page.getByRole('button', { name: 'Undo: Deleted “(no title)”' })
  await undo.click()
  await undo.waitFor({ state: 'hidden' })
  await goTo(page, 'Settings')
  await page.getByLabel('Language').selectOption('de')

  await page.getByRole('link', { name: 'Einträge', exact: true }).click()
  await page.getByRole('link', { name: '(ohne Titel)' }).waitFor()
})

test('65,000 unbroken letters and a note of 300,000 leave the buttons near, read and edited', async () => {
  const { page, open } = await openWith([{ title: 'x'.repeat(65_000), html: `<p>${'y'.repeat(300_000)}</p>` }])
  await page.setViewportSize({ width: 360, height: 740 })
  /** From the top of the page, in screens of a phone. */
  const screensTo = async (name: string) => {
    const box = await page.getByRole('button', { name, exact: true }).boundingBox()
    return ((box?.y ?? Number.NaN) + (await page.evaluate(() => scrollY))) / 740
  }

  await open(0)
  expect(await screensTo('Delete')).toBeLessThan(4)
  expect(await isInside(page)).toBe(true)
  await open(0, '&edit=')
  expect(await screensTo('Save')).toBeLessThan(4)
  expect(await screensTo('Cancel')).toBeLessThan(4)
})

test('a note of three megabytes in one line is opened, edited and saved', async () => {
  const html = `<p>${'x word '.repeat(450_000)}</p>`
  const { page, open, read } = await openWith([{ title: 'imported', html }])

  await open(0, '&edit=')
  const note = page.getByLabel('The note as HTML')
  await note.press('Control+Home')
  await page.keyboard.type('new')
  await save(page)

  const isSaved = async () => JSON.stringify((await read(0)) ?? '').includes(JSON.stringify(`new${html}`))
  await expect.poll(isSaved, patient).toBe(true)
}, 300_000)
