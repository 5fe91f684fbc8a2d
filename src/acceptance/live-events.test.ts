import { expect, test } from 'vitest'
import { eventOf, openEventReader } from './event-reader.ts'
import { openFileServer } from './open-test-server.ts'

const server = await openFileServer()
const upload = (title = 'Buy milk') => ({ new_thing: [{ local_id: 'n1', title }] })

test('events say the position at once, and again after each change of another session', async () => {
  const reading = await server.openDevice()
  const writing = await server.openDevice(reading.userName)
  const { pos } = await writing.sync(upload())
  const events = await openEventReader(server.baseUrl, reading.token)
  const first = await events.next()
  const changed = await writing.sync(upload('Buy oat milk'))

  expect(events.status).toBe(200)
  expect(first).toBe(eventOf(pos))
  expect(await events.next()).toBe(eventOf(changed.pos))
})
