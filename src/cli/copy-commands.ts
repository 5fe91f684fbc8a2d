import { createHash } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { constants } from 'node:os'
import { join, resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { hidePassword, isDatabaseUrl, parseDatabaseUrl } from '../config/setting-kinds.ts'
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

// Settings are no data, a volume of its own may have a lost+found, and `unfinished` is what a killed restore had only begun.
const harmless = new Set(['control.json', 'owner', 'thingsync.json', 'lost+found', 'unfinished'])

/**
 * Fills an empty or missing data folder while this process owns it. When it fails everything is as it was before.
 * `advice` says what to do instead when there is data in it.
 * @throws CommandFailed when there is; what `fill` throws
 */
export async function fillEmptyFolder(folder: string, advice: string, fill: () => Promise<void>): Promise<void> {
  const made = await createFolder(folder)
  const before = await listNames(folder)
  let isDone = false
  const release = await ownEmpty(folder, advice)
  try {
    await fill()
    isDone = true
  } finally {
    if (!isDone && !before.includes('control.json')) await rm(join(folder, 'control.json'), { force: true })
    if (!isDone && made !== undefined) await rm(made, { recursive: true, force: true })
    await release()
    if (!isDone && !before.includes('owner')) await rm(join(folder, 'owner'), { recursive: true, force: true })
  }
}

async function ownEmpty(folder: string, advice: string): Promise<() => Promise<void>> {
  await refuseData(folder, advice)
  const onCommand = async () => ({ refused: 'this data folder is being filled; try again later' })
  const owned = await ownFolder(folder, {
    onCommand,
    onWait: (sentence) => process.stderr.write(`thingsync: ${sentence}\n`),
  })
  if ('owner' in owned)
    throw new CommandFailed(`data folder ${folder} is in use by thingsync process ${owned.owner.pid}`)
  try {
    // Another process may have been its owner in the meantime.
    await refuseData(folder, advice)
    return owned.release
  } catch (error) {
    await owned.release()
    throw error
  }
}

async function refuseData(folder: string, advice: string): Promise<void> {
  if ((await listNames(folder)).some((name) => !harmless.has(name)))
    throw new CommandFailed(`data folder ${folder} is not empty; ${advice}`)
}

const listNames = (folder: string): Promise<string[]> => withFolderAdvice(folder, () => readdir(folder))

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Gives `use` everything in a store, or what one user has, as text in pieces: from the process that owns the folder, or,
 * when there is none, from its files, which this process owns for that long.
 * @throws FolderError, StoreFailed, AccountError, CommandFailed; what `use` throws
 */
export async function copyStore<T>(
  settings: FolderSettings,
  use: (text: AsyncIterable<string>) => Promise<T>,
  user?: string,
): Promise<T> {
  const begin: CopyBegin = { name: 'copy begin', user }
  const { result } = await useOwnerOrStore(settings, {
    useOwner: async () => {
      const copy = await beginInOwner<CopyPiece>(settings.data, begin, 'while the copy was made; run it again')
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

/** The owner has room for a few copies only: each is ended, also when a signal ends this process. */
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
    // The result of `use` counts, whatever becomes of the copy: the owner drops it within a minute.
    await copy.end().catch(() => undefined)
    for (const signal of signals) process.off(signal, onSignal)
  }
}

/** What was copied: how many items of each kind, and a sum over all of them, whatever their order. */
export interface CopySum {
  readonly counts: Readonly<Record<string, number>>
  readonly sum: string
}

const modulus = 1n << 256n

/** Stores give the same item with its keys in orders of their own. */
const sortKeys = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value

/** Sums up items as they pass. Orders that stores keep differently do not count; whose account an item is in does. */
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

const settingsOf = (place: string): FolderSettings => ({
  ...(isDatabaseUrl(place) ? { store: place, data: '' } : { store: 'json', data: resolve(place) }),
  ...{ baseUrl: undefined, host: '127.0.0.1', port: 0 },
})

/** Opens a place that nobody else works on. @throws CommandFailed, StoreFailed, FolderError */
const useAlone = async <T>(place: string, use: (store: Store) => Promise<T>): Promise<T> => {
  const settings = settingsOf(place)
  if (isDatabaseUrl(place)) {
    const { requireUnused } = await import('../store/postgres/copy-into.ts')
    await requireUnused(place)
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

const fill = async (place: string, items: AsyncIterable<StoreItem>): Promise<void> => {
  if (isDatabaseUrl(place)) {
    const [{ withDatabase }, { migrate }, { copyInto }] = await Promise.all([
      import('../store/postgres/open-postgres.ts'),
      import('../store/postgres/migrate.ts'),
      import('../store/postgres/copy-into.ts'),
    ])
    await withDatabase(place, (connection) => migrate(connection))
    return copyInto(place, items, thingForm)
  }
  const { data } = settingsOf(place)
  return fillEmptyFolder(data, 'name a new one', () =>
    restoreFolder(data, toLines(items), { now: systemEnvironment.now(), isMove: true }),
  )
}

/** Checks everything in a store, as a restore does. @throws CommandFailed with what is wrong, and of whose account */
const checkStore = async (place: string, store: Store): Promise<void> => {
  const check = createItemCheck()
  let account: string | undefined
  const refuse = (wrong: string | undefined): void => {
    if (wrong === undefined) return
    const where = account === undefined ? '' : `, account ${JSON.stringify(account.slice(0, 200))}`
    throw new CommandFailed(
      `${isDatabaseUrl(place) ? hidePassword(place) : place}${where}: ${wrong}; correct this there first; nothing was copied`,
    )
  }
  for await (const item of store.listItems()) {
    if ('account' in item) account = item.account
    refuse(check.take(item))
  }
  account = undefined
  refuse(check.end())
}

/**
 * Copies everything from one place to another, empty one, at the positions that clients know, and compares both.
 * `onProgress` is told how many items have been copied.
 * @throws CommandFailed when the copy is not the same; StoreFailed, FolderError when a place cannot be used
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
    // Before the other place is touched.
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
      `the copy is not the same: ${JSON.stringify(one.counts)} were copied, ${JSON.stringify(other.counts)} are there`,
    )
  return one
}

const everyItems = 100_000

/** Adds `copy`: everything from a data folder to a database, or back. */
export function addCopyCommand(program: Command): void {
  program
    .command('copy')
    .argument('<FROM>', 'Data folder, or postgres://… address.')
    .argument('<TO>', 'The same; empty, or not there yet.')
    .description('Move everything between a data folder and a database; servers of both are stopped.')
    .addOption(new Option('--format <FORM>', 'Form of the answer.').choices(['text', 'json']).default('text'))
    .addHelpText(
      'after',
      `
Positions stay as they are, so that clients go on where they were. What is copied is read again and compared at the end.
FROM stays as it is: begin no server on it again, or clients would be given the same positions twice.

Example:
  thingsync copy /srv/things postgres://things@db.example/things`,
    )
    .action(async (from: string, to: string, _options, command: Command) => {
      refuseBadPlace('FROM', from)
      refuseBadPlace('TO', to)
      if (isDatabaseUrl(from) === isDatabaseUrl(to) && !isDatabaseUrl(from))
        throw new CommandFailed('a data folder is moved by the commands of the system, when its server is stopped')
      if (!isDatabaseUrl(from) && !(await isThere(from)))
        throw new CommandFailed(`FROM: there is no folder ${resolve(from)}; ${places}`)
      const { counts, sum } = await runCopy(from, to, (items) => {
        if (items % everyItems === 0) process.stderr.write(`${items.toLocaleString('en')} items copied\n`)
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

const places = 'give a data folder, or an address like postgres://user@host/database'

/** Kinds of store, and what stands for standard input elsewhere; a folder of such a name is `./json`. */
const noPlaces = new Set(['json', 'memory', '-'])

const refuseBadPlace = (name: string, place: string): void => {
  if (noPlaces.has(place)) throw new CommandFailed(`${name}: "${place}" names no place; ${places}`, 2)
  if (!place.includes('://') || parseDatabaseUrl(place) !== undefined) return
  const shown = JSON.stringify(hidePassword(place))
  throw new CommandFailed(
    `${name}: must be a folder, or an address like postgres://user@host/database, not ${shown}`,
    2,
  )
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

/** Adds `migrate`: the schema of a database is brought to that of this program. */
export function addMigrateCommand(program: Command): void {
  addSettingFlags(program.command('migrate'), ['store'])
    .description('Bring the schema of a database to that of this program, while servers run. Goes forward only.')
    .option('--dry-run', 'Try it, take it back, and say what would be done.')
    .addHelpText('after', '\nExample:\n  thingsync migrate --store postgres://things@db.example/things --dry-run')
    .action(async (_options, command: Command) => {
      const { settings } = await readCommandSettings(command)
      const { store } = settings
      if (!isDatabaseUrl(store)) throw new CommandFailed('only a database has a schema: --store postgres://…')
      const isDryRun = command.getOptionValue('dryRun') === true
      const [{ withDatabase }, { migrate }] = await Promise.all([
        import('../store/postgres/open-postgres.ts'),
        import('../store/postgres/migrate.ts'),
      ])
      const applied = await withDatabase(store, (connection) => migrate(connection, { isDryRun }))
      const names = applied.map(({ version, name }) => `${version} (${name})`).join(', ')
      const done = isDryRun ? 'would be applied' : 'applied'
      process.stdout.write(applied.length === 0 ? 'nothing to do\n' : `${done}: ${names}\n`)
    })
}
