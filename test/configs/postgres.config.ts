import { defineConfig } from 'vitest/config'
import { balancerMissing, findMissing, findPostgres } from '../postgres/find-postgres.ts'
import { findPatroni } from '../postgres/patroni/find-patroni.ts'

// What is about a data folder, or about no server, is in `npm test` alone.
const ofFolders = ['backup', 'earlier-folders', 'expectations', 'verify']
const ofNoServer = ['webhook-receivers', 'live-ended-tokens']

/** The store on a real PostgreSQL (`npm run test:postgres`), which the tests start; `npm test` needs Node alone. */
export default defineConfig({
  test: {
    // Where it is missing the global setup says so.
    include:
      findPostgres() === undefined
        ? ['test/postgres/not-tried.ts']
        : ['test/postgres/*.postgres-test.ts', 'src/acceptance/*.test.ts'],
    exclude: [
      ...[...ofFolders, ...ofNoServer].map((name) => `src/acceptance/${name}.test.ts`),
      ...(findPatroni() === undefined ? ['test/postgres/patroni.postgres-test.ts'] : []),
      ...(findMissing() === balancerMissing ? ['test/postgres/conformance.postgres-test.ts'] : []),
    ],
    globalSetup: 'test/postgres/postgres-for-tests.ts',
    provide: { testStore: 'postgres' },
    isolate: false,
    maxWorkers: 2,
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
})
