import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandFailed } from './command-failed.ts'

/** No file of secrets can be made in a folder; nothing else was made either. */
export class SecretsFileRefused extends CommandFailed {}

const nameOf = (count: number): string => (count === 1 ? 'first-run.txt' : `first-run-${count}.txt`)

/**
 * Makes a new empty file for secrets that only its owner may read: `first-run.txt`, or, since nothing is ever written
 * over, `first-run-2.txt` and so on. Gives its path.
 * @throws SecretsFileRefused when no file can be made in the folder
 */
export async function makeSecretsFile(folder: string): Promise<string> {
  for (let count = 1; ; count++) {
    const path = join(folder, nameOf(count))
    try {
      await (await open(path, 'wx', 0o600)).close()
      return path
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error
      if (error.code !== 'EEXIST') throw new SecretsFileRefused(`first run: ${path} cannot be made (${error.code})`)
    }
  }
}

/**
 * Writes the secrets; they are on the disk when this resolves.
 * @throws CommandFailed when the disk does not take them
 */
export async function fillSecretsFile(path: string, text: string): Promise<void> {
  try {
    const file = await open(path, 'r+')
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    const advice = 'set others with "thingsync user reset-password" and "thingsync app add"'
    throw new CommandFailed(
      `first run: a user and an app were made, but ${path} was not written (${error.code}); ${advice}`,
    )
  }
}
