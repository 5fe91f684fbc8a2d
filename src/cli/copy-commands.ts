import { createHash } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { constants } from 'node:os'
import { join, resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { hidePassword, isDatabaseUrl, parseDatabaseUrl } from '../config/settings-table.ts'
import { systemEnvironment } from '../environment.ts'
import { createFolder, requireFolder, withFolderAdvice } from '../folder/data-folder.ts'
import { ownFolder } from '../folder/own-folder.ts'
import { CommandFailed } from '../runtime/command-errors.ts'
import { type CopyBegin, type CopyPiece, openCopy, type PiecewiseJob } from '../runtime/piecewise-jobs.ts'
import { encodeItem, type StoreItem } from '../store/record/backup-format.ts'
import type { Store } from '../store/store.ts'
import { restoreFolder } from '../store/tools/restore.ts'
import { thingForm } from '../things/thing.ts'
import { createItemCheck } from './check-items.ts'
import { addSettingFlags, readCommandSettings } from './options.ts'
import { beginInOwner, type FolderSettings, useDatabase, useHere, useOwnerOrStore } from './run-command.ts'

// Settings are no data, the root of a volume may have a lost+found, and a killed restore leaves `unfinished`.
const harmless = new Set(['control.json', 'owner', 'thingsync.json', 'lost+found', 'unfinished'])

/**
 * Fills an empty or missing data folder while this process owns it. When `fill` fails, the previous state is restored.
 * `advice` tells the user what to do when the folder has data in it.
 * @throws CommandFailed when the folder has data; what `fill` throws
 */
export async function fillEmptyFolder(folder: string, advice: string, fill: () => Promise<void>): Promise<void> {
  const created = await createFolder(folder)
  const before = await listNames(folder)
  let isDone = false
  const release = await ownEmpty(folder, advice)
  try {
    await fill()
    isDone = true
  } finally {
    if (!isDone && !before.includes('control.json')) await rm(join(folder, 'control.json'), { force: true })
    if (!isDone && created !== undefined) await rm(created, { recursive: true, force: true })
    await release()
    if (!isDone && !before.includes('owner')) await rm(join(folder, 'owner'), { recursive: true, force: true })
  }
}

async function ownEmpty(folder: string, advice: string): Promise<() => Promise<void>> {
  await requireEmptyFolder(folder, advice)
  const onCommand = async () => ({ rejection: 'another command fills this data folder; try again later' })
  const owned = await ownFolder(folder, {
    onCommand,
    onWait: (sentence) => process.stderr.write(`thingsync: ${sentence}\n`),
  })
  if ('owner' in owned)
    throw new CommandFailed(`data folder ${folder} is in use by thingsync process ${owned.owner.pid}; stop it first`)
  try {
    // Another process may have been its owner in the meantime.
    await requireEmptyFolder(folder, advice)
    return owned.release
  } catch (error) {
    await owned.release()
    throw error
  }
}

async function requireEmptyFolder(folder: string, advice: string): Promise<void> {
  if ((await listNames(folder)).some((name) => !harmless.has(name)))
    throw new CommandFailed(`data folder ${folder} is not empty; ${advice}`)
}

const listNames = (folder: string): Promise<string[]> => withFolderAdvice(folder, () => readdir(folder))

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Passes everything in a store, or the account of one user, to `use` as text in pieces. The text comes from the process
 * that owns the folder. Without an owner it comes from the files, and this process owns the folder for that time.
 * @throws FolderError, StoreError, AccountError, CommandFailed; what `use` throws
 */
export async function copyStore<T>(
  settings: FolderSettings,
  use: (text: AsyncIterable<string>) => Promise<T>,
  user?: string,
): Promise<T> {
  const begin: CopyBegin = { name: 'copy begin', user }
  const { result } = await useOwnerOrStore(settings, {
    useOwner: async () => {
      const copy = await beginInOwner<CopyPiece>(settings.data, begin, 'during the copy; run the command again')
      return copy && { result: await useAndEnd(copy, use) }
    },
    useStore: async (store) => ({ result: await use(listPieces(await openCopy(store, begin))) }),
  })
  return result
}

async function* listPieces(copy: PiecewiseJob<CopyPiece>): AsyncGenerator<string> {
  for (let isLast = false; !isLast; ) {
    const piece = await copy.next()
    isLast = piece.isLast
    yield piece.text
  }
}

/** Ends the copy after use, also when a signal ends this process: the owner has room for a few copies only. */
async function useAndEnd<T>(
  copy: PiecewiseJob<CopyPiece>,
  use: (text: AsyncIterable<string>) => Promise<T>,
): Promise<T> {
  const onSignal = (signal: NodeJS.Signals) => {
    const exit = () => process.exit(128 + constants.signals[signal])
    copy.end().then(exit, exit)
  }
  for (const signal of signals) process.once(signal, onSignal)
  try {
    return await use(listPieces(copy))
  } finally {
    // The result of `use` counts, even if this fails: the owner drops the copy within a minute.
    await copy.end().catch(() => undefined)
    for (const signal of signals) process.off(signal, onSignal)
  }
}

/** The sum of a copy: the number of items of each kind, and a hash over all items that ignores their order. */
export interface CopySum {
  readonly counts: Readonly<Record<string, number>>
  readonly sum: string
}

const modulus = 1n << 256n

/** A JSON replacer that sorts keys: stores return the keys of the same item in different orders. */
const sortKeys = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value

/** Creates a sum of items. It ignores the order of the items, which differs between stores, but not their accounts. */
const createSum = () => {
  const counts = new Map<string, number>()
  let total = 0n
  let account = ''
  return {
    add: (item: StoreItem): void => {
      const kind = Object.keys(item)[0] ?? ''
      counts.set(kind, (counts.get(kind) ?? 0) + 1)
      if ('account' in item) account = item.account
      const text = JSON.stringify([account, item], sortKeys)
      total = (total + BigInt(`0x${createHash('sha256').update(text).digest('hex')}`)) % modulus
    },
    read: (): CopySum => ({ counts: Object.fromEntries([...counts].sort()), sum: total.toString(16) }),
  }
}

const settingsOf = (location: string): FolderSettings => ({
  ...(isDatabaseUrl(location) ? { store: location, data: '' } : { store: 'json', data: resolve(location) }),
  ...{ baseUrl: undefined, host: '127.0.0.1', port: 0 },
})

/** Opens a store that no other process uses. @throws CommandFailed, StoreError, FolderError */
const useAlone = async <T>(location: string, use: (store: Store) => Promise<T>): Promise<T> => {
  const settings = settingsOf(location)
  if (isDatabaseUrl(location)) {
    const { requireUnused } = await import('../store/postgres/copy-into.ts')
    await requireUnused(location)
    return useDatabase(settings, use)
  }
  await requireFolder(settings.data)
  const used = await useHere(settings, async (store) => ({ result: await use(store) }))
  if (used === undefined) throw new CommandFailed(`data folder ${settings.data} is in use; stop its server first`)
  return used.result
}

async function* toLines(items: AsyncIterable<StoreItem>): AsyncGenerator<string> {
  for await (const item of items) yield encodeItem(item)
}

const fill = async (location: string, items: AsyncIterable<StoreItem>): Promise<void> => {
  if (isDatabaseUrl(location)) {
    const [{ withDatabase }, { migrate }, { copyInto }] = await Promise.all([
      import('../store/postgres/open-postgres.ts'),
      import('../store/postgres/migrate.ts'),
      import('../store/postgres/copy-into.ts'),
    ])
    await withDatabase(location, (connection) => migrate(connection))
    return copyInto(location, items, thingForm)
  }
  const { data } = settingsOf(location)
  return fillEmptyFolder(data, 'choose another folder', () =>
    restoreFolder(data, toLines(items), { now: systemEnvironment.now(), isMove: true }),
  )
}

/** Checks everything in a store, as a restore does. @throws CommandFailed with the fault and the account */
const checkStore = async (location: string, store: Store): Promise<void> => {
  const check = createItemCheck()
  let account: string | undefined
  const reject = (wrong: string | undefined): void => {
    if (wrong === undefined) return
    const where = account === undefined ? '' : `, account ${JSON.stringify(account.slice(0, 200))}`
    throw new CommandFailed(
      `${isDatabaseUrl(location) ? hidePassword(location) : location}${where}: ${wrong}; nothing was copied; fix this in the source first`,
    )
  }
  for await (const item of store.listItems()) {
    if ('account' in item) account = item.account
    reject(check.take(item))
  }
  account = undefined
  reject(check.end())
}

/**
 * Copies everything from one store to another, empty one, and compares both. All positions stay as clients know them.
 * `onProgress` gets the number of items that are copied so far.
 * @throws CommandFailed when the copy differs; StoreError, FolderError when a store cannot be used
 */
export async function runCopy(from: string, to: string, onProgress: (items: number) => void): Promise<CopySum> {
  const sent = createSum()
  let count = 0
  await useAlone(from, async (store) => {
    async function* summed(): AsyncGenerator<StoreItem> {
      for await (const item of store.listItems()) {
        sent.add(item)
        yield item
        count += 1
        onProgress(count)
      }
    }
    // Before the other store is touched.
    await checkStore(from, store)
    await fill(to, summed())
  })
  const kept = createSum()
  await useAlone(to, async (store) => {
    for await (const item of store.listItems()) kept.add(item)
  })
  const [one, other] = [sent.read(), kept.read()]
  if (JSON.stringify(one) !== JSON.stringify(other))
    throw new CommandFailed(
      `the copy differs from the source: ${JSON.stringify(one.counts)} were read, ${JSON.stringify(other.counts)} are in the copy; do not use the copy`,
    )
  return one
}

const itemsPerProgressLine = 100_000

/** Adds `copy`: copies everything from a data folder to a database, or back. */
export function addCopyCommand(program: Command): void {
  program
    .command('copy')
    .argument('<FROM>', 'Source: a data folder, or a postgres://… URL.')
    .argument('<TO>', 'Target: a data folder or a URL; must be empty or missing.')
    .description('Copy everything between a data folder and a database. Stop the servers of both first.')
    .addOption(new Option('--format <FORM>', 'Format of the output.').choices(['text', 'json']).default('text'))
    .addHelpText(
      'after',
      `
Positions do not change, so clients continue with incremental syncs. At the end, the command reads the copy and compares
it with FROM. The command does not change FROM. Do not start a server on FROM again: two servers would then give clients
the same positions.

Example:
  thingsync copy /srv/things postgres://things@db.example/things`,
    )
    .action(async (from: string, to: string, _options, command: Command) => {
      checkLocation('FROM', from)
      checkLocation('TO', to)
      if (isDatabaseUrl(from) === isDatabaseUrl(to) && !isDatabaseUrl(from))
        throw new CommandFailed(
          'copy: FROM and TO are both data folders; stop the server, and move the folder with the commands of your system',
        )
      if (!isDatabaseUrl(from) && !(await isThere(from)))
        throw new CommandFailed(`FROM: the folder ${resolve(from)} does not exist; ${locationHint}`)
      const { counts, sum } = await runCopy(from, to, (items) => {
        if (items % itemsPerProgressLine === 0) process.stderr.write(`${items.toLocaleString('en')} items copied\n`)
      })
      const isJson = command.getOptionValue('format') === 'json'
      const { user = 0, thing = 0 } = counts
      process.stdout.write(
        isJson
          ? `${JSON.stringify({ counts, sum })}\n`
          : `copied and compared: ${user.toLocaleString('en')} users, ${thing.toLocaleString('en')} things\n`,
      )
    })
}

const locationHint = 'give a data folder, or a URL like postgres://user@host/database'

/** Kinds of store, and the name of standard input in other commands; write `./json` for a folder of such a name. */
const reservedNames = new Set(['json', 'memory', '-'])

const checkLocation = (name: string, location: string): void => {
  if (reservedNames.has(location))
    throw new CommandFailed(`${name}: "${location}" is not the location of a store; ${locationHint}`, 2)
  if (!location.includes('://') || parseDatabaseUrl(location) !== undefined) return
  const shown = JSON.stringify(hidePassword(location))
  throw new CommandFailed(`${name}: must be a folder, or a URL like postgres://user@host/database, not ${shown}`, 2)
}

const isThere = async (path: string): Promise<boolean> => {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}

/** Adds `migrate`: updates the schema of a database to the version of this program. */
export function addMigrateCommand(program: Command): void {
  addSettingFlags(
    program.command('migrate'),
    ['store'],
    { store: 'URL of the database, postgres://user@host/database; required.' },
    false,
  )
    .description(
      'Update the schema of a database to the version of this program, while servers run. A downgrade is not possible.',
    )
    .option('--dry-run', 'Apply the migrations, roll them back, and print their names.')
    .addHelpText('after', '\nExample:\n  thingsync migrate --store postgres://things@db.example/things --dry-run')
    .action(async (_options, command: Command) => {
      const { settings } = await readCommandSettings(command)
      const { store } = settings
      if (!isDatabaseUrl(store))
        throw new CommandFailed('only a database has a schema; give the database with --store postgres://…')
      const isDryRun = command.getOptionValue('dryRun') === true
      const [{ withDatabase }, { migrate }] = await Promise.all([
        import('../store/postgres/open-postgres.ts'),
        import('../store/postgres/migrate.ts'),
      ])
      const applied = await withDatabase(store, (connection) => migrate(connection, { isDryRun }))
      const names = applied.map(({ version, name }) => `${version} (${name})`).join(', ')
      const done = isDryRun ? 'would be applied' : 'applied'
      process.stdout.write(applied.length === 0 ? 'nothing to do: the schema is up to date\n' : `${done}: ${names}\n`)
    })
}
