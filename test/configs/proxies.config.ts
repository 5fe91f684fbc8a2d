import { defineConfig } from 'vitest/config'

/** The proxies of `docs/proxies/` in front of the server (`npm run test:proxies`); `npm test` needs Node alone. */
export default defineConfig({
  test: {
    include: ['test/proxies/*.proxy-test.ts'],
    globalSetup: 'test/proxies/require-proxies.ts',
    // Each waits for a minute, and works for a few seconds.
    maxWorkers: 4,
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
})
