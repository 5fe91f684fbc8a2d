import { expect, test } from 'vitest'
import { addThing, goTo, openSignedIn, openWebServer } from './web-app-page.ts'

test('the app speaks German where the person chooses it, writes dates as they do, and keeps the choice', async () => {
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

test('at 360 pixels all screens are in the navigation in German, in one line', async () => {
  const { home } = await openWebServer()
  const { page } = await openSignedIn(home, '?screen=settings', undefined, { width: 360 })

  await page.getByLabel('Language').selectOption({ label: 'Deutsch' })
  const links = page.getByRole('navigation', { name: 'Seiten' }).getByRole('link')
  await links.filter({ hasText: 'Hilfe' }).waitFor()
  const boxes = await links.evaluateAll((all) => all.map((link) => link.getBoundingClientRect().toJSON()))

  expect(boxes.length).toBe(5)
  expect(boxes.filter(({ right }) => right > 360)).toEqual([])
  expect(new Set(boxes.map(({ top }) => top)).size).toBe(1)
})

test('what other devices do is here without a reload, and moves neither what is read nor what is typed', async () => {
  const { home } = await openWebServer()
  const phone = await openSignedIn(home)
  const desk = await openSignedIn(home, '', undefined, { height: 400 })
  for (let number = 0; number < 12; number++) await addThing(phone.page, `thing ${number}`)
  await expect.poll(() => desk.page.locator('.count').innerText()).toContain('12 things')
  await desk.page.getByLabel('New thing').fill('being typed')
  const read = desk.page.locator('.windowed li[data-place="6"] .title')
  const title = await read.innerText()
  const row = desk.page.locator('.windowed .title', { hasText: new RegExp(`^${title}$`, 'u') })
  await row.evaluate((element) => element.closest('li')?.scrollIntoView({ block: 'start', behavior: 'instant' }))
  const top = () => row.evaluate((element) => Math.round(element.getBoundingClientRect().top))
  const before = await top()

  await addThing(phone.page, 'the newest')
  await desk.page.getByText('13 things').waitFor()

  expect(await desk.page.getByLabel('New thing').inputValue()).toBe('being typed')
  await expect.poll(top).toBe(before)
})
