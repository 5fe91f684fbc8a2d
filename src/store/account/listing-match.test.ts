import { expect, test } from 'vitest'
import { contractForm, createThing, nobodyAround, noReaders } from '../../../test/store/fixtures.ts'
import { runToEnd } from '../../scheduling.ts'
import { createPipeline } from '../transaction.ts'
import { type Account, beginAccount } from './account.ts'
import { positionOf } from './block.ts'
import { matchThings, matchTombstones } from './listing.ts'

const thingCount = 5000

const openTagged = async () => {
  const account = beginAccount(contractForm, noReaders, 0).finish()
  const pipeline = createPipeline(account, nobodyAround)
  const write = async (work: (draft: ReturnType<typeof pipeline.stage>['draft']) => Promise<unknown>) => {
    const { draft, send } = pipeline.stage('phone')
    await work(draft)
    await send((_write, { durable }) => durable()).sent
  }
  await write(async (draft) => {
    for (let n = 0; n < thingCount; n += 1) await draft.putThing(createThing(`t${n}`, { tags: 'red' }))
  })
  return { account, write }
}

/** The same account, and the number of visited rows in its index of a tag. */
const watchTag = (account: Account, tag: string) => {
  let seen = 0
  const feed = account.table.tagged.get(tag)
  if (feed === undefined) throw new Error('no thing carries the tag')
  const at: typeof feed.at = (position) => {
    const found = feed.at(position)
    return {
      ...found,
      *walk(after, page) {
        for (const listed of found.walk(after, page)) {
          seen += listed.rows().length
          yield listed
        }
      },
    }
  }
  const table = { ...account.table, tagged: { ...account.table.tagged, get: () => ({ ...feed, at }) } }
  return { watched: { ...account, table }, seen: () => seen }
}

test('the last page of a tag visits only its own rows, however many rows are skipped', async () => {
  const { account } = await openTagged()
  const { watched, seen } = watchTag(account, 'red')
  const skip = thingCount - 10
  const found = runToEnd(matchThings(watched, account.position(), { after: 0, tag: 'red', skip }))
  const counted = seen()

  const positions = [...found.walk(5)].flatMap(({ block, rows }) => rows().map((row) => positionOf(block, row)))

  expect(found.count).toBe(thingCount)
  expect(positions).toEqual([1, 2, 3, 4, 5].map((n) => skip + n))
  // The bug: all skipped rows were visited again, without a pause.
  expect(seen() - counted).toBeLessThanOrEqual(1024)
})

test('deletions are skipped and listed from any offset', async () => {
  const { account, write } = await openTagged()
  await write(async (draft) => {
    for (let n = 0; n < thingCount; n += 1) await draft.deleteThing(`t${n}`)
  })
  const list = (skip: number) => {
    const found = runToEnd(matchTombstones(account, account.position(), { after: thingCount }, skip))
    return [...found.walk(3)].flatMap(({ block, rows }) =>
      rows().map((row) => account.table.tombstones.read(block, row).id),
    )
  }

  expect([0, 1023, 1024, 1025, thingCount - 2].map(list)).toEqual([
    ['t0', 't1', 't2'],
    ['t1023', 't1024', 't1025'],
    ['t1024', 't1025', 't1026'],
    ['t1025', 't1026', 't1027'],
    [`t${thingCount - 2}`, `t${thingCount - 1}`],
  ])
})
