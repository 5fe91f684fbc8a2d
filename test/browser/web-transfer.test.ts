import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { checkPage } from './check-page.ts'
import { createKeyboard } from './keyboard.ts'
import {
  addLine,
  addThing,
  allSaved,
  goOffline,
  isReadyForOffline,
  listedItems,
  listTitles,
  openSignedIn,
  openWebServer,
  seeState,
} from './web-app-page.ts'

const goTo = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first().click()
const goToTransfer = async (page: Page): Promise<void> => {
  await goTo(page, 'Import and export')
  await page.getByLabel('Files to import').waitFor()
}
const choose = (page: Page, name: string, content: string) =>
  page.getByLabel('Files to import').setInputFiles({ name, mimeType: 'text/html', buffer: Buffer.from(content) })
const bookmark = (title: string, more = '') => `<DT><A HREF="https://example.com/${title}" ${more}>${title}</A>`
const bookmarks = (lines: readonly string[]): string =>
  ['<!DOCTYPE NETSCAPE-Bookmark-file-1>', '<DL><p>', ...lines, '</DL><p>'].join('\n')
const findings = (page: Page) => page.locator('.findings').first().getByRole('listitem').allInnerTexts()

test('without the network a file is looked at, imported with a tag, sent later, not taken twice, and taken back whole', async () => {
  const { home } = await openWebServer()
  const { context, page } = await openSignedIn(home)
  await addLine(page, 'https://example.com/Mine', 'example.com – Mine')
  await isReadyForOffline(page)
  await seeState(page, allSaved)
  const file = bookmarks([bookmark('One', 'TAGS="read" ADD_DATE="1600000000"'), bookmark('Mine'), bookmark('Two')])

  await goOffline(page)
  await goToTransfer(page)
  await choose(page, 'bookmarks.html', file)
  await page.getByRole('heading', { name: 'Preview' }).waitFor()
  await page.getByLabel('Tags for all imported items').fill('#imported')
  const drawn = page.locator('.still')

  expect(await findings(page)).toEqual(['2 items will be added', '1 item exists already and stays unchanged'])
  expect((await drawn.innerText()).replace(/\s+/gu, ' ')).toBe(
    'One read imported example.com 13 Sept 2020 Two imported example.com',
  )
  await page.getByRole('button', { name: 'Import 2 items' }).click()
  await page.getByRole('heading', { name: 'Import result' }).waitFor()
  await seeState(page, 'No connection. 2 changes wait for the network.')
  await goTo(page, 'Items')
  await expect.poll(() => listTitles(page)).toEqual(['One', 'Two', 'example.com – Mine'])

  await context.setOffline(false)
  await seeState(page, allSaved)
  await goToTransferReport(page)
  await page.getByRole('button', { name: 'Import another file' }).click()
  await choose(page, 'bookmarks.html', file)
  await page.getByText('There is nothing to add.').waitFor()
  expect(await findings(page)).toEqual(['There is nothing to add.', '3 items exist already and stay unchanged'])
  await goTo(page, 'History')
  await page.getByRole('listitem').filter({ hasText: 'Imported 2 items' }).getByRole('button', { name: 'Undo' }).click()
  await goTo(page, 'Items')
  await expect.poll(() => listTitles(page)).toEqual(['example.com – Mine'])
  await seeState(page, allSaved)
})

const goToTransferReport = async (page: Page): Promise<void> => {
  await goTo(page, 'Import and export')
  await page.getByRole('heading', { name: 'Import result' }).waitFor()
}

test('what cannot be read is named with its line, and a file of another kind gets a sentence', async () => {
  const { home } = await openWebServer()
  const { page } = await openSignedIn(home)
  const json = '{"format":"thingsync","version":1,"tags":{},"things":[\n{"title":"a","date":1},\n{"tags":"b"}]}\n'

  await goToTransfer(page)
  await page.getByLabel('Files to import').setInputFiles([
    { name: 'things.json', mimeType: 'application/json', buffer: Buffer.from(json) },
    { name: 'picture.png', mimeType: 'image/png', buffer: Buffer.from([137, 80, 78, 71, 0, 0, 0]) },
  ])
  await page.getByText('1 entry cannot be read').click()

  await page.getByText('things.json, line 3').waitFor()
  await page.getByText('things[1].title is missing').waitFor()
  await page.getByText('picture.png has an unsupported format.').waitFor()
  await page.getByLabel('Read as').selectOption({ label: 'Browser bookmarks (HTML)' })
  await page.getByText('There is nothing to add.').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByLabel('Files to import').waitFor()
})

test('in German the formats and what is wrong with a file are German, and the screen loads no reader', async () => {
  const { home } = await openWebServer()
  const { page } = await openSignedIn(home, '?screen=settings')
  await page.getByLabel('Language').selectOption({ label: 'Deutsch' })
  const loading = page.waitForResponse((response) => new URL(response.url()).pathname.includes('/transfer-screen-'))

  await page.getByRole('link', { name: 'Import und Export' }).first().click()
  const script = await (await loading).body()
  await page.getByText('Unterstützte Formate').click()
  await page.getByText('Browser-Lesezeichen (HTML)').first().waitFor()
  await page.getByLabel('Dateien zum Importieren').setInputFiles({
    name: 'list.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('https://example.com/ a\nno address\n'),
  })
  await page.locator('summary').first().click()
  await page.getByText('in dieser Zeile steht keine Adresse (http oder https)').waitFor()

  expect(gzipSync(script).length).toBeLessThan(12_000)
})

test('with the keyboard alone a file that was dropped is imported and taken back, and a part is exported, on any screen', async () => {
  const { home } = await openWebServer()
  const { page } = await openSignedIn(home)
  const keyboard = createKeyboard(page)

  await keyboard.press(page.getByRole('link', { name: 'Import and export', exact: true }))
  await keyboard.reach(page.getByLabel('Files to import'))
  await checkPage(page)
  await page.evaluate(
    (content) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([content], 'b.html'))
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
    },
    bookmarks([bookmark('One', 'TAGS="read"'), bookmark('Two')]),
  )
  await page.getByRole('heading', { name: 'Preview' }).waitFor()
  await checkPage(page)
  await keyboard.type(page.getByLabel('Tags for all imported items'), 'new')
  await keyboard.press(page.getByRole('button', { name: 'Import 2 items' }))
  await keyboard.press(page.getByRole('button', { name: 'Undo the import' }))
  await page.getByText('The import was undone.').waitFor()
  await keyboard.press(page.getByRole('button', { name: 'Import again' }))
  await page.getByText('2 items added').first().waitFor()
  await checkPage(page)

  await goTo(page, 'Items')
  await keyboard.type(page.getByLabel('Search', { exact: true }), '#read')
  await keyboard.press(page.getByRole('link', { name: 'Export', exact: true }))
  const download = page.waitForEvent('download')
  await keyboard.press(page.getByRole('button', { name: 'Export 1 item' }))
  const file = await download
  await page.getByText('was created, with 1 item.').waitFor()

  expect(file.suggestedFilename()).toMatch(/^thingsync-\d{4}-\d\d-\d\d\.json$/u)
  expect(JSON.parse(await text(await file.createReadStream())).things).toMatchObject([
    { title: 'One', tags: 'read new' },
  ])
})

test('an import goes on while other screens are used', async () => {
  const { home } = await openWebServer()
  const { page } = await openSignedIn(home)
  await goOffline(page)
  const lines = Array.from({ length: 8_000 }, (_, index) => bookmark(`${index}`, 'ADD_DATE="1600000000"'))

  await goToTransfer(page)
  await choose(page, 'many.html', bookmarks(lines))
  await page.getByRole('button', { name: 'Import 8,000 items' }).click()
  await page.getByText(/^Importing: [1-9]/u).waitFor()
  await goTo(page, 'Items')
  await addThing(page, 'typed meanwhile')
  await expect.poll(() => page.locator('.count').first().innerText(), { timeout: 60_000 }).toBe('8,001 items')

  await goToTransferReport(page)
  expect(await findings(page)).toEqual(['8,000 items added'])
})

test('the bookmarklet opens a small window that saves its page, also offline, knows the page again, and closes', async () => {
  const { home } = await openWebServer()
  const { context, page } = await openSignedIn(home)
  await goTo(page, 'Settings')
  const script = (await page.getByRole('link', { name: 'Add to thingsync' }).getAttribute('href')) ?? ''
  const foreign = await context.newPage()
  await foreign.goto(`${home}docs`)
  const openWindow = async () => {
    const opening = context.waitForEvent('page')
    await foreign.evaluate(`${decodeURIComponent(script.slice('javascript:'.length))}`)
    return await opening
  }

  const opened = await openWindow()
  await expect.poll(() => opened.getByLabel('Title').inputValue(), { timeout: 60_000 }).toMatch(/API/u)
  const width = await opened.evaluate(() => innerWidth)
  await opened.getByLabel('Tags', { exact: true }).fill('later')
  await opened.getByLabel('Note').fill('one\ntwo')
  const closed = opened.waitForEvent('close')
  await opened.getByRole('button', { name: 'Save', exact: true }).click()
  await opened.getByText('Saved.').waitFor()
  await closed
  await goTo(page, 'Items')
  await listedItems(page).getByText(/API/u).first().waitFor()
  await isReadyForOffline(page)
  await context.setOffline(true)
  const again = await openWindow()
  await again.getByText(/^You saved this/u).waitFor()
  await again.getByLabel('Title').fill('A second one')
  const closedAgain = again.waitForEvent('close')
  await again.getByRole('button', { name: 'Add anyway' }).click()
  await again.getByText(/^Saved on this device/u).waitFor()
  await closedAgain
  await listedItems(page).getByRole('link', { name: 'A second one', exact: true }).waitFor()

  expect(width).toBe(420)
  expect(await listedItems(page).locator('.tag').allInnerTexts()).toEqual(['later'])
  expect(await listedItems(page).locator('.excerpt').allInnerTexts()).toEqual(['one two'])
})
