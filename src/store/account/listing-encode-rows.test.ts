import { expect, test } from 'vitest'
import {
  applyAll,
  contractForm,
  createSettings,
  createThing,
  type Listed,
  noOutboxEntries,
  noReaders,
  readListing,
  shortenListed,
} from '../../../test/store/fixtures.ts'
import type { Change } from '../record/change.ts'
import { beginAccount } from './account.ts'
import { viewAccount } from './view.ts'

const range = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)

const putAt = (position: number, number: number, tags = ''): Change => ({
  thing: {
    ...createThing(`t${number}`, { title: `${position}`, tags, todoStatus: true }),
    position,
    createdPosition: number,
    writer: 'phone',
    othersPosition: 0,
  },
})

const turnTag = (position: number, todo: 'strike' | false): Change => ({
  tag: { name: 'red', position, settings: createSettings(todo) },
})

const openAccount = (count: number, tags = '') => {
  let shownCount = 0
  const form: typeof contractForm = {
    ...contractForm,
    showThing: (thing, isTodo) => {
      shownCount += 1
      return contractForm.showThing(thing, isTodo)
    },
  }
  const account = beginAccount(form, noReaders, 0).finish()
  applyAll(
    account,
    range(1, count).map((number) => putAt(number, number, tags)),
  )
  const listPieces = async (position: number, after = 0): Promise<Buffer[]> => {
    const pieces: Buffer[] = []
    const listing = await viewAccount(account, position, noOutboxEntries).list({ after })
    for await (const { json } of listing.changed()) pieces.push(json as Buffer)
    return pieces
  }
  const takeShownCount = (): number => {
    const taken = shownCount
    shownCount = 0
    return taken
  }
  return { account, listPieces, takeShownCount }
}

test('a full sync consists of the stored bytes, even after changes in every block', async () => {
  const { account, listPieces, takeShownCount } = openAccount(5000)
  applyAll(
    account,
    range(1, 250).map((number) => putAt(5000 + number, number * 20)),
  )
  takeShownCount()

  const pieces = await listPieces(5250)
  const again = await listPieces(5250)

  expect(pieces.length).toBeLessThanOrEqual(6)
  expect(again.map(({ buffer }) => buffer)).toEqual(pieces.map(({ buffer }) => buffer))
  expect(again.every(({ buffer }, index) => buffer === pieces[index]?.buffer)).toBe(true)
  expect(JSON.parse(`[${pieces.join('')}]`)).toHaveLength(5000)
  expect(takeShownCount()).toBe(0)
})

test('bytes that a reader received do not change', async () => {
  const { account, listPieces } = openAccount(3000, 'red')
  const given = await listPieces(3000)
  const before = given.map(String)

  applyAll(account, [...range(1, 1000).map((number) => putAt(3000 + number, number * 3)), turnTag(4001, 'strike')])
  await listPieces(4001)

  expect(given.map(String)).toEqual(before)
})

test('after a tag turns its things into todos, only their next listing encodes them, once', async () => {
  const { account, listPieces, takeShownCount } = openAccount(5000)
  applyAll(account, [putAt(5001, 17, 'red')])
  applyAll(
    account,
    range(5002, 9000).map((position) => putAt(position, position)),
  )
  takeShownCount()

  applyAll(account, [turnTag(9001, 'strike')])
  expect(takeShownCount()).toBe(0)
  const pieces = await listPieces(9001)
  await listPieces(9001)

  expect(takeShownCount()).toBe(1)
  const shown = JSON.parse(`[${pieces.join('')}]`) as readonly Listed[]
  expect(shown.map(shortenListed).filter((thing) => thing.length === 5)).toEqual([['t17', '5001', 'red', false, true]])
})

test('a tag that changes again and again is shown as it was at each position', async () => {
  const { account } = openAccount(2000, 'red')
  const asTodo = (position: number) => (position >= 2001 && position < 2002) || position >= 2003
  const views = [2000, 2001, 2002, 2003].map((position) => ({
    position,
    view: () => viewAccount(account, position, noOutboxEntries),
  }))
  for (const position of [2001, 2002, 2003]) {
    applyAll(account, [turnTag(position, asTodo(position) ? 'strike' : false)])
    await readListing(await viewAccount(account, position, noOutboxEntries).list({ after: 0 }))
  }

  for (const { position, view } of views) {
    const { changed } = await readListing(await view().list({ after: 0 }))
    const lengths = new Set(changed.map((thing) => thing.length))
    expect([position, [...lengths]]).toEqual([position, [asTodo(position) ? 5 : 4]])
  }
})
