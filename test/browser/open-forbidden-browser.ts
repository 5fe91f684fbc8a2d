import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { findChromium } from '../support/find-chromium.ts'
import { chromiumFlags } from '../support/launch-chromium.ts'
import { createTemporaryFolder } from '../support/run-cli.ts'

/** A browser whose user has forbidden all pages in the settings to store anything. */
const preferences = { profile: { default_content_setting_values: { cookies: 2 } } }

/** A browser, in German, that lets no page keep anything; it is closed when the test is finished. */
export const openForbiddenBrowser = async (): Promise<BrowserContext> => {
  const executablePath = findChromium(process.env.CHROMIUM)
  if (executablePath === undefined) throw new Error('Chromium went away')
  const folder = await createTemporaryFolder()
  await mkdir(join(folder, 'Default'))
  await writeFile(join(folder, 'Default', 'Preferences'), JSON.stringify(preferences))
  const context = await chromium.launchPersistentContext(folder, {
    executablePath,
    args: [...chromiumFlags],
    locale: 'de-DE',
  })
  context.setDefaultTimeout(60_000)
  onTestFinished(() => context.close())
  return context
}
