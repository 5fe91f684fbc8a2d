import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openTestServer } from '../../support/open-test-server.ts'

const page = await readFile(new URL('../../../docs/how-to/clients/real-time.md', import.meta.url), 'utf8')

test('the program of the page syncs at once and after each change, until the server stops', async () => {
  const server = await openTestServer()
  const reading = await server.openDevice()
  const writing = await server.openDevice(reading.userName)
  const [, code = ''] = /^```js\n([\s\S]*?)^```$/m.exec(page) ?? []
  const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor
  const program = new AsyncFunction('server', 'token', 'replica', 'sync', code)
  const replica = { pos: -1 }
  const titles: unknown[] = []
  let synced = (): void => undefined
  const untilSynced = () =>
    new Promise<void>((resolve) => {
      synced = resolve
    })
  const sync = async () => {
    const { body } = await reading.get('/sync', { query: { from: String(Math.max(0, replica.pos)) } })
    const { changed } = (body.things ?? {}) as { changed?: { title: string }[] }
    titles.push(...(changed ?? []).map(({ title }) => title))
    replica.pos = Number(body.pos)
    synced()
  }

  const first = untilSynced()
  const running = program(server.baseUrl.replace(/\/$/, ''), reading.token, replica, sync)
  await first
  const second = untilSynced()
  await writing.sync({ new_thing: [{ local_id: 'n1', title: 'Buy milk' }] })
  await second
  await server.close()
  await running

  expect([replica.pos, titles]).toEqual([1, ['Buy milk']])
})
