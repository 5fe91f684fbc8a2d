import { defineConfig } from 'vitest/config'

/** Tests in a real browser (`npm run test:browser`), which needs Chromium. */
export default defineConfig({
  test: {
    include: ['src/acceptance/browser/*.browser-test.ts'],
    globalSetup: ['src/acceptance/browser/launch-chromium.ts', 'src/acceptance/build-program.ts'],
    isolate: false,
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 120_000,
    // As patient as what waits for an element.
    expect: { poll: { timeout: 60_000 } },
  },
})
