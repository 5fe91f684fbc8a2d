import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { openStage } from '../browser/furnish-web.ts'
import { signIn } from '../browser/sign-in.ts'
import { findChromium } from '../support/find-chromium.ts'
import { chromiumFlags } from '../support/launch-chromium.ts'
import { createTemporaryFolder } from '../support/run-cli.ts'
import { type Report, runLighthouse } from './run-lighthouse.ts'

const folder = 'docs/benchmarks/lighthouse'
const stage = await openStage()

/** A browser that other programs can also drive. */
const openSharedBrowser = async () => {
  const profile = await createTemporaryFolder()
  const executablePath = findChromium(process.env.CHROMIUM)
  const context = await chromium.launchPersistentContext(profile, {
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [...chromiumFlags, '--remote-debugging-port=0'],
  })
  onTestFinished(() => context.close())
  const [port = ''] = (await readFile(join(profile, 'DevToolsActivePort'), 'utf8')).split('\n')
  return { context, port: Number(port) }
}

const keep = async (report: Report): Promise<void> => {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, `${report.page}.json`), `${JSON.stringify(report, null, 2)}\n`)
}

const expectGood = ({ page, scores, lostPoints }: Report): void => {
  const tooLow = Object.entries(scores).filter(([, score]) => score < 95)
  expect({ page, tooLow, lostPoints: tooLow.length === 0 ? [] : lostPoints }).toEqual({
    page,
    tooLow: [],
    lostPoints: [],
  })
}

test('Lighthouse: the sign-in page', async () => {
  const { port } = await openSharedBrowser()

  const report = await runLighthouse('sign-in', `${stage.home}sign-in`, port)

  await keep(report)
  expectGood(report)
})

test('Lighthouse: the app at the first visit', async () => {
  const { port } = await openSharedBrowser()

  const report = await runLighthouse('app-first-visit', stage.home, port)

  await keep(report)
  expectGood(report)
})

test('Lighthouse: the app with items', async () => {
  const { context, port } = await openSharedBrowser()
  const page = await context.newPage()
  await page.goto(stage.home)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await signIn(page, 'anna')
  await page.getByLabel('New item').waitFor()
  // One tab holds the items, and it must be the measured one.
  await page.close()

  const report = await runLighthouse('app', stage.home, port)

  await keep(report)
  expectGood(report)
})
