import { dirname, join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Modules that the entry point of the package exports, and that acceptance tests open a server with. */
const exported = /\/src\/(http\/server|store\/memory-store|store\/json-file-store|store\/store)\.ts$/

/**
 * Runs commands and acceptance tests against the packed and installed server (`npm run test:installed`). Commands run the
 * installed program. Tests that open a server in their own process open that of the installed package.
 */
export default defineConfig({
  plugins: [
    {
      name: 'installed-package',
      enforce: 'pre',
      async resolveId(source, importer) {
        if (importer === undefined || !/\/test\/(support|acceptance)\//.test(importer)) return
        const resolved = await this.resolve(source, importer, { skipSelf: true })
        if (resolved === null || !exported.test(resolved.id)) return
        const program = process.env.THINGSYNC_TEST_PROGRAM
        if (program === undefined)
          throw new Error('the package is not installed; test/support/install-package.ts does that')
        return { id: join(dirname(program), 'index.js'), external: true }
      },
    },
  ],
  test: {
    include: ['test/acceptance/**/*.test.ts', 'test/transfer/**/*.test.ts', 'test/processes/commands/**/*.test.ts'],
    globalSetup: 'test/support/install-package.ts',
    maxWorkers: 2,
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
})
