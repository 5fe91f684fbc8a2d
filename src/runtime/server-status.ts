import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { type ListedSession, listSessions } from '../accounts/session-management.ts'
import { listAdmins } from '../accounts/users.ts'
import type { Environment } from '../environment.ts'
import type { RecentLine } from '../log/log.ts'
import { type Store, StoreError } from '../store/store.ts'
import type { BackupState } from './scheduled-backups.ts'

/** The command that reads the status of a server; it has no options. */
export interface StatusCommand {
  readonly name: 'status'
}

/** The state of a running server. Times are Unix time in seconds. */
export interface ServerState {
  readonly version: string
  readonly pid: number
  readonly started: number
  readonly base_url: string
  /** The address on which it listens; absent until it does. */
  readonly address?: string
  readonly backup: BackupState | null
  /** Warnings and errors of its log, the oldest first. */
  readonly recent: readonly RecentLine[]
}

/** The status of a server, or of its data folder when no server runs. */
export interface Status {
  readonly server: ServerState | null
  readonly users: {
    readonly all: number
    readonly admins: number
    readonly disabled: number
    readonly seen_today: number
  }
  /** The users who were active last, the most recent first. */
  readonly by_user: readonly {
    readonly user: string
    readonly sessions: number
    readonly last_used: number | null
    /** The size of the account; null when it cannot be read. */
    readonly things: number | null
    readonly bytes: number | null
    readonly tags: number | null
  }[]
  readonly apps: number
  readonly accounts_in_memory: number
  readonly journal_bytes: number | null
  readonly free_bytes: number | null
  /** Outbox entries, the number of due ones, and when the oldest became due (Unix time in seconds). */
  readonly waiting: { readonly outbox_entries: number; readonly due: number; readonly oldest_due: number | null }
}

const maxListedUsers = 10
const daySeconds = 24 * 3600

/** Describes a store and the server that works on it. */
export async function describeStatus(
  {
    store,
    environment,
    folder,
  }: {
    readonly store: Store
    readonly environment: Environment
    /** Undefined for a database. */
    readonly folder: string | undefined
  },
  server: ServerState | null,
): Promise<Status> {
  const { registry } = store
  const now = environment.now()
  const users = await registry.listUsers()
  const active = await Promise.all(
    users.map(async ({ id, name }) => {
      const sessions = await listSessions(store, id, environment)
      const lastUsed = Math.max(0, ...sessions.map(lastSeen))
      return { id, user: name, sessions: sessions.length, last_used: lastUsed === 0 ? null : lastUsed }
    }),
  )
  const newest = active.sort((a, b) => (b.last_used ?? 0) - (a.last_used ?? 0)).slice(0, maxListedUsers)
  const outboxEntries = await store.listOutboxEntries()
  const due = outboxEntries.filter(({ dueAt }) => dueAt <= now)
  return {
    server,
    users: {
      all: users.length,
      admins: (await listAdmins(registry)).length,
      disabled: users.filter(({ disabledAt }) => disabledAt !== undefined).length,
      seen_today: active.filter(({ last_used: at }) => at !== null && at > now / 1000 - daySeconds).length,
    },
    by_user: await Promise.all(newest.map(async ({ id, ...user }) => ({ ...user, ...(await countUsage(store, id)) }))),
    apps: (await registry.listApps()).length,
    accounts_in_memory: store.countOpenAccounts(),
    ...(folder === undefined ? { journal_bytes: null, free_bytes: null } : await describeFolder(folder)),
    waiting: {
      outbox_entries: outboxEntries.length,
      due: due.length,
      oldest_due: due.length === 0 ? null : Math.floor(Math.min(...due.map(({ dueAt }) => dueAt)) / 1000),
    },
  }
}

/**
 * Returns when a session was last used. For an app session without requests that is the sign-in. An unused token counts
 * as never used: its user may never have been active.
 */
const lastSeen = ({ kind, lastUsedAt, createdAt }: ListedSession): number =>
  lastUsedAt ?? (kind === 'token' ? 0 : createdAt)

const describeFolder = async (folder: string): Promise<Pick<Status, 'journal_bytes' | 'free_bytes'>> => {
  const { bavail, bsize } = await statfs(folder)
  return {
    journal_bytes: (await hasJournal(folder)) ? await sumJournalBytes(folder) : null,
    free_bytes: bavail * bsize,
  }
}

/** Counts the usage of a user; null values for a damaged account, so that the status still shows the others. */
const countUsage = async (store: Store, userId: string) => {
  try {
    const { things, bytes, tags } = await (await store.read(userId)).countUsage()
    return { things, bytes, tags }
  } catch (error) {
    if (error instanceof StoreError) return { things: null, bytes: null, tags: null }
    throw error
  }
}

/** Returns false for the data folder of a server with the memory store. */
const hasJournal = async (folder: string): Promise<boolean> => {
  try {
    return (await stat(`${folder}/journal`)).isDirectory()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}

/** Adds up the bytes of the journal files of a data folder. A file that disappears meanwhile counts as 0. */
export const sumJournalBytes = async (folder: string): Promise<number> => {
  const journal = join(folder, 'journal')
  const names = await readdir(journal)
  const sizes = await Promise.all(
    names.map((name) => stat(join(journal, name)).then(({ size }) => size, zeroWhenMissing)),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

const zeroWhenMissing = (error: NodeJS.ErrnoException): number => {
  if (error.code === 'ENOENT') return 0
  throw error
}
