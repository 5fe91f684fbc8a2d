import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openMemoryStore } from '../../src/store/memory-store.ts'
import { thingForm } from '../../src/things/thing.ts'
import { openFileServer } from '../support/open-test-server.ts'

const thingTotal = 100_000
const server = await openFileServer({ store: await openMemoryStore({ form: thingForm }) })
const device = await server.openDevice()
const html = 'x'.repeat(300)
for (let from = 0; from < thingTotal; from += 5000) {
  const things = Array.from({ length: 5000 }, (_, index) => ({ local_id: index, title: `ключ ${from + index}`, html }))
  await device.sync({ new_thing: things, limit: 0 })
}

/** Lists the account in a process of its own, so that nothing but the client counts. */
const list = async (way: string): Promise<{ listed: number; bytes: number; heldBytes: number; seconds: number }> => {
  const listing = fileURLToPath(new URL('../support/memory.ts', import.meta.url))
  const program = ['--expose-gc', '--import', 'tsx', listing, server.baseUrl, device.token, way]
  const { stdout } = await promisify(execFile)(process.execPath, program)
  console.log(stdout.trim())
  return JSON.parse(stdout)
}

test.each(['stream', 'pages', 'replica'])(
  '100,000 things are listed as %s in memory that the listing does not fill',
  async (way) => {
    const { listed, heldBytes } = await list(way)

    expect(listed).toBe(thingTotal)
    expect(heldBytes).toBeLessThan(3_000_000)
  },
  300_000,
)

test('the measurement shows a client that holds the whole listing', async () => {
  expect((await list('whole')).heldBytes).toBeGreaterThan(30_000_000)
})
