import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { fakeCertificate } from '../support/certificate.ts'
import { openPage } from './open-page.ts'
import { openOtherDevice } from './upload-things.ts'
import { isReadyForOffline, listedItems, openWebServer, signInWith } from './web-app-page.ts'

const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="5"><rect width="7" height="5"/></svg>'

/** A server of images, whose certificate nobody trusts, and what was requested of it. */
const openImageServer = async () => {
  const requested: string[] = []
  const server = createServer(fakeCertificate, ({ url = '', headers }, response) => {
    requested.push(`${url} ${headers.referer ?? 'from nowhere'}`)
    response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(picture)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { address: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, requested: requested }
}

test('images of notes are loaded from https only while the user allows it', async () => {
  const { data, home } = await openWebServer()
  const { address, requested } = await openImageServer()
  const html = `<p><img src="${address}/a.svg" alt="a mill"><img src="http://127.0.0.1:9/b.png" alt="plain http">
    <img srcset="${address}/c.svg" alt="no source"><input type="image" src="${address}/d.svg"></p>
    <table background="${address}/e.svg"><tr><td style="background:url(${address}/f.svg)">x</td></tr></table>
    <video poster="${address}/g.svg"></video><svg><image href="${address}/h.svg"/></svg>`
  const [id] = await (await openOtherDevice(data, home)).add([{ title: 'with pictures', html }])
  const expected = /^Applying inline style violates|img-src/
  const context = (await openPage({ expected, ignoresCertificates: true })).context()
  const page = await signInWith(context, home)
  await listedItems(page).first().waitFor()
  await isReadyForOffline(page)
  const look = async () => {
    await page.goto(`${home}?thing=${id}`)
    await page.locator('.thing .prose').waitFor()
  }
  const choose = async (shows: boolean) => {
    await page.goto(`${home}?screen=settings`)
    const reloaded = page.waitForEvent('load')
    // The page is reloaded at once, so nobody sees the box as it was pressed.
    await page.getByLabel('Load images in notes').click()
    await reloaded
    await expect.poll(() => page.getByLabel('Load images in notes').isChecked()).toBe(shows)
  }
  const policyAllows = () =>
    page.evaluate(async (source) => {
      const image = new Image()
      const isLoaded = await new Promise<boolean>((resolve) => {
        image.onload = () => resolve(true)
        image.onerror = () => resolve(false)
        image.src = source
      })
      return isLoaded
    }, `${address}/policy.svg`)

  await look()
  const before = await page.locator('.thing .prose').innerText()
  expect(await policyAllows()).toBe(false)
  expect([before.includes('a mill'), await page.locator('.prose img').count(), requested]).toEqual([true, 0, []])
  await page.getByText('Images are not loaded, because they tell others what you read.').waitFor()

  await choose(true)
  await look()
  await expect.poll(() => requested).toEqual(['/a.svg from nowhere'])
  await expect
    .poll(() => page.locator('.prose img').evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBe(7)
  expect(await policyAllows()).toBe(true)

  await choose(false)
  await look()
  expect(await policyAllows()).toBe(false)
  expect(requested).toEqual(['/a.svg from nowhere', '/policy.svg from nowhere'])
})
