import type { Logger } from 'pino'
import type { Settings } from '../config/settings-table.ts'
import { isDatabaseUrl } from '../config/store-place.ts'
import { FolderRefused } from '../folder/folder-refused.ts'
import { makeFolder } from '../folder/make-folder.ts'
import type { Store } from '../store/store.ts'
import { systemWorld } from '../world.ts'
import { type FirstAccounts, makeFirstAccounts } from './first-run.ts'
import { SecretsFileRefused } from './secrets-file.ts'

/** What a server that has just started tells those who run it. */
interface Told {
  readonly baseUrl: string
  readonly log: Logger
}

/**
 * Makes the first user and an app where the settings ask for that and nobody is yet; of servers that begin at once on one
 * database one does. Gives what is to be printed about it.
 * @throws AccountRefused, CommandFailed, StoreFailed
 */
export async function beginAccounts(
  store: Store,
  settings: Settings,
  { baseUrl, log }: Told,
): Promise<FirstAccounts | undefined> {
  if (!settings.firstRun) return undefined
  const isTerminal = process.stdout.isTTY === true
  const make = () => makeFirstAccounts(store, settings, { baseUrl, isTerminal }, systemWorld)
  if (!isDatabaseUrl(settings.store)) return make()
  // Nearly always: then nobody has to wait for anybody.
  if (await store.registry.hasUsers()) return undefined
  const { runAlone } = await import('../store/postgres/run-alone.ts')
  return runAlone(settings.store, async () => {
    try {
      if (!isTerminal && !(await store.registry.hasUsers())) await makeFolder(settings.data)
      return await make()
    } catch (error) {
      // A server on a database needs no folder for anything else.
      if (!(error instanceof FolderRefused || error instanceof SecretsFileRefused)) throw error
      log.info({ reason: error.message }, howToBegin)
      return undefined
    }
  })
}

const howToBegin =
  'nobody has an account yet, and the secrets of a first one can be kept nowhere: make it, an admin, with "thingsync user add" on the same database, and a link to it with "thingsync user link"'
