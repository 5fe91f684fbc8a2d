import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Bytes of the files of the journal of a data folder; what is removed while it is looked at counts as nothing. */
export const sumJournalBytes = async (folder: string): Promise<number> => {
  const journal = join(folder, 'journal')
  const names = await readdir(journal)
  const sizes = await Promise.all(names.map((name) => stat(join(journal, name)).then(({ size }) => size, whenGone)))
  return sizes.reduce((sum, size) => sum + size, 0)
}

const whenGone = (error: NodeJS.ErrnoException): number => {
  if (error.code === 'ENOENT') return 0
  throw error
}
