import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTemporaryFolder, startCliServer } from '../support/run-cli.ts'
import { openPage } from './open-page.ts'

test.each([
  { name: 'in a large window', width: 1280, scheme: 'light', script: true },
  { name: 'on a phone, in the dark, without JavaScript', width: 360, scheme: 'dark', script: false },
] as const)('the link of a first start signs the owner in once, $name', async (window) => {
  const data = await createTemporaryFolder()
  await startCliServer(data)
  const secrets = await readFile(join(data, 'first-run.txt'), 'utf8')
  const link = /^THINGSYNC_SIGN_IN_LINK='(.*)'$/m.exec(secrets)?.[1] ?? ''
  const page = await openPage(window)

  // Looking at a link uses nothing up.
  await page.goto(link)
  await page.reload()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'owner' }).waitFor()
  await page.getByRole('link', { name: 'Admin' }).click()
  await page.getByRole('heading', { level: 1, name: 'Admin' }).waitFor()
  const again = await (await openPage(window)).goto(link)

  expect(new URL(page.url()).search).toBe('')
  expect(again?.status()).toBe(404)
})
