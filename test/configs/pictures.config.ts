import { join } from 'node:path'
import { defineConfig, mergeConfig } from 'vitest/config'
import browser from './browser.config.ts'

// Of the browser that the global setup starts.
process.env.FONTCONFIG_FILE ??= join(import.meta.dirname, '../../src/acceptance/browser/fonts.conf')

/** Pictures of all pages into `docs/pictures/` (`npm run pictures`). */
export default mergeConfig(
  { ...browser, test: { ...browser.test, include: [] } },
  defineConfig({ test: { include: ['src/acceptance/browser/*.pictures.ts'] } }),
)
