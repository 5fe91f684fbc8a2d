import { defineConfig } from 'vitest/config'

/** Tests that need a tool from outside npm (`npm run test:tools`); the README's `npm test` needs Node alone. */
export default defineConfig({
  test: { include: ['scripts/**/*.tool-test.ts'], testTimeout: 300_000 },
})
