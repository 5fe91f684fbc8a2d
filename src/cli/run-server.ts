import { rm } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { Settings } from '../config/settings-table.ts'
import type { Delivery } from '../delivery/open-delivery.ts'
import { FolderRefused } from '../folder/folder-refused.ts'
import { makeFolder } from '../folder/make-folder.ts'
import { showBaseUrl } from '../http/base-url.ts'
import { type OpenServer, openServer } from '../http/server.ts'
import { startDelivery } from '../start-delivery.ts'
import type { Ownership } from '../store/files/ownership.ts'
import { openJsonFileStore } from '../store/json-file-store.ts'
import { openMemoryStore } from '../store/memory-store.ts'
import type { Store } from '../store/store.ts'
import { thingForm } from '../things/thing-form.ts'
import { systemWorld } from '../world.ts'
import { CommandFailed } from './command-failed.ts'
import { type FirstAccounts, makeFirstAccounts } from './first-run.ts'
import { type OwnedStore, openOwnedStore } from './owned-store.ts'
import { prepareReadyFile, removeReadyFile, writeReadyFile } from './ready-file.ts'

/**
 * Runs a server from its start to its orderly end: owns the data folder, opens the store, listens, and when told to
 * stop ends what is being delivered, finishes the running requests, closes the store and releases the folder, in this order.
 * @throws FolderRefused, StoreFailed, CommandFailed when it cannot start
 */
export async function runServer(settings: Settings, log: Logger, stopAsked: Promise<string>): Promise<void> {
  // Its port is known when it listens.
  let baseUrl = showBaseUrl(settings)
  const owned = await ownData(settings, log, () => baseUrl)
  try {
    // One of an earlier run that was killed would say "ready" too early.
    if (settings.readyFile) await prepareReadyFile(settings.readyFile)
    const server = await listen(owned.store, settings, log)
    baseUrl = server.baseUrl
    const delivery = await deliver(owned.store, settings, log)
    let secretsFile: string | undefined
    try {
      secretsFile = await announce(owned.store, server, settings, log)
      log.info({ reason: await stopAsked }, 'stopping: running requests are finished first')
    } finally {
      // At once: what is on its way out stays due, and nobody waits for it.
      await delivery.close()
      await server.close()
      if (settings.readyFile) await removeReadyFile(settings.readyFile)
      // The accounts that they are for end with this store.
      if (settings.store === 'memory' && secretsFile !== undefined) await rm(secretsFile, { force: true })
    }
  } finally {
    await owned.close()
  }
  log.info('stopped')
}

async function ownData(settings: Settings, log: Logger, findBaseUrl: () => string): Promise<OwnedStore> {
  await makeFolder(settings.data)
  const owned = await openOwnedStore(settings.data, {
    openStore: (ownership) => openStore(settings, log, ownership),
    findBaseUrl,
    onFault: (error) => log.error({ err: error }, 'a command failed'),
    onWait: (sentence) => log.warn(sentence),
  })
  if ('store' in owned) return owned
  throw new FolderRefused(`data folder ${settings.data} is in use by thingsync process ${owned.owner.pid}`)
}

function openStore({ store, data }: Settings, log: Logger, ownership: Ownership): Promise<Store> {
  return store === 'memory'
    ? openMemoryStore({ form: thingForm })
    : openJsonFileStore({ folder: data, form: thingForm, log, ownership })
}

/** Push services may want to reach the people behind a server: its pages are the only address that is known. */
function deliver(store: Store, { deliveryAllow, baseUrl }: Settings, log: Logger): Promise<Delivery> {
  const contact = baseUrl?.startsWith('https:') ? { contact: new URL(baseUrl).origin } : {}
  return startDelivery({ store, log, deliveryAllow, ...contact })
}

async function listen(store: Store, { baseUrl, ...settings }: Settings, log: Logger): Promise<OpenServer> {
  try {
    return await openServer({ store, settings: baseUrl === undefined ? settings : { ...settings, baseUrl }, log })
  } catch (error) {
    const code = error instanceof Error && 'syscall' in error && 'code' in error ? error.code : undefined
    const { host, port } = settings
    if (code === 'EADDRINUSE') {
      throw new CommandFailed(`port ${port} of ${host} is in use; choose another one with --port, or 0 for a free one`)
    }
    if (code === 'EACCES') throw new CommandFailed(`port ${port} may not be used by this user; choose one above 1023`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
      throw new CommandFailed(`host ${host} is no address of this machine; use 127.0.0.1 or 0.0.0.0`)
    }
    throw error
  }
}

/**
 * Accounts are made when the port is certain: secrets made before a start that fails would never be shown. Gives the file
 * of their secrets, when one was made.
 */
async function announce(
  store: Store,
  { baseUrl, port }: OpenServer,
  settings: Settings,
  log: Logger,
): Promise<string | undefined> {
  const { readyFile, data, host } = settings
  let first: FirstAccounts | undefined
  if (settings.firstRun) {
    first = await makeFirstAccounts(
      store,
      settings,
      { baseUrl, isTerminal: process.stdout.isTTY === true },
      systemWorld,
    )
    if (first !== undefined) process.stdout.write(first.shown)
  }
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const where = settings.baseUrl === undefined ? baseUrl : `${address}; clients use ${baseUrl}`
  log.info({ address, base_url: baseUrl, data, pid: process.pid }, `listening on ${where}`)
  if (readyFile) await writeReadyFile(readyFile, baseUrl)
  return first?.file
}
