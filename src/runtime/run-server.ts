import { X509Certificate } from 'node:crypto'
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import type { Logger } from 'pino'
import { readQuotas } from '../accounts/quotas.ts'
import type { Settings } from '../config/settings-table.ts'
import { hidePassword, isDatabaseUrl } from '../config/settings-table.ts'
import type { Delivery } from '../delivery/dispatcher.ts'
import { readVersion, systemEnvironment } from '../environment.ts'
import { createFolder, FolderError } from '../folder/data-folder.ts'
import { CertificateError } from '../http/certificate.ts'
import { type ListenSocket, SocketError, showBaseUrl } from '../http/listen.ts'
import type { Observers } from '../http/request-log.ts'
import { type OpenServer, openServer } from '../http/server.ts'
import type { RecentLines } from '../log/log.ts'
import type { Gauges, OpenMetrics } from '../metrics/metrics.ts'
import type { ProviderSettings } from '../provider/openid-provider.ts'
import { soleOwner } from '../store/disk/ownership.ts'
import type { Store } from '../store/store.ts'
import { thingForm } from '../things/thing.ts'
import type { AccountCommand } from './account-commands.ts'
import { CommandFailed } from './command-errors.ts'
import { beginAccounts, findAppUrl } from './first-run.ts'
import { type OwnedStore, type OwnedStoreOptions, openDatabaseStore, openOwnedStore } from './open-store.ts'
import type { StopSignals } from './process-events.ts'
import { releaseMemoryWhenIdle } from './release-memory.ts'
import type { ScheduledBackups } from './scheduled-backups.ts'
import { type ServerState, sumJournalBytes } from './server-status.ts'
import { startDelivery } from './start-delivery.ts'

/**
 * Writes the ready file for scripts atomically: `{"base_url", "pid"}`.
 * @throws CommandFailed when the file cannot be written
 */
export async function writeReadyFile(file: string, baseUrl: string): Promise<void> {
  const temporary = `${file}.${process.pid}`
  await withAdvice(file, 'written', async () => {
    await writeFile(temporary, `${JSON.stringify({ base_url: baseUrl, pid: process.pid })}\n`)
    await rename(temporary, file)
  })
}

/**
 * Removes a ready file of an earlier run, and checks that a new one can be written, before the server starts. Never
 * touches a file with other content.
 * @throws CommandFailed when the file has other content, or no file can be written
 */
export async function prepareReadyFile(file: string): Promise<void> {
  if (!(await isReplaceable(file)))
    throw new CommandFailed(`ready file: ${file} exists and is not a ready file; choose another file with --ready-file`)
  await removeReadyFile(file)
  const temporary = `${file}.${process.pid}`
  await withAdvice(file, 'written', async () => {
    await writeFile(temporary, '')
    await rm(temporary)
  })
}

/**
 * Removes a ready file of this run or an earlier run, if there is one.
 * @throws CommandFailed when it cannot be removed, for example because it is a folder
 */
export const removeReadyFile = (file: string): Promise<void> =>
  withAdvice(file, 'removed', () => rm(file, { force: true }))

/**
 * Returns true for a ready file, an empty file (`mktemp`) and a missing file, and for a folder, whose removal fails
 * later.
 */
async function isReplaceable(file: string): Promise<boolean> {
  try {
    const found = await stat(file)
    if (!found.isFile()) return found.isDirectory()
    const text = await readFile(file, 'utf8')
    return text === '' || /^\{"base_url":.*,"pid":\d+\}\n$/.test(text)
  } catch (error) {
    if (error instanceof Error && 'code' in error) return true
    throw error
  }
}

async function withAdvice(file: string, done: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    const why = error.code === 'ERR_FS_EISDIR' ? 'it is a folder' : error.code
    throw new CommandFailed(`ready file: ${file} cannot be ${done} (${why}); choose another file with --ready-file`)
  }
}

/** The first inherited file descriptor: the lower ones are the standard streams (sd_listen_fds). */
const firstInheritedFd = 3

/**
 * Finds the socket that systemd opened for this process (socket activation: LISTEN_FDS for the process LISTEN_PID).
 * Returns undefined when there is none.
 * @throws CommandFailed when there are several
 */
export function findInheritedSocket(
  environment: Readonly<Record<string, string | undefined>>,
  processId: number,
): { readonly fd: number } | undefined {
  const { LISTEN_FDS: count, LISTEN_PID: meantFor } = environment
  if (count === undefined || meantFor !== String(processId)) return undefined
  if (count !== '1') {
    throw new CommandFailed(`LISTEN_FDS: must be one socket, not ${count}; keep one ListenStream= in the socket unit`)
  }
  return { fd: firstInheritedFd }
}

/** Reads the OpenID provider of the settings, if there is one. @throws CommandFailed when its secret cannot be read */
export async function readProvider(settings: Settings): Promise<ProviderSettings | undefined> {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecretFile: file, oidcName: name } = settings
  if (issuer === undefined || clientId === undefined) return undefined
  const provider = { issuer, clientId, name, userClaim: settings.oidcUser }
  return file === undefined ? provider : { ...provider, clientSecret: await readSecret(file) }
}

async function readSecret(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error) {
      throw new CommandFailed(
        `oidc_client_secret_file: ${file} cannot be read (${error.code}); check its path and permissions`,
      )
    }
    throw error
  }
}

/** Opens the server on the address of the settings, or on the socket of systemd. @throws CommandFailed */
export async function openListener(store: Store, settings: Settings, { log, metrics }: Observers): Promise<OpenServer> {
  const { baseUrl, socket: _, tlsCert, tlsKey, ...others } = settings
  const provider = await readProvider(settings)
  const socket = findSocket(settings)
  if (settings.authHeader !== undefined && settings.trustProxy.length === 0 && socket === undefined) {
    throw new CommandFailed('auth_header: needs trust_proxy or socket: only a proxy may send this header', 2)
  }
  const certificate = tlsCert === undefined || tlsKey === undefined ? undefined : { cert: tlsCert, key: tlsKey }
  const address = baseUrl === undefined ? {} : { baseUrl }
  try {
    return await openServer({ store, settings: { ...others, ...address, socket, certificate, provider }, log, metrics })
  } catch (error) {
    if (error instanceof SocketError || error instanceof CertificateError) throw new CommandFailed(error.message)
    throw describe(error, settings) ?? error
  }
}

function findSocket({ socket, socketMode, baseUrl }: Settings): ListenSocket | undefined {
  const inherited = findInheritedSocket(process.env, process.pid)
  if (inherited === undefined) {
    return socket === undefined ? undefined : { path: socket, mode: Number.parseInt(socketMode, 8) }
  }
  if (baseUrl === undefined) {
    throw new CommandFailed(
      'LISTEN_FDS: a socket that systemd opened needs base_url; set it to the URL that clients use',
    )
  }
  return inherited
}

function describe(error: unknown, { host, port, socket }: Settings): CommandFailed | undefined {
  const code = error instanceof Error && 'syscall' in error && 'code' in error ? error.code : undefined
  if (socket !== undefined) {
    if (code === undefined) return undefined
    return new CommandFailed(
      `socket: ${socket} cannot be created (${code}); its folder must exist, and this user must be able to write to it`,
    )
  }
  if (code === 'EADDRINUSE') {
    return new CommandFailed(`port ${port} of ${host} is in use; choose another port with --port, or 0 for a free port`)
  }
  if (code === 'EACCES') {
    return new CommandFailed(`port ${port} may not be used by this user; choose a port above 1023`)
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new CommandFailed(`host ${host} is not an address of this machine; use 127.0.0.1 or 0.0.0.0`)
  }
  return undefined
}

/** Opens the metrics, if the settings request them. @throws CommandFailed when the port cannot be used */
export async function startMetrics(settings: Settings, log: Logger): Promise<OpenMetrics | undefined> {
  const { metricsHost: host, metricsPort: port } = settings
  if (port === undefined) return undefined
  // Loaded here only: most installations have no metrics.
  const { openMetrics } = await import('../metrics/metrics.ts')
  try {
    const open = await openMetrics({ host, port }, log)
    log.info({ metrics: open.address }, `metrics are available at http://${open.address}/metrics`)
    return open
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error && 'code' in error)) throw error
    throw new CommandFailed(
      `metrics_port: port ${port} of ${host} cannot be used (${error.code}); choose another port with --metrics-port`,
    )
  }
}

/** Creates the gauges of a store and of the files of a server. */
export function gaugesOf(store: Store, { data, store: kind, tlsCert }: Settings): Gauges {
  return {
    openAccounts: store.countOpenAccounts,
    outboxEntries: async () => (await store.listOutboxEntries()).length,
    ...(kind === 'json' ? { journalBytes: () => sumJournalBytes(data) } : {}),
    ...(tlsCert === undefined ? {} : { certificateEnds: () => readCertificateEnd(tlsCert) }),
  }
}

const readCertificateEnd = async (file: string): Promise<number> =>
  Date.parse(new X509Certificate(await readFile(file)).validTo) / 1000

/** The process around a server: its signals and its log. */
export interface ServerSurroundings extends Pick<StopSignals, 'reloadOnHangUp'> {
  readonly stopRequested: Promise<string>
  /** The last warnings and errors of the log. */
  readonly recent: RecentLines
}

/**
 * Runs a server from its start to its orderly end. It owns the data folder, opens the store and listens. When it must
 * stop, it ends the deliveries, finishes the running requests, closes the store and releases the folder, in this order.
 * @throws FolderError, StoreError, CommandFailed when it cannot start
 */
export async function runServer(
  settings: Settings,
  log: Logger,
  { stopRequested, reloadOnHangUp, recent }: ServerSurroundings,
): Promise<void> {
  // Port 0 becomes a real port only when the server listens.
  let baseUrl = showBaseUrl({ ...settings, certificate: settings.tlsCert ? {} : undefined })
  const counting = await startMetrics(settings, log)
  const observers = { log, metrics: counting?.metrics }
  const started = Math.floor(systemEnvironment.now() / 1000)
  let address: string | undefined
  let backups: ScheduledBackups | undefined
  const describeServer = (): ServerState => ({
    version: readVersion(),
    pid: process.pid,
    started,
    base_url: baseUrl,
    ...(address === undefined ? {} : { address }),
    backup: backups?.state() ?? null,
    recent: recent.list(),
  })
  let owned: OwnedStore | undefined
  try {
    owned = await ownData(settings, observers, { findBaseUrl: () => baseUrl, describeServer })
    const { store } = owned
    counting?.metrics.addGauges(gaugesOf(store, settings))
    // The ready file of a killed run would say "ready" too early.
    if (settings.readyFile) await prepareReadyFile(settings.readyFile)
    const server = await openListener(store, settings, observers)
    baseUrl = server.baseUrl
    address = server.address
    if (settings.tlsCert !== undefined) reloadOnHangUp(() => void server.renewCertificate())
    const delivery = await deliver(store, settings, observers)
    let secretsFile: string | undefined
    let stopReleasing: (() => void) | undefined
    try {
      secretsFile = await announce(store, server, settings, log)
      if (settings.backupEvery !== undefined) {
        const { startBackups } = await import('./scheduled-backups.ts')
        backups = await startBackups(store, settings, observers)
      }
      stopReleasing = releaseMemoryWhenIdle({ log })
      log.info({ reason: await stopRequested }, 'stopping: running requests are finished first')
    } finally {
      stopReleasing?.()
      // First, and without waiting: deliveries that are under way stay due.
      await delivery.close()
      await backups?.close()
      await server.close()
      if (settings.readyFile) await removeReadyFile(settings.readyFile)
      // The accounts of these secrets end with the store.
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
  await createFolder(settings.data)
  const owned = await openOwnedStore(settings.data, {
    openStore: (ownership) => openStore(settings, observers, ownership),
    ...shown,
    quotas: readQuotas(settings),
    // Never the command itself, which may hold a password.
    onDone: (command) => {
      if (!isListCommand(command)) log.info(nameCommand(command), 'a command was run on this server')
    },
    onFault: (error) => log.error({ err: error }, 'a command failed'),
    onWait: (sentence) => log.warn(sentence),
  })
  if ('store' in owned) return owned
  throw new FolderError(`data folder ${settings.data} is in use by thingsync process ${owned.owner.pid}; stop it first`)
}

/** Opens the store of the settings. Its modules are loaded here only: a server needs one of three stores. */
async function openStore(settings: Settings, { log, metrics }: Observers, ownership = soleOwner): Promise<Store> {
  const { store, data: folder } = settings
  if (store === 'memory') {
    const { openMemoryStore } = await import('../store/memory-store.ts')
    return openMemoryStore({ form: thingForm })
  }
  const seen = { log, ...(metrics === undefined ? {} : { onCommit: metrics.noteCommit }) }
  if (isDatabaseUrl(store)) return openDatabaseStore(settings, { ...seen, mayCreateTables: true })
  const { openJsonFileStore } = await import('../store/json-file-store.ts')
  return openJsonFileStore({ folder, form: thingForm, ownership, ...seen })
}

const isListCommand = ({ name }: AccountCommand): boolean => / (list|invitations)$/.test(name)

const nameCommand = (command: AccountCommand) => ({
  command: command.name,
  ...('user' in command && { user: command.user }),
  ...('to' in command && { to: command.to }),
})

/**
 * Starts delivery. Push services may want to contact the administrator: the pages of the server are the only known URL.
 */
function deliver(store: Store, { deliveryAllow, baseUrl }: Settings, { log, metrics }: Observers): Promise<Delivery> {
  const contact = baseUrl?.startsWith('https:') ? { contact: new URL(baseUrl).origin } : {}
  return startDelivery({ store, log, deliveryAllow, ...contact, ...(metrics && { onSent: metrics.noteDelivery }) })
}

/**
 * Announces a listening server, and creates the first accounts. It does that only when the server listens: secrets from
 * before a failed start would never be shown. Returns the secrets file, if there is one.
 */
async function announce(
  store: Store,
  { baseUrl, address }: OpenServer,
  settings: Settings,
  log: Logger,
): Promise<string | undefined> {
  const { readyFile, data } = settings
  const first = await beginAccounts(store, settings, { baseUrl, log })
  const appUrl = findAppUrl(baseUrl, settings)
  if (first !== undefined) process.stdout.write(first.shown)
  else if (process.stdout.isTTY === true && appUrl !== undefined) process.stdout.write(`Open your list at ${appUrl}\n`)
  const where = settings.baseUrl === undefined ? baseUrl : `${address}; clients use ${baseUrl}`
  const kept = isDatabaseUrl(settings.store) ? { store: hidePassword(settings.store) } : { data }
  log.info({ address, base_url: baseUrl, ...kept, pid: process.pid }, `listening on ${where}`)
  if (readyFile) await writeReadyFile(readyFile, baseUrl)
  return first?.file
}
