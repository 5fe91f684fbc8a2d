import type { ErrandSteps } from '../errands/stored-errands.ts'

/** One write on its way to the disk. Exactly one of the two functions is called, in the order of the writes. */
export interface Commit {
  readonly key: string
  /** What it does, as JSON, in pieces. */
  readonly steps: readonly Buffer[]
  /** What of it are errands: the file of the registry must hold them, too, before the journal can forget the write. */
  readonly errands?: ErrandSteps
  /** True for a write that nobody's answer waits for: it goes with the next one that has to go. */
  readonly mayWait?: boolean
  /** Makes the write visible: it is on disk. */
  readonly durable: () => void
  readonly failed: (error: unknown) => void
}

/** Brings writes to the disk, all that wait at once. */
export interface GroupCommit {
  readonly add: (commit: Commit) => void
  /** Resolves when nothing waits. */
  readonly settle: () => Promise<void>
}

const maxBatchLength = 16 * 1024 * 1024

const lengthOf = (steps: Commit['steps']): number => steps.reduce((sum, piece) => sum + piece.length, 0)

/** Bytes of what some writes do. */
export const countBytes = (commits: readonly Commit[]): number =>
  commits.reduce((sum, { steps }) => sum + lengthOf(steps), 0)

const takeBatch = (waiting: Commit[]): readonly Commit[] => {
  let length = 0
  const end = waiting.findIndex(({ steps }, index) => {
    length += lengthOf(steps)
    return index > 0 && length > maxBatchLength
  })
  return waiting.splice(0, end === -1 ? waiting.length : end)
}

/**
 * Groups writes: while one batch is on its way, the next one gathers. `makeDurable` does that to a batch or throws; then
 * all that wait fail with it, because later writes build on earlier ones. `afterBatch` runs before the next one. What may
 * wait begins no batch of its own for `mostWaitMs`: a batch costs far more than what is in it.
 */
export const createGroupCommit = (
  makeDurable: (batch: readonly Commit[]) => Promise<void>,
  afterBatch: () => Promise<void>,
  mostWaitMs: number,
): GroupCommit => {
  const waiting: Commit[] = []
  let isUrgent = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined

  const run = async (): Promise<void> => {
    while (isUrgent && waiting.length > 0) {
      clearTimeout(timer)
      timer = undefined
      const batch = takeBatch(waiting)
      isUrgent = waiting.length > 0
      try {
        await makeDurable(batch)
      } catch (error) {
        for (const { failed } of [...batch, ...waiting.splice(0)]) failed(error)
        continue
      }
      for (const { durable } of batch) durable()
      await afterBatch()
    }
    running = undefined
  }

  const hurry = (): void => {
    isUrgent = true
    running ??= run()
  }

  return {
    add: (commit) => {
      waiting.push(commit)
      if (commit.mayWait !== true) hurry()
      else timer ??= setTimeout(hurry, mostWaitMs)
    },
    settle: async () => {
      while (waiting.length > 0 || running !== undefined) {
        hurry()
        await running
      }
    },
  }
}
