import { defineConfig } from 'vitest/config'

/** Tests in a real browser (`npm run test:browser`), which needs Chromium. */
export default defineConfig({
  test: {
    include: ['test/browser/*.test.ts'],
    globalSetup: ['test/support/launch-chromium.ts', 'test/support/build-program.ts'],
    isolate: false,
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 120_000,
    // As long as the waits for an element.
    expect: { poll: { timeout: 60_000 } },
  },
})
