import { defineConfig } from 'orval'

export default defineConfig({
  thingsync: {
    input: process.env.DOCUMENT ?? 'openapi.sdk.yaml',
    output: {
      target: 'client/thingsync.ts',
      client: 'fetch',
      override: { mutator: { path: './send.ts', name: 'send' } },
    },
  },
})
