import { createWatchers } from '../errands/watchers.ts'
import type { Store, VisibleChange } from '../store.ts'
import { encodeTexts } from './database/encode-array.ts'
import type { Database } from './database/open-database.ts'
import { findPlaces } from './statements/notices.ts'

/** Who waits in this process for changes of accounts, whoever makes them. */
export interface Watching {
  readonly watch: Store['watch']
  /**
   * What changed between two positions is visible. What is not above the last one that was told is told to nobody. Where
   * something between is not known, it is soon, or nobody knows who made it.
   */
  readonly tell: (userId: string, change: VisibleChange, from: number) => void
  /** Somebody has read the account: who watches it by now knows of all up to this position. */
  readonly noteRead: (userId: string, position: number) => void
  readonly forget: (userId: string) => void
  /** Looks where the watched accounts are, in case that nobody has said so. @throws StoreFailed */
  readonly look: () => Promise<void>
  readonly forgetAll: () => void
}

/** An account that somebody watches, and up to where they were told, or have read; 0 while that is not known. */
interface Watched {
  count: number
  told: number
}

/** So long a notice may be behind a later one. */
const reorderMilliseconds = 150

interface Place {
  readonly userId: string
  readonly position: number
  readonly writer: string
}

/** Nobody waits. */
export const createWatching = (database: Database): Watching => {
  const watchers = createWatchers<VisibleChange>()
  const watched = new Map<string, Watched>()

  const tellKnown = (userId: string, known: Watched, change: VisibleChange): void => {
    if (watched.get(userId) !== known || change.position <= known.told) return
    known.told = change.position
    watchers.tell(userId, change)
  }

  const tell = (userId: string, change: VisibleChange, from: number): void => {
    const known = watched.get(userId)
    if (known === undefined || change.position <= known.told) return
    if ((known.told === 0 || from <= known.told) && change.writer !== '') tellKnown(userId, known, change)
    // Notices of two processes come in any order, and a request may have found what a notice is about to say.
    else setTimeout(() => tellKnown(userId, known, { ...change, writer: '' }), reorderMilliseconds).unref()
  }

  const noteRead = (userId: string, position: number): void => {
    const known = watched.get(userId)
    if (known?.told === 0) known.told = position
  }

  const forget = (userId: string): void => {
    watched.delete(userId)
    watchers.forget(userId)
  }

  return {
    watch: (userId, onChange) => {
      const known = watched.get(userId) ?? { count: 0, told: 0 }
      known.count += 1
      watched.set(userId, known)
      const stop = watchers.watch(userId, onChange)
      let isStopped = false
      return () => {
        stop()
        if (isStopped) return
        isStopped = true
        known.count -= 1
        if (known.count === 0 && watched.get(userId) === known) watched.delete(userId)
      }
    },
    tell,
    noteRead,
    forget,
    look: async () => {
      if (watched.size === 0) return
      const told = new Map(Array.from(watched, ([userId, known]) => [userId, known.told]))
      for (const { userId, position, writer } of await database.run<Place>(findPlaces, [
        encodeTexts([...told.keys()]),
      ])) {
        const from = told.get(userId) ?? 0
        // Whoever began to watch since has read the account, or reads it now.
        if (from === 0) {
          noteRead(userId, position)
          continue
        }
        // Of several changes nobody knows here who made them.
        tell(userId, { position, writer: position === from + 1 ? writer : '' }, from)
      }
    },
    forgetAll: () => {
      watched.clear()
      watchers.forgetAll()
    },
  }
}
