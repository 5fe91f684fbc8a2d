import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, Option } from 'commander'
import { isDatabaseUrl } from '../config/store-place.ts'
import { findControlDamage } from '../folder/control-file.ts'
import { requireFolder } from '../folder/make-folder.ts'
import { ownFolder } from '../folder/own-folder.ts'
import { CommandFailed } from '../runtime/command-failed.ts'
import type { FoundFile } from '../store/tools/inspect/describe-files.ts'
import { describeFiles } from '../store/tools/inspect/describe-files.ts'
import { readFolder } from '../store/tools/inspect/read-folder.ts'
import { repairFolder } from '../store/tools/repair/repair-folder.ts'
import { systemWorld } from '../world.ts'
import { describeVerify, isDamaged, type VerifyResult } from './describe-verify.ts'
import { addSettingFlags, readCommandSettings } from './setting-flags.ts'
import { refuseRepair, verifyDatabase } from './verify-database.ts'

/** Adds `verify`: every file of a data folder, or row of a database, is read as the server would read it. */
export function addVerifyCommand(program: Command): void {
  addSettingFlags(program.command('verify'), ['data', 'store'])
    .description(
      'Check every file of a data folder, or row of a database, while servers run or are stopped. Changes nothing by itself.',
    )
    .option('--repair', 'Keep what is damaged aside and make a folder whole again; the server must be stopped.')
    .addOption(new Option('--format <FORM>', 'Form of the answer.').choices(['text', 'json']).default('text'))
    .addHelpText(
      'after',
      `
Exit codes: 0 all is whole (or was made so), 1 the check could not be made, 2 used in a wrong way, 3 damage.

Examples:
  thingsync verify --data /srv/things
  thingsync verify --data /srv/things --repair
  thingsync verify --store postgres://things@db.example/things`,
    )
    .action(async (_options, command: Command) => {
      const { settings } = await readCommandSettings(command)
      if (settings.store === 'memory') throw new CommandFailed('the store "memory" keeps no files')
      const isRepair = command.getOptionValue('repair') === true
      const isJson = command.getOptionValue('format') === 'json'
      const print = (result: VerifyResult, text: string): void => {
        process.stdout.write(isJson ? `${JSON.stringify(result)}\n` : text)
      }
      if (isDatabaseUrl(settings.store)) {
        if (isRepair) throw refuseRepair()
        return verifyDatabase(settings.store, print)
      }
      await requireFolder(settings.data)
      const result = isRepair ? await repair(settings.data) : await check(settings.data)
      print(result, describeVerify(result, 'files'))
      if (result.damaged > 0 && !isRepair) throw new CommandFailed(sayDamage(result), 3)
    })
}

const toResult = (data: string, files: readonly FoundFile[], keptIn?: string): VerifyResult => ({
  data,
  checked: files.length,
  damaged: files.filter(isDamaged).length,
  kept_in: keptIn ?? null,
  files,
})

async function check(data: string): Promise<VerifyResult> {
  const first = await look(data)
  if (!first.some(isDamaged)) return toResult(data, first)
  // A file that a running server removed or replaced while it was read only looks damaged, and not twice.
  await sleep(500)
  const second = await look(data)
  const isConfirmed = ({ file }: FoundFile) => first.some((one) => one.file === file && isDamaged(one))
  return toResult(
    data,
    second.filter((found) => !isDamaged(found) || isConfirmed(found)),
  )
}

async function look(data: string): Promise<readonly FoundFile[]> {
  const files = describeFiles(await readFolder(data))
  const damage = await findControlDamage(data)
  if (damage === undefined) return files
  return files.map((found) => {
    const repair = 'nothing, because it cannot be told whether a server runs'
    return found.file === 'control.json' ? { ...found, state: 'damaged', says: damage, repair } : found
  })
}

async function repair(data: string): Promise<VerifyResult> {
  const onCommand = async () => ({ refused: 'the data folder is being repaired; try again later' })
  const owned = await ownFolder(data, {
    onCommand,
    onWait: (sentence) => process.stderr.write(`thingsync: ${sentence}\n`),
  })
  if ('owner' in owned)
    throw new CommandFailed(`data folder ${data} is in use by thingsync process ${owned.owner.pid}; stop it first`)
  try {
    const { damaged, keptIn } = await repairFolder(data, systemWorld.now())
    const files = await look(data)
    const left = files.filter(isDamaged)
    if (left.length > 0) throw new CommandFailed(sayDamage(toResult(data, left)), 3)
    return keptIn === undefined ? toResult(data, files) : toResult(data, damaged, keptIn)
  } finally {
    await owned.release()
  }
}

const sayDamage = ({ data, damaged }: VerifyResult): string =>
  `data folder ${data}: ${damaged} ${damaged === 1 ? 'file is' : 'files are'} damaged; --repair says above what it would do`
