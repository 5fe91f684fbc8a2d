import { type BrowserServer, chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { chromiumMissing, findChromium } from './find-chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the browser of all tests is reached. */
    readonly browserAddress: string
  }
}

/** Turn off all that the tests do not need: background requests of a browser fail loudly in a closed network. */
export const chromiumFlags: readonly string[] = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Starts one browser for all tests, with a new profile, and ends it after them. Without Chromium it says so and ends. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const executablePath = findChromium(process.env.CHROMIUM)
  if (executablePath === undefined) {
    process.stderr.write(chromiumMissing)
    process.exit(1)
  }
  const browser: BrowserServer = await chromium.launchServer({ executablePath, args: [...chromiumFlags] })
  project.provide('browserAddress', browser.wsEndpoint())
  return () => browser.close()
}
