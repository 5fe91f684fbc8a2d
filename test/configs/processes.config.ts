import { defineConfig } from 'vitest/config'

/**
 * What starts the program as users do: commands and servers in processes of their own, terminals that are closed, containers
 * that are suspended, servers that are killed (`npm run test:processes`). Starting a process some hundred times takes
 * minutes, so `npm test` leaves these out.
 */
export default defineConfig({
  test: {
    include: ['test/processes/**/*.test.ts'],
    globalSetup: 'test/support/build-program.ts',
    maxWorkers: 2,
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
})
