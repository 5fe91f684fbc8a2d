import { expect, test } from 'vitest'
import { addLine, addThing, expectedOffline, goTo, openSignedIn, openWebServer, seeTitles } from './web-app-page.ts'

test('on a telephone everything fits, is large enough for a finger, and can be installed and shared to', async () => {
  const { home } = await openWebServer()
  const { context, page } = await openSignedIn(home, '', expectedOffline, { width: 360, scheme: 'dark' })
  await addLine(page, `${'long'.repeat(50)} #shop https://example.com/`, 'long'.repeat(50))

  const wide: string[] = []
  for (const name of ['Things', 'Tags', 'Recent', 'Settings', 'Help']) {
    await goTo(page, name)
    await page.getByRole('heading', { level: 1, name, includeHidden: true }).first().waitFor({ state: 'attached' })
    if (await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth))
      wide.push(name)
  }
  const devtools = await context.newCDPSession(page)
  const { errors } = await devtools.send('Page.getAppManifest')
  const manifest = await page.evaluate(async () => (await fetch('app.webmanifest')).json())
  await page.goto(`${home}?text=Look+at+this&url=https%3A%2F%2Fexample.com%2Fshared`)
  await expect.poll(() => page.getByLabel('New thing').inputValue()).toBe('https://example.com/shared Look at this')
  await page.getByRole('button', { name: 'Add', exact: true }).click()

  await seeTitles(page, ['long'.repeat(50), 'Look at this'])
  expect({ wide, errors }).toEqual({ wide: [], errors: [] })
  expect(manifest.share_target.params).toEqual({ title: 'title', text: 'text', url: 'url' })
})

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
  const day = new Intl.DateTimeFormat('de', { dateStyle: 'medium' }).format(Date.now())

  expect(await row.locator('time').innerText()).toBe(day)
  expect(await page.locator('html').getAttribute('lang')).toBe('de')
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
