import { defineConfig } from 'vitest/config'

/** The web app and the extension in Firefox (`npm run test:firefox`), which needs Firefox; Chromium has all others. */
export default defineConfig({
  test: {
    include: ['test/firefox/*.test.ts'],
    globalSetup: ['test/firefox/require-firefox.ts', 'test/support/build-program.ts'],
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
})
