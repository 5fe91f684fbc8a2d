import { once } from 'node:events'
import { expect, test } from 'vitest'
import { encodings } from '../../../src/wire/compress.ts'
import { openFileServer } from '../../support/open-test-server.ts'
import { openRaw, rawHead } from '../../support/raw-connection.ts'
import { recordLog } from '../../support/record-log.ts'

const { log, lines } = recordLog('debug')
const server = await openFileServer({ log })

test('a download that its client breaks off is one line of information, and no error', async () => {
  const { token, sync } = await server.openDevice()
  for (let round = 0; round < 10; round += 1) {
    await sync({
      limit: 0,
      new_thing: Array.from({ length: 2000 }, (_, i) => ({ local_id: i, title: `${i}`, html: `${i}`.repeat(200) })),
    })
  }
  await expect.poll(() => lines.length).toBe(10)
  lines.length = 0

  for (const encoding of encodings) {
    for (const leave of ['destroy', 'resetAndDestroy'] as const) {
      const headers = { authorization: `Bearer ${token}`, 'accept-encoding': encoding }
      const { socket } = await openRaw(server.baseUrl, rawHead('GET', '/v1/sync', headers))
      await once(socket, 'data')
      socket.pause()
      socket[leave]()
    }
  }

  const count = 2 * encodings.length
  await expect.poll(() => lines.filter(({ level }) => level === 'info').length).toBe(count)
  expect(lines.filter(({ isComplete }) => isComplete === false)).toHaveLength(count)
  expect(lines.filter(({ level, err }) => err !== undefined || !['info', 'debug'].includes(String(level)))).toEqual([])
})
