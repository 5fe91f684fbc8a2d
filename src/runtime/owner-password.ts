import { readFile } from 'node:fs/promises'
import type { Settings } from '../config/settings-table.ts'
import type { World } from '../world.ts'
import { CommandFailed } from './command-failed.ts'

/** The password of the first user; one that was given is known to the operator and is shown nowhere. */
export interface OwnerPassword {
  readonly text: string
  readonly isGiven: boolean
  /** The file that it was read from. */
  readonly file?: string
}

/**
 * The password for the first user from the settings, or one that is made up.
 * @throws CommandFailed when both settings are there, or the file cannot be read
 */
export async function readOwnerPassword(
  { ownerPassword, ownerPasswordFile: file }: Pick<Settings, 'ownerPassword' | 'ownerPasswordFile'>,
  world: World,
): Promise<OwnerPassword> {
  if (ownerPassword !== undefined && file !== undefined) {
    throw new CommandFailed('THINGSYNC_OWNER_PASSWORD and THINGSYNC_OWNER_PASSWORD_FILE are both set; set one', 2)
  }
  if (ownerPassword !== undefined) return { text: ownerPassword, isGiven: true }
  if (file === undefined) return { text: world.newId(), isGiven: false }
  try {
    // Editors and `echo` end a file with a line end.
    return { text: (await readFile(file, 'utf8')).replace(/\r?\n$/, ''), isGiven: true, file }
  } catch (error) {
    if (error instanceof Error && 'code' in error) {
      throw new CommandFailed(`owner password file: ${file} cannot be read (${error.code})`)
    }
    throw error
  }
}
