import { StoreFailed } from '../store.ts'
import type { StoreLog } from '../store-log.ts'
import type { Journal } from '../wal/journal.ts'

/** Saves in the background what old segments of the journal are needed for, and then removes them. */
export interface Checkpoints {
  /** To be told that a segment was filled. */
  readonly ask: () => void
  /** The same after a start: when the first requests are answered, unless the journal has grown in crash after crash. */
  readonly askLater: () => void
  /** Saves one key now, or says in the log why it has to wait. */
  readonly saveOrReport: (key: string) => Promise<void>
  /** Resolves when none is at work. */
  readonly settle: () => Promise<void>
}

/** How long the first requests after a start have the disk for themselves. */
const laterMilliseconds = 10_000
const mostSegments = 5

/** No checkpoint yet. `save` brings the newest state of a key to its own file. */
export const createCheckpoints = (
  journal: () => Journal,
  save: (key: string) => Promise<void>,
  log: StoreLog,
): Checkpoints => {
  let isAsked = false
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const saveOrReport = async (key: string): Promise<void> => {
    try {
      await save(key)
    } catch (error) {
      // The journal still has what could not be saved; the next checkpoint tries again.
      if (!(error instanceof StoreFailed)) throw error
      log.warn({ err: error, key }, `${key} stays in the journal for now: ${error.message}`)
    }
  }

  const run = async (): Promise<void> => {
    while (isAsked) {
      isAsked = false
      for (const key of journal().listUnsavedKeys()) await saveOrReport(key)
      try {
        await journal().removeNeedless()
      } catch (error) {
        if (!(error instanceof StoreFailed)) throw error
        log.warn({ err: error }, `old segments of the journal stay for now: ${error.message}`)
      }
    }
    running = undefined
  }

  const ask = (): void => {
    isAsked = true
    running ??= run()
  }

  return {
    saveOrReport,
    ask,
    askLater: () => {
      if (journal().segments().length > mostSegments) ask()
      else timer = setTimeout(ask, laterMilliseconds).unref()
    },
    settle: async () => {
      clearTimeout(timer)
      while (running !== undefined) await running
    },
  }
}
