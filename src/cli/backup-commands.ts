import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { isDatabaseUrl } from '../config/settings-table.ts'
import { systemEnvironment } from '../environment.ts'
import { requireFolder } from '../folder/data-folder.ts'
import { CommandFailed } from '../runtime/command-errors.ts'
import { listStoreText } from '../runtime/piecewise-jobs.ts'
import { listBackups } from '../runtime/scheduled-backups.ts'
import { openJsonFileStore } from '../store/json-file-store.ts'
import { findKind, type ItemCounts } from '../store/record/backup-format.ts'
import { rejectTarget, type WriteBytes, writeBackup, writeBackupTo } from '../store/tools/backup.ts'
import { type BackupSummary, checkBackup, readBackup, restoreFolder } from '../store/tools/restore.ts'
import { thingForm } from '../things/thing.ts'
import { createItemCheck } from './check-items.ts'
import { copyStore, fillEmptyFolder } from './copy-commands.ts'
import { addSettingFlags, readCommandSettings } from './options.ts'
import { printTable, showDate } from './output.ts'

const restoreAdvice = 'restore to a new one with --data'

/** Adds `backup` and `restore`: write the whole store to one file, and create a data folder from such a file. */
export function addBackupCommands(program: Command): void {
  addOptions(program.command('backup').argument('<FILE>'))
    .description('Write everything to one file, while the server runs or is stopped.')
    .addHelpText(
      'after',
      `
The backup has every change that the server confirmed before the backup began. The file is gzip of JSON lines, holds
hashes of passwords and tokens, and is readable by its owner only. FILE is outside the data folder; an existing regular
file is replaced. - writes to standard output.

Examples:
  thingsync backup /backups/things-$(date +%F).ndjson.gz --data /srv/things
  thingsync backup - --data /srv/things | ssh backup.example 'cat > things.ndjson.gz'`,
    )
    .action(async (file: string, _options, command: Command) => {
      const { settings } = await readCommandSettings(command)
      const createdAt = Math.floor(systemEnvironment.now() / 1000)
      if (file === '-') {
        const write = openStandardOutput()
        const { counts, bytes } = await copyStore(settings, (lines) => writeBackupTo(write, lines, createdAt))
        const result = { file: '-', bytes, created: createdAt, ...counts }
        print(command, { result, sentence: 'backup written to standard output', counts }, process.stderr)
        return
      }
      if (file.endsWith('/')) throw new CommandFailed(`backup: ${file} names a folder; give the name of a file in it`)
      const path = resolve(file)
      const dataFolder = isDatabaseUrl(settings.store) ? undefined : settings.data
      if (dataFolder !== undefined) await requireFolder(dataFolder)
      const target = { file: path, dataFolder }
      await rejectTarget(target)
      const { counts, bytes } = await copyStore(settings, (lines) => writeBackup(target, lines, createdAt))
      const result = { file: path, bytes, created: createdAt, ...counts }
      print(command, { result, sentence: `backup written to ${path}`, counts })
    })
  addOptions(program.command('restore').argument('<FILE>'))
    .description('Fill an empty or missing data folder with everything that is in a backup.')
    .addHelpText(
      'after',
      `
The command reads the backup to its end and checks everything in it, before it writes anything. New positions are higher
than all positions that clients have. So each client makes one full sync, and then has the same state as the server.

Example:
  thingsync restore /backups/things-2026-11-21.ndjson.gz --data /srv/things-restored`,
    )
    .action(async (file: string, _options, command: Command) => {
      const { settings } = await readCommandSettings(command)
      if (file === '-')
        throw new CommandFailed('restore: takes no -, because it reads a backup twice; write it to a file first', 2)
      if (settings.store === 'memory') throw new CommandFailed('the store "memory" keeps nothing; use --store json')
      if (isDatabaseUrl(settings.store))
        throw new CommandFailed('a backup is restored to a data folder; "thingsync copy" brings it to a database then')
      const path = resolve(file)
      // Loaded here only: it loads the password check, which `backup` does not need.
      const { createItemCheck } = await import('./check-items.ts')
      const checked = await checkBackup(path, createItemCheck())
      const { counts, createdAt } = checked
      await fillEmptyFolder(settings.data, restoreAdvice, () =>
        restoreFolder(settings.data, readBackup(path, checked), { now: systemEnvironment.now(), createdAt }),
      )
      const result = { data: settings.data, created: createdAt, ...counts }
      print(command, { result, sentence: `restored to ${settings.data}`, counts })
    })
}

function addOptions(command: Command): Command {
  return addSettingFlags(command, ['data', 'store']).addOption(
    new Option('--format <FORM>', 'Format of the output.').choices(['text', 'json']).default('text'),
  )
}

interface Outcome {
  readonly result: object
  readonly sentence: string
  readonly counts: ItemCounts
}

function print(
  command: Command,
  { result, sentence, counts }: Outcome,
  output: NodeJS.WritableStream = process.stdout,
): void {
  const isJson = command.getOptionValue('format') === 'json'
  const text = `${sentence}: ${counts.user ?? 0} users, ${counts.thing ?? 0} things`
  output.write(`${isJson ? JSON.stringify(result) : text}\n`)
}

/** Writes to standard output. The backup fails when its reader stops, or when the disk is full. */
function openStandardOutput(): WriteBytes {
  if (process.stdout.isTTY)
    throw new CommandFailed('backup: - writes compressed bytes to standard output; send them to a file or a program')
  // The callback of each write gets the error.
  process.stdout.on('error', () => undefined)
  return (bytes) =>
    new Promise<void>((done, failed) => {
      process.stdout.write(bytes, (error) => {
        if (error) failed(new CommandFailed(`backup: not whole, because ${error.message}`))
        else done()
      })
    })
}

/** Adds `rehearse-restore`: checks that a backup can be restored as a whole. */
export function addRehearseCommand(program: Command): void {
  addSettingFlags(program.command('rehearse-restore').argument('[FILE]'), ['data', 'backup_folder'])
    .description('Restore a backup into a temporary folder, open it, count its items, and remove the folder.')
    .addOption(new Option('--format <FORM>', 'Format of the output.').choices(['text', 'json']).default('text'))
    .option('--into <DIR>', 'Where to create the temporary folder; it needs as much room as the data folder.')
    .addHelpText(
      'after',
      `
Without FILE the command takes the newest backup in the backup folder. It does not touch the server or its data folder.

Exit codes: 0 everything was restored, 1 it could not be restored, 2 used in a wrong way, 3 something is missing in the
restored folder.

Examples:
  thingsync rehearse-restore --backup-folder /backups
  thingsync rehearse-restore /backups/things.ndjson.gz --into /var/tmp`,
    )
    .action(async (given: string | undefined, _options, command: Command) => {
      const { settings } = await readCommandSettings(command)
      const file = given === undefined ? await findNewest(settings.backupFolder) : resolve(given)
      const checked = await checkBackup(file, createItemCheck())
      const { counts, createdAt } = checked
      const folder = await createTemporaryFolder(command.getOptionValue('into') ?? tmpdir())
      const restored = await restoreAndCount(folder, file, checked).finally(() => rm(folder, { recursive: true }))
      const kinds = [...new Set([...Object.keys(counts), ...Object.keys(restored)])]
      const missing = kinds.filter((kind) => counts[kind] !== restored[kind])
      const isJson = command.getOptionValue('format') === 'json'
      const result = { file, created: createdAt, backup: counts, restored, whole: missing.length === 0 }
      const rows = kinds.map((kind) => ({
        what: kind,
        backup: `${counts[kind] ?? 0}`,
        restored: `${restored[kind] ?? 0}`,
      }))
      const text = `${file}, of ${showDate(createdAt)}\n${printTable(rows)}`
      process.stdout.write(isJson ? `${JSON.stringify(result)}\n` : text)
      if (missing.length > 0)
        throw new CommandFailed(`restored, but not what the backup says of: ${missing.join(', ')}`, 3)
      if (!isJson) process.stdout.write('all of it came back\n')
    })
}

async function findNewest(folder: string | undefined): Promise<string> {
  if (folder === undefined) throw new CommandFailed('name a backup, or the folder of backups with --backup-folder', 2)
  try {
    const newest = (await listBackups(folder)).at(-1)
    if (newest !== undefined) return join(folder, newest)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    throw new CommandFailed(`backup_folder: ${folder} cannot be read (${error.code})`)
  }
  throw new CommandFailed(`backup_folder: ${folder} holds no backup that was made on a schedule; name one`)
}

async function createTemporaryFolder(parent: string): Promise<string> {
  try {
    return await mkdtemp(join(resolve(parent), 'thingsync-rehearsal-'))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    throw new CommandFailed(`no folder can be created in ${parent} (${error.code}); choose another folder with --into`)
  }
}

/** Restores a backup and counts the items that a server would find in the restored folder. */
async function restoreAndCount(folder: string, file: string, checked: BackupSummary): Promise<ItemCounts> {
  const { createdAt } = checked
  await restoreFolder(folder, readBackup(file, checked), { now: systemEnvironment.now(), createdAt })
  const store = await openJsonFileStore({ folder, form: thingForm, log: standardError })
  const counts = new Map<string, number>()
  try {
    for await (const line of listStoreText(store)) {
      const kind = findKind(line)
      counts.set(kind, (counts.get(kind) ?? 0) + 1)
    }
  } finally {
    await store.close()
  }
  return Object.fromEntries(counts)
}

const say = (_details: object, message: string) => void process.stderr.write(`thingsync: ${message}\n`)
const standardError = { warn: say, error: say }
