import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createReplica } from '../../support/known-account.ts'
import { openFileServer, type TestDevice } from '../../support/open-test-server.ts'
import type { Body } from '../../support/test-request.ts'

const server = await openFileServer()

const create = async (device: TestDevice, ...titles: string[]): Promise<string[]> => {
  const { things } = await device.sync({ new_thing: titles.map((title) => ({ local_id: title, title, date: 0 })) })
  return titles.map((title) => String(things?.new?.[title]))
}

const show = ({ pos, thingCount, things }: Body) => ({
  pos,
  thingCount,
  changed: ((things?.changed ?? []) as unknown as { title: string }[]).map(({ title }) => title).join(''),
  deleted: things?.deleted,
})

test('skip and limit page through changed, then deleted, by GET and by POST', async () => {
  const { phone, laptop } = await server.openTwoDevices()
  const ids = await create(phone, 'a', 'b', 'c', 'd', 'e')
  const { pos } = await laptop.sync()
  await phone.sync({ changed_thing: [{ _id: ids[0], title: 'A' }], deleted_thing: [ids[1], ids[2]] })
  await create(phone, 'f')

  const windows: [number, number][] = [
    [0, 1],
    [1, 2],
    [2, 5],
    [4, 5],
    [3, 0],
    [99, 2],
  ]
  const pages = []
  for (const [skip, limit] of windows) {
    const query = { from: String(pos), skip: String(skip), limit: String(limit) }
    const byGet = (await laptop.get('/sync', { query })).body
    expect((await laptop.post('/sync', { form: query })).body).toEqual(byGet)
    pages.push(show(byGet))
  }

  const page = (changed: string, deleted?: (string | undefined)[]) => ({ pos: 9, thingCount: 4, changed, deleted })
  expect(pages).toEqual([page('A'), page('f', [ids[1]]), page('', [ids[1], ids[2]]), page(''), page(''), page('')])
})

test('skip alone gives the rest, and limit=0 no things but the count', async () => {
  const { phone, laptop } = await server.openTwoDevices()
  await create(phone, 'a', 'b', 'c')

  const rest = await laptop.sync({ skip: 1 })
  const none = await laptop.sync({ limit: 0 })

  expect(show(rest)).toMatchObject({ pos: 3, thingCount: 3, changed: 'bc' })
  expect(none).toEqual({ pos: 3, thingCount: 3 })
})

test('pages stay one listing while another client creates, changes and deletes', async () => {
  const { phone, laptop } = await server.openTwoDevices()
  const ids = await create(phone, 'a', 'b', 'c', 'd', 'e', 'f')

  const pages = []
  for (let skip = 0; skip < 6; skip += 2) {
    pages.push(show(await laptop.sync({ skip, limit: 2 })))
    await phone.sync({ changed_thing: [{ _id: ids[skip], title: 'X' }], deleted_thing: [ids[skip + 1]] })
    await create(phone, 'n')
  }

  const page = (changed: string) => ({ pos: 6, thingCount: 6, changed, deleted: undefined })
  expect(pages).toEqual([page('ab'), page('cd'), page('ef')])
})

test('a page may be requested again, and a first page begins a new listing', async () => {
  const { phone, laptop } = await server.openTwoDevices()
  await create(phone, 'a', 'b', 'c', 'd')

  await laptop.sync({ limit: 2 })
  await create(phone, 'e')
  const twice = [await laptop.sync({ skip: 2, limit: 2 }), await laptop.sync({ skip: 2, limit: 2 })]
  await laptop.sync({ limit: 2 })
  const restarted = await laptop.sync({ skip: 2, limit: 9 })

  expect(twice.map(show)).toEqual(Array(2).fill({ pos: 4, thingCount: 4, changed: 'cd', deleted: undefined }))
  expect(show(restarted)).toEqual({ pos: 5, thingCount: 5, changed: 'cde', deleted: undefined })
})

test('the listings of two devices, and of two froms, do not disturb each other', async () => {
  const { phone, laptop } = await server.openTwoDevices()
  await create(phone, 'a', 'b', 'c', 'd')

  await laptop.sync({ limit: 1 })
  await laptop.sync({ from: 1, limit: 1 })
  await create(phone, 'e')
  await phone.sync({ limit: 1 })
  const pages = [
    await laptop.sync({ skip: 1, limit: 9 }),
    await laptop.sync({ from: 1, skip: 1, limit: 9 }),
    await phone.sync({ skip: 1, limit: 9 }),
  ]

  expect(pages.map(show)).toEqual([
    { pos: 4, thingCount: 4, changed: 'bcd', deleted: undefined },
    { pos: 4, thingCount: 3, changed: 'cd', deleted: undefined },
    { pos: 5, thingCount: 5, changed: 'bcde', deleted: undefined },
  ])
})

test('an upload with a later page is applied, and comes with the next incremental sync', async () => {
  const { phone, laptop } = await server.openTwoDevices()
  await create(phone, 'a', 'b', 'c')
  const first = await laptop.sync({ limit: 2 })

  const second = await laptop.sync({ skip: 2, limit: 2, new_thing: [{ local_id: 'n', title: 'n', date: 0 }] })

  expect(second).toMatchObject({
    pos: 3,
    thingCount: 4,
    things: { new: { n: expect.any(String) }, changed: [{ title: 'c' }] },
  })
  expect(show(await laptop.sync({ from: first.pos }))).toMatchObject({ pos: 4, changed: 'n' })
  expect(show(await phone.sync())).toMatchObject({ changed: 'abcn' })
})

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ page: fc.constant('download') }) },
  fc.record({ page: fc.constant('download and create') }),
  fc.record({ write: fc.constantFrom('a thing', 'a tag') }),
  fc.record({ change: fc.nat(9) }),
  fc.record({ remove: fc.nat(9) }),
)

/** A device that downloads page by page and stores the position of its first or of its last page. */
const openReader = (device: TestDevice, limit: number, stores: 'first' | 'last') => {
  const replica = createReplica()
  const state = { from: 0, skip: 0, first: 0, created: 0 }

  /** Fetches the next page; true when it was the last of its listing. */
  const fetchPage = async (isCreating = false): Promise<boolean> => {
    const thing = { local_id: `own ${state.created++}`, title: 'own', date: state.created }
    const upload = isCreating ? { new_thing: [thing] } : {}
    const response = await device.sync({ from: state.from, skip: state.skip, limit, ...upload })
    replica.fold(response)
    for (const _id of Object.values(response.things?.new ?? {}).map(String)) {
      replica.things.set(_id, { _id, title: 'own', tags: '', date: thing.date })
    }
    if (state.skip === 0) state.first = Number(response.pos)
    state.skip += limit
    const isLast = state.skip >= Number(response.thingCount ?? 0) - (isCreating ? 1 : 0)
    if (isLast) Object.assign(state, { skip: 0, from: stores === 'first' ? state.first : Number(response.pos) })
    return isLast
  }
  const finish = async () => {
    while (!(await fetchPage())) {}
  }
  return { replica, fetchPage, finish }
}

test.each(['first', 'last'] as const)(
  'a client that stores the pos of its %s page misses nothing while others write',
  async (stores) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }),
        fc.integer({ min: 1, max: 3 }),
        async (steps, limit) => {
          const { phone, laptop } = await server.openTwoDevices()
          const ids = await create(phone, 'a', 'b', 'c', 'd')
          const reader = openReader(laptop, limit, stores)

          for (const [index, one] of steps.entries()) {
            const title = `title ${index}`
            if ('page' in one) await reader.fetchPage(one.page === 'download and create')
            else if ('change' in one)
              await phone.sync({ changed_thing: [{ _id: ids[one.change % ids.length], title }] })
            else if ('remove' in one) await phone.sync({ deleted_thing: [ids[one.remove % ids.length]] })
            else if (one.write === 'a thing') ids.push(...(await create(phone, title)))
            else await phone.sync({ tag: { [title]: { favorite: true } } })
          }
          await reader.finish()
          await reader.finish()

          const full = createReplica()
          full.fold(await phone.sync())
          expect(reader.replica.content()).toEqual(full.content())
        },
      ),
      { numRuns: 40 },
    )
  },
)
