import { rm } from 'node:fs/promises'
import type { Logger } from 'pino'
import { readQuotas } from '../accounts/quotas.ts'
import type { Settings } from '../config/settings-table.ts'
import { hidePassword, isDatabaseUrl } from '../config/store-place.ts'
import type { Delivery } from '../delivery/open-delivery.ts'
import { FolderRefused } from '../folder/folder-refused.ts'
import { makeFolder } from '../folder/make-folder.ts'
import { showBaseUrl } from '../http/base-url.ts'
import type { Observers } from '../http/log-requests.ts'
import type { OpenServer } from '../http/server.ts'
import type { RecentLines } from '../log/recent-lines.ts'
import { readVersion } from '../read-version.ts'
import { soleOwner } from '../store/disk/ownership.ts'
import { openJsonFileStore } from '../store/json-file-store.ts'
import { openMemoryStore } from '../store/memory-store.ts'
import type { Store } from '../store/store.ts'
import { thingForm } from '../things/thing-form.ts'
import { systemWorld } from '../world.ts'
import type { AccountCommand } from './account-commands.ts'
import { beginAccounts } from './begin-accounts.ts'
import type { ServerState } from './describe-status.ts'
import { openDatabaseStore } from './open-database-store.ts'
import { openListener } from './open-listener.ts'
import { type OwnedStore, type OwnedStoreOptions, openOwnedStore } from './owned-store.ts'
import { prepareReadyFile, removeReadyFile, writeReadyFile } from './ready-file.ts'
import type { ScheduledBackups } from './scheduled-backups.ts'
import type { StopSignals } from './signals.ts'
import { startBackups } from './start-backups.ts'
import { startDelivery } from './start-delivery.ts'
import { gaugesOf, startMetrics } from './start-metrics.ts'

/** What goes on around a server. */
export interface ServerSurroundings extends Pick<StopSignals, 'reloadOnHangUp'> {
  readonly stopAsked: Promise<string>
  /** The log's last warnings and errors. */
  readonly recent: RecentLines
}

/**
 * Runs a server from its start to its orderly end: owns the data folder, opens the store, listens, and when told to
 * stop ends what is being delivered, finishes the running requests, closes the store and releases the folder, in this order.
 * @throws FolderRefused, StoreFailed, CommandFailed when it cannot start
 */
export async function runServer(
  settings: Settings,
  log: Logger,
  { stopAsked, reloadOnHangUp, recent }: ServerSurroundings,
): Promise<void> {
  // Its port is known when it listens.
  let baseUrl = showBaseUrl({ ...settings, certificate: settings.tlsCert ? {} : undefined })
  const counting = await startMetrics(settings, log)
  const observers = { log, metrics: counting?.metrics }
  const started = Math.floor(systemWorld.now() / 1000)
  let address: string | undefined
  let backups: ScheduledBackups | undefined
  const describeServer = (): ServerState => ({
    version: readVersion(),
    pid: process.pid,
    started,
    base_url: baseUrl,
    ...(address === undefined ? {} : { address }),
    backup: backups?.state() ?? null,
    lately: recent.list(),
  })
  let owned: OwnedStore | undefined
  try {
    owned = await ownData(settings, observers, { findBaseUrl: () => baseUrl, describeServer })
    const { store } = owned
    counting?.metrics.addGauges(gaugesOf(store, settings))
    // One of an earlier run that was killed would say "ready" too early.
    if (settings.readyFile) await prepareReadyFile(settings.readyFile)
    const server = await openListener(store, settings, observers)
    baseUrl = server.baseUrl
    address = server.address
    if (settings.tlsCert !== undefined) reloadOnHangUp(() => void server.renewCertificate())
    const delivery = await deliver(store, settings, observers)
    let secretsFile: string | undefined
    try {
      secretsFile = await announce(store, server, settings, log)
      backups = await startBackups(store, settings, observers)
      log.info({ reason: await stopAsked }, 'stopping: running requests are finished first')
    } finally {
      // At once: what is on its way out stays due, and nobody waits for it.
      await delivery.close()
      await backups?.close()
      await server.close()
      if (settings.readyFile) await removeReadyFile(settings.readyFile)
      // The accounts that they are for end with this store.
      if (settings.store === 'memory' && secretsFile !== undefined) await rm(secretsFile, { force: true })
    }
  } finally {
    await owned?.close()
    await counting?.close()
  }
  log.info('stopped')
}

async function ownData(
  settings: Settings,
  observers: Observers,
  shown: Pick<OwnedStoreOptions, 'findBaseUrl' | 'describeServer'>,
): Promise<OwnedStore> {
  const { log } = observers
  if (isDatabaseUrl(settings.store)) {
    const store = await openStore(settings, observers)
    return { store, close: store.close }
  }
  await makeFolder(settings.data)
  const owned = await openOwnedStore(settings.data, {
    openStore: (ownership) => openStore(settings, observers, ownership),
    ...shown,
    quotas: readQuotas(settings),
    // Never the command itself, which may hold a password.
    onDone: (command) => {
      if (!isOnlyShowing(command)) log.info(nameCommand(command), 'a command was run on this server')
    },
    onFault: (error) => log.error({ err: error }, 'a command failed'),
    onWait: (sentence) => log.warn(sentence),
  })
  if ('store' in owned) return owned
  throw new FolderRefused(`data folder ${settings.data} is in use by thingsync process ${owned.owner.pid}`)
}

function openStore(settings: Settings, { log, metrics }: Observers, ownership = soleOwner): Promise<Store> {
  const { store, data: folder } = settings
  if (store === 'memory') return openMemoryStore({ form: thingForm })
  const seen = { log, ...(metrics === undefined ? {} : { onCommit: metrics.noteCommit }) }
  return isDatabaseUrl(store)
    ? openDatabaseStore(settings, { ...seen, mayMakeTables: true })
    : openJsonFileStore({ folder, form: thingForm, ownership, ...seen })
}

const isOnlyShowing = ({ name }: AccountCommand): boolean => / (list|invitations)$/.test(name)

const nameCommand = (command: AccountCommand) => ({
  command: command.name,
  ...('user' in command && { user: command.user }),
  ...('to' in command && { to: command.to }),
})

/** Push services may want to reach the people behind a server: its pages are the only address that is known. */
function deliver(store: Store, { deliveryAllow, baseUrl }: Settings, { log, metrics }: Observers): Promise<Delivery> {
  const contact = baseUrl?.startsWith('https:') ? { contact: new URL(baseUrl).origin } : {}
  return startDelivery({ store, log, deliveryAllow, ...contact, ...(metrics && { onSent: metrics.noteDelivery }) })
}

/**
 * Accounts are made when the port is certain: secrets made before a start that fails would never be shown. Gives the file
 * of their secrets, when one was made.
 */
async function announce(
  store: Store,
  { baseUrl, address }: OpenServer,
  settings: Settings,
  log: Logger,
): Promise<string | undefined> {
  const { readyFile, data } = settings
  const first = await beginAccounts(store, settings, { baseUrl, log })
  if (first !== undefined) process.stdout.write(first.shown)
  const where = settings.baseUrl === undefined ? baseUrl : `${address}; clients use ${baseUrl}`
  const kept = isDatabaseUrl(settings.store) ? { store: hidePassword(settings.store) } : { data }
  log.info({ address, base_url: baseUrl, ...kept, pid: process.pid }, `listening on ${where}`)
  if (readyFile) await writeReadyFile(readyFile, baseUrl)
  return first?.file
}
