import type { ErrandSteps } from './kept-errands.ts'

/** One write on its way to the disk. Exactly one of the two functions is called, in the order of the writes. */
export interface Commit {
  readonly key: string
  /** What it does, as JSON; as pieces of its bytes if it is long. */
  readonly steps: string | readonly Buffer[]
  /** What of it are errands: the file of the directory must hold them, too, before the journal can forget the write. */
  readonly errands?: ErrandSteps
  /** Makes the write visible: it is on disk. */
  readonly kept: () => void
  readonly failed: (error: unknown) => void
}

/** Brings writes to the disk, all that wait at once. */
export interface GroupCommit {
  readonly add: (commit: Commit) => void
  /** Resolves when nothing waits. */
  readonly settle: () => Promise<void>
}

const maxBatchLength = 16 * 1024 * 1024

const lengthOf = (steps: Commit['steps']): number =>
  typeof steps === 'string' ? steps.length : steps.reduce((sum, piece) => sum + piece.length, 0)

const takeBatch = (waiting: Commit[]): readonly Commit[] => {
  let length = 0
  const end = waiting.findIndex(({ steps }, index) => {
    length += lengthOf(steps)
    return index > 0 && length > maxBatchLength
  })
  return waiting.splice(0, end === -1 ? waiting.length : end)
}

/**
 * Groups writes: while one batch is on its way, the next one gathers. `keep` makes a batch durable or throws; then all
 * that wait fail with it, because later writes build on earlier ones. `afterBatch` runs before the next one.
 */
export const createGroupCommit = (
  keep: (batch: readonly Commit[]) => Promise<void>,
  afterBatch: () => Promise<void>,
): GroupCommit => {
  const waiting: Commit[] = []
  let running: Promise<void> | undefined

  const run = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = takeBatch(waiting)
      try {
        await keep(batch)
      } catch (error) {
        for (const { failed } of [...batch, ...waiting.splice(0)]) failed(error)
        continue
      }
      for (const { kept } of batch) kept()
      await afterBatch()
    }
    running = undefined
  }

  return {
    add: (commit) => {
      waiting.push(commit)
      running ??= run()
    },
    settle: async () => {
      while (running !== undefined) await running
    },
  }
}
