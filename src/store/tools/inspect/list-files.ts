import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { orIfMissing } from '../../disk/file-operations.ts'

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

/** All files in a folder and the folders in it, by name; those that vanish meanwhile are left out. */
export const listFiles = async (folder: string): Promise<readonly ListedFile[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const listed: ListedFile[] = []
  for (const entry of entries) {
    if (isFolder(entry)) continue
    const path = join(entry.parentPath, entry.name)
    const found = await orIfMissing(stat(path), undefined)
    if (found === undefined) continue
    listed.push({ file: path.slice(join(folder, 'x').length - 1), bytes: found.size, changedAt: found.mtimeMs })
  }
  return listed.sort((a, b) => (a.file < b.file ? -1 : 1))
}
