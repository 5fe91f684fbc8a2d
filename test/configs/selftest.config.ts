import { defineConfig } from 'vitest/config'

/** The whole self-test of the suite (`npm run test:selftest`): every fault, every legal difference; `npm test` takes a sample. */
export default defineConfig({
  test: {
    include: ['conformance/selftest/whole/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    // Rules of live updates and webhooks mostly wait for the server: other rules run meanwhile.
    maxConcurrency: 4,
  },
})
