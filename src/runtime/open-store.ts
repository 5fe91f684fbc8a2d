import type { QuotaForAll } from '../accounts/quotas.ts'
import type { Settings } from '../config/settings-table.ts'
import { enqueueDeliveries } from '../delivery/dispatcher.ts'
import { systemEnvironment } from '../environment.ts'
import { type OwnedFolder, ownFolder } from '../folder/own-folder.ts'
import { type Store, StoreError, type StoreLog } from '../store/store.ts'
import { thingForm } from '../things/thing.ts'
import { type AccountCommand, runAccountCommand } from './account-commands.ts'
import {
  type CopyBegin,
  createImportJob,
  createPiecewiseJobs,
  type ImportBegin,
  type JobCommand,
  openCopy,
  openImport,
} from './piecewise-jobs.ts'
import { describeStatus, type ServerState, type StatusCommand } from './server-status.ts'

/** How a database is reached. */
type DatabaseSettings = Pick<Settings, 'store'> & Partial<Pick<Settings, 'storeConnections' | 'listenUrl'>>

/** Who is told what happens in it. */
interface DatabaseObservers {
  readonly log: StoreLog
  readonly onCommit?: (writes: number, milliseconds: number) => void
}

/** Opens the store in the database of the settings; an empty one gets its tables if it may. @throws StoreFailed */
export const openDatabaseStore = async (
  { store: url, storeConnections: connections, listenUrl = undefined }: DatabaseSettings,
  { mayMakeTables, ...observers }: DatabaseObservers & { readonly mayMakeTables: boolean },
): Promise<Store> => {
  // Loaded by those who have a database only.
  const { openPostgres } = await import('../store/postgres/open-postgres.ts')
  return openPostgres({
    ...{ url, form: thingForm, mayMakeTables, ...observers },
    ...(connections === undefined ? {} : { connections }),
    ...(listenUrl === undefined ? {} : { listenUrl }),
  })
}

/** A command that another process sends to the owner of a data folder. */
export type OwnerCommand = AccountCommand | CopyBegin | ImportBegin | JobCommand | StatusCommand

/** The store of a data folder that this process owns; other processes' commands run on it too. */
export interface OwnedStore {
  readonly store: Store
  /** Finishes the commands that run, closes the store and releases the folder. */
  readonly close: () => Promise<void>
}

/** How a store is owned and opened. */
export interface OwnedStoreOptions {
  readonly openStore: (ownership: Pick<OwnedFolder, 'isHeld' | 'mayHaveRival'>) => Promise<Store>
  /** The base address of the API at the moment. */
  readonly findBaseUrl: () => string
  /** How much everybody may have. */
  readonly quotas: QuotaForAll
  /** What a server tells of itself; a process that is none leaves it out. */
  readonly describeServer?: () => ServerState
  /** Told of each command about accounts that another process had run here, and was not refused. */
  readonly onDone?: (command: AccountCommand) => void
  /** Told what a command of another process threw; that process learns only that it failed. */
  readonly onFault: (error: unknown) => void
  /** Told when it takes seconds to find out whether the owner before has ended. */
  readonly onWait: (sentence: string) => void
}

/** What cannot be brought there stays in the journal, and nothing is lost. */
async function toPlainFiles(store: Store): Promise<void> {
  try {
    await store.checkpoint()
  } catch (error) {
    // The store has said in its log what its disk refuses.
    if (!(error instanceof StoreError)) throw error
  }
}

/** Owns an existing data folder and opens its store, or says who owns it. @throws FolderError, StoreFailed */
export async function openOwnedStore(
  folder: string,
  { openStore, findBaseUrl, quotas, describeServer, onDone, onFault, onWait }: OwnedStoreOptions,
): Promise<OwnedStore | { readonly owner: { readonly pid: number } }> {
  let opening: Promise<Store> | undefined
  const jobs = createPiecewiseJobs()
  const onCommand = async (command: unknown) => {
    try {
      if (opening === undefined) throw new TypeError('a command came before the folder was owned')
      const store = await opening
      // Made by a holder of the folder's key, that is by sendCommand.
      const asked = command as OwnerCommand
      switch (asked.name) {
        case 'status':
          return await describeStatus({ store, environment: systemEnvironment, folder }, describeServer?.() ?? null)
        case 'copy begin':
          return await jobs.begin('copies', () => openCopy(store, asked))
        case 'import begin': {
          const place = { store: enqueueDeliveries(store, systemEnvironment), environment: systemEnvironment, quotas }
          return await jobs.begin('imports', async () => createImportJob(await openImport(place, asked)))
        }
        case 'job next':
        case 'job end':
          return await jobs.run(asked)
        default: {
          const place = { store, environment: systemEnvironment, baseUrl: findBaseUrl(), quotas }
          const outcome = await runAccountCommand(place, asked)
          if ('rows' in outcome) onDone?.(asked)
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
