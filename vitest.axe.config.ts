import { defineConfig } from 'vitest/config'
export default defineConfig({ test: { root: '/work/wt/web-look', include: ["src/acceptance/browser/web-axe.browser-test.ts"], globalSetup: ['src/acceptance/browser/launch-chromium.ts'], testTimeout: 60000, maxConcurrency: 4 } })
