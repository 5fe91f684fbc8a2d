import * as files from 'node:fs/promises'
import { readFormat, writeFormat } from '../../src/store/disk/directory.ts'

/** Makes a closed data folder one of which nothing is written down, as a crash leaves it before the first time that is. */
export const forgetInventory = async (folder: string): Promise<void> => {
  const format = await readFormat(folder, files)
  if (format === null) throw new Error(`${folder} has no format.json`)
  await writeFormat(folder, files, { ...format, inventory: undefined })
}
