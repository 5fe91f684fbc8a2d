import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { withFolderAdvice } from '../folder/folder-refused.ts'
import { makeFolder } from '../folder/make-folder.ts'
import { ownFolder } from '../folder/own-folder.ts'
import { CommandFailed } from '../runtime/command-failed.ts'

// Settings are no data, a volume of its own may have a lost+found, and `unfinished` is what a killed restore had only begun.
const harmless = new Set(['control.json', 'owner', 'thingsync.json', 'lost+found', 'unfinished'])

/**
 * Fills an empty or missing data folder while this process owns it. When it fails everything is as it was before.
 * `advice` says what to do instead when there is data in it.
 * @throws CommandFailed when there is; what `fill` throws
 */
export async function fillEmptyFolder(folder: string, advice: string, fill: () => Promise<void>): Promise<void> {
  const made = await makeFolder(folder)
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
