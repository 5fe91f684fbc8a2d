import { rename, rm, writeFile } from 'node:fs/promises'
import { CommandFailed } from './command-failed.ts'

/**
 * Writes what scripts wait for, at once and whole: `{"base_url", "pid"}`.
 * @throws CommandFailed when the file cannot be written
 */
export async function writeReadyFile(file: string, baseUrl: string): Promise<void> {
  const temporary = `${file}.${process.pid}`
  try {
    await writeFile(temporary, `${JSON.stringify({ base_url: baseUrl, pid: process.pid })}\n`)
    await rename(temporary, file)
  } catch (error) {
    if (error instanceof Error && 'code' in error) {
      throw new CommandFailed(`ready file: ${file} cannot be written (${error.code})`)
    }
    throw error
  }
}

/** Removes a ready file, of this run or an earlier one, if there is one. */
export const removeReadyFile = (file: string): Promise<void> => rm(file, { force: true })
