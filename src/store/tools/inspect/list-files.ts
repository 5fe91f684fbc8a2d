import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { NoFile, orIfMissing } from '../../disk/file-operations.ts'

/** A file of a data folder. */
export interface ListedFile {
  /** Its path in the data folder. */
  readonly file: string
  readonly bytes: number
  /** When it was last changed: Unix time in milliseconds. */
  readonly changedAt: number
}

// Where a folder has the name of a file, whoever wants that file says so.
const isFolder = (entry: Dirent): boolean => entry.isDirectory() && !/\.(nd)?json$/.test(entry.name)

/**
 * All files of a data folder and of the folders in it, by name; those that vanish meanwhile are left out.
 * @throws NoFile of a folder among files that are just being written, which no start removes
 */
export const listFiles = async (folder: string): Promise<readonly ListedFile[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const listed: ListedFile[] = []
  for (const entry of entries) {
    if (entry.isDirectory() && entry.parentPath === join(folder, 'unfinished'))
      throw new NoFile(join(entry.parentPath, entry.name))
    if (isFolder(entry)) continue
    const path = join(entry.parentPath, entry.name)
    const found = await orIfMissing(stat(path), undefined)
    if (found === undefined) continue
    listed.push({ file: path.slice(join(folder, 'x').length - 1), bytes: found.size, changedAt: found.mtimeMs })
  }
  return listed.sort((a, b) => (a.file < b.file ? -1 : 1))
}
