import { defineConfig, mergeConfig } from 'vitest/config'
import browser from './vitest.browser.config.ts'

/** Pictures of all pages into `docs/pictures/` (`npm run pictures`). */
export default mergeConfig(
  { ...browser, test: { ...browser.test, include: [] } },
  defineConfig({ test: { include: ['src/acceptance/browser/*.pictures.ts'] } }),
)
