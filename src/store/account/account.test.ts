import { expect, test } from 'vitest'
import {
  contractForm,
  createSettings,
  createThing,
  nobodyAround,
  noOutboxEntries,
  noReaders,
} from '../../../test/store/fixtures.ts'
import type { Change } from '../record/change.ts'
import { readChange } from '../record/change-text.ts'
import { type Draft, StoreError } from '../store.ts'
import { beginCount } from '../tools/inspect.ts'
import { createPipeline } from '../transaction.ts'
import { type Account, type AccountDocument, beginAccount, documentOf, listSteps, recentSeconds } from './account.ts'
import { viewAccount } from './view.ts'

const openAccount = (lowestListed: () => number | undefined = () => undefined) => {
  let milliseconds = 0
  const account = beginAccount(contractForm, { monotonicMs: () => milliseconds, lowestListed }, 0).finish()
  const pipeline = createPipeline(account, nobodyAround)
  const write = async (work: (draft: Draft) => Promise<unknown>): Promise<void> => {
    const { draft, send } = pipeline.stage('phone')
    await work(draft)
    const { sent } = send((_write, { durable }) => durable())
    await sent
  }
  const passTime = (passed: number): void => {
    milliseconds += passed
  }
  return { account, write, passTime }
}

const changeOften = async (draft: Draft): Promise<void> => {
  for (let n = 0; n < 2000; n += 1) await draft.putThing(createThing('often', { title: `${n}`, tags: `tag${n}` }))
  for (let n = 0; n < 2000; n += 1) await draft.putTag('red', createSettings(n % 2 === 0 ? 'strike' : false))
}

const sweepWrites = 1000

/** Writes until a sweep is complete: each write continues it by some steps. */
const finishSweep = async (write: (work: (draft: Draft) => Promise<unknown>) => Promise<void>): Promise<void> => {
  for (let n = 0; n < sweepWrites; n += 1)
    await write((draft) => draft.putThing(createThing('other', { title: `${n}` })))
}

/** Counts the rows of all versions of things and tags that an account still holds. */
const countVersions = ({ table }: Account): number =>
  table.things.blocks().reduce((count, { length }) => count + length, 0)

test('replaced versions are dropped when no listing can need them', async () => {
  const { account, write, passTime } = openAccount()
  await write(changeOften)
  const view = viewAccount(account, account.position(), noOutboxEntries)
  passTime(2000)
  await write(changeOften)
  expect(account.readableFrom()).toBe(0)
  passTime(recentSeconds * 1000)

  await write(changeOften)

  expect(account.readableFrom()).toBe(4000)
  await finishSweep(write)
  expect(countVersions(account)).toBe(4000 + 1 + sweepWrites)
  expect(await view.findThing('often')).toMatchObject({ title: '1999' })
  passTime(recentSeconds * 1000)
  await write(changeOften)
  await finishSweep(write)
  expect(account.readableFrom()).toBe(8000)
  await expect(view.findThing('often')).rejects.toThrow(StoreError)
  await expect(view.list({ after: 0 })).rejects.toThrow('position 4000 is no longer known')
  expect(account.table.tagged.size).toBe(2000)
})

test('few but large replaced versions are dropped', async () => {
  const { account, write, passTime } = openAccount()
  const html = 'x'.repeat(200_000)
  for (let n = 0; n < 10; n += 1) await write((draft) => draft.putThing(createThing('large', { html, title: `${n}` })))
  expect(countVersions(account)).toBe(10)
  passTime(2000)
  await write((draft) => draft.putThing(createThing('small')))
  passTime(recentSeconds * 1000)

  for (let n = 0; n < 20; n += 1) await write((draft) => draft.putThing(createThing('small', { title: `${n}` })))

  expect(account.readableFrom()).toBe(10)
  expect(countVersions(account)).toBe(1 + 21)
})

test('a large thing that changes constantly keeps versions for seconds; listings end early', async () => {
  const { account, write, passTime } = openAccount(() => 1)
  const html = 'x'.repeat(4_000_000)
  const countLarge = () => account.table.things.blocks().filter(({ used }) => used > html.length).length
  const counts: number[] = []

  for (let n = 0; n < 40; n += 1) {
    await write((draft) => draft.putThing(createThing('large', { html, title: `${n}` })))
    passTime(1000)
    counts.push(countLarge())
  }

  // 64 MiB, and what the last seconds brought.
  expect(Math.max(...counts)).toBeLessThan(25)
  expect(counts.at(-1)).toBeLessThan(25)
  expect(account.readableFrom()).toBeGreaterThan(1)
})

test('versions that an open listing needs stay while it is open, however much is replaced', async () => {
  let listed: number | undefined
  const { account, write, passTime } = openAccount(() => listed)
  await write((draft) => draft.putThing(createThing('often', { title: 'first' })))
  passTime(2000)
  listed = 1
  for (let round = 0; round < 3; round += 1) {
    await write(changeOften)
    passTime(recentSeconds * 1000 + 2000)
  }
  await finishSweep(write)

  expect(await viewAccount(account, 1, noOutboxEntries).findThing('often')).toMatchObject({ title: 'first' })

  listed = undefined
  passTime(recentSeconds * 1000 + 2000)
  await finishSweep(write)
  expect(account.readableFrom()).toBe(1 + 3 * 4000)
  expect(countVersions(account)).toBe(1 + 2 * sweepWrites)
})

const listDocument = ({ position, things, tombstones, tags, records }: AccountDocument) => ({
  position,
  things: [...things],
  tombstones: [...tombstones],
  tags: [...tags],
  records: [...records],
})

test('a document is a snapshot in position order, and recreates the same account', async () => {
  const { account, write, passTime } = openAccount()
  await write(async (draft) => {
    for (const id of ['a', 'b', 'c']) await draft.putThing(createThing(id))
    await draft.putTag('red', createSettings())
    await draft.putRecord('kind', 'group', 'key', 1)
    await draft.putThing(createThing('a', { title: 'again' }))
    await draft.deleteThing('b')
  })
  const document = documentOf(account)
  const before = listDocument(document)

  await write(async (draft) => {
    await draft.putThing(createThing('c', { title: 'later' }))
    await draft.putTag('red', createSettings('strike'))
    await draft.deleteRecord('kind', 'group', 'key')
  })
  passTime(recentSeconds * 1000 + 2000)
  await write(changeOften)

  expect(listDocument(document)).toEqual(before)
  expect(before.things.map(({ id }) => id)).toEqual(['c', 'a'])
  expect(before.tombstones.map(({ id }) => id)).toEqual(['b'])
  const loading = beginAccount(contractForm, noReaders, before.position)
  for (const step of listSteps(document)) loading.put(readChange(JSON.parse(step)) as Change)
  expect(listDocument(documentOf(loading.finish()))).toEqual(before)
})

test.each([
  ['an account', () => beginAccount(contractForm, noReaders, 0)],
  ['a count', () => beginCount(0)],
])('%s reports which ids and tags it received before', (_name, begin) => {
  const sink = begin()
  const thingAt = (position: number, id: string): Change => {
    const metadata = { position, createdPosition: position, writer: 'session', othersPosition: 0 }
    return { thing: { ...createThing(id), ...metadata } }
  }
  const tombstoneAt = (position: number, id: string): Change => ({ tombstone: { id, position, createdPosition: 1 } })
  const tagAt = (position: number): Change => ({ tag: { name: 'red', position, settings: createSettings() } })
  const record: Change = { record: { kind: 'kind', group: 'group', key: 'key', value: 1 } }

  const first = [thingAt(1, 'a'), tombstoneAt(2, 'b'), tagAt(3), record].map(sink.put)
  const again = [thingAt(4, 'b'), tombstoneAt(5, 'a'), tagAt(6), record].map(sink.put)

  expect(first).toEqual([true, true, true, true])
  expect(again).toEqual([false, false, false, true])
  expect(sink.position()).toBe(6)
})
