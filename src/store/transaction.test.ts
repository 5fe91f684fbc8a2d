import { expect, test } from 'vitest'
import { contractForm, createSettings, createThing, nobodyAround, noReaders } from '../../test/store/fixtures.ts'
import { type Account, beginAccount } from './account/account.ts'
import { type Draft, StoreError } from './store.ts'
import type { CommitOutcome } from './transaction.ts'
import { createPipeline } from './transaction.ts'

const openPipeline = () => {
  const account = beginAccount(contractForm, noReaders, 0).finish()
  const pipeline = createPipeline(account, nobodyAround)
  const outcomes: CommitOutcome[] = []
  const write = async (work: (draft: Draft) => Promise<unknown>) => {
    const { draft, send } = pipeline.stage('phone')
    await work(draft)
    // The caller awaits the inner promise later than the staging.
    return send((_write, outcome) => void outcomes.push(outcome))
  }
  return { account, write, outcomes, pipeline }
}

const failure = new StoreError('injected by the test')

const findPosition = (account: Account, id: string): number | undefined => {
  const item = account.findItem(id, account.position())
  return item && ('thing' in item ? item.thing : item.tombstone).position
}

test('a write sees earlier writes that are on their way, and readers do not', async () => {
  const { account, write, outcomes } = openPipeline()
  const first = await write(async (draft) => {
    await draft.putThing(createThing('a', { url: 'u' }))
    await draft.putThing(createThing('b', { url: 'u' }))
    await draft.putTag('red', createSettings('strike'))
    await draft.putRecord('kind', 'group', 'key', 1)
  })

  const second = await write(async (draft) => {
    expect(draft.position()).toBe(3)
    expect((await draft.findThingByUrl('u'))?.id).toBe('a')
    expect(await draft.findTag('red')).toEqual(createSettings('strike'))
    expect(await draft.listRecords('kind', 'group')).toEqual(new Map([['key', 1]]))
    await draft.deleteThing('a')
    expect((await draft.findThingByUrl('u'))?.id).toBe('b')
  })

  expect([account.position(), account.findItem('a', 9)]).toEqual([0, undefined])
  outcomes[0]?.durable()
  await first.sent
  expect([account.position(), findPosition(account, 'a')]).toEqual([3, 1])
  const third = await write(async (draft) => expect(await draft.deleteThing('a')).toBe(false))
  outcomes[1]?.durable()
  await Promise.all([second.sent, third.sent])
  expect([account.position(), findPosition(account, 'a')]).toEqual([4, 4])
})

test('when a write fails, all writes on top of it fail, and the next one builds on durable state', async () => {
  const { account, write, outcomes, pipeline } = openPipeline()
  const kept = await write((draft) => draft.putThing(createThing('a')))
  const lost = await write((draft) => draft.putThing(createThing('b')))
  const onIt = await write((draft) => draft.putThing(createThing('c')))
  const atWork = pipeline.stage('phone')
  await atWork.draft.putThing(createThing('d'))

  outcomes[0]?.durable()
  for (const outcome of outcomes.slice(1)) outcome.failed(failure)

  await kept.sent
  await expect(lost.sent).rejects.toBe(failure)
  await expect(onIt.sent).rejects.toBe(failure)
  await expect(atWork.send(() => expect.fail('it was sent')).sent).rejects.toBe(failure)
  const next = await write(async (draft) => {
    expect(await draft.findThing('b')).toBeUndefined()
    await draft.putThing(createThing('e'))
  })
  outcomes[3]?.durable()
  await next.sent
  expect([account.position(), findPosition(account, 'e')]).toEqual([2, 2])
})

test('a write without changes resolves only after everything that it may have read is durable', async () => {
  const { write, outcomes } = openPipeline()
  const first = await write((draft) => draft.putThing(createThing('a')))
  const looked = await write((draft) => draft.findThing('a'))
  let hasResponse = false
  void looked.sent.then(() => {
    hasResponse = true
  })

  await new Promise(setImmediate)
  expect(hasResponse).toBe(false)
  outcomes[0]?.durable()
  await Promise.all([first.sent, looked.sent])
})

const putMany = (count: number) => async (draft: Draft) => {
  await draft.putThing(createThing('a', { title: 'changed' }))
  for (let n = 1; n < count; n += 1) await draft.putThing(createThing(`many-${n}`))
}

test('a long write becomes visible at once, after other events ran, and before later writes', async () => {
  const { account, write, outcomes, pipeline } = openPipeline()
  await write((draft) => draft.putThing(createThing('a')))
  outcomes[0]?.durable()
  const long = await write(putMany(20_000))
  const after = await write((draft) => draft.putThing(createThing('b')))

  const seen: number[] = []
  const watch = setInterval(() => void seen.push(account.position()), 0)
  outcomes[1]?.durable()
  outcomes[2]?.durable()

  expect([account.position(), findPosition(account, 'a'), pipeline.isIdle()]).toEqual([1, 1, false])
  await long.sent
  expect(account.position()).toBe(20_001)
  await after.sent
  clearInterval(watch)
  expect([account.position(), findPosition(account, 'a')]).toEqual([20_002, 2])
  await pipeline.whenVisible()
  expect([pipeline.isIdle(), pipeline.whenVisible()]).toEqual([true, undefined])
  expect(new Set(seen)).toContain(1)
  expect(seen.every((position) => [1, 20_001, 20_002].includes(position))).toBe(true)
})

test('a write after a failure builds on a long write that was still becoming visible', async () => {
  const { account, write, outcomes } = openPipeline()
  const long = await write(putMany(1000))
  const lost = await write((draft) => draft.putThing(createThing('b')))
  outcomes[0]?.durable()
  outcomes[1]?.failed(failure)

  await expect(write((draft) => draft.putThing(createThing('c'))).then(({ sent }) => sent)).rejects.toBe(failure)
  await expect(lost.sent).rejects.toBe(failure)
  await long.sent
  const next = await write((draft) => draft.putThing(createThing('d')))
  outcomes[2]?.durable()
  await next.sent
  expect([account.position(), findPosition(account, 'd')]).toEqual([1001, 1001])
})
