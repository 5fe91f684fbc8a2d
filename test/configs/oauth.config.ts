import { defineConfig } from 'vitest/config'

/** OAuth clients of other projects (`npm run test:oauth`), some in Python and Go; `npm test` needs Node alone. */
export default defineConfig({
  test: { include: ['test/oauth/**/*.test.ts'], testTimeout: 300_000, hookTimeout: 300_000 },
})
