import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createReplica } from '../../support/known-account.ts'
import { createOfflineClient, type OfflineClient } from '../../support/offline-client.ts'
import { openFileServer } from '../../support/open-test-server.ts'

const server = await openFileServer()

const fields = fc.record(
  {
    title: fc.constantFrom('', 'milk', 'ключ'),
    tags: fc.constantFrom('', 'home', 'home work'),
    html: fc.constantFrom('<b>1</b>', '<b>2</b>'),
    archived: fc.constant(true),
    todoStatus: fc.boolean(),
  },
  { requiredKeys: ['title'] },
)

const settings = fc.record(
  {
    favorite: fc.boolean(),
    color: fc.constantFrom('#f00', '#00ff00', false),
    todo: fc.constantFrom(true, false, 'dont-strike'),
  },
  { requiredKeys: [] },
)

/** What one client does next. */
const action = fc.oneof(
  fc.record({ create: fields }),
  { weight: 3, arbitrary: fc.record({ change: fc.nat(4), to: fields }) },
  fc.record({ remove: fc.nat(20) }),
  fc.record({ setTag: fc.constantFrom('home', 'work', '__proto__'), to: settings }),
  { weight: 4, arbitrary: fc.record({ sync: fc.constantFrom('received', 'lost') }) },
)

const act = async (client: OfflineClient, what: ReturnType<typeof action.generate>['value'], date: number) => {
  if ('create' in what) client.create({ ...what.create, date })
  else if ('change' in what) client.change(what.change, what.to)
  else if ('remove' in what) client.remove(what.remove)
  else if ('setTag' in what) client.setTag(what.setTag, what.to)
  else await client.sync(what.sync === 'lost')
}

const history = fc.record({
  clients: fc.integer({ min: 2, max: 3 }),
  steps: fc.array(fc.tuple(fc.nat(2), action), { minLength: 5, maxLength: 50, size: 'max' }),
})

test('clients that work offline and lose responses end with what a full sync shows', async () => {
  await fc.assert(
    fc.asyncProperty(history, async ({ clients: count, steps }) => {
      const observer = await server.openDevice()
      const devices = await Promise.all(Array.from({ length: count }, () => server.openDevice(observer.userName)))
      const clients = devices.map(createOfflineClient)

      for (const [step, [index, what]] of steps.entries()) {
        const client = clients[index % count]
        if (client !== undefined) await act(client, what, step)
      }
      for (const client of [...clients, ...clients]) await client.sync()

      const full = createReplica()
      full.fold(await observer.sync())
      expect(clients.map(({ replica }) => replica.content())).toEqual(Array(count).fill(full.content()))
    }),
    { numRuns: 60 },
  )
})

test('a thing is created once however often its upload is repeated', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 8 }), async (attempts) => {
      const device = await server.openDevice()
      const client = createOfflineClient(device)

      for (const [date, count] of attempts.entries()) {
        client.create({ title: 'once', date })
        for (let attempt = 1; attempt <= count; attempt++) await client.sync(attempt < count)
      }

      expect((await device.get('/user/get')).body.thingCount).toBe(attempts.length)
    }),
    { numRuns: 30 },
  )
})

test('clients that sync at the same time also converge', async () => {
  const observer = await server.openDevice()
  const devices = await Promise.all(Array.from({ length: 3 }, () => server.openDevice(observer.userName)))
  const clients = devices.map(createOfflineClient)

  for (let round = 0; round < 30; round++) {
    for (const [index, client] of clients.entries()) {
      if (round % 3 === index) client.create({ title: `by ${index}`, date: round })
      client.change(round * 7, { title: `${index} in ${round}` })
      if (round % 5 === index) client.remove(round)
    }
    await Promise.all(clients.map((client, index) => client.sync(round % 4 === index)))
  }
  for (const client of [...clients, ...clients]) await client.sync()

  const full = createReplica()
  full.fold(await observer.sync())
  expect(clients.map(({ replica }) => replica.content())).toEqual(Array(3).fill(full.content()))
})
