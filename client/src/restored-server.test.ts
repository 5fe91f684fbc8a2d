import { expect, test } from 'vitest'
import { openTestReplica, type TestReplica } from '../../test/support/replica.ts'
import { openRestorableServer, type RestoreMethod } from '../../test/support/restored-server.ts'
import { initialState } from './replica-records.ts'
import { isRolledBack } from './sync-response.ts'

const ways: readonly RestoreMethod[] = ['a copied folder', 'a restored backup']

/** A phone and a laptop in step with a server that was restored since: the edits after the backup are lost. */
const openPutBack = async (way: RestoreMethod, pageSize = 5_000) => {
  const restorable = await openRestorableServer(way)
  const { server, userName, carry } = restorable
  const observer = await server.openDevice(userName)
  const phone = await openTestReplica(server, userName, { pageSize, entriesPerWrite: 1 }, carry)
  const laptop = await openTestReplica(server, userName, {}, carry)
  const localId = await phone.replica().create({ title: 'kept', html: 'before' })
  for (const title of ['a', 'b', 'c', 'd']) await phone.replica().create({ title })
  for (const { sync } of [phone, laptop]) await sync()
  await restorable.backUp()

  const kept = await phone.replica().resolveId(localId)
  const created = await phone.replica().create({ title: 'made later', html: 'typed here' })
  await phone.replica().change(kept, { html: 'after' })
  await phone.sync()
  await laptop.sync()
  const lost = await phone.replica().resolveId(created)
  await restorable.putBack()
  restorable.takeRequested()
  return { ...restorable, observer, phone, laptop, kept, lost }
}

const titlesOf = async ({ replica }: TestReplica): Promise<readonly string[]> => {
  const titles = []
  for await (const { title } of replica().listThings()) titles.push(title)
  return titles.sort()
}

test.each(ways)('after %s a replica shows the things of the server, and reports the lost ones', async (way) => {
  const { phone, kept, lost, listTitles, observer } = await openPutBack(way)

  const { overwritten } = await phone.replica().sync()

  expect(await titlesOf(phone)).toEqual(await listTitles(observer))
  expect(await phone.replica().findThing(kept)).toMatchObject({ html: 'before', isPending: false })
  const shown = overwritten.map(({ id, why, content: { html } }) => ({ id, why, html }))
  expect(shown).toEqual([
    { id: kept, why: 'overwritten', html: 'after' },
    { id: lost, why: 'deleted', html: 'typed here' },
  ])
  expect(await phone.replica().listOverwritten()).toEqual(overwritten)

  for (const { id, name } of overwritten) await phone.replica().restoreVersion(id, name)
  await phone.sync()
  expect(await listTitles(observer)).toContain('made later')
  expect(await phone.replica().findThing(kept)).toMatchObject({ html: 'after', isPending: false })
})

test.each(ways)('after %s a device that typed nothing also keeps possible last copies', async (way) => {
  const { laptop, lost, listTitles, observer } = await openPutBack(way)

  const { overwritten } = await laptop.replica().sync()

  expect(await titlesOf(laptop)).toEqual(await listTitles(observer))
  const content = expect.objectContaining({ title: 'made later', html: 'typed here' })
  expect(overwritten).toEqual([expect.objectContaining({ id: lost, why: 'deleted', content })])
})

test.each(ways)('after %s everything is listed once, however often the replica syncs', async (way) => {
  const { phone, takeRequested } = await openPutBack(way)

  await phone.sync()
  const first = takeRequested()
  await phone.restart()
  await phone.replica().create({ title: 'more' })
  await phone.sync()

  expect(first.filter((from) => from === 0)).toEqual([0])
  expect(takeRequested()).not.toContain(0)
})

test.each(ways)('after %s a listing that is cut off goes on, and finally reports the lost things', async (way) => {
  const { phone, lost, listTitles, observer } = await openPutBack(way, 1)
  const stop = new AbortController()
  // Pages of one thing are counted one by one; an incremental sync that lists several arrives at once.
  const onProgress = ({ listed }: { listed: number }) => listed === 3 && stop.abort()

  await expect(phone.replica().sync({ onProgress, signal: stop.signal })).rejects.toMatchObject({ name: 'AbortError' })
  const before = await phone.store.get('state')
  await phone.restart()
  await phone.replica().sync()

  expect(before).toMatchObject({ mustListAll: true, hasLastCopies: true, listing: { listed: expect.any(Number) } })
  expect(await titlesOf(phone)).toEqual(await listTitles(observer))
  const versions = await phone.replica().listOverwritten()
  expect(versions.filter(({ id }) => id === lost)).toMatchObject([{ why: 'deleted' }])
})

test.each([
  ['a small step', 5_000, 5_900, 0, true, false],
  ['a raise', 5_000, 1_004_990, 2, true, true],
  ['a position that goes back', 5_000, 4_999, 0, true, true],
  ['a first listing', 0, 3_000_000, 3_000_000, true, false],
  ['an account that was empty', 0, 1_000_000, 0, true, false],
  ['what another device has imported', 5_000, 2_005_000, 2_000_000, true, false],
  ['a large step of a server that counts in its own way', 5_000, 1_795_000_000, 1, false, false],
])('%s is distinguished from a restored server', (_name, known, position, unknown, raisesPositions, expected) => {
  expect(isRolledBack({ ...initialState, position: known }, { position, unknown }, raisesPositions)).toBe(expected)
})
