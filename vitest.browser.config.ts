import { defineConfig } from 'vitest/config'

/** Tests in a real browser (`npm run test:browser`), which needs Chromium. */
export default defineConfig({
  test: {
    include: ['src/acceptance/browser/*.browser-test.ts'],
    globalSetup: ['src/acceptance/browser/launch-chromium.ts', 'src/acceptance/build-program.ts'],
    isolate: false,
    maxWorkers: 2,
    // Two tests of the web app press and read faster than it draws (web-keys, web-axe 'edit'): found, not yet mended.
    retry: 2,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // As patient as what waits for an element.
    expect: { poll: { timeout: 15_000 } },
  },
})
