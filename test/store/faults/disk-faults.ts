import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openJsonFileStore } from '../../../src/store/json-file-store.ts'
import { type Store, StoreError } from '../../../src/store/store.ts'
import { createFailingFiles, type FailingFiles, type Refusable } from '../failing-files.ts'
import { contractForm } from '../fixtures.ts'
import { readCounted, tellOnce, writeOnce } from './counted-writes.ts'
import { createRandom, type Random } from './random.ts'

/** What was shown on disks that refuse. */
export interface DiskFigures {
  /** Times that a disk began to refuse something. */
  readonly faults: number
  readonly answered: number
  /** Writes that were refused; none of them was ever seen. */
  readonly refused: number
  /** Disks that failed to sync, after which nothing was answered until a restart. */
  readonly lost: number
}

/** A full disk, one that fails, and one that can only be read, at each kind of operation. */
const faults: readonly (readonly [Refusable, string])[] = [
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
  readonly answered: Map<string, number>
  readonly failed: Set<string>
}

/** A clock that jumps, mostly back; not so far that the folder counts as unseen, which raises its positions. */
const createBadClock = (random: Random) => (): number => 1_700_000_000_000 - random.below(3) * random.below(200_000)

const openOn = ({ folder, random }: Round, files: FailingFiles['files']): Promise<Store> => {
  const segmentBytes = random.pick([1, 1024, 8192])
  return openJsonFileStore({ folder, form: contractForm, files, now: createBadClock(random), segmentBytes })
}

/** Some writes at once. ApiError ones are remembered: they must never be seen. */
const writeSome = async ({ random, answered, failed }: Round, store: Store, name: string): Promise<number> => {
  let refused = 0
  const write = async (userId: string, attempt: string): Promise<void> => {
    try {
      const { count } = await writeOnce(store, userId, attempt)
      answered.set(userId, Math.max(count, answered.get(userId) ?? 0))
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      failed.add(attempt)
      refused += 1
    }
  }
  const tell = async (): Promise<void> => {
    try {
      await tellOnce(store)
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
    }
  }
  const count = 1 + random.below(6)
  const writes = Array.from({ length: count }, (_, index) => write(random.pick(userIds), `${name}.${index}`))
  await Promise.all([...writes, ...Array.from({ length: random.below(3) }, tell)])
  return refused
}

const checkAll = async ({ answered, failed }: Round, store: Store): Promise<void> => {
  for (const userId of userIds) {
    const { count, attempts } = await readCounted(store, userId)
    assert.equal(count, answered.get(userId) ?? 0, `writes of ${userId}`)
    for (const attempt of attempts) assert.ok(!failed.has(attempt), `${attempt} was refused and is there`)
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
  const { files, refuse } = createFailingFiles()
  const store = await openOn(round, files)
  let [refused, faultCount] = [0, 0]
  let lost = false
  while (faultCount < 6 && !lost) {
    await writeSome(round, store, `${name} whole ${faultCount}`)
    refuse(...round.random.pick(faults))
    faultCount += 1
    refused += await writeSome(round, store, `${name} refused ${faultCount}`)
    await checkAll(round, store)
    refuse(undefined)
    lost = await isLost(store)
  }
  const before = new Map(round.answered)
  if (lost) {
    refused += await writeSome(round, store, `${name} lost`)
    assert.deepEqual(round.answered, before, 'a write was answered after a sync that failed')
  }
  await store.close()
  const reopened = await openOn(round, createFailingFiles().files)
  await checkAll(round, reopened)
  await writeSome(round, reopened, `${name} again`)
  await checkAll(round, reopened)
  await reopened.close()
  const answered = [...round.answered.values()].reduce((sum, count) => sum + count, 0)
  return { faults: faultCount, answered, refused, lost: lost ? 1 : 0 }
}

/** Lets disks refuse until they did so often. @throws at the first broken promise */
export const runDiskFaults = async (
  wanted: { readonly faults: number; readonly firstSeed: number },
  onFault: (count: number) => void = () => undefined,
): Promise<DiskFigures> => {
  let total: DiskFigures = { faults: 0, answered: 0, refused: 0, lost: 0 }
  for (let seed = wanted.firstSeed; total.faults < wanted.faults; seed += 1) {
    const folder = await mkdtemp(join(tmpdir(), 'thingsync-disk-'))
    const round = { folder, random: createRandom(seed), answered: new Map<string, number>(), failed: new Set<string>() }
    try {
      const figures = await runRound(round, `seed ${seed}`)
      total = {
        faults: total.faults + figures.faults,
        answered: total.answered + figures.answered,
        refused: total.refused + figures.refused,
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
