import { type QuotaSettings, readQuotas } from '../accounts/quotas.ts'
import type { Settings } from '../config/settings-table.ts'
import { isDatabaseUrl } from '../config/store-place.ts'
import { makeFolder, requireFolder } from '../folder/make-folder.ts'
import { sendCommand } from '../folder/send-command.ts'
import { showBaseUrl } from '../http/base-url.ts'
import type { Store } from '../store/store.ts'
import type { AccountCommand, AccountOutcome } from './account-commands.ts'
import { CommandFailed } from './command-failed.ts'
import type { CopyCommand } from './copies.ts'
import type { StatusCommand } from './describe-status.ts'
import type { ImportCommand } from './imports.ts'
import { openDatabaseStore } from './open-database-store.ts'

/** Where a command is run. */
export type FolderSettings = Pick<Settings, 'data' | 'store' | 'baseUrl' | 'host' | 'port'> &
  Partial<Pick<Settings, 'storeConnections' | 'listenUrl'>> &
  QuotaSettings

/** When the owner changes between the question and the command it is asked again, this many times at most. */
export const maxAttempts = 20

/**
 * Runs a command on a data folder: in the process that owns it, or, when there is none, here and as its owner for that
 * long. `mayMake` allows to make a folder that is missing.
 * @throws FolderRefused, StoreFailed, CommandFailed
 */
export async function runOnFolder(
  settings: FolderSettings,
  command: AccountCommand,
  { mayMake }: { readonly mayMake: boolean },
): Promise<AccountOutcome> {
  const { data, store: place } = settings
  if (isDatabaseUrl(place)) return useDatabase(settings, (store) => runHere(settings, store, command), { mayMake })
  await (mayMake ? makeFolder(data) : requireFolder(data))
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const sent = await runInOwner<AccountOutcome>(data, command)
    if (sent) return sent
    const outcome = await useHere(settings, (store) => runHere(settings, store, command))
    if (outcome) return outcome
  }
  throw new CommandFailed(`data folder ${data}: other processes keep taking it; try again`)
}

const runHere = async (settings: FolderSettings, store: Store, command: AccountCommand): Promise<AccountOutcome> => {
  const [{ runAccountCommand }, { systemWorld }] = await Promise.all([
    import('./account-commands.ts'),
    import('../world.ts'),
  ])
  const place = { store, world: systemWorld, baseUrl: showBaseUrl(settings), quotas: readQuotas(settings) }
  return runAccountCommand(place, command)
}

/**
 * Opens the store in the database of the settings for as long as `use` takes; servers may work on it meanwhile. An empty
 * one gets its tables if the command `mayMake` them.
 * @throws StoreFailed
 */
export async function useDatabase<T>(
  settings: FolderSettings,
  use: (store: Store) => Promise<T>,
  { mayMake = false } = {},
): Promise<T> {
  const store = await openDatabaseStore(settings, { log: standardError, mayMakeTables: mayMake })
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

/**
 * Opens the store of a data folder that nobody owns, as its owner, for as long as `use` takes. Undefined when it has an
 * owner by now.
 * @throws FolderRefused, StoreFailed, CommandFailed
 */
export async function useHere<T>(settings: FolderSettings, use: (store: Store) => Promise<T>): Promise<T | undefined> {
  const { data } = settings
  if (settings.store === 'memory')
    throw new CommandFailed('the store "memory" keeps nothing while no server runs; start one')
  // Loaded here only: where a server runs, its commands need nothing of the store, which is half of the program.
  const [{ openJsonFileStore }, { openOwnedStore }, { thingForm }] = await Promise.all([
    import('../store/json-file-store.ts'),
    import('./owned-store.ts'),
    import('../things/thing-form.ts'),
  ])
  // Commands that arrive meanwhile are served too: their processes found this one.
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
 * Runs a command in the process that owns the folder; undefined when nobody does.
 * @throws CommandFailed when the owner failed or stopped
 */
export async function runInOwner<Outcome>(
  folder: string,
  command: AccountCommand | CopyCommand | ImportCommand | StatusCommand,
): Promise<Outcome | undefined> {
  const result = await sendCommand(folder, command)
  switch (result.status) {
    case 'done':
      return result.outcome as Outcome
    case 'nobody':
      return undefined
    case 'failed':
      throw new CommandFailed('the server failed to run this command; its log says why')
    case 'unknown':
      throw new CommandFailed('the server stopped while it ran this command; a list command shows whether it was done')
  }
}

const say = (details: { readonly reason?: unknown }, message: string) => {
  const reason = typeof details.reason === 'string' ? ` (${details.reason})` : ''
  process.stderr.write(`thingsync: ${message}${reason}\n`)
}
const standardError = { warn: say, error: say }
