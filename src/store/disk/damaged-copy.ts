import { constants } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { DamagedFile } from '../record/sealed-json.ts'
import { StoreFailed } from '../store.ts'
import type { StoreLog } from '../store-log.ts'
import { readPieces } from './file-lines.ts'
import { type FileOperations, isSystemError, withHandle } from './file-operations.ts'

const mark = '.damaged-'

/**
 * Copies a damaged file to a name beside it, and says so in the log and in an error. The file itself stays where it is,
 * for a person to repair. The same damage is copied once, however often it is found.
 */
export const reportDamage = async (
  { files, log }: { readonly files: FileOperations; readonly log: StoreLog },
  path: string,
  cause: DamagedFile,
  advice: string,
): Promise<StoreFailed> => {
  const copy = `${path}${mark}${(await sumUp(files, path)).toString(16).padStart(8, '0')}`
  try {
    await files.copyFile(path, copy, constants.COPYFILE_EXCL)
  } catch (error) {
    if (!isSystemError(error, 'EEXIST')) throw error
  }
  const sentence = `${path} is damaged: ${cause.message}`
  log.error({ file: path, copy, reason: cause.message }, `${sentence}; ${advice}, then restart`)
  return new StoreFailed(sentence, { cause })
}

const sumUp = (files: FileOperations, path: string): Promise<number> =>
  withHandle(files.open(path, 'r'), async (handle) => {
    let checksum = 0
    const { size } = await handle.stat()
    for await (const piece of readPieces(handle, { start: 0, end: size })) checksum = crc32(piece, checksum)
    return checksum
  })

/** The copies that were made of a damaged file. */
export const listDamagedCopies = async (files: FileOperations, path: string): Promise<readonly string[]> => {
  const names = await files.readdir(dirname(path))
  return names.filter((name) => name.startsWith(`${basename(path)}${mark}`)).map((name) => join(dirname(path), name))
}
