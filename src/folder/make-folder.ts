import { access, constants, mkdir, stat } from 'node:fs/promises'
import { FolderRefused, withFolderAdvice } from './folder-refused.ts'

/**
 * Makes sure that a data folder is there and can be written. A missing one is created, readable by its owner only
 * (mode 0700), as are the missing folders above it. Gives the uppermost one that was created, if any.
 * @throws FolderRefused with what to do when that is impossible
 */
export async function makeFolder(folder: string): Promise<string | undefined> {
  return withFolderAdvice(folder, async () => {
    const made = await mkdir(folder, { recursive: true, mode: 0o700 })
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return made
  })
}

/**
 * Makes sure that a data folder is there, without creating anything.
 * @throws FolderRefused when it is missing or no folder
 */
export async function requireFolder(folder: string): Promise<void> {
  const found = await withFolderAdvice(folder, () => stat(folder))
  if (!found.isDirectory()) throw new FolderRefused(`data folder: ${folder} is a file; set THINGSYNC_DATA to a folder`)
}
