import { defineConfig } from 'vitest/config'
import { balancerMissing, findMissing, findPostgres } from '../postgres/find-postgres.ts'
import { exposeConstants } from '../postgres/list-statements.ts'
import { findPatroni } from '../postgres/patroni/find-patroni.ts'

// What is about a data folder, about documents or about no server is in `npm test` alone.
const notOfStores = [
  'commands/*',
  'documents/expectations',
  'documents/implement-a-server',
  'delivery/webhook-receivers',
  'live/live-ended-tokens',
]

/** The store on a real PostgreSQL (`npm run test:postgres`), which the tests start; `npm test` needs Node alone. */
export default defineConfig({
  plugins: [exposeConstants()],
  test: {
    // Where it is missing the global setup says so.
    include:
      findPostgres() === undefined
        ? ['test/postgres/not-tried.ts']
        : ['test/postgres/*.test.ts', 'test/acceptance/*/*.test.ts'],
    exclude: [
      ...notOfStores.map((name) => `test/acceptance/${name}.test.ts`),
      ...(findPatroni() === undefined ? ['test/postgres/patroni.test.ts'] : []),
      ...(findMissing() === balancerMissing ? ['test/postgres/conformance.test.ts'] : []),
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
