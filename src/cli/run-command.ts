import { type QuotaSettings, readQuotas } from '../accounts/quotas.ts'
import type { Settings } from '../config/settings-table.ts'
import { isDatabaseUrl } from '../config/settings-table.ts'
import { createFolder, requireFolder } from '../folder/data-folder.ts'
import { sendCommand } from '../folder/own-folder.ts'
import { showBaseUrl } from '../http/listen.ts'
import type { AccountCommand, AccountOutcome } from '../runtime/account-commands.ts'
import { CommandFailed } from '../runtime/command-errors.ts'
import type { OwnerCommand } from '../runtime/open-store.ts'
import type {
  CopyBegin,
  ImportBegin,
  JobBegun,
  JobCommand,
  JobOutcome,
  PiecewiseJob,
} from '../runtime/piecewise-jobs.ts'
import type { Store } from '../store/store.ts'

/** The settings that say where a command runs. */
export type FolderSettings = Pick<Settings, 'data' | 'store' | 'baseUrl' | 'host' | 'port'> &
  Partial<Pick<Settings, 'storeConnections' | 'listenUrl'>> &
  QuotaSettings

/** Maximum attempts: the owner may change between the query and the command. */
const maxAttempts = 20

/** Two ways to the same result: in the process that owns the folder, or in this process. */
interface OwnerOrStore<T> {
  /** Returns undefined when no process owns the folder. */
  readonly useOwner: () => Promise<T | undefined>
  readonly useStore: (store: Store) => Promise<T>
  /** Allows to create a missing folder or missing tables. */
  readonly mayCreate?: boolean
}

/**
 * Uses a store through the process that owns its folder. Without an owner this process owns the folder during the use.
 * A database has no owner.
 * @throws FolderError, StoreError, CommandFailed
 */
export async function useOwnerOrStore<T extends object>(
  settings: FolderSettings,
  { useOwner, useStore, mayCreate = false }: OwnerOrStore<T>,
): Promise<T> {
  const { data, store: location } = settings
  if (isDatabaseUrl(location)) return useDatabase(settings, useStore, { mayCreate })
  await (mayCreate ? createFolder(data) : requireFolder(data))
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const result = (await useOwner()) ?? (await useHere(settings, useStore))
    if (result) return result
  }
  throw new CommandFailed(`data folder ${data}: other processes used it at every attempt; try again later`)
}

/**
 * Runs a command on a data folder: in the process that owns it, or, without an owner, in this process as its owner.
 * `mayCreate` allows to create a missing folder.
 * @throws FolderError, StoreError, CommandFailed
 */
export const runOnFolder = (
  settings: FolderSettings,
  command: AccountCommand,
  { mayCreate }: { readonly mayCreate: boolean },
): Promise<AccountOutcome> =>
  useOwnerOrStore(settings, {
    useOwner: () => runInOwner<AccountOutcome>(settings.data, command),
    useStore: (store) => runHere(settings, store, command),
    mayCreate,
  })

const runHere = async (settings: FolderSettings, store: Store, command: AccountCommand): Promise<AccountOutcome> => {
  const [{ runAccountCommand }, { systemEnvironment }] = await Promise.all([
    import('../runtime/account-commands.ts'),
    import('../environment.ts'),
  ])
  const context = {
    store,
    environment: systemEnvironment,
    baseUrl: showBaseUrl(settings),
    quotas: readQuotas(settings),
  }
  return runAccountCommand(context, command)
}

/**
 * Opens the store in the database of the settings while `use` runs. Servers may use the database at the same time.
 * `mayCreate` allows to create the tables in an empty database.
 * @throws StoreError
 */
export async function useDatabase<T>(
  settings: FolderSettings,
  use: (store: Store) => Promise<T>,
  { mayCreate = false } = {},
): Promise<T> {
  const { openDatabaseStore } = await import('../runtime/open-store.ts')
  const store = await openDatabaseStore(settings, { log: standardError, mayCreateTables: mayCreate })
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

/**
 * Opens the store of a data folder without an owner, as its owner, while `use` runs. Returns undefined when another
 * process owns the folder.
 * @throws FolderError, StoreError, CommandFailed
 */
export async function useHere<T>(settings: FolderSettings, use: (store: Store) => Promise<T>): Promise<T | undefined> {
  const { data } = settings
  if (settings.store === 'memory')
    throw new CommandFailed('the store "memory" is empty while no server runs; give --data or --store of your server')
  // Loaded here only: beside a running server a command does not need the store, which is half of the program.
  const [{ openJsonFileStore }, { openOwnedStore }, { thingForm }] = await Promise.all([
    import('../store/json-file-store.ts'),
    import('../runtime/open-store.ts'),
    import('../things/thing.ts'),
  ])
  // Other processes may find this owner and send commands, so this process runs them.
  const owned = await openOwnedStore(data, {
    openStore: (ownership) => openJsonFileStore({ folder: data, form: thingForm, log: standardError, ownership }),
    findBaseUrl: () => showBaseUrl(settings),
    quotas: readQuotas(settings),
    onFault: (error) => process.stderr.write(`thingsync: a command of another process failed: ${error}\n`),
    onWait: (sentence) => process.stderr.write(`thingsync: ${sentence}\n`),
  })
  if ('owner' in owned) return undefined
  try {
    return await use(owned.store)
  } finally {
    await owned.close()
  }
}

/**
 * Runs a command in the process that owns the folder. Returns undefined when no process owns it.
 * @throws CommandFailed when the owner failed or stopped
 */
export async function runInOwner<Outcome>(folder: string, command: OwnerCommand): Promise<Outcome | undefined> {
  const result = await sendCommand(folder, command)
  switch (result.status) {
    case 'done':
      return result.outcome as Outcome
    case 'no owner':
      return undefined
    case 'failed':
      throw new CommandFailed('the server failed to run this command; see its log')
    case 'unknown':
      throw new CommandFailed(
        'the server stopped while it ran this command; check with a list command whether it was done',
      )
  }
}

/**
 * Begins a job in the process that owns the folder. Returns undefined when no process owns it. `work` completes the
 * sentence "the server stopped …", and says what to do.
 * @throws CommandFailed when the owner rejects the job, failed or stopped; the functions of the job throw the same
 */
export async function beginInOwner<Piece>(
  folder: string,
  begin: CopyBegin | ImportBegin,
  work: string,
): Promise<PiecewiseJob<Piece> | undefined> {
  const begun = await runInOwner<JobBegun>(folder, begin)
  if (begun === undefined) return undefined
  if ('rejection' in begun) throw new CommandFailed(begun.rejection)
  const { job } = begun
  const run = async (command: JobCommand): Promise<JobOutcome<Piece> | undefined> => {
    const outcome = await runInOwner<JobOutcome<Piece>>(folder, command)
    if (outcome && 'rejection' in outcome) throw new CommandFailed(outcome.rejection)
    return outcome
  }
  return {
    next: async (text) => {
      const outcome = await run({ name: 'job next', job, text })
      if (outcome === undefined) throw new CommandFailed(`the server stopped ${work}`)
      if (!('piece' in outcome)) throw new CommandFailed(`the server was restarted ${work}`)
      return outcome.piece
    },
    // All pieces are done: it does not matter whether the owner has stopped since then.
    end: async () => {
      const outcome = await run({ name: 'job end', job })
      return outcome && 'notes' in outcome ? outcome.notes : []
    },
  }
}

const say = (details: { readonly reason?: unknown }, message: string) => {
  const reason = typeof details.reason === 'string' ? ` (${details.reason})` : ''
  process.stderr.write(`thingsync: ${message}${reason}\n`)
}
const standardError = { warn: say, error: say }
