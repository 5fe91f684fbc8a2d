import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { runCli } from '../support/run-cli.ts'
import { openForbiddenBrowser } from './open-forbidden-browser.ts'
import { openGate } from './open-gate.ts'
import { openBrowser, openPage } from './open-page.ts'
import { signIn } from './sign-in.ts'
import {
  addThing,
  allSaved,
  expectedOffline,
  goOffline,
  goTo,
  listedItems,
  listTitles,
  openSignedIn,
  openWebServer,
  seeState,
  seeTitles,
  signInToApp,
} from './web-app-page.ts'

const full = 'The storage of this browser is full. Nothing new can be saved here.'

/** A browser with a disk that can be filled and emptied, in which anna has signed in. */
const openSmallBrowser = async (home: string) => {
  const context = await openBrowser({ expected: expectedOffline })
  const page = await context.newPage()
  // Chromium queries how much room there is before the first use, and again when that much is used up.
  await page.goto(`${home}docs`)
  const devtools = await context.newCDPSession(page)
  const setRoom = (quotaSize: number) =>
    devtools.send('Storage.overrideQuotaForOrigin', { origin: new URL(home).origin, quotaSize })
  await setRoom(room)
  await signInToApp(page, home)
  return {
    page,
    fill: async () => {
      await setRoom(1)
      expect(await keepLarge(page)).toBe('QuotaExceededError')
    },
    empty: () => setRoom(room),
  }
}

const room = 4_000_000

/** Tries to keep something larger than all the room there was. */
const keepLarge = (page: Page) =>
  page.evaluate(
    (length) =>
      new Promise<string | undefined>((resolve) => {
        const opening = indexedDB.open('large')
        opening.onupgradeneeded = () => opening.result.createObjectStore('large')
        opening.onerror = () => resolve(opening.error?.name)
        opening.onsuccess = () => {
          const transaction = opening.result.transaction('large', 'readwrite')
          transaction.objectStore('large').put('x'.repeat(length), 'large')
          transaction.oncomplete = () => resolve('kept')
          transaction.onabort = () => resolve(transaction.error?.name)
        }
      }),
    room + 1_000_000,
  )

/** Leaves no room for a single character more in localStorage. */
const fillLocalStorage = (page: Page) =>
  page.evaluate(() => {
    for (let length = 4_000_000; length >= 1; length = Math.floor(length / 2)) {
      try {
        for (let part = 0; ; part++) localStorage.setItem(`filler ${length} ${part}`, 'x'.repeat(length))
      } catch (problem) {
        if (!(problem instanceof DOMException) || problem.name !== 'QuotaExceededError') throw problem
      }
    }
  })

test('a browser whose disk is full says so, keeps the line that was typed, and adds it once there is room', async () => {
  const { home } = await openWebServer()
  const { page, fill, empty } = await openSmallBrowser(home)
  await addThing(page, 'before')
  await seeState(page, allSaved)

  await fill()
  await page.getByLabel('New item').fill('no room for this')
  await page.getByLabel('New item').press('Enter')
  await page.getByText('The storage of this browser is full, so this was not saved.').waitFor()
  await seeState(page, full)
  const kept = await page.getByLabel('New item').inputValue()
  await page.reload()
  await listedItems(page).getByText('before').waitFor()
  const again = await page.getByLabel('New item').inputValue()
  await empty()
  await page.getByLabel('New item').press('Enter')
  await seeTitles(page, ['no room for this', 'before'])

  await seeState(page, allSaved)
  expect([kept, again, await page.getByLabel('New item').inputValue()]).toEqual([
    'no room for this',
    'no room for this',
    '',
  ])
})

test('a form whose item cannot be saved stays open with all that was typed', async () => {
  const { home } = await openWebServer()
  const { page, fill, empty } = await openSmallBrowser(home)
  await addThing(page, 'plan')
  await seeState(page, allSaved)
  await listedItems(page).getByRole('link', { name: 'plan' }).click()
  await page.getByRole('button', { name: 'Edit' }).click()

  await fill()
  await page.getByLabel('Title').fill('better plan')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('so this was not saved').waitFor()
  const typed = await page.getByLabel('Title').inputValue()
  await empty()
  await page.getByRole('button', { name: 'Save' }).click()

  await page.getByRole('heading', { name: 'better plan' }).waitFor()
  expect(typed).toBe('better plan')
  await expect.poll(() => page.getByText('so this was not saved').count()).toBe(0)
})

test('where no drafts can be kept a sentence says so, and what is added is added once', async () => {
  const { home } = await openWebServer()
  const { page } = await openSignedIn(home)

  await fillLocalStorage(page)
  await page.getByLabel('New item').fill('typed without a net')
  await page.getByText('This browser cannot save more drafts').waitFor()
  await page.getByLabel('New item').press('Enter')
  await seeTitles(page, ['typed without a net'])
  await expect.poll(() => page.getByLabel('New item').inputValue()).toBe('')
  await listedItems(page).getByRole('link', { name: 'typed without a net' }).click()
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Title').fill('edited without a net')
  await page.getByText('This browser cannot save more drafts').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()

  await page.getByRole('heading', { name: 'edited without a net' }).waitFor()
})

test('the page says in its language that the browser lets pages store nothing', async () => {
  const { home } = await openWebServer()
  const context = await openForbiddenBrowser()
  const page = await context.newPage()

  await page.goto(home)

  expect(await page.getByRole('alert').innerText()).toBe('Dieser Browser lässt die Seite nichts speichern.')
  await page.getByRole('button', { name: 'Noch einmal versuchen' }).waitFor()
})

test('a session that was ended elsewhere leaves everything here, and goes on after the next sign-in', async () => {
  const { data, home } = await openWebServer()
  const { page } = await openSignedIn(home)
  await addThing(page, 'before')
  await seeState(page, allSaved)

  const { stdout } = await runCli(['session', 'list', '--user', 'anna', '--format', 'json', '--data', data])
  for (const { id } of JSON.parse(stdout)) await runCli(['session', 'revoke', id, '--data', data])
  await addThing(page, 'after')
  await seeState(page, 'Signed out. Your 1 change is kept.')
  await page.getByLabel('New item').fill('half a line')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await signIn(page, 'anna')
  await seeTitles(page, ['after', 'before'])
  await seeState(page, allSaved)

  expect(await page.getByLabel('New item').inputValue()).toBe('half a line')
})

test('an upload that the server rejects is named with its reason, kept, and sent once it is fixed', async () => {
  const { home } = await openWebServer(['--max-body-bytes', '20000'])
  const { page } = await openSignedIn(home)
  await addThing(page, 'fine')
  await addThing(page, 'too long')
  await seeState(page, allSaved)

  await listedItems(page).getByRole('link', { name: 'too long' }).click()
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('URL').fill(`https://example.com/${'x'.repeat(30_000)}`)
  await page.getByRole('button', { name: 'Save' }).click()
  await seeState(page, 'The server did not accept 1 change.')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  const reason = await page.locator('.note.bad li', { hasText: 'too long' }).innerText()
  await page.reload()
  await page.locator('.note.bad').getByRole('link', { name: 'too long' }).click()
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('URL').fill('https://example.com/')
  await page.getByRole('button', { name: 'Save' }).click()

  await seeState(page, allSaved)
  expect(reason).toMatch(/^too long\s+\S.{10,}/u)
})

test('the app says what an older server does not support, and uses it for everything else', async () => {
  const { home } = await openWebServer()
  const gate = await openGate(home)
  gate.setRule((path) => (path.startsWith('/authorize') ? { status: 404 } : 'pass'))
  const page = await openPage()
  await page.goto(gate.home)

  await page.getByRole('button', { name: 'Sign in' }).click()
  const shown = await page.getByRole('alert').innerText()
  // The newer operations of the interface: server-sent events and long polling.
  const isNew = (path: string) => path.startsWith('/v1/sync/events') || /[?&]wait=/u.test(path)
  gate.setRule((path) => (isNew(path) ? { status: 404, body: '{"error":"not_found"}' } : 'pass'))
  const { page: used } = await openSignedIn(gate.home)
  await addThing(used, 'sent all the same')
  await seeState(used, allSaved)
  const other = await openSignedIn(home)

  await seeTitles(other.page, ['sent all the same'])
  expect(shown).toBe('This server is older than the app and does not support this. Ask the administrator to update it.')
})

test('a sign-in without the network shows an error, and the page stays', async () => {
  const { home } = await openWebServer()
  const page = await openPage({ expected: expectedOffline })
  await page.goto(home)

  await goOffline(page)
  await page.getByRole('button', { name: 'Sign in' }).click()

  expect(await page.getByRole('alert').innerText()).toBe(
    'The server cannot be reached now. Try again when you are connected.',
  )
  expect(page.url()).toBe(home)
})

test('the app warns about a wrong clock, and saves everything', async () => {
  const { home } = await openWebServer()
  const { page } = await openSignedIn(home)
  await page.clock.install({ time: Date.now() + 3 * 86_400_000 })
  await page.reload()

  await addThing(page, 'from the future')
  await seeState(page, 'Everything is saved. The clock of this device is 3 days ahead: new items get a wrong date.')
  await page.clock.setSystemTime(Date.now() - 5 * 3_600_000)
  await addThing(page, 'from the past')
  await seeState(page, 'Everything is saved. The clock of this device is 5 hours behind: new items get a wrong date.')
  await page.clock.setSystemTime(Date.now())
  await addThing(page, 'from today')

  await seeState(page, allSaved)
  expect(await listTitles(page)).toEqual(['from the future', 'from the past', 'from today'])
})

/** Opens two browsers of one user. The phone created an item; the laptop has typed tags for it, and not saved them. */
const typeTags = async (tags: string) => {
  const { home } = await openWebServer()
  const phone = await openSignedIn(home)
  const laptop = await openSignedIn(home)
  await addThing(phone.page, 'shared')
  await listedItems(laptop.page).getByRole('link', { name: 'shared' }).click()
  await laptop.page.getByRole('button', { name: 'Edit' }).click()
  await laptop.page.getByLabel('Tags').fill(tags)
  return { home, phone, laptop }
}

test('an item deleted elsewhere while it is edited stays in the form, and saving creates it again', async () => {
  const { phone, laptop } = await typeTags('mine')
  const address = laptop.page.url()

  await listedItems(phone.page).getByRole('link', { name: 'shared' }).focus()
  await phone.page.keyboard.press('Delete')
  await laptop.page.getByText('This item was deleted on another device.').waitFor()
  const typed = await laptop.page.getByLabel('Tags').inputValue()
  await laptop.page.close()
  const again = await laptop.context.newPage()
  await again.goto(address)
  await again.getByText('This item was deleted on another device.').waitFor()
  await again.getByRole('button', { name: 'Save' }).click()

  await goTo(again, 'Items')
  await seeTitles(again, ['shared'])
  await listedItems(phone.page).getByRole('link', { name: 'mine' }).waitFor()
  expect(typed).toBe('mine')
})

test('an item created again after a deletion is shown, and the text typed before the deletion is found', async () => {
  const { home, phone, laptop } = await typeTags('typed-for-long')
  await laptop.page.close()

  await listedItems(phone.page).getByRole('link', { name: 'shared' }).focus()
  await phone.page.keyboard.press('Delete')
  await seeState(phone.page, allSaved)
  const again = await laptop.context.newPage()
  await again.goto(home)
  await again.getByText('Nothing here yet').waitFor()
  await goTo(again, 'History')
  await again.getByRole('link', { name: 'shared' }).click()
  await again.getByText('This item was deleted on another device.').waitFor()
  await again.getByRole('button', { name: 'Save' }).click()

  await again.getByRole('heading', { name: 'shared' }).waitFor()
  await again.getByRole('main').getByRole('link', { name: 'typed-for-long' }).waitFor()
  await goTo(again, 'History')
  expect(await again.getByRole('heading', { name: 'Unsaved text' }).count()).toBe(0)
})

test('typed text of an item is restored although the item got another id from the server meanwhile', async () => {
  const { home } = await openWebServer()
  const { context, page } = await openSignedIn(home)
  await seeState(page, allSaved)
  await goOffline(page)
  await addThing(page, 'made offline')
  await listedItems(page).getByRole('link', { name: 'made offline' }).click()
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Tags').fill('typed')

  await context.setOffline(false)
  await seeState(page, allSaved)
  await page.goto(home)
  await listedItems(page).getByRole('link', { name: 'made offline' }).click()

  await page.getByText('Your unsaved text is restored').waitFor()
  expect(await page.locator('.tag-field .tag').allInnerTexts()).toEqual(['typed'])
})
