import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { CommandFailed } from './command-failed.ts'

/**
 * Writes what scripts wait for, at once and whole: `{"base_url", "pid"}`.
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
 * Removes a ready file of an earlier run, and makes sure that one can be written, before anything is begun. A file in
 * which something else stands is left alone.
 * @throws CommandFailed
 */
export async function prepareReadyFile(file: string): Promise<void> {
  if (!(await isOurs(file)))
    throw new CommandFailed(`ready file: ${file} is there and is none; name another one with --ready-file`)
  await removeReadyFile(file)
  const trial = `${file}.${process.pid}`
  await withAdvice(file, 'written', async () => {
    await writeFile(trial, '')
    await rm(trial)
  })
}

/**
 * Removes a ready file, of this run or an earlier one, if there is one.
 * @throws CommandFailed when what is there cannot be removed, a folder for example
 */
export const removeReadyFile = (file: string): Promise<void> =>
  withAdvice(file, 'removed', () => rm(file, { force: true }))

/** True for one that a run wrote, an empty file (`mktemp`), and for none; a folder is refused when it is to be removed. */
async function isOurs(file: string): Promise<boolean> {
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
    throw new CommandFailed(`ready file: ${file} cannot be ${done} (${why}); name another one with --ready-file`)
  }
}
