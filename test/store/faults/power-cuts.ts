import { openJsonFileStore } from '../../../src/store/json-file-store.ts'
import type { Store } from '../../../src/store/store.ts'
import { contractForm } from '../fixtures.ts'
import { type AcknowledgedWrites, createAcknowledgedWrites } from './acknowledged-writes.ts'
import { addUser, countUsers, deliverOnce, readCounted, writeOnce } from './counted-writes.ts'
import { createForgetfulDisk, type ForgetfulDisk } from './forgetful-disk.ts'
import { createRandom, type Random } from './random.ts'

/** What was shown by cutting the power of a disk that forgets what was not synced. */
export interface PowerFigures {
  readonly cuts: number
  readonly acknowledged: number
  /** Openings at which the store said that it repaired something. */
  readonly repairs: number
}

const userIds = ['ann', 'bob']

interface Turn {
  readonly disk: ForgetfulDisk
  readonly known: AcknowledgedWrites
  readonly segmentBytes: number
  /** Tells this turn from all others. */
  readonly name: string
  readonly onOpen: (store: Store) => void
  readonly onRepair: () => void
}

const writeAll = async (store: Store, { known, name }: Turn): Promise<void> => {
  const write = async (userId: string, number: number): Promise<void> => {
    const attempt = `${name}.${number}`
    known.note({ wrote: userId, attempt, ...(await writeOnce(store, userId, attempt)) })
  }
  const work = async (userId: string): Promise<void> => {
    for (let number = 0; number < 4; number += 2) await Promise.all([write(userId, number), write(userId, number + 1)])
  }
  const remove = async (userId: string): Promise<void> => {
    await work(userId)
    known.note({ removing: userId })
    await store.removeAccount(userId)
    known.note({ removed: userId })
  }
  const register = async (): Promise<void> => known.note({ addedUser: await addUser(store) })
  const deliverAll = async (): Promise<void> => {
    for (let number = 0; number < 4; number += 1) await deliverOnce(store)
  }
  await Promise.all([...userIds.map(work), remove(`gone ${name}`), register(), deliverAll()])
}

const openAndWrite = async (turn: Turn, readIds: readonly string[]): Promise<void> => {
  const { disk, known, segmentBytes } = turn
  const store = await openJsonFileStore({
    folder: '/data',
    form: contractForm,
    files: disk.files,
    segmentBytes,
    log: {
      warn: turn.onRepair,
      error: (_details: object, damaged: string) => known.note({ damaged }),
    },
  })
  turn.onOpen(store)
  for (const userId of readIds) known.note({ found: userId, ...(await readCounted(store, userId)) })
  known.note({ foundUsers: await countUsers(store) })
  await writeAll(store, turn)
  await store.close()
}

/**
 * One disk, whose power is cut at one of the first steps of the store, then at a later one, and so on until it comes to
 * its end.
 */
const cutInTurn = async (seed: number, random: Random, maxCuts: number): Promise<PowerFigures> => {
  const known = createAcknowledgedWrites()
  const segmentBytes = random.pick([1, 1024, 4096, 1024 * 1024])
  const missingIds: string[] = []
  let disk = createForgetfulDisk()
  let [cuts, repairs] = [0, 0]

  const runUntilCut = async (step: number): Promise<boolean> => {
    let opened: Store | undefined
    let repaired = 0
    disk.cutAt(step)
    const name = `${seed}.${step}`
    const onOpen = (store: Store): void => {
      opened = store
    }
    const onRepair = (): void => {
      repaired = 1
    }
    const turn = { disk, known, segmentBytes, name, onOpen, onRepair }
    const end = openAndWrite(turn, [...userIds, ...missingIds.slice(-3)]).then(() => false)
    const wasCut = await Promise.race([end, disk.cut.then(() => true)])
    // Nothing that the store waits for completes any more; only its timer must not outlive the power.
    if (wasCut) void opened?.close()
    missingIds.push(`gone ${name}`)
    repairs += repaired
    return wasCut
  }

  for (let step = 1; cuts < maxCuts && (await runUntilCut(step)); step += 1 + random.below(6)) {
    cuts += 1
    disk = disk.restart(random)
  }
  return { cuts, acknowledged: known.count(), repairs }
}

/** Cuts the power so often. @throws at the first broken promise */
export const runPowerCuts = async (
  wanted: { readonly cuts: number; readonly firstSeed: number },
  onCut: (count: number) => void = () => undefined,
): Promise<PowerFigures> => {
  let total: PowerFigures = { cuts: 0, acknowledged: 0, repairs: 0 }
  for (let seed = wanted.firstSeed; total.cuts < wanted.cuts; seed += 1) {
    try {
      const figures = await cutInTurn(seed, createRandom(seed), wanted.cuts - total.cuts)
      total = {
        cuts: total.cuts + figures.cuts,
        acknowledged: total.acknowledged + figures.acknowledged,
        repairs: total.repairs + figures.repairs,
      }
      onCut(figures.cuts)
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error })
    }
  }
  return total
}
