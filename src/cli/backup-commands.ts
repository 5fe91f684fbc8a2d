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
import { addSettingFlags, type FlagSentences, readCommandSettings } from './options.ts'
import { printTable, showDate } from './output.ts'

const restoreAdvice = 'choose another folder with --data or THINGSYNC_DATA'

/** Adds `backup` and `restore`: write the whole store to one file, and create a data folder from such a file. */
export function addBackupCommands(program: Command): void {
  addOptions(program.command('backup').argument('<FILE>'))
    .description('Write a backup of everything to one file, whether or not the server is running.')
    .addHelpText(
      'after',
      `
The backup contains every change that the server confirmed before the backup began. The file holds JSON lines,
compressed with gzip, with hashes of passwords and tokens. Only its owner can read it. FILE must be outside the data
folder. The command replaces an existing regular file. FILE - is standard output.

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
  addOptions(program.command('restore').argument('<FILE>'), {
    data: 'Data folder to fill; must be empty or missing.',
    store: 'Must be json: a backup cannot be restored to a database.',
  })
    .description('Restore everything from a backup to an empty or missing data folder.')
    .addHelpText(
      'after',
      `
The command checks the whole backup before it writes anything. New positions are higher than all positions that clients
have. So the next sync of each client lists everything in the backup again.

Example:
  thingsync restore /backups/things-2026-11-21.ndjson.gz --data /srv/things-restored`,
    )
    .action(async (file: string, _options, command: Command) => {
      const { settings } = await readCommandSettings(command)
      if (file === '-')
        throw new CommandFailed('restore: cannot read a backup from standard input; write it to a file first', 2)
      if (settings.store === 'memory') throw new CommandFailed('the store "memory" saves nothing; use --store json')
      if (isDatabaseUrl(settings.store))
        throw new CommandFailed(
          'restore: cannot write to a database; restore to a data folder, then use "thingsync copy"',
        )
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

function addOptions(command: Command, sentences: FlagSentences = {}): Command {
  return addSettingFlags(command, ['data', 'store'], sentences).addOption(
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
    throw new CommandFailed('backup: standard output is a terminal; send the compressed bytes to a file or a program')
  // The callback of each write gets the error.
  process.stdout.on('error', () => undefined)
  return (bytes) =>
    new Promise<void>((done, failed) => {
      process.stdout.write(bytes, (error) => {
        if (error) failed(new CommandFailed(`backup: not complete: ${error.message}; run the command again`))
        else done()
      })
    })
}

/** Adds `rehearse-restore`: checks that a backup can be restored as a whole. */
export function addRehearseCommand(program: Command): void {
  addSettingFlags(program.command('rehearse-restore').argument('[FILE]'), ['data', 'backup_folder'], {
    data: 'Data folder with the configuration file that may name the backup folder; nothing else is read from it.',
    backup_folder: 'Folder with the backups; without FILE, the command tests the newest one.',
  })
    .description('Test a backup: restore it to a temporary folder, open it, count its items, and remove the folder.')
    .addOption(new Option('--format <FORM>', 'Format of the output.').choices(['text', 'json']).default('text'))
    .option(
      '--into <DIR>',
      'Folder in which to create the temporary folder; it needs as much space as the data folder. [default: the folder for temporary files]',
    )
    .addHelpText(
      'after',
      `
Without FILE, the command tests the newest backup in the backup folder. It does not change the server or its data
folder.

Exit codes: 0 everything was restored; 1 the backup could not be restored; 2 wrong usage; 3 the restored items differ
from the backup.

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
        kind,
        backup: `${counts[kind] ?? 0}`,
        restored: `${restored[kind] ?? 0}`,
      }))
      const text = `${file}, created ${showDate(createdAt)}\n${printTable(rows)}`
      process.stdout.write(isJson ? `${JSON.stringify(result)}\n` : text)
      if (missing.length > 0)
        throw new CommandFailed(
          `the restored items differ from the backup: ${missing.join(', ')}; create another backup`,
          3,
        )
      if (!isJson) process.stdout.write('everything was restored\n')
    })
}

async function findNewest(folder: string | undefined): Promise<string> {
  if (folder === undefined)
    throw new CommandFailed('give the file of a backup, or the folder of backups with --backup-folder', 2)
  try {
    const newest = (await listBackups(folder)).at(-1)
    if (newest !== undefined) return join(folder, newest)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    throw new CommandFailed(`backup_folder: ${folder} cannot be read (${error.code}); check its path and permissions`)
  }
  throw new CommandFailed(`backup_folder: ${folder} contains no scheduled backup; give the file of a backup`)
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
