import { defineConfig } from 'vitest/config'

/** The whole self-test of the suite (`npm run test:selftest`): every fault, every legal difference; `npm test` takes a sample. */
export default defineConfig({
  test: {
    include: ['conformance/**/*.selftest.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    // Rules of what a server tells wait for it: two servers at a time wait for each other's processor alone.
    maxConcurrency: 2,
  },
})
