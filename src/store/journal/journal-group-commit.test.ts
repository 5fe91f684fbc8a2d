import { expect, onTestFinished, test } from 'vitest'
import { type Commit, createGroupCommit } from './journal.ts'

const anHour = 3_600_000

/** A disk that records each batch, and whose speed the test controls. */
const openFakeDisk = (maxDelayMs: number) => {
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
    maxDelayMs,
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

test('a write that may wait goes to the disk with the next urgent write, in order', async () => {
  const { batches, kept, add } = openFakeDisk(anHour)

  const all = [add('a', mayWait), add('b', mayWait)]
  expect(batches).toEqual([])
  await Promise.all([...all, add('c')])

  expect(batches).toEqual([['a', 'b', 'c']])
  expect(kept).toEqual(['a', 'b', 'c'])
})

test('a write that may wait and arrives during a batch starts no batch after it', async () => {
  const { batches, add, holdDisk } = openFakeDisk(anHour)
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

test('a write that may wait goes alone when no other write arrives', async () => {
  const { batches, add } = openFakeDisk(1)

  await add('a', mayWait)
  await add('b', mayWait)

  expect(batches).toEqual([['a'], ['b']])
})

test('a write that may wait goes to the disk when the journal settles', async () => {
  const { commits, batches, kept, add } = openFakeDisk(anHour)

  void add('a', mayWait)
  await commits.settle()

  expect(batches).toEqual([['a']])
  expect(kept).toEqual(['a'])
})

test('when a batch fails, waiting writes on top of it fail, and later writes are stored', async () => {
  const { batches, kept, failed, add, holdDisk } = openFakeDisk(anHour)
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
