import { defineConfig } from 'vitest/config'

/** Builds, installs and starts packages, archive and container (`npm run test:packages`); needs Debian and root. */
export default defineConfig({
  test: {
    include: ['test/packages/*.test.ts'],
    globalSetup: 'test/packages/prepare.ts',
    // Each takes less than a minute, and on a machine that is busy with other things twenty times that.
    testTimeout: 1_200_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 2,
  },
})
