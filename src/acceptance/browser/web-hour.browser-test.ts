import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { createRandom } from '../../store/contract/faults/random.ts'
import { runCli } from '../run-cli.ts'
import { editAsPeopleDo } from './random-edits.ts'
import { addLine, allSaved, goTo, listedThings, openSignedIn, openWebServer, seeState } from './web-app-page.ts'

const edits = Number(process.env.THINGSYNC_WEB_EDITS ?? 100)
const seed = Number(process.env.THINGSYNC_WEB_SEED ?? 1)
const hourMilliseconds = 3_600_000

/** Everything that a browser shows: each list in a window that is high enough for all of it, and the tags. */
const readAll = async (page: Page) => {
  const lists: Record<string, string[]> = {}
  for (const query of ['', 'is:archived', 'is:done']) {
    await goTo(page, 'Things')
    await page.getByLabel('Search').fill(query)
    const count = page.locator('.count')
    await expect
      .poll(async () => {
        const rows = await listedThings(page).count()
        return (await count.innerText()).replace(/^(\d+).*$/su, '$1') === String(rows)
      })
      .toBe(true)
    const rows = await listedThings(page).locator('.row-text').allInnerTexts()
    lists[query] = rows.map((row) => row.replace(/\s+/gu, ' ')).sort()
  }
  await goTo(page, 'Tags')
  const tags = await page.locator('.tag-line').allInnerTexts()
  return { lists, tags: tags.map((tag) => tag.replace(/\s+/gu, ' ')) }
}

/** What the server has, with all fields of all things. */
const readServer = async (home: string, token: string) => {
  const answer = await fetch(`${home}v1/sync?from=0`, { headers: { authorization: `Bearer ${token}` } })
  const listed = (await answer.json()) as { things: Record<string, Record<string, unknown>> }
  return Object.values(listed.things)
}

test(`two browsers that were edited offline for an hour are equal again, to each other, a new one and the server (seed ${seed})`, async () => {
  const { data, home } = await openWebServer()
  const window = { height: 12_000 }
  const browsers = [await openSignedIn(home, '', undefined, window), await openSignedIn(home, '', undefined, window)]
  const [first] = browsers
  for (const number of [1, 2, 3, 4, 5, 6])
    await addLine(first?.page as Page, `together ${number} #shop`, `together ${number}`)
  for (const { page } of browsers) {
    await page.clock.install()
    await page.reload()
    await expect.poll(() => listedThings(page).count()).toBe(6)
    await seeState(page, allSaved)
  }

  const begin = Date.now() - hourMilliseconds
  for (const { context } of browsers) await context.setOffline(true)
  await Promise.all(
    browsers.map(async ({ page }, index) => {
      const random = createRandom(seed * 2 + index)
      await addLine(page, `alone ${index}`, `alone ${index}`)
      for (let edit = 0; edit < edits; edit++) {
        // In step with each other, so that each of them is the later one now and then.
        await page.clock.setSystemTime(begin + Math.floor((edit * hourMilliseconds) / edits))
        await editAsPeopleDo(page, random, `${index === 0 ? 'phone' : 'desk'} ${edit}`)
      }
    }),
  )
  for (const { context, page } of browsers) {
    await page.clock.setSystemTime(Date.now())
    await context.setOffline(false)
    await seeState(page, allSaved)
  }
  const third = await openSignedIn(home, '', undefined, window)
  await seeState(third.page, allSaved)

  const { stdout } = await runCli([
    'token',
    'add',
    'reader',
    '--user',
    'anna',
    '--read-only',
    '--format',
    'json',
    '--data',
    data,
  ])
  const things = await readServer(home, JSON.parse(stdout).token)
  const shown = await readAll(third.page)
  const all = [...(shown.lists[''] ?? []), ...(shown.lists['is:archived'] ?? [])]
  expect(all.length).toBe(things.length)
  expect(things.filter(({ title }) => !all.some((row) => row.startsWith(`${title} `)))).toEqual([])
  for (const { page } of browsers) await expect.poll(() => readAll(page), { timeout: 15_000 }).toEqual(shown)
}, 240_000)
