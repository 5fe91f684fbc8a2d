import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { createRandom } from '../store/faults/random.ts'
import { editAsPeopleDo } from './random-edits.ts'
import { openOtherDevice } from './upload-things.ts'
import {
  addLine,
  allSaved,
  goOffline,
  goTo,
  isReadyForOffline,
  listedItems,
  openSignedIn,
  openWebServer,
  seeState,
} from './web-app-page.ts'

/**
 * What stands for the hour: this many edits in each browser, as users make them through the page. Meanwhile its clock
 * is set from an hour ago to now in as many steps.
 */
const edits = Number(process.env.THINGSYNC_WEB_EDITS ?? 40)
const seed = Number(process.env.THINGSYNC_WEB_SEED ?? 1)
const hourMilliseconds = 3_600_000

interface ServerThing {
  readonly title: string
  readonly tags?: string
  readonly url?: string
  readonly archived?: boolean
}

/** What a list shows of its items: title, tags and host of each. */
const readRows = (page: Page): Promise<readonly string[]> =>
  listedItems(page)
    .locator('.row')
    .evaluateAll((rows) => {
      const textsOf = (row: Element, names: string) =>
        [...row.querySelectorAll(names)].map(({ textContent }) => textContent)
      return rows.map((row) => [textsOf(row, '.title'), textsOf(row, '.tag'), textsOf(row, '.host')].join(' | ')).sort()
    })

/** Everything that a browser shows: each list in a window that is high enough for all of it, and the tags. */
const readAll = async (page: Page) => {
  const lists: Record<string, readonly string[]> = {}
  for (const query of ['', 'is:archived', 'is:done']) {
    await goTo(page, 'Items')
    await page.getByLabel('Search').fill(query)
    await page.locator(`.things[data-shown="${query}"][aria-busy="false"]`).waitFor()
    lists[query] = await readRows(page)
  }
  await goTo(page, 'Tags')
  const tags = await page.locator('.tag-line').allInnerTexts()
  return { lists, tags: tags.map((tag) => tag.replace(/\s+/gu, ' ').replace(/(?: (?:Pin|Unpin|Settings))? ?$/u, '')) }
}

/** What the server has, as the lists should show it. */
const readServer = async (data: string, home: string) => {
  const things = [...(await (await openOtherDevice(data, home)).list()).values()] as readonly ServerThing[]
  const show = (isArchived: boolean) =>
    things
      .filter(({ archived = false }) => archived === isArchived)
      .map(({ title, tags = '', url }) =>
        [title, tags.split(' ').join(), url === undefined ? '' : new URL(url).hostname].join(' | '),
      )
      .sort()
  return { '': show(false), 'is:archived': show(true) }
}

/** Kills the page while it saves one more item, and opens another page instead. */
const killWhileSaving = async (page: Page, home: string): Promise<Page> => {
  const context = page.context()
  const tools = await context.newCDPSession(page)
  const crashed = page.waitForEvent('crash')
  await page.getByLabel('New item').fill('cut off')
  await page.getByLabel('New item').press('Enter', { noWaitAfter: true })
  tools.send('Page.crash').catch(() => undefined)
  await crashed
  await page.close()
  const next = await context.newPage()
  await next.goto(home)
  await listedItems(next).first().waitFor()
  return next
}

const name = `two browsers that were edited offline for an hour, one of them killed in the middle of a save, are equal again to each other, to a third that starts empty and to the server (seed ${seed})`

test(name, async () => {
  const { data, home } = await openWebServer()
  // High enough for all items: the list shows everything.
  const window = { height: 12_000 }
  const browsers = [await openSignedIn(home, '', undefined, window), await openSignedIn(home, '', undefined, window)]
  for (const number of [1, 2, 3, 4, 5, 6])
    await addLine(browsers[0]?.page as Page, `together ${number} #shop`, `together ${number}`)
  for (const { context, page } of browsers) {
    await isReadyForOffline(page)
    await context.clock.install()
    await page.reload()
    await listedItems(page).nth(5).waitFor()
    await seeState(page, allSaved)
  }

  const begin = Date.now() - hourMilliseconds
  for (const { page } of browsers) await goOffline(page)
  const pages = await Promise.all(
    browsers.map(async ({ context, page: first }, index) => {
      const random = createRandom(seed * 2 + index)
      let page = first
      await addLine(page, `alone ${index}`, `alone ${index}`)
      for (let edit = 0; edit < edits; edit++) {
        // In step with each other, so that each of them is the later one now and then.
        await context.clock.setSystemTime(begin + Math.floor((edit * hourMilliseconds) / edits))
        await editAsPeopleDo(page, random, `${index === 0 ? 'phone' : 'laptop'} ${edit}`)
        if (index === 0 && edit === Math.floor(edits / 2)) page = await killWhileSaving(page, home)
      }
      return page
    }),
  )
  for (const [index, page] of pages.entries()) {
    await browsers[index]?.context.clock.setSystemTime(Date.now())
    await browsers[index]?.context.setOffline(false)
    await seeState(page, allSaved)
  }
  const third = await openSignedIn(home, '', undefined, window)
  await seeState(third.page, allSaved)

  const shown = await readAll(third.page)
  expect(shown.lists).toMatchObject(await readServer(data, home))
  expect(shown.lists['']?.length).toBeGreaterThan(6)
  for (const page of pages) await expect.poll(() => readAll(page), { timeout: 60_000 }).toEqual(shown)
}, 300_000)
