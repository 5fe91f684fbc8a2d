import type { QuotaForAll } from '../accounts/quotas.ts'
import type { Settings } from '../config/settings-table.ts'
import { enqueueDeliveries } from '../delivery/dispatcher.ts'
import { systemEnvironment } from '../environment.ts'
import { type OwnedFolder, ownFolder } from '../folder/own-folder.ts'
import { loadOnce } from '../scheduling.ts'
import { type Store, StoreError, type StoreLog } from '../store/store.ts'
import { thingForm } from '../things/thing.ts'
import type { AccountCommand } from './account-commands.ts'
import type { CopyBegin, ImportBegin, JobCommand } from './piecewise-jobs.ts'
import type { ServerState, StatusCommand } from './server-status.ts'

/** The settings of the connection to a database. */
type DatabaseSettings = Pick<Settings, 'store'> & Partial<Pick<Settings, 'storeConnections' | 'listenUrl'>>

/** The observers of a database store. */
interface DatabaseObservers {
  readonly log: StoreLog
  readonly onCommit?: (writes: number, milliseconds: number) => void
}

/** Opens the store in the database of the settings; `mayCreateTables` allows to create its tables. @throws StoreError */
export const openDatabaseStore = async (
  { store: url, storeConnections: connections, listenUrl = undefined }: DatabaseSettings,
  { mayCreateTables, ...observers }: DatabaseObservers & { readonly mayCreateTables: boolean },
): Promise<Store> => {
  // Loaded here only: most installations have no database.
  const { openPostgres } = await import('../store/postgres/open-postgres.ts')
  return openPostgres({
    ...{ url, form: thingForm, mayCreateTables, ...observers },
    ...(connections === undefined ? {} : { connections }),
    ...(listenUrl === undefined ? {} : { listenUrl }),
  })
}

/** A command that another process sends to the owner of a data folder. */
export type OwnerCommand = AccountCommand | CopyBegin | ImportBegin | JobCommand | StatusCommand

/** The store of a data folder that this process owns; the commands of other processes also run on it. */
export interface OwnedStore {
  readonly store: Store
  /** Finishes the commands that run, closes the store and releases the folder. */
  readonly close: () => Promise<void>
}

/** The options of `openOwnedStore`. */
export interface OwnedStoreOptions {
  readonly openStore: (ownership: Pick<OwnedFolder, 'isHeld' | 'mayHavePreviousOwner'>) => Promise<Store>
  /** Returns the current base URL of the API. */
  readonly findBaseUrl: () => string
  /** The quotas of users without quotas of their own. */
  readonly quotas: QuotaForAll
  /** Returns the state of the server; undefined in a process that is no server. */
  readonly describeServer?: () => ServerState
  /** Is called with each successful command about accounts of another process. */
  readonly onDone?: (command: AccountCommand) => void
  /** Is called with the error of another process's command; that process learns only that the command failed. */
  readonly onFault: (error: unknown) => void
  /** Is called with a sentence when it takes seconds to find out whether the previous owner has ended. */
  readonly onWait: (sentence: string) => void
}

/** Writes the journal to plain files. When that fails, the journal keeps everything, and nothing is lost. */
async function toPlainFiles(store: Store): Promise<void> {
  try {
    await store.checkpoint()
  } catch (error) {
    // The store has logged the error of the disk.
    if (!(error instanceof StoreError)) throw error
  }
}

/** Owns an existing data folder and opens its store, or returns its owner. @throws FolderError, StoreError */
export async function openOwnedStore(
  folder: string,
  { openStore, findBaseUrl, quotas, describeServer, onDone, onFault, onWait }: OwnedStoreOptions,
): Promise<OwnedStore | { readonly owner: { readonly pid: number } }> {
  let opening: Promise<Store> | undefined
  // Loaded with the first command of each kind: most servers run for weeks without one.
  const loadJobs = loadOnce(async () => {
    const { createPiecewiseJobs, ...rest } = await import('./piecewise-jobs.ts')
    return { ...rest, jobs: createPiecewiseJobs() }
  })
  const onCommand = async (command: unknown) => {
    try {
      if (opening === undefined) throw new TypeError('a command came before the folder was owned')
      const store = await opening
      // Only a holder of the key of the folder can send it, and that is sendCommand.
      const ownerCommand = command as OwnerCommand
      switch (ownerCommand.name) {
        case 'status': {
          const { describeStatus } = await import('./server-status.ts')
          return await describeStatus({ store, environment: systemEnvironment, folder }, describeServer?.() ?? null)
        }
        case 'copy begin': {
          const { jobs, openCopy } = await loadJobs()
          return await jobs.begin('copies', () => openCopy(store, ownerCommand))
        }
        case 'import begin': {
          const { jobs, createImportJob, openImport } = await loadJobs()
          const context = { store: enqueueDeliveries(store, systemEnvironment), environment: systemEnvironment, quotas }
          return await jobs.begin('imports', async () => createImportJob(await openImport(context, ownerCommand)))
        }
        case 'job next':
        case 'job end':
          return await (await loadJobs()).jobs.run(ownerCommand)
        default: {
          const { runAccountCommand } = await import('./account-commands.ts')
          const context = { store, environment: systemEnvironment, baseUrl: findBaseUrl(), quotas }
          const outcome = await runAccountCommand(context, ownerCommand)
          if ('rows' in outcome) onDone?.(ownerCommand)
          return outcome
        }
      }
    } catch (error) {
      onFault(error)
      throw error
    }
  }
  const owned = await ownFolder(folder, { onCommand, onWait })
  if ('owner' in owned) return owned
  try {
    opening = openStore(owned)
    const store = await opening
    const close = async () => {
      await owned.stopCommands()
      await toPlainFiles(store)
      await store.close()
      await owned.release()
    }
    return { store, close }
  } catch (error) {
    await owned.release()
    throw error
  }
}
