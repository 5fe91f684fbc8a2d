import { createClient } from '../../client/src/create-client.ts'
import type { LocalStore } from '../../client/src/local-store.ts'
import { createReplica } from '../../client/src/replica.ts'
import { keys } from '../../client/src/replica-records.ts'
import { createMemoryTokenStorage } from '../../client/src/tokens.ts'

/**
 * Lists an account in one of four ways and prints as JSON how much the heap held at most, garbage not counted, above
 * what it held before: `node --expose-gc --import tsx memory.ts <base URL> <access token> stream|pages|replica|whole`.
 */
const [baseUrl = '', accessToken = '', way] = process.argv.slice(2)
const tokens = createMemoryTokenStorage()
await tokens.write({ accessToken, requestToken: '', session: 'measurement', expiresAt: Number.POSITIVE_INFINITY })
const client = createClient({ baseUrl, clientId: '', clientSecret: '', tokens })

const measure = (): number => {
  if (globalThis.gc === undefined) throw new Error('start this with --expose-gc')
  globalThis.gc()
  return process.memoryUsage().heapUsed
}
// Once for nothing, so that code which is loaded on first use does not count.
await client.sync({ limit: 1 })
const before = measure()
const begun = performance.now()
let highest = before
let listed = 0
let bytes = 0

const count = (things: number): void => {
  const last = listed
  listed += things
  if (Math.floor(last / 5000) !== Math.floor(listed / 5000)) highest = Math.max(highest, measure())
}
/** Replaces a database: only counts things, and keeps where the replica stands. */
const createCountingStore = (countThings: (things: number) => void): LocalStore => {
  let state: unknown
  return {
    get: async (key) => (key === keys.state ? state : undefined),
    async *list() {},
    write: async (changes) => {
      state = changes.get(keys.state) ?? state
      countThings([...changes.keys()].filter((key) => key.startsWith(keys.thing(''))).length)
    },
  }
}
const onProgress = (progress: { readonly bytes: number }) => {
  bytes = progress.bytes
}

if (way === 'stream')
  for await (const { kind } of client.streamSync({}, { onProgress })) count(kind === 'changed' ? 1 : 0)
else if (way === 'replica') {
  const store = createCountingStore(count)
  await (await createReplica({ client, store })).sync({ onProgress })
} else if (way === 'pages') for await (const page of client.listChanges({ pageSize: 500 })) count(page.changed.length)
else {
  const response = await client.sync({}, { onProgress })
  count(response.things?.changed?.length ?? 0)
}
const seconds = (performance.now() - begun) / 1000
console.log(JSON.stringify({ way, listed, bytes, heldBytes: highest - before, seconds }))
