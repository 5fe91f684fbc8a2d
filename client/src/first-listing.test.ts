import { expect, test } from 'vitest'
import { openFileServer, type TestDevice } from '../../test/support/open-test-server.ts'
import { openTestReplica, shownByServer } from '../../test/support/replica.ts'
import type { Send } from './api.ts'

const server = await openFileServer()
const total = 1_000
const sizes = { pageSize: 200, entriesPerWrite: 50 }

const openFilled = async (): Promise<TestDevice> => {
  const device = await server.openDevice()
  const things = Array.from({ length: total }, (_, index) => ({
    local_id: index,
    title: `thing ${index}`,
    tags: index % 2 === 0 ? 'home' : 'todo',
    date: index,
  }))
  await device.sync({ from: 0, new_thing: things, tag: { todo: { todo: true } } })
  return device
}

/** Sends requests and records them; response number `cutAt` breaks off after half of its bytes. */
const createLine = (cutAt: number, before: (request: Request) => Promise<unknown> = async () => undefined) => {
  const requested: string[] = []
  let bytes = 0
  const carry: Send = async (request) => {
    await before(request)
    requested.push(new URL(request.url).search)
    const response = await fetch(request)
    const body = new Uint8Array(await response.arrayBuffer())
    const isCut = requested.length === cutAt
    bytes += isCut ? body.length / 2 : body.length
    return new Response(isCut ? halfOf(body) : body, { status: response.status })
  }
  return { carry, requested: requested, countBytes: () => bytes }
}

const halfOf = (bytes: Uint8Array<ArrayBuffer>) =>
  new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(bytes.slice(0, bytes.length / 2)),
    pull: (controller) => controller.error(new TypeError('terminated')),
  })

const countShown = async ({ content }: { content: () => Promise<object> }): Promise<number> =>
  ((await content()) as { things: unknown[] }).things.length

test('a first full sync that is cut off goes on there, also after a restart, and shows the listed things', async () => {
  const device = await openFilled()
  const whole = createLine(0)
  await (await openTestReplica(server, device.userName, sizes, whole.carry)).sync()
  const line = createLine(3)
  const fixture = await openTestReplica(server, device.userName, sizes, line.carry)

  await expect(fixture.replica().sync()).rejects.toMatchObject({ code: 'network' })
  const shown = await countShown(fixture)
  await fixture.restart()
  const progress: (readonly [listed: number, thingCount: number | undefined])[] = []
  const onProgress = ({ listed, thingCount }: { listed: number; thingCount: number | undefined }) =>
    progress.push([listed, thingCount])
  const result = await fixture.replica().sync({ onProgress })

  expect(shown).toBe(450)
  expect(result.listed).toBe(total - shown)
  expect(line.requested).toEqual([
    '?limit=200',
    '?skip=200&limit=200',
    '?skip=400&limit=200',
    '?skip=450&limit=200',
    '?skip=650&limit=200',
    '?skip=850&limit=200',
    // The changes since the first page.
    expect.stringMatching(/^\?from=\d+$/),
  ])
  // Half a page twice, and the text around the things of a page.
  expect(line.countBytes()).toBeLessThan(whole.countBytes() * 1.1)
  expect(progress.find(([listed]) => listed > 0)?.[0]).toBeGreaterThan(shown)
  expect(progress.findLast(([, thingCount]) => thingCount !== undefined)).toEqual([total, total])
  expect(await fixture.content()).toEqual(await shownByServer(device))
})

test('changes by other devices and edits during a listing that is cut off are there in the end', async () => {
  const device = await openFilled()
  const line = createLine(3)
  const fixture = await openTestReplica(server, device.userName, sizes, line.carry)
  await expect(fixture.replica().sync()).rejects.toMatchObject({ code: 'network' })
  const [first, second] = await fixture.replica().listNewest(2)

  await device.sync({ new_thing: [{ local_id: 'x', title: 'made elsewhere', date: 5_000 }] })
  await device.sync({ deleted_thing: [second?.id ?? ''] })
  await fixture.replica().change(first?.id ?? '', { html: '<p>edited here</p>' })
  await fixture.replica().create({ title: 'made here', date: 6_000 })
  await fixture.sync()

  const newest = await fixture.replica().listNewest(2)
  expect(newest.map(({ title }) => title)).toEqual(['made here', 'made elsewhere'])
  expect(await fixture.replica().findThing(first?.id ?? '')).toMatchObject({ html: '<p>edited here</p>' })
  expect(await fixture.content()).toEqual(await shownByServer(device))
})

test('when the server has lost the listing, everything is listed again, and no edit is lost', async () => {
  const device = await openFilled()
  const line = createLine(3)
  const fixture = await openTestReplica(server, device.userName, sizes, line.carry)
  await expect(fixture.replica().sync()).rejects.toMatchObject({ code: 'network' })
  const [first] = await fixture.replica().listNewest(1)
  await fixture.replica().change(first?.id ?? '', { title: 'edited here' })
  const [removed] = ((await device.sync()).things?.changed ?? []) as unknown as { _id: string }[]
  await device.sync({ deleted_thing: [removed?._id ?? ''] })

  // A listing belongs to its session.
  await fixture.signInAgain()
  await fixture.sync()

  expect(line.requested.slice(3, 6)).toEqual(['?skip=450&limit=200', '?limit=200', '?skip=200&limit=200'])
  expect(await fixture.replica().findThing(first?.id ?? '')).toMatchObject({ title: 'edited here', isPending: false })
  expect(await fixture.content()).toEqual(await shownByServer(device))
})

test('with a server whose pages never fit together, one response lists everything', async () => {
  const device = await openFilled()
  // Each page is of another session, and of another position.
  const line = createLine(0, async (request) => {
    if (!new URL(request.url).searchParams.has('skip')) return
    await device.sync({ new_thing: [{ local_id: 'x', title: 'more' }] })
    const { token } = await server.openDevice(device.userName)
    request.headers.set('authorization', `Bearer ${token}`)
  })
  const fixture = await openTestReplica(server, device.userName, sizes, line.carry)

  await fixture.sync()

  expect(line.requested.filter((query) => query === '')).toEqual([''])
  expect(line.requested.length).toBeLessThan(10)
  expect(await fixture.content()).toEqual(await shownByServer(device))
})

test('one request lists an account that fits on a page', async () => {
  const device = await server.openDevice()
  await device.sync({ new_thing: [{ local_id: 'x', title: 'one' }] })
  const line = createLine(0)
  const fixture = await openTestReplica(server, device.userName, {}, line.carry)

  await fixture.sync()

  expect(line.requested).toEqual(['?limit=5000'])
})

test('many things are found together by the requested ids, also by client-assigned IDs', async () => {
  const device = await openFilled()
  const fixture = await openTestReplica(server, device.userName, sizes)
  const local = await fixture.replica().create({ title: 'made here', date: 9_999 })
  await fixture.sync()
  const newest = await fixture.replica().listNewest(3)

  const found = await fixture.replica().findThings([local, newest[1]?.id ?? '', 'nothing'])

  expect([...found]).toEqual([
    [local, newest[0]],
    [newest[1]?.id, newest[1]],
  ])
  expect(newest.map(({ date }) => date)).toEqual([9_999, 999, 998])
})

test('the newest things are right after things were archived, dated or deleted, and after a restart', async () => {
  const device = await openFilled()
  const fixture = await openTestReplica(server, device.userName, sizes)
  await fixture.sync()
  const before = await fixture.replica().listNewest(1_000)
  await Promise.all([
    fixture.replica().change(before[0]?.id ?? '', { archived: true }),
    fixture.replica().change(before[1]?.id ?? '', { date: 1 }),
    fixture.replica().change(before.at(-1)?.id ?? '', { date: 20_000 }),
    fixture.replica().remove(before[2]?.id ?? ''),
  ])
  const dates = async () => (await fixture.replica().listNewest(3)).map(({ date }) => date)

  const waiting = await dates()
  await fixture.sync()
  const sent = await dates()
  await fixture.restart()

  expect(before.length).toBe(total)
  expect([waiting, sent, await dates()]).toEqual(Array(3).fill([20_000, 996, 995]))
})
