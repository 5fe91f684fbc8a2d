import { defineConfig } from 'vitest/config'

/** Scores of the pages into `docs/benchmarks/lighthouse/` (`npm run lighthouse`); on a quiet machine, because they are times. */
export default defineConfig({
  test: {
    include: ['src/acceptance/lighthouse/*.lighthouse-test.ts'],
    globalSetup: ['src/acceptance/build-program.ts'],
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
})
