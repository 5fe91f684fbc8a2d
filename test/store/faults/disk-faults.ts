import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openJsonFileStore } from '../../../src/store/json-file-store.ts'
import { type Store, StoreError } from '../../../src/store/store.ts'
import { createFailingFiles, type FailingFiles, type FailingOperation } from '../failing-files.ts'
import { contractForm } from '../fixtures.ts'
import { deliverOnce, readCounted, writeOnce } from './counted-writes.ts'
import { createRandom, type Random } from './random.ts'

/** What was shown on disks that fail. */
export interface DiskFigures {
  /** Times that a disk began to fail an operation. */
  readonly faults: number
  readonly acknowledged: number
  /** Writes that failed; none of them was ever seen. */
  readonly failed: number
  /** Disks that failed to sync, after which no write resolved until a restart. */
  readonly lost: number
}

/** A full disk, one that fails, and one that can only be read, at each kind of operation. */
const faults: readonly (readonly [FailingOperation, string])[] = [
  ['append', 'ENOSPC'],
  ['append', 'EIO'],
  ['open', 'ENOSPC'],
  ['open', 'EROFS'],
  ['rename', 'ENOSPC'],
  ['rename', 'EROFS'],
  ['sync file', 'EIO'],
  ['sync folder', 'EIO'],
  ['sync file', 'ENOSPC'],
  ['sync aside', 'EIO'],
  ['sync aside', 'ENOSPC'],
]

const userIds = ['ann', 'bob']

interface Round {
  readonly folder: string
  readonly random: Random
  readonly acknowledged: Map<string, number>
  readonly failedAttempts: Set<string>
}

/** A clock that jumps, mostly back; not so far that the folder counts as unseen, which makes its positions jump. */
const createBadClock = (random: Random) => (): number => 1_700_000_000_000 - random.below(3) * random.below(200_000)

const openOn = ({ folder, random }: Round, files: FailingFiles['files']): Promise<Store> => {
  const segmentBytes = random.pick([1, 1024, 8192])
  return openJsonFileStore({ folder, form: contractForm, files, now: createBadClock(random), segmentBytes })
}

/** Runs some writes at once. Failed attempts are remembered: they must never be seen. */
const writeSome = async (
  { random, acknowledged, failedAttempts }: Round,
  store: Store,
  name: string,
): Promise<number> => {
  let failed = 0
  const write = async (userId: string, attempt: string): Promise<void> => {
    try {
      const { count } = await writeOnce(store, userId, attempt)
      acknowledged.set(userId, Math.max(count, acknowledged.get(userId) ?? 0))
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      failedAttempts.add(attempt)
      failed += 1
    }
  }
  const deliver = async (): Promise<void> => {
    try {
      await deliverOnce(store)
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
    }
  }
  const count = 1 + random.below(6)
  const writes = Array.from({ length: count }, (_, index) => write(random.pick(userIds), `${name}.${index}`))
  await Promise.all([...writes, ...Array.from({ length: random.below(3) }, deliver)])
  return failed
}

const checkAll = async ({ acknowledged, failedAttempts }: Round, store: Store): Promise<void> => {
  for (const userId of userIds) {
    const { count, attempts } = await readCounted(store, userId)
    assert.equal(count, acknowledged.get(userId) ?? 0, `writes of ${userId}`)
    for (const attempt of attempts) assert.ok(!failedAttempts.has(attempt), `${attempt} failed and is there`)
  }
}

const isLost = async (store: Store): Promise<boolean> => {
  try {
    await store.check()
    return false
  } catch (error) {
    if (error instanceof StoreError) return true
    throw error
  }
}

const runRound = async (round: Round, name: string): Promise<DiskFigures> => {
  const { files, injectFault } = createFailingFiles()
  const store = await openOn(round, files)
  let [failed, faultCount] = [0, 0]
  let lost = false
  while (faultCount < 6 && !lost) {
    await writeSome(round, store, `${name} whole ${faultCount}`)
    injectFault(...round.random.pick(faults))
    faultCount += 1
    failed += await writeSome(round, store, `${name} failing ${faultCount}`)
    await checkAll(round, store)
    injectFault(undefined)
    lost = await isLost(store)
  }
  const before = new Map(round.acknowledged)
  if (lost) {
    failed += await writeSome(round, store, `${name} lost`)
    assert.deepEqual(round.acknowledged, before, 'a write resolved after a sync that failed')
  }
  await store.close()
  const reopened = await openOn(round, createFailingFiles().files)
  await checkAll(round, reopened)
  await writeSome(round, reopened, `${name} again`)
  await checkAll(round, reopened)
  await reopened.close()
  const acknowledged = [...round.acknowledged.values()].reduce((sum, count) => sum + count, 0)
  return { faults: faultCount, acknowledged, failed, lost: lost ? 1 : 0 }
}

/** Lets disks fail until they did so as often as wanted. @throws at the first broken promise */
export const runDiskFaults = async (
  wanted: { readonly faults: number; readonly firstSeed: number },
  onFault: (count: number) => void = () => undefined,
): Promise<DiskFigures> => {
  let total: DiskFigures = { faults: 0, acknowledged: 0, failed: 0, lost: 0 }
  for (let seed = wanted.firstSeed; total.faults < wanted.faults; seed += 1) {
    const folder = await mkdtemp(join(tmpdir(), 'thingsync-disk-'))
    const acknowledged = new Map<string, number>()
    const round = { folder, random: createRandom(seed), acknowledged, failedAttempts: new Set<string>() }
    try {
      const figures = await runRound(round, `seed ${seed}`)
      total = {
        faults: total.faults + figures.faults,
        acknowledged: total.acknowledged + figures.acknowledged,
        failed: total.failed + figures.failed,
        lost: total.lost + figures.lost,
      }
      onFault(figures.faults)
    } catch (error) {
      throw new Error(`seed ${seed}; the data folder is ${folder}`, { cause: error })
    }
    await rm(folder, { recursive: true })
  }
  return total
}
