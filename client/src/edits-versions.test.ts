import { expect, test } from 'vitest'
import { openFileServer } from '../../test/support/open-test-server.ts'
import { openTestReplica } from '../../test/support/replica.ts'
import { versionsPerThing } from './edits.ts'
import { createMemoryLocalStore } from './local-store.ts'

const server = await openFileServer()

/** Creates two devices that both have one thing, which the phone has created. */
const openPair = async (now = () => 7_000, entriesPerWrite = 400) => {
  const { userName } = await server.openDevice()
  const phone = await openTestReplica(server, userName, { now, entriesPerWrite })
  const laptop = await openTestReplica(server, userName, { now })
  const localId = await phone.replica().create({ title: 'milk', tags: 'home', html: 'a long note', date: 5 })
  await phone.sync()
  await laptop.sync()
  return { userName, phone, laptop, id: await phone.replica().resolveId(localId) }
}
const created = { title: 'milk', tags: 'home', date: 5, html: 'a long note', archived: false }

test('a text that another device overwrites is reported once, survives a restart, and can be restored', async () => {
  const { phone, laptop, id } = await openPair()
  await laptop.replica().change(id, { html: 'overwritten', tags: 'laptop' })
  await laptop.sync()

  const { overwritten } = await phone.replica().sync()
  const version = { id, name: expect.any(String), replacedAt: 7_000, content: created }
  expect(overwritten).toEqual([{ ...version, why: 'overwritten', fields: ['tags', 'html'] }])
  expect(await phone.replica().sync()).toMatchObject({ overwritten: [] })
  await phone.restart()
  expect(await phone.replica().listVersions(id)).toEqual(overwritten)
  expect(await phone.replica().listOverwritten()).toEqual(overwritten)

  expect(await phone.replica().restoreVersion(id, String(overwritten[0]?.name))).toBe(id)
  expect(await phone.replica().findThing(id)).toMatchObject({ ...created, isPending: true })
  expect(await phone.replica().listVersions(id)).toMatchObject([
    { why: 'overwritten' },
    { why: 'restored', fields: ['tags', 'html'], content: { tags: 'laptop', html: 'overwritten' } },
  ])
  // A text that this device has replaced itself is not reported.
  expect(await phone.replica().listOverwritten()).toEqual(overwritten)
  await phone.sync()
  expect(await laptop.replica().sync()).toMatchObject({
    overwritten: [{ why: 'overwritten', fields: ['tags', 'html'], content: { html: 'overwritten' } }],
  })
})

test('texts that were not typed on this device, and switches, get no versions', async () => {
  const { phone, laptop, id } = await openPair()
  await phone.replica().change(id, { archived: true })
  await phone.sync()
  await laptop.sync()
  await laptop.replica().change(id, { url: 'https://a.example/', archived: false })
  await laptop.sync()

  expect(await phone.replica().sync()).toMatchObject({ listed: 1, overwritten: [] })
  // A change has a title because the interface requires it, not because a user typed it.
  await phone.replica().change(id, { title: 'oat milk' })
  await phone.sync()
  expect(await laptop.replica().sync()).toMatchObject({ listed: 1, overwritten: [] })

  expect(await phone.replica().listVersions(id)).toEqual([])
  expect(await laptop.replica().listVersions(id)).toEqual([])
})

test('a text of another device that an edit on this device replaces becomes a version', async () => {
  const { phone, laptop, id } = await openPair()
  await laptop.replica().change(id, { html: 'from the laptop' })
  await laptop.sync()

  await phone.replica().change(id, { html: 'from the phone' })
  const { overwritten } = await phone.replica().sync()

  // The laptop replaced the previous text of this device first.
  expect(overwritten).toMatchObject([{ why: 'overwritten', content: { html: 'a long note' } }])
  expect(await phone.replica().listVersions(id)).toMatchObject([
    { why: 'overwritten', content: { html: 'a long note' } },
    { why: 'replaced', fields: ['html'], content: { html: 'from the laptop' } },
  ])
  expect(await phone.replica().findThing(id)).toMatchObject({ html: 'from the phone' })
})

test('a thing that was typed on this device and deleted on another can be created again', async () => {
  const { phone, laptop, id } = await openPair()
  await laptop.replica().remove(id)
  await laptop.sync()

  const { overwritten, lost } = await phone.replica().sync()
  expect(lost).toEqual([])
  expect(overwritten).toMatchObject([{ id, why: 'deleted', fields: ['title', 'tags', 'html'], content: created }])
  const again = await phone.replica().restoreVersion(id, String(overwritten[0]?.name))

  expect(again).not.toBe(id)
  expect(await phone.replica().findThing(again)).toMatchObject(created)
  expect(await laptop.replica().listVersions(id)).toEqual([])
})

test.each([1, 400])(
  'a sync that fails after it saw an overwritten text reports it once (%i things per write)',
  async (entriesPerWrite) => {
    const { phone, laptop, id } = await openPair(undefined, entriesPerWrite)
    await laptop.replica().change(id, { html: 'overwritten' })
    for (let index = 0; index < 20; index++) await laptop.replica().create({ title: 'another' })
    await laptop.sync()

    phone.setFault('response cut')
    await phone.sync()
    phone.setFault('none')

    expect(await phone.replica().sync()).toMatchObject({ overwritten: [{ id, content: { html: 'a long note' } }] })
    expect((await phone.replica().listVersions(id)).length).toBe(1)
  },
)

test('versions that failed syncs saw, and versions of the next sync, are reported once each', async () => {
  const { phone, laptop, id } = await openPair(undefined, 1)
  await laptop.replica().change(id, { html: 'overwritten' })
  await laptop.sync()
  for (let index = 0; index < 20; index++) await laptop.replica().create({ title: 'another' })
  await laptop.sync()
  phone.setFault('response cut')
  await phone.sync()
  phone.setFault('none')
  await laptop.replica().remove(id)
  await laptop.sync()

  expect(await phone.replica().sync()).toMatchObject({
    overwritten: [
      { id, why: 'overwritten', fields: ['html'] },
      { id, why: 'deleted', fields: ['title', 'tags'] },
    ],
  })
})

test('the last ten versions of a thing are kept, for ninety days', async () => {
  let time = 7_000
  const { phone, laptop, id } = await openPair(() => time)
  for (let index = 0; index < versionsPerThing + 2; index++) {
    await phone.replica().change(id, { html: `phone ${index}` })
    await phone.sync()
    await laptop.sync()
    await laptop.replica().change(id, { html: `laptop ${index}` })
    await laptop.sync()
    await phone.sync()
  }
  const notes = (await phone.replica().listVersions(id)).map(({ content }) => content.html)
  expect(notes).toEqual(Array.from({ length: versionsPerThing }, (_, index) => `phone ${index + 2}`))

  time += 90 * 86_400_000
  await phone.restart()
  await phone.sync()
  expect(await phone.replica().listVersions(id)).toEqual([])
})

test('a version that does not exist cannot be restored', async () => {
  const { phone, id } = await openPair()

  await expect(phone.replica().restoreVersion(id, 'none')).rejects.toMatchObject({ code: 'unknown_thing' })
})

test('listeners get the changed things and tags, and the cause, after the write', async () => {
  const { userName } = await server.openDevice()
  const store = createMemoryLocalStore()
  const fixture = await openTestReplica(server, userName, { store })
  const other = await server.openDevice(userName)
  const replica = fixture.replica()
  const changes: object[] = []
  const unwatch = replica.watch(({ ids, tags, by }) => changes.push({ ids: [...ids], tags: [...tags], by }))
  const take = () => changes.splice(0)

  const localId = await replica.create({ title: 'milk' })
  await replica.setTag('home', { favorite: true })
  expect(take()).toEqual([
    { ids: [localId], tags: [], by: 'edit' },
    { ids: [], tags: ['home'], by: 'edit' },
  ])

  await replica.sync()
  const id = await replica.resolveId(localId)
  expect(take().at(-1)).toEqual({ ids: expect.arrayContaining([localId, id]), tags: ['home'], by: 'sync' })

  await other.sync({ changed_thing: [{ _id: id, title: 'oat milk' }], tag: { work: { color: '#f00' } } })
  await replica.sync()
  expect(take()).toEqual([{ ids: [id], tags: ['work'], by: 'sync' }])
  await replica.sync()
  expect(take()).toEqual([])

  unwatch()
  await replica.remove(id)
  expect(changes).toEqual([])
})

test('a sync reports the progress of its edits and of its listed things', async () => {
  const { userName } = await server.openDevice()
  const fixture = await openTestReplica(server, userName, { batchSize: 2 })
  const other = await server.openDevice(userName)
  await other.sync({ new_thing: [{ local_id: 1, title: 'elsewhere' }] })
  for (const title of ['a', 'b', 'c']) await fixture.replica().create({ title })
  const reported: object[] = []

  await fixture.replica().sync({ onProgress: ({ bytes: _, ...progress }) => reported.push(progress) })

  expect(reported[0]).toEqual({ listed: 0, thingCount: undefined, sent: 0, toSend: 3 })
  expect(reported).toContainEqual({ listed: 1, thingCount: 1, sent: 0, toSend: 3 })
  expect(reported.map((one) => (one as { sent: number }).sent)).toEqual(expect.arrayContaining([0, 2, 3]))
  expect(reported.at(-1)).toMatchObject({ sent: 3, toSend: 3 })
})
