import { join } from 'node:path'
import { defineConfig, mergeConfig } from 'vitest/config'
import browser from './browser.config.ts'

// Of the browser that the global setup starts.
process.env.FONTCONFIG_FILE ??= join(import.meta.dirname, '../browser/fonts.conf')

/** Pictures of all pages into `pictures/`, and those that documents show into `docs/pictures/`, too (`npm run pictures`). */
export default mergeConfig(
  { ...browser, test: { ...browser.test, include: [] } },
  defineConfig({ test: { include: ['test/browser/pictures/*.test.ts'] } }),
)
