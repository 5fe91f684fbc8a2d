import { constants } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { type FileOperations, isSystemError } from './file-operations.ts'
import { readPieces } from './read-pieces.ts'

const mark = '.damaged-'

/**
 * Copies a damaged file to a name beside it and gives that name. The file itself stays where it is, for a person to
 * repair. The same damage is copied once, however often it is found.
 */
export const copyDamaged = async (files: FileOperations, path: string): Promise<string> => {
  const copy = `${path}${mark}${(await sumUp(files, path)).toString(16).padStart(8, '0')}`
  try {
    await files.copyFile(path, copy, constants.COPYFILE_EXCL)
  } catch (error) {
    if (!isSystemError(error, 'EEXIST')) throw error
  }
  return copy
}

const sumUp = async (files: FileOperations, path: string): Promise<number> => {
  let checksum = 0
  const handle = await files.open(path, 'r')
  try {
    const { size } = await handle.stat()
    for await (const piece of readPieces(handle, { start: 0, end: size }, (bytes) => bytes.length))
      checksum = crc32(piece, checksum)
  } finally {
    await handle.close()
  }
  return checksum
}

/** The copies that were made of a damaged file. */
export const listDamagedCopies = async (files: FileOperations, path: string): Promise<readonly string[]> => {
  const names = await files.readdir(dirname(path))
  return names.filter((name) => name.startsWith(`${basename(path)}${mark}`)).map((name) => join(dirname(path), name))
}
