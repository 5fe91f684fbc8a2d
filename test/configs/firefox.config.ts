import { defineConfig } from 'vitest/config'

/** One walk through the web app in Firefox (`npm run test:firefox`), which needs Firefox; Chromium has all others. */
export default defineConfig({
  test: {
    include: ['src/acceptance/firefox/*.firefox-test.ts'],
    globalSetup: ['src/acceptance/firefox/require-firefox.ts', 'src/acceptance/build-program.ts'],
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
})
