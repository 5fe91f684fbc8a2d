import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { isDatabaseUrl } from '../config/store-place.ts'
import { requireFolder } from '../folder/make-folder.ts'
import { CommandFailed } from '../runtime/command-failed.ts'
import type { ItemCounts } from '../store/record/backup-lines.ts'
import { refuseTarget } from '../store/tools/backup/check-target.ts'
import { checkBackup, readBackup } from '../store/tools/backup/read-backup.ts'
import { restoreFolder } from '../store/tools/backup/restore-folder.ts'
import { type WriteBytes, writeBackup, writeBackupTo } from '../store/tools/backup/write-backup.ts'
import { systemWorld } from '../world.ts'
import { copyStore } from './copy-store.ts'
import { fillEmptyFolder } from './empty-folder.ts'
import { addSettingFlags, readCommandSettings } from './setting-flags.ts'

const restoreAdvice = 'restore to a new one with --data'

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
      if (file.endsWith('/')) throw new CommandFailed(`backup: ${file} names a folder; give the name of a file in it`)
      const path = resolve(file)
      const dataFolder = isDatabaseUrl(settings.store) ? undefined : settings.data
      if (dataFolder !== undefined) await requireFolder(dataFolder)
      const target = { file: path, dataFolder }
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
The backup is read to its end, and everything in it is checked, before anything is written. Positions go on beyond those that clients were given, so every
client is listed everything once and is in step then.

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
      // It loads what checks passwords, which a backup does without.
      const { createItemCheck } = await import('./check-items.ts')
      const checked = await checkBackup(path, createItemCheck())
      const { counts, createdAt } = checked
      await fillEmptyFolder(settings.data, restoreAdvice, () =>
        restoreFolder(settings.data, readBackup(path, checked), { now: systemWorld.now(), createdAt }),
      )
      const result = { data: settings.data, created: createdAt, ...counts }
      print(command, { result, sentence: `restored to ${settings.data}`, counts })
    })
}

function addOptions(command: Command): Command {
  return addSettingFlags(command, ['data', 'store']).addOption(
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
