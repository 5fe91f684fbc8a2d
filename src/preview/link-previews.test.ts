import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { loopback } from '../../test/support/outbound.ts'
import { openReceiver } from '../../test/support/outbound-receiver.ts'
import { createDeliveryRules } from '../outbound/address-guard.ts'
import { createLinkPreviews, type LinkPreviewOptions } from './link-previews.ts'

const createTestPreviews = (options: Partial<LinkPreviewOptions> = {}) =>
  createLinkPreviews(createDeliveryRules(loopback, 'link_preview_allow'), { version: '1', ...options })

/** Opens a site whose pages have their path as title. A page whose path contains `hang` waits for `release`. */
const openSite = async () => {
  const waiting: ServerResponse[] = []
  const receiver = await openReceiver((response, { url = '' }) => {
    const page = () => response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>${url}</title>`)
    if (url === '/missing') response.writeHead(404).end()
    else if (url.includes('hang')) waiting.push(response)
    else page()
  })
  return {
    ...receiver,
    urlOf: (path: string) => `http://127.0.0.1:${receiver.port}${path}`,
    release: () => {
      for (const response of waiting) response.end('<title>released</title>')
    },
  }
}

const errorOf = (result: Promise<unknown>) =>
  result.then(
    () => 'no error',
    ({ kind, message, details }) => ({ kind, message, retryAfterSeconds: details.retryAfterSeconds }),
  )

test('a result is cached for an hour, for its user only, without regard to the fragment', async () => {
  const site = await openSite()
  let time = 1
  const preview = createTestPreviews({ now: () => time })

  const first = await preview('anna', site.urlOf('/a#one'))
  time = 3_599_000
  const cached = await preview('anna', site.urlOf('/a#two'))
  const ofOther = await preview('bert', site.urlOf('/a'))
  const sentWithinAnHour = site.received.length
  time = 3_601_001
  await preview('anna', site.urlOf('/a'))

  expect([first, cached, ofOther]).toEqual(Array(3).fill({ title: '/a' }))
  expect([sentWithinAnHour, site.received.length]).toEqual([2, 3])
})

test('the cache holds 256 results', async () => {
  const site = await openSite()
  const preview = createTestPreviews()
  // Each user may have only 60 an hour.
  const read = (index: number) => preview(`user ${Math.floor(index / 50)}`, site.urlOf(`/${index}`))

  for (let index = 0; index < 257; index++) await read(index)
  const before = site.received.length
  await read(1)
  await read(0)

  expect([before, site.received.length]).toEqual([257, 258])
})

test('an error is not cached', async () => {
  const site = await openSite()
  const preview = createTestPreviews()

  const errors = [
    await errorOf(preview('anna', site.urlOf('/missing'))),
    await errorOf(preview('anna', site.urlOf('/missing'))),
  ]

  expect(errors).toEqual(
    Array(2).fill({
      kind: 'pageUnavailable',
      message: 'The page cannot be read: its host responded with status 404',
      retryAfterSeconds: undefined,
    }),
  )
  expect(site.received).toHaveLength(2)
})

test('a user has one preview at a time; another call for the same URL shares it', async () => {
  const site = await openSite()
  const preview = createTestPreviews()

  const both = [preview('anna', site.urlOf('/hang')), preview('anna', site.urlOf('/hang#2'))]
  const rejected = await errorOf(preview('anna', site.urlOf('/other')))
  await expect.poll(() => site.received.length).toBe(1)
  const ofOther = await preview('bert', site.urlOf('/other'))
  site.release()

  expect(rejected).toEqual({
    kind: 'previewsBusy',
    message: 'Too many link previews are in progress; try again in 1 s',
    retryAfterSeconds: 1,
  })
  expect(ofOther).toEqual({ title: '/other' })
  expect(await Promise.all(both)).toEqual(Array(2).fill({ title: 'released' }))
  expect(await preview('anna', site.urlOf('/other'))).toEqual({ title: '/other' })
  expect(site.received).toHaveLength(3)
})

test('eight previews run at a time, and a slot is free again after an error', async () => {
  const site = await openSite()
  const preview = createTestPreviews()
  await errorOf(preview('user 0', site.urlOf('/missing')))

  const running = Array.from({ length: 8 }, (_, index) => preview(`user ${index}`, site.urlOf('/hang')))
  const ninth = await errorOf(preview('user 8', site.urlOf('/page')))
  await expect.poll(() => site.received.length).toBe(9)
  site.release()
  await Promise.all(running)

  expect(ninth).toMatchObject({ kind: 'previewsBusy' })
  expect(await preview('user 8', site.urlOf('/page'))).toEqual({ title: '/page' })
})

test('a user has 60 previews an hour; cached results do not count', async () => {
  const site = await openSite()
  let time = 1
  const preview = createTestPreviews({ now: () => time })

  for (let index = 0; index < 60; index++) await preview('anna', site.urlOf(`/${index}`))
  time = 1_000_501
  const rejected = await errorOf(preview('anna', site.urlOf('/60')))
  const cached = await preview('anna', site.urlOf('/59'))
  const ofOther = await preview('bert', site.urlOf('/60'))
  time = 3_600_001
  const later = await preview('anna', site.urlOf('/60'))

  expect(rejected).toEqual({
    kind: 'tooManyPreviews',
    message: 'A user may have 60 link previews an hour; try again in 2600 s',
    retryAfterSeconds: 2600,
  })
  expect([cached, ofOther, later]).toEqual([{ title: '/59' }, { title: '/60' }, { title: '/60' }])
})

test('a URL that the server may not read is no attempt, and the error names the parameter', async () => {
  const preview = createTestPreviews()

  const errors = []
  for (let index = 0; index < 61; index++) errors.push(await errorOf(preview('anna', 'http://169.254.169.254/')))

  const message =
    'url must lead to the public internet, or to a host that the setting link_preview_allow of this server names'
  expect(errors).toEqual(Array(61).fill({ kind: 'parameterInvalid', message, retryAfterSeconds: undefined }))
})
