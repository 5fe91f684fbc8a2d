import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openFileServer } from '../../support/open-test-server.ts'
import { signInContext } from '../furnish.ts'
import { openBrowser, openPage } from '../open-page.ts'
import { type Frame, savePicture } from '../save-picture.ts'
import { allSaved, expectedOffline, listedItems, listTitles, seeState } from '../web-app-page.ts'

const server = await openFileServer({ settings: { web: true } })
const home = server.baseUrl.replace(/v1\/$/, '')

/** A browser of anna, as large as a phone. */
const openDevice = async (scheme: 'light' | 'dark'): Promise<Page> => {
  const context = await openBrowser({ width: 360, scheme, expected: expectedOffline })
  await signInContext(context, server)
  const page = await context.newPage()
  await page.setViewportSize({ width: 360, height: 710 })
  await page.goto(home)
  await listedItems(page).nth(2).waitFor()
  return page
}

/** Both beside each other, with a word on whether they have a network. */
const framePage = ([left, right]: readonly [Buffer, Buffer], isOnline: boolean): string => {
  const network = isOnline ? 'online' : 'no network'
  const device = (name: string, png: Buffer) =>
    `<figure><figcaption><b>${name}</b> <span class="${isOnline ? 'on' : 'off'}">${network}</span></figcaption><img src="data:image/png;base64,${png.toString('base64')}"></figure>`
  return `<!doctype html><style>
    body { margin: 0; padding: 16px; display: flex; gap: 16px; background: #d9d5cc; font: 15px system-ui }
    figure { margin: 0 } figcaption { display: flex; justify-content: space-between; padding: 0 4px 8px }
    img { display: block; width: 360px; border-radius: 12px }
    .on { color: #1e6b3a } .off { color: #a8321f; font-weight: 600 }
  </style>${device('Phone', left)}${device('Laptop', right)}`
}

test('a moving picture of two browsers that are edited offline and agree', async () => {
  const device = await server.openDevice('anna')
  await device.sync({
    from: 0,
    new_thing: [
      { local_id: '1', title: 'Oat milk', tags: 'shopping', date: 1_795_252_200, todoStatus: false },
      { local_id: '2', title: 'Bread from the baker', tags: 'shopping', date: 1_795_252_100, todoStatus: false },
      { local_id: '3', title: 'Call the plumber', tags: 'home', date: 1_795_165_800, todoStatus: false },
    ],
    tag: {
      shopping: { color: '#2f7d4f', todo: 'strike' },
      home: { color: '#b5541c', todo: 'strike' },
      travel: { color: '#7a4f9a' },
    },
  })
  const [phone, laptop, stage] = [await openDevice('light'), await openDevice('dark'), await openPage()]
  await stage.setViewportSize({ width: 768, height: 768 })
  const frames: Frame[] = []
  let isOnline = true
  const show = async (milliseconds: number) => {
    for (const page of [phone, laptop]) await page.mouse.move(0, 0)
    const pictures = [await phone.screenshot(), await laptop.screenshot()] as const
    await stage.setContent(framePage(pictures, isOnline))
    frames.push({ png: await stage.screenshot(), milliseconds })
  }
  const setOnline = async (next: boolean) => {
    isOnline = next
    await phone.context().setOffline(!next)
    await laptop.context().setOffline(!next)
  }
  const add = async (page: Page, line: string, title: string) => {
    const field = page.getByLabel('New item')
    // The bar of a phone opens the line.
    await page.getByRole('button', { name: 'Add', exact: true }).last().click()
    for (const part of [line.slice(0, line.length / 2), line]) {
      await field.fill(part)
      await show(350)
    }
    await field.press('Enter')
    await listedItems(page).getByText(title, { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await show(1_000)
  }

  await seeState(phone, allSaved)
  await seeState(laptop, allSaved)
  await show(1_600)
  await setOnline(false)
  await seeState(phone, 'No connection. Everything is saved here.')
  await seeState(laptop, 'No connection. Everything is saved here.')
  await show(1_600)
  await add(phone, 'Night train to Vienna #travel', 'Night train to Vienna')
  await add(laptop, 'Ask Mara for her soup #home', 'Ask Mara for her soup')
  await listedItems(phone).getByLabel('Done: Oat milk').click()
  await listedItems(phone).locator('.struck', { hasText: 'Oat milk' }).waitFor()
  await show(1_000)
  await listedItems(laptop).getByLabel('Done: Call the plumber').click()
  await listedItems(laptop).locator('.struck', { hasText: 'Call the plumber' }).waitFor()
  await show(1_000)
  await seeState(phone, 'No connection. 2 changes wait for the network.')
  await seeState(laptop, 'No connection. 2 changes wait for the network.')
  await show(1_800)
  await setOnline(true)
  for (const page of [phone, laptop]) {
    await seeState(page, allSaved)
    await listedItems(page).nth(4).waitFor()
    await expect.poll(() => listedItems(page).locator('.struck').count(), { timeout: 60_000 }).toBe(2)
  }
  await show(3_500)

  expect(await listTitles(laptop)).toEqual(await listTitles(phone))
  await savePicture('two-browsers.png', frames)
}, 300_000)
