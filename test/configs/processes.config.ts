import { defineConfig } from 'vitest/config'

/**
 * Terminals that are closed, containers that are suspended, servers that are killed (`npm run test:processes`): each waits
 * for other processes most of its time, so `npm test` leaves them out.
 */
export default defineConfig({
  test: {
    include: ['src/acceptance/processes/*.process-test.ts'],
    globalSetup: 'src/acceptance/build-program.ts',
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
})
