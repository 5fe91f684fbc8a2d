import { expect, onTestFinished, test } from 'vitest'
import { type Environment, systemEnvironment } from '../../../src/environment.ts'
import { openMemoryStore } from '../../../src/store/memory-store.ts'
import type { Store } from '../../../src/store/store.ts'
import { thingForm } from '../../../src/things/thing.ts'
import { openTestServer } from '../../support/open-test-server.ts'

const thingTotal = 10_000
const html = 'ключ ]},{"\\ % + & ='.repeat(10)
const createThings = () => Array.from({ length: thingTotal }, (_, i) => ({ local_id: i, title: `thing ${i}`, html }))
const settings = { maxBodyBytes: 100_000_000 }

/** Records what clients see while an upload is applied, with the positions of small requests meanwhile. */
const watchServer = async () => {
  const events: string[] = []
  const environment: Environment = {
    ...systemEnvironment,
    newId: () => {
      if (events.at(-1) !== 'thing') events.push('thing')
      return systemEnvironment.newId()
    },
  }
  const memory = await openMemoryStore({ form: thingForm })
  const store: Store = {
    ...memory,
    write: async (userId, writer, work) => {
      const result = await memory.write(userId, writer, work)
      events.push('visible')
      return result
    },
  }
  const server = await openTestServer({ settings, store, environment })
  const device = await server.openDevice()
  const other = await server.openDevice(device.userName)
  let isEnded = false
  const requestOften = async (): Promise<void> => {
    while (!isEnded) {
      const { body } = await other.get('/sync', { query: { limit: '0' } })
      events.push(`position ${body.pos}`)
    }
  }
  const asking = requestOften()
  const end = async (): Promise<void> => {
    isEnded = true
    await asking
  }
  onTestFinished(end)
  return { device, other, events, end }
}

test('small requests get responses during a large upload, which no client sees before all of it', async () => {
  const { device, events, end } = await watchServer()

  const { body } = await device.post('/sync', { form: { new_thing: JSON.stringify(createThings()) } })
  events.push('response')
  await end()

  const steps = events.filter((event, index) => event !== events[index - 1])
  const things = steps.flatMap((event, index) => (event === 'thing' ? [index] : []))
  const visible = steps.indexOf('visible')
  // Some while things are applied, some between the last thing and the moment in which all are visible.
  expect(steps.slice(things[0], things.at(-1))).toContain('position 0')
  expect(steps.slice(things.at(-1), visible)).toContain('position 0')
  expect(new Set(steps.filter((event) => event.startsWith('position')))).toEqual(
    new Set(['position 0', `position ${thingTotal}`]),
  )
  expect(steps.slice(0, visible)).not.toContain('response')
  expect(Object.keys(body.things?.new ?? {})).toHaveLength(thingTotal)
})

test.each([
  ['one form field', { form: { new_thing: JSON.stringify(createThings()) } }],
  [
    'repeated form fields',
    { form: createThings().map((thing): [string, string] => ['new_thing[]', JSON.stringify(thing)]) },
  ],
  ['JSON', { json: { new_thing: createThings() } }],
])('10,000 things in %s are all kept as they were sent', async (_, request) => {
  const server = await openTestServer({ settings })
  const device = await server.openDevice()

  const { body } = await device.post('/sync', request)
  const listing = await (await server.openDevice(device.userName)).sync()

  const sent = createThings()
  const ids = body.things?.new
  expect(listing.thingCount).toBe(thingTotal)
  expect(listing.things?.changed).toEqual(
    sent.map(({ local_id, title }) => expect.objectContaining({ _id: ids?.[local_id], title, html })),
  )
})

test('a large upload with one wrong thing gets an error that names its index, and nothing is stored', async () => {
  const server = await openTestServer({ settings })
  const device = await server.openDevice()
  const things = [...createThings(), { local_id: 'x' }]

  const wrong = await device.post('/sync', { form: { new_thing: JSON.stringify(things) } })
  const shared = await device.post('/sync', { json: { new_thing: [...createThings(), { local_id: '77', title: '' }] } })

  expect([wrong.status, wrong.body.error_description]).toEqual([400, `new_thing[${thingTotal}].title is required`])
  expect([shared.status, shared.body.error_description]).toEqual([
    400,
    expect.stringContaining(`new_thing[${thingTotal}].local_id`),
  ])
  expect(await device.sync()).toEqual({ pos: 0 })
})

test('an upload goes on where a large one of the same account has not become visible yet', async () => {
  const server = await openTestServer({ settings })
  const device = await server.openDevice()

  const [large, small] = await Promise.all([
    device.sync({ new_thing: createThings() }),
    device.sync({ new_thing: [{ local_id: 'small', title: 'small' }] }),
  ])

  expect([large.pos, small.pos].sort()).toEqual([expect.any(Number), thingTotal + 1])
  expect((await device.sync()).thingCount).toBe(thingTotal + 1)
})
