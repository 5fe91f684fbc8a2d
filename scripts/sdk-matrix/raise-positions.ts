import * as nodeFiles from 'node:fs/promises'
import { readFormat, writeFormat } from '../../src/store/disk/format-file.ts'

/** Raises the positions of all accounts of a data folder that no server has open, as a restored backup would. */
export async function raisePositions(folder: string, by: number): Promise<void> {
  const format = await readFormat(folder, nodeFiles)
  if (format === null) throw new Error(`${folder} has no format.json`)
  await writeFormat(folder, nodeFiles, { ...format, raises: [{ write: 1, by }] })
}
