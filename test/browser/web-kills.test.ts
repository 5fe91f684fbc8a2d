import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { createRandom } from '../store/faults/random.ts'
import {
  allSaved,
  goOffline,
  isReadyForOffline,
  listedItems,
  openSignedIn,
  openWebServer,
  seeState,
  seeTitles,
} from './web-app-page.ts'

const rounds = Number(process.env.THINGSYNC_WEB_KILLS ?? 8)
const seed = Number(process.env.THINGSYNC_WEB_SEED ?? 1)

/** Adds items as quickly as the page takes them, and logs each one once the page shows it. */
const addWithoutEnd = (page: Page, round: number) =>
  page.evaluate((name) => {
    const field = document.getElementById('add') as HTMLInputElement
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
    let number = 0
    const isShown = () =>
      [...document.querySelectorAll('.windowed .title')].some(({ textContent }) => textContent === `${name}.${number}`)
    const next = () => {
      number++
      set?.call(field, `${name}.${number}`)
      field.dispatchEvent(new InputEvent('input', { bubbles: true }))
      // As a user does, after the page has taken the key.
      setTimeout(() => field.form?.requestSubmit())
    }
    const look = () => {
      if (isShown() && field.value === '') {
        console.info(`shown ${name}.${number}`)
        next()
      }
      requestAnimationFrame(look)
    }
    next()
    look()
  }, `round ${round}`)

test(`whenever the page is killed, what it had shown as kept is there again, and nothing twice (seed ${seed})`, async () => {
  const { home } = await openWebServer()
  const random = createRandom(seed)
  const { context, page: first } = await openSignedIn(home, '', undefined, { height: 8_000 })
  await isReadyForOffline(first)
  await goOffline(first)
  const shown = new Set<string>()

  let page = first
  for (let round = 0; round < rounds; round++) {
    const toKill = page
    const enough = 1 + random.below(5)
    const crashed = toKill.waitForEvent('crash')
    let count = 0
    toKill.on('console', (message) => {
      if (!message.text().startsWith('shown ')) return
      shown.add(message.text().slice('shown '.length))
      // Another one is being saved by now.
      if (++count === enough)
        void context.newCDPSession(toKill).then((tools) => tools.send('Page.crash').catch(() => undefined))
    })
    await addWithoutEnd(toKill, round)
    await crashed
    await toKill.close()
    page = await context.newPage()
    await page.goto(home)
    await expect.poll(async () => missing(shown, await titles(page)), { timeout: 60_000 }).toEqual([])
  }
  const all = await titles(page)
  await context.setOffline(false)
  await seeState(page, allSaved)
  const other = await openSignedIn(home, '', undefined, { height: 8_000 })

  expect(new Set(all).size).toBe(all.length)
  await seeTitles(page, all)
  await seeTitles(other.page, all)
}, 300_000)

const titles = (page: Page) => listedItems(page).locator('.title').allInnerTexts()

const missing = (wanted: ReadonlySet<string>, there: readonly string[]) =>
  [...wanted].filter((one) => !there.includes(one))
