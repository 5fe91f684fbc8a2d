import * as files from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { copyDurable, removeFile, syncFolder } from '../../disk/durable-json-file.ts'
import { isSystemError } from '../../disk/file-operations.ts'

/** A data folder, and the folder in it where a repair keeps what it replaces. */
export interface Kept {
  readonly folder: string
  readonly keptIn: string
}

/** Copies a file to the same path among those that are kept; one that is not there is not missed. */
export const keepAside = async ({ folder, keptIn }: Kept, file: string): Promise<void> => {
  const copy = join(keptIn, file)
  await files.mkdir(dirname(copy), { recursive: true, mode: 0o700 })
  try {
    await copyDurable(files, join(folder, file), copy)
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return
    throw error
  }
  await syncFolder(files, dirname(copy))
}

/** Takes a file out of a data folder, to the same path among those that are kept. */
export const moveAside = async (kept: Kept, file: string): Promise<void> => {
  await keepAside(kept, file)
  await removeFile(files, join(kept.folder, file))
}
