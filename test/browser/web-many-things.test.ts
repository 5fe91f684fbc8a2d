import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { createTemporaryFolder, runCli, startCliServer } from '../support/run-cli.ts'
import { addThing, allSaved, goOffline, isReadyForOffline, listedItems, openSignedIn } from './web-app-page.ts'

/** Twenty pages of a full sync. */
const total = 100_000

/** A server on which anna has many items, the newest with the highest number. */
const openFullServer = async (): Promise<string> => {
  const data = await createTemporaryFolder()
  await runCli(['user', 'add', 'anna', '--password-stdin', '--data', data], 'correct horse')
  const { stdout } = await runCli(['token', 'add', 'filler', '--user', 'anna', '--format', 'json', '--data', data])
  const { token } = JSON.parse(stdout) as { token: string }
  const server = await startCliServer(data)
  for (let first = 0; first < total; first += 10_000) {
    const things = Array.from({ length: 10_000 }, (_, index) => ({
      local_id: index,
      title: `thing ${first + index}`,
      tags: (first + index) % 1_000 === 7 ? 'seldom' : 'often',
      date: 1_600_000_000 + first + index,
    }))
    const response = await fetch(new URL('sync', server.baseUrl), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: new URLSearchParams({ limit: '0', new_thing: JSON.stringify(things) }),
    })
    expect(response.status).toBe(200)
    await response.text()
  }
  return server.baseUrl.replace(/v1\/$/, '')
}

/** What the page requests of its listing from now on. */
const watchListing = (page: Page): readonly string[] => {
  const requested: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.endsWith('/v1/sync') && search.includes('limit=')) requested.push(search)
  })
  return requested
}

const search = async (page: Page, query: string): Promise<void> => {
  await page.getByLabel('Search').fill(query)
}

test('100,000 items: what has come is there at once, a closed page goes on where it was, and all of it is found offline', async () => {
  const home = await openFullServer()
  const { context, page } = await openSignedIn(home)
  // So slow that the page is closed on the way.
  const line = await context.newCDPSession(page)
  const slow = { offline: false, latency: 0, downloadThroughput: 100_000, uploadThroughput: -1 }
  await line.send('Network.emulateNetworkConditions', slow)
  await page.reload()
  await isReadyForOffline(page)

  await page
    .getByRole('status')
    .getByText(new RegExp(`^Downloading your items: \\S+ of ${total.toLocaleString('en-GB')}`, 'u'))
    .waitFor()
  await addThing(page, 'made meanwhile')
  await search(page, 'thing 4711')
  await listedItems(page).getByText('thing 4711', { exact: true }).waitFor()
  await page
    .getByRole('status')
    .getByText(/: \d{2,},\d{3} of [\d,]+/u)
    .waitFor({ timeout: 60_000 })
  await page.close()

  const second = await context.newPage()
  const requestedAgain = watchListing(second)
  await second.goto(home)
  await second.getByText('made meanwhile').waitFor()
  await second.getByRole('status').getByText(allSaved, { exact: true }).waitFor({ timeout: 60_000 })
  await second.getByText(`${(total + 1).toLocaleString('en-GB')} items`).waitFor()

  const firstSkip = Number(/skip=(\d+)/u.exec(requestedAgain[0] ?? '')?.[1])
  expect(firstSkip).toBeGreaterThanOrEqual(5_000)
  await goOffline(second)
  await second.close()
  const third = await context.newPage()
  await third.goto(home)
  await listedItems(third).getByText('made meanwhile').waitFor()
  await search(third, '#seldom thing 10 -10007')
  await third.locator('section.things[aria-busy="false"]').waitFor()
  // 10007 is not wanted.
  const found = await listedItems(third).locator('.title').allInnerTexts()
  expect(found.filter((title) => !title.includes('10'))).toEqual([])
  expect(found).toContain('thing 1007')
  expect(found).not.toContain('thing 10007')
}, 300_000)
