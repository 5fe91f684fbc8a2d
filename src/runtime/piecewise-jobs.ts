import { createHash, randomUUID } from 'node:crypto'
import { describeExcess, type QuotaForAll } from '../accounts/quotas.ts'
import { findNamedUser } from '../accounts/users.ts'
import type { Environment } from '../environment.ts'
import { encodeItem } from '../store/record/backup-format.ts'
import type { Draft, Store } from '../store/store.ts'
import { type ImportCounts, type ImportOptions, type ItemToImport, importItems } from '../things/import-things.ts'
import { listAccountText, type TextParts } from './account-commands.ts'
import { catchRejection, type Rejection } from './command-errors.ts'

/**
 * Work that a command has done in pieces, because all of it is longer than a request or a response may be: a copy or an
 * import. A command begins the job in the process that owns the data folder (`copy begin`, `import begin`), requests
 * the pieces one after the other (`job next`), and ends the job (`job end`).
 */
export interface PiecewiseJob<Piece> {
  /** Does the next piece. `text` is what the command sends with it. */
  readonly next: (text?: string) => Promise<Piece>
  /** Ends the job, also before its last piece; returns notes for the user. */
  readonly end: () => Promise<readonly string[]>
}

/** A command about a job that was begun. */
export type JobCommand =
  | { readonly name: 'job next'; readonly job: string; readonly text?: string | undefined }
  | { readonly name: 'job end'; readonly job: string }

/** The outcome of beginning a job: its ID, or why it was not begun. */
export type JobBegun = { readonly job: string } | Rejection

/** The outcome of a job command. `isUnknown`: this process has no such job; it was restarted, or the job timed out. */
export type JobOutcome<Piece> =
  | { readonly piece: Piece }
  | { readonly notes: readonly string[] }
  | { readonly isUnknown: true }
  | Rejection

/** The jobs that commands of other processes have under way. */
export interface PiecewiseJobs {
  /** Begins a job, unless as many of its kind as allowed are under way. */
  readonly begin: (kind: 'copies' | 'imports', open: () => Promise<PiecewiseJob<unknown>>) => Promise<JobBegun>
  readonly run: (command: JobCommand) => Promise<JobOutcome<unknown>>
}

const maxJobsOfKind = 4
const timeoutMilliseconds = 60_000

/**
 * Creates an empty set of jobs. A job is dropped when no command about it comes for a minute; what it has done stays.
 */
export const createPiecewiseJobs = (): PiecewiseJobs => {
  const running = new Map<string, { readonly kind: string; readonly job: PiecewiseJob<unknown> }>()
  const timers = new Map<string, NodeJS.Timeout>()

  const stopTimer = (id: string): void => {
    clearTimeout(timers.get(id))
    timers.delete(id)
  }
  const startTimer = (id: string): void => {
    const onTimeout = () => {
      timers.delete(id)
      running.delete(id)
    }
    timers.set(id, setTimeout(onTimeout, timeoutMilliseconds).unref())
  }

  return {
    begin: (kind, open) =>
      catchRejection(async () => {
        if ([...running.values()].filter((each) => each.kind === kind).length >= maxJobsOfKind)
          return {
            rejection: `${maxJobsOfKind} ${kind} are already running; wait until one of them ends (a killed command ends within a minute)`,
          }
        const job = await open()
        const id = randomUUID()
        running.set(id, { kind, job })
        startTimer(id)
        return { job: id }
      }),
    run: (command) =>
      catchRejection(async () => {
        const { job: id } = command
        const job = running.get(id)?.job
        if (job === undefined) return { isUnknown: true }
        // A piece may take longer than the time-out.
        stopTimer(id)
        if (command.name === 'job end') {
          running.delete(id)
          return { notes: await job.end() }
        }
        try {
          return { piece: await job.next(command.text) }
        } finally {
          if (running.has(id)) startTimer(id)
        }
      }),
  }
}

/** The command that begins a copy: of the store as a backup, or of the account of one user as thingsync JSON. */
export interface CopyBegin {
  readonly name: 'copy begin'
  readonly user?: string | undefined
}

/** Some whole parts of a copy. */
export interface CopyPiece {
  readonly text: string
  readonly isLast: boolean
}

// Long enough to be worth a request, short enough that other requests need not wait for it.
const pieceCharacters = 512 * 1024

/** Lists everything in a store, as a JSON line for each item. */
export async function* listStoreText(store: Store): TextParts {
  for await (const item of store.listItems()) yield `${encodeItem(item)}\n`
}

/** Opens a copy. @throws AccountError when there is no such user */
export const openCopy = async (store: Store, { user }: CopyBegin): Promise<PiecewiseJob<CopyPiece>> => {
  const parts = user === undefined ? listStoreText(store) : await listAccountText(store, user)
  return {
    next: async () => {
      let text = ''
      while (text.length < pieceCharacters) {
        const { value, done } = await parts.next()
        if (done) return { text, isLast: true }
        text += value
      }
      return { text, isLast: false }
    },
    end: async () => {
      // Releases what the copy holds of the store.
      await parts.return()
      return []
    },
  }
}

/** The command that begins an import. */
export interface ImportBegin {
  readonly name: 'import begin'
  readonly user: string
  readonly tag?: string
  readonly isDry: boolean
  readonly allowsDuplicates: boolean
  /** Identifies the file when its import is begun again. */
  readonly file: string
}

/** An import into the account of one user. */
interface Import {
  readonly addItems: (items: readonly ItemToImport[]) => Promise<ImportCounts>
  /** Completes the import. Its notes say what exceeds a quota of the user: an administrator may exceed quotas. */
  readonly end: () => Promise<readonly string[]>
}

/** What an import works with. */
interface ImportContext {
  readonly store: Store
  readonly environment: Environment
  readonly quotas: QuotaForAll
}

/** The writer of what an import adds: no session. */
const writer = 'import'
/** The kind of the records that say where an import began. */
export const importRecords = 'import'

/** Opens an import. @throws AccountError when there is no such user */
export const openImport = async (
  { store, environment, quotas }: ImportContext,
  begin: ImportBegin,
): Promise<Import> => {
  const { id: userId } = await findNamedUser(store.registry, begin.user)
  const rules: ImportOptions = {
    tag: begin.tag,
    isDryRun: begin.isDry,
    allowsDuplicates: begin.allowsDuplicates,
    firstImportPosition: await store.write(userId, writer, (draft) => findBegin(draft, begin)),
    nameId: (text) => createHash('sha256').update(`${userId}\n${text}`).digest('hex').slice(0, 20),
    environment,
  }
  return {
    addItems: (items) => store.write(userId, writer, (draft) => importItems(draft, items, rules)),
    end: async () => {
      if (!rules.isDryRun)
        await store.write(userId, writer, (draft) => draft.deleteRecord(importRecords, '', begin.file))
      const user = await store.registry.findUser(userId)
      const usage = await (await store.read(userId)).countUsage()
      return user === undefined ? [] : describeExcess(user, usage, quotas)
    },
  }
}

/** Makes a job of an import. The pieces hold items, a JSON line each, cut anywhere. */
export const createImportJob = ({ addItems, end }: Import): PiecewiseJob<ImportCounts> => {
  /** The start of a line that continues in the next piece. */
  let rest = ''
  return {
    next: async (text = '') => {
      const lines = text.split('\n')
      // The rest of earlier pieces is not searched again: an item may span hundreds of pieces.
      lines[0] = rest + lines[0]
      rest = lines.pop() ?? ''
      return addItems(lines.map((line): ItemToImport => JSON.parse(line)))
    },
    end,
  }
}

/**
 * Finds the position at which the import of a file was first begun. A record keeps it until the import is complete, so
 * that a killed import can go on.
 */
const findBegin = async (draft: Draft, { file, isDry }: ImportBegin): Promise<number> => {
  const kept = await draft.findRecord(importRecords, '', file)
  if (typeof kept === 'number') return kept
  const position = draft.position()
  if (!isDry) await draft.putRecord(importRecords, '', file, position)
  return position
}
