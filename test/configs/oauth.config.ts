import { defineConfig } from 'vitest/config'

/** Other people's OAuth clients (`npm run test:oauth`), some of them in Python and Go; `npm test` needs Node alone. */
export default defineConfig({
  test: { include: ['scripts/oauth/**/*.oauth-test.ts'], testTimeout: 300_000, hookTimeout: 300_000 },
})
