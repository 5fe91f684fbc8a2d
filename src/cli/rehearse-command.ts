import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { listBackups } from '../runtime/backup-folder.ts'
import { CommandFailed } from '../runtime/command-failed.ts'
import { listStoreText } from '../runtime/copies.ts'
import { openJsonFileStore } from '../store/json-file-store.ts'
import { findKind, type ItemCounts } from '../store/record/backup-lines.ts'
import { type BackupSummary, checkBackup, readBackup } from '../store/tools/backup/read-backup.ts'
import { restoreFolder } from '../store/tools/backup/restore-folder.ts'
import { thingForm } from '../things/thing-form.ts'
import { systemWorld } from '../world.ts'
import { createItemCheck } from './check-items.ts'
import { printTable, showDate } from './print-table.ts'
import { addSettingFlags, readCommandSettings } from './setting-flags.ts'

/** Adds `rehearse-restore`: whether a backup would be one on the day it is needed. */
export function addRehearseCommand(program: Command): void {
  addSettingFlags(program.command('rehearse-restore').argument('[FILE]'), ['data', 'backup_folder'])
    .description('Restore a backup into a temporary folder, open it, count what is there, and remove it again.')
    .addOption(new Option('--format <FORM>', 'Form of the answer.').choices(['text', 'json']).default('text'))
    .option('--into <DIR>', 'Where the temporary folder is made; it needs as much room as the data folder.')
    .addHelpText(
      'after',
      `
Without FILE it is the newest backup in the backup folder. Nothing of the server or its data folder is touched.

Exit codes: 0 all of it came back, 1 it could not be restored, 2 used in a wrong way, 3 something is missing in what was
restored.

Examples:
  thingsync rehearse-restore --backup-folder /backups
  thingsync rehearse-restore /backups/things.ndjson.gz --into /var/tmp`,
    )
    .action(async (given: string | undefined, _options, command: Command) => {
      const { settings } = await readCommandSettings(command)
      const file = given === undefined ? await findNewest(settings.backupFolder) : resolve(given)
      const checked = await checkBackup(file, createItemCheck())
      const { counts, createdAt } = checked
      const folder = await makeFolder(command.getOptionValue('into') ?? tmpdir())
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

async function makeFolder(parent: string): Promise<string> {
  try {
    return await mkdtemp(join(resolve(parent), 'thingsync-rehearsal-'))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    throw new CommandFailed(`no folder can be made in ${parent} (${error.code}); choose another place with --into`)
  }
}

/** What a server would find that is started on the restored folder. */
async function restoreAndCount(folder: string, file: string, checked: BackupSummary): Promise<ItemCounts> {
  const { createdAt } = checked
  await restoreFolder(folder, readBackup(file, checked), { now: systemWorld.now(), createdAt })
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
