import { defineConfig } from 'vitest/config'

/** The whole self-test of the suite (`npm run test:selftest`): every fault, every legal difference; `npm test` takes a sample. */
export default defineConfig({
  test: {
    include: ['conformance/**/*.selftest.ts'],
    testTimeout: 300_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    // Rules of what a server tells mostly wait for it: others are judged meanwhile.
    maxConcurrency: 4,
  },
})
