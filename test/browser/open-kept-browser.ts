import { readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { findChromium } from '../support/find-chromium.ts'
import { chromiumFlags } from '../support/launch-chromium.ts'

/** A browser with a profile in this folder, as users have it; it is closed with the test if it was not killed. */
export const openProfileBrowser = async (folder: string): Promise<BrowserContext> => {
  const executablePath = findChromium(process.env.CHROMIUM)
  if (executablePath === undefined) throw new Error('Chromium went away')
  const context = await chromium.launchPersistentContext(folder, {
    executablePath,
    args: [...chromiumFlags],
    locale: 'en-GB',
  })
  context.setDefaultTimeout(60_000)
  onTestFinished(() => context.close())
  return context
}

/** Kills the browser of this folder, as a machine without memory does: nothing of it runs another line. */
export const killBrowser = async (context: BrowserContext, folder: string): Promise<void> => {
  const closed = new Promise((resolve) => context.once('close', resolve))
  // Chromium notes in its profile which process has it, as the name of the machine and a number.
  const owner = await readlink(join(folder, 'SingletonLock'))
  process.kill(Number(owner.split('-').at(-1)), 'SIGKILL')
  await closed
}
