import { expect, onTestFinished, test } from 'vitest'
import { type Commit, createGroupCommit } from './journal.ts'

const anHour = 3_600_000

/** A disk that notes what it is given at a time, and is as slow as the test lets it be. */
const openTrial = (mostWaitMs: number) => {
  const batches: string[][] = []
  const kept: string[] = []
  const failed: string[] = []
  let disk: Promise<void> = Promise.resolve()
  const commits = createGroupCommit(
    async (batch) => {
      batches.push(batch.map(({ key }) => key))
      await disk
    },
    async () => {},
    mostWaitMs,
  )
  onTestFinished(commits.settle)
  const add = (key: string, more: Partial<Commit> = {}) =>
    new Promise<void>((resolve) => {
      const end = (list: string[]) => () => {
        list.push(key)
        resolve()
      }
      commits.add({ key, steps: [Buffer.from('[]')], durable: end(kept), failed: end(failed), ...more })
    })
  const holdDisk = () => {
    let release = (_?: Error) => {}
    disk = new Promise((resolve, reject) => {
      release = (error) => (error === undefined ? resolve() : reject(error))
    })
    return release
  }
  return { commits, batches, kept, failed, add, holdDisk }
}

const mayWait = { mayWait: true }

test('what may wait goes to the disk with the next that may not, in order', async () => {
  const { batches, kept, add } = openTrial(anHour)

  const all = [add('a', mayWait), add('b', mayWait)]
  expect(batches).toEqual([])
  await Promise.all([...all, add('c')])

  expect(batches).toEqual([['a', 'b', 'c']])
  expect(kept).toEqual(['a', 'b', 'c'])
})

test('what may wait and comes while a batch is on its way begins none after it', async () => {
  const { batches, add, holdDisk } = openTrial(anHour)
  const release = holdDisk()

  const first = add('a')
  const waits = add('b', mayWait)
  release()
  await first
  await new Promise((resolve) => setImmediate(resolve))
  expect(batches).toEqual([['a']])
  await Promise.all([add('c'), waits])

  expect(batches).toEqual([['a'], ['b', 'c']])
})

test('what may wait goes alone when nothing else comes', async () => {
  const { batches, add } = openTrial(1)

  await add('a', mayWait)
  await add('b', mayWait)

  expect(batches).toEqual([['a'], ['b']])
})

test('what may wait does not wait for the end', async () => {
  const { commits, batches, kept, add } = openTrial(anHour)

  void add('a', mayWait)
  await commits.settle()

  expect(batches).toEqual([['a']])
  expect(kept).toEqual(['a'])
})

test('when a batch fails, what may wait and builds on it fails too, and what comes later is kept', async () => {
  const { batches, kept, failed, add, holdDisk } = openTrial(anHour)
  const release = holdDisk()

  const both = [add('a'), add('b', mayWait)]
  release(new Error('the disk is full'))
  await Promise.all(both)
  holdDisk()()
  await Promise.all([add('c', mayWait), add('d')])

  expect(batches).toEqual([['a'], ['c', 'd']])
  expect([failed, kept]).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ])
})
