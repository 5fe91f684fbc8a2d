import { readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { withFolderAdvice } from '../folder/folder-refused.ts'
import { makeFolder, requireFolder } from '../folder/make-folder.ts'
import { ownFolder } from '../folder/own-folder.ts'
import type { ItemCounts } from '../store/backup/backup-form.ts'
import { refuseTarget } from '../store/backup/check-target.ts'
import { readBackup, sumUpBackup } from '../store/backup/read-backup.ts'
import { restoreFolder } from '../store/backup/restore-folder.ts'
import { type WriteBytes, writeBackup, writeBackupTo } from '../store/backup/write-backup.ts'
import { systemWorld } from '../world.ts'
import { CommandFailed } from './command-failed.ts'
import { copyStore } from './copy-store.ts'
import { addSettingFlags, readCommandSettings } from './setting-flags.ts'

/** Adds `backup` and `restore`: the whole store as one file, and back. */
export function addBackupCommands(program: Command): void {
  addOptions(program.command('backup').argument('<FILE>'))
    .description('Write everything to one file, while the server runs or is stopped.')
    .addHelpText(
      'after',
      `
Everything that was answered before the backup began is in it. The file is gzip of JSON lines, holds hashes of passwords
and tokens, and is readable by its owner only. It is a new file or a regular one, which is replaced, outside the data
folder; - writes to standard output.

Examples:
  thingsync backup /backups/things-$(date +%F).ndjson.gz --data /srv/things
  thingsync backup - --data /srv/things | ssh backup.example 'cat > things.ndjson.gz'`,
    )
    .action(async (file: string, _options, command: Command) => {
      const { settings } = await readCommandSettings(command)
      const createdAt = Math.floor(systemWorld.now() / 1000)
      if (file === '-') {
        const write = openStandardOutput()
        const { counts, bytes } = await copyStore(settings, (lines) => writeBackupTo(write, lines, createdAt))
        const result = { file: '-', bytes, created: createdAt, ...counts }
        print(command, { result, sentence: 'backup written to standard output', counts }, process.stderr)
        return
      }
      const path = resolve(file)
      const target = { file: path, dataFolder: settings.data }
      await requireFolder(settings.data)
      await refuseTarget(target)
      const { counts, bytes } = await copyStore(settings, (lines) => writeBackup(target, lines, createdAt))
      const result = { file: path, bytes, created: createdAt, ...counts }
      print(command, { result, sentence: `backup written to ${path}`, counts })
    })
  addOptions(program.command('restore').argument('<FILE>'))
    .description('Make an empty or missing data folder one with everything that is in a backup.')
    .addHelpText(
      'after',
      `
The backup is read to its end before anything is written. Positions go on beyond those that clients were given, so every
client is listed everything once and is in step then.

Example:
  thingsync restore /backups/things-2026-11-21.ndjson.gz --data /srv/things-restored`,
    )
    .action(async (file: string, _options, command: Command) => {
      const { settings } = await readCommandSettings(command)
      if (settings.store === 'memory') throw new CommandFailed('the store "memory" keeps nothing; use --store json')
      const path = resolve(file)
      const { counts, createdAt } = await sumUpBackup(path)
      await restoreIntoEmpty(settings.data, path, createdAt)
      const result = { data: settings.data, created: createdAt, ...counts }
      print(command, { result, sentence: `restored to ${settings.data}`, counts })
    })
}

function addOptions(command: Command): Command {
  return addSettingFlags(command, ['data']).addOption(
    new Option('--format <FORM>', 'Form of the answer on standard output.').choices(['text', 'json']).default('text'),
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

/** Writes to standard output; when whoever reads it stops, or its disk is full, the backup has failed. */
function openStandardOutput(): WriteBytes {
  if (process.stdout.isTTY)
    throw new CommandFailed('backup: - writes compressed bytes to standard output; send them to a file or a program')
  // What fails is told to each write.
  process.stdout.on('error', () => undefined)
  return (bytes) =>
    new Promise<void>((done, failed) => {
      process.stdout.write(bytes, (error) => {
        if (error) failed(new CommandFailed(`backup: not whole, because ${error.message}`))
        else done()
      })
    })
}

// Settings are no data, and a volume of its own may have a lost+found.
const harmless = new Set(['control.json', 'owner', 'thingsync.json', 'lost+found'])

/** Restores while this process owns the folder. When it fails everything is as it was before. */
async function restoreIntoEmpty(folder: string, file: string, createdAt: number): Promise<void> {
  const made = await makeFolder(folder)
  const before = await listNames(folder)
  let isDone = false
  const release = await ownEmpty(folder)
  try {
    await restoreFolder(folder, readBackup(file), { now: systemWorld.now(), createdAt })
    isDone = true
  } finally {
    if (!isDone && !before.includes('control.json')) await rm(join(folder, 'control.json'), { force: true })
    if (!isDone && made !== undefined) await rm(made, { recursive: true, force: true })
    await release()
    if (!isDone && !before.includes('owner')) await rm(join(folder, 'owner'), { recursive: true, force: true })
  }
}

async function ownEmpty(folder: string): Promise<() => Promise<void>> {
  await refuseData(folder)
  const onCommand = async () => ({ refused: 'a backup is being restored to this data folder; try again later' })
  const owned = await ownFolder(folder, {
    onCommand,
    onWait: (sentence) => process.stderr.write(`thingsync: ${sentence}\n`),
  })
  if ('owner' in owned)
    throw new CommandFailed(`data folder ${folder} is in use by thingsync process ${owned.owner.pid}`)
  try {
    // Another process may have been its owner in the meantime.
    await refuseData(folder)
    return owned.release
  } catch (error) {
    await owned.release()
    throw error
  }
}

async function refuseData(folder: string): Promise<void> {
  if ((await listNames(folder)).some((name) => !harmless.has(name)))
    throw new CommandFailed(`data folder ${folder} is not empty; restore to a new one with --data`)
}

const listNames = (folder: string): Promise<string[]> => withFolderAdvice(folder, () => readdir(folder))
