import { stat, statfs } from 'node:fs/promises'
import { type ListedSession, listSessions } from '../accounts/session-management.ts'
import { listAdmins } from '../accounts/users.ts'
import type { Environment } from '../environment.ts'
import type { RecentLine } from '../log/log.ts'
import { sumJournalBytes } from '../metrics/metrics.ts'
import { type Store, StoreError } from '../store/store.ts'
import type { BackupState } from './scheduled-backups.ts'

/** The command that asks how a server is; it takes nothing. */
export interface StatusCommand {
  readonly name: 'status'
}

/** What a running server knows of itself. Times are Unix time in seconds. */
export interface ServerState {
  readonly version: string
  readonly pid: number
  readonly started: number
  readonly base_url: string
  /** Where it listens; absent until it does. */
  readonly address?: string
  readonly backup: BackupState | null
  /** Warnings and errors of its log, the oldest first. */
  readonly lately: readonly RecentLine[]
}

/** How a server is, or its data folder when none runs. */
export interface Status {
  readonly server: ServerState | null
  readonly users: {
    readonly all: number
    readonly admins: number
    readonly disabled: number
    readonly seen_today: number
  }
  /** Those who were seen last, the last first. */
  readonly people: readonly {
    readonly user: string
    readonly sessions: number
    readonly last_used: number | null
    /** What the account holds; null when it cannot be read. */
    readonly things: number | null
    readonly bytes: number | null
    readonly tags: number | null
  }[]
  readonly apps: number
  readonly accounts_in_memory: number
  readonly journal_bytes: number | null
  readonly free_bytes: number | null
  /** What is still to be told to webhooks and devices, how much of it is due, and since when (Unix seconds). */
  readonly waiting: { readonly errands: number; readonly due: number; readonly oldest_due: number | null }
}

const mostPeople = 10
const daySeconds = 24 * 3600

/** Describes a store and the server that works on it. */
export async function describeStatus(
  {
    store,
    environment,
    folder,
  }: {
    readonly store: Store
    readonly environment: Environment /** Undefined where everything is in a database. */
    readonly folder: string | undefined
  },
  server: ServerState | null,
): Promise<Status> {
  const { registry } = store
  const now = environment.now()
  const users = await registry.listUsers()
  const people = await Promise.all(
    users.map(async ({ id, name }) => {
      const sessions = await listSessions(store, id, environment)
      const lastUsed = Math.max(0, ...sessions.map(lastSeen))
      return { id, user: name, sessions: sessions.length, last_used: lastUsed === 0 ? null : lastUsed }
    }),
  )
  const newest = people.sort((a, b) => (b.last_used ?? 0) - (a.last_used ?? 0)).slice(0, mostPeople)
  const errands = await store.listOutboxEntries()
  const due = errands.filter(({ dueAt }) => dueAt <= now)
  return {
    server,
    users: {
      all: users.length,
      admins: (await listAdmins(registry)).length,
      disabled: users.filter(({ disabledAt }) => disabledAt !== undefined).length,
      seen_today: people.filter(({ last_used: at }) => at !== null && at > now / 1000 - daySeconds).length,
    },
    people: await Promise.all(
      newest.map(async ({ id, ...person }) => ({ ...person, ...(await countUsage(store, id)) })),
    ),
    apps: (await registry.listApps()).length,
    accounts_in_memory: store.countOpenAccounts(),
    ...(folder === undefined ? { journal_bytes: null, free_bytes: null } : await describeFolder(folder)),
    waiting: {
      errands: errands.length,
      due: due.length,
      oldest_due: due.length === 0 ? null : Math.floor(Math.min(...due.map(({ dueAt }) => dueAt)) / 1000),
    },
  }
}

/** Of an app that has asked for nothing yet it is the sign-in; a token may have been made for somebody who never came. */
const lastSeen = ({ kind, lastUsedAt, createdAt }: ListedSession): number =>
  lastUsedAt ?? (kind === 'token' ? 0 : createdAt)

const describeFolder = async (folder: string): Promise<Pick<Status, 'journal_bytes' | 'free_bytes'>> => {
  const { bavail, bsize } = await statfs(folder)
  return {
    journal_bytes: (await hasJournal(folder)) ? await sumJournalBytes(folder) : null,
    free_bytes: bavail * bsize,
  }
}

/** A damaged account is no reason to say nothing of the others. */
const countUsage = async (store: Store, userId: string) => {
  try {
    const { things, bytes, tags } = await (await store.read(userId)).countUsage()
    return { things, bytes, tags }
  } catch (error) {
    if (error instanceof StoreError) return { things: null, bytes: null, tags: null }
    throw error
  }
}

/** A server that keeps everything in memory has none. */
const hasJournal = async (folder: string): Promise<boolean> => {
  try {
    return (await stat(`${folder}/journal`)).isDirectory()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}
