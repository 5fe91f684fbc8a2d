import { defineConfig } from 'vitest/config'

/** The client of this project, checked by the suite of clients (`npm run test:clients`), in Node and in Chromium. */
export default defineConfig({
  test: {
    include: ['test/clients/*.test.ts'],
    // The runs of the suite share the cores with nothing.
    maxWorkers: 1,
    testTimeout: 1_200_000,
    hookTimeout: 300_000,
  },
})
