import { access, constants, mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { FolderRefused, withFolderAdvice } from './folder-refused.ts'

/**
 * Makes sure that a data folder is there and can be written. A missing one is created, readable by its owner only
 * (mode 0700), as are the missing folders above it. Gives the uppermost one that was created, if any.
 * @throws FolderRefused with what to do when that is impossible
 */
export async function makeFolder(folder: string): Promise<string | undefined> {
  return withFolderAdvice(folder, async () => {
    const made = await makeMissing(resolve(folder))
    if (!(await stat(folder)).isDirectory()) throw isFile(folder)
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return made
  })
}

/** Not `recursive`: where the system takes no names in a folder that is there (`/proc`), Node would try for ever. */
async function makeMissing(path: string): Promise<string | undefined> {
  if (await isThere(path)) return undefined
  const above = await makeMissing(dirname(path))
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    // Another process made it in the meantime.
    if (code === 'EEXIST') return above
    if (code === 'ENOENT')
      throw new FolderRefused(`data folder: ${path} cannot be made, its file system takes none; set THINGSYNC_DATA`)
    throw error
  }
  return above ?? path
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT' && dirname(path) !== path) return false
    throw error
  }
}

const isFile = (folder: string): FolderRefused =>
  new FolderRefused(`data folder: ${folder} is a file; set THINGSYNC_DATA to a folder`)

/**
 * Makes sure that a data folder is there, without creating anything.
 * @throws FolderRefused when it is missing or no folder
 */
export async function requireFolder(folder: string): Promise<void> {
  const found = await withFolderAdvice(folder, () => stat(folder))
  if (!found.isDirectory()) throw isFile(folder)
}
