import { createWatchers } from '../errands/watchers.ts'
import type { Store, VisibleChange } from '../store.ts'
import { encodeTexts } from './database/encode-array.ts'
import type { Database } from './database/open-database.ts'
import { findPlaces } from './statements/notices.ts'
import { createUnknownChanges, type Span, type UnknownChanges } from './unknown-changes.ts'

/** Who waits in this process for changes of accounts, whoever makes them. */
export interface Watching {
  readonly watch: Store['watch']
  /** What changed after `from` is visible, and who wrote it; of several writers, `writer` is empty. */
  readonly tell: (userId: string, change: VisibleChange, from: number) => void
  /** The same, by nobody knows whom: soon somebody says so, or all who watch are told. */
  readonly noteMoved: (userId: string, position: number, from: number) => void
  /** Somebody has read the account: who watches it by now knows of all up to this position. */
  readonly noteRead: (userId: string, position: number) => void
  readonly forget: (userId: string) => void
  /** Looks where the watched accounts are, in case that nobody has said so. @throws StoreFailed */
  readonly look: () => Promise<void>
  readonly forgetAll: () => void
}

/** An account that somebody watches. */
interface Watched {
  count: number
  /** Up to where those who watch were told, or have read, or soon will be; 0 while that is not known. */
  known: number
  /** What of it nobody was told, because its writer may be among those who watch. */
  readonly unknown: UnknownChanges
}

interface Place {
  readonly userId: string
  readonly position: number
  readonly writer: string
}

/** Nobody waits. */
export const createWatching = (database: Pick<Database, 'run'>): Watching => {
  const watchers = createWatchers<VisibleChange>()
  const watched = new Map<string, Watched>()

  const addUnknown = (userId: string, account: Watched, span: Span): void =>
    account.unknown.add(span, (position) => watchers.tell(userId, { position, writer: '' }))

  const tell = (userId: string, change: VisibleChange, from: number): void => {
    const account = watched.get(userId)
    if (account === undefined) return
    const { position } = change
    const wasUnknown = account.unknown.settle({ after: from, upTo: position })
    if (!wasUnknown && position <= account.known) return
    // Notices of several processes come in any order. All but the writer of this one are told of the whole by it.
    if (account.known > 0) addUnknown(userId, account, { after: account.known, upTo: from })
    account.known = Math.max(account.known, position)
    watchers.tell(userId, change)
  }

  const noteMoved = (userId: string, position: number, from: number): void => {
    const account = watched.get(userId)
    if (account === undefined) return
    addUnknown(userId, account, { after: Math.max(account.known, from), upTo: position })
    account.known = Math.max(account.known, position)
  }

  const noteRead = (userId: string, position: number): void => {
    const account = watched.get(userId)
    if (account?.known === 0) account.known = position
  }

  const forget = (userId: string): void => {
    watched.get(userId)?.unknown.forgetAll()
    watched.delete(userId)
    watchers.forget(userId)
  }

  return {
    watch: (userId, onChange) => {
      const account = watched.get(userId) ?? { count: 0, known: 0, unknown: createUnknownChanges() }
      account.count += 1
      watched.set(userId, account)
      const stop = watchers.watch(userId, onChange)
      let isStopped = false
      return () => {
        stop()
        if (isStopped) return
        isStopped = true
        account.count -= 1
        if (account.count === 0 && watched.get(userId) === account) forget(userId)
      }
    },
    tell,
    noteMoved,
    noteRead,
    forget,
    look: async () => {
      if (watched.size === 0) return
      const known = new Map(Array.from(watched, ([userId, account]) => [userId, account.known]))
      for (const { userId, position, writer } of await database.run<Place>(findPlaces, [
        encodeTexts([...known.keys()]),
      ])) {
        const from = known.get(userId) ?? 0
        // Whoever began to watch since has read the account, or reads it now.
        if (from === 0) noteRead(userId, position)
        // Of several changes the database says only who made the last.
        else if (position === from + 1) tell(userId, { position, writer }, from)
        else noteMoved(userId, position, from)
      }
    },
    forgetAll: () => {
      for (const userId of [...watched.keys()]) forget(userId)
    },
  }
}
