import { defineConfig } from 'vitest/config'

/** The receivers of `docs/delivery/` in Python and PHP (`npm run test:receivers`); `npm test` needs Node alone. */
export default defineConfig({
  test: { include: ['scripts/receivers/*.receiver-test.ts'], testTimeout: 300_000 },
})
