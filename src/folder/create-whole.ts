import { randomBytes } from 'node:crypto'
import { type FileHandle, link, open, unlink } from 'node:fs/promises'

/**
 * Makes a file at once and whole, readable by its owner only; false when there is one of this name already. `write` is
 * given the inode that the file will have.
 */
export async function createWhole(file: string, write: (inode: bigint) => string): Promise<boolean> {
  const temporary = `${file}.${randomBytes(8).toString('hex')}`
  const handle = await open(temporary, 'wx', 0o600)
  try {
    await fill(handle, write)
    // A link never replaces a file, so of all that arrive together one wins, and nobody ever reads half a file.
    await link(temporary, file)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  } finally {
    await handle.close()
    await unlink(temporary)
  }
}

async function fill(handle: FileHandle, write: (inode: bigint) => string): Promise<void> {
  const { ino } = await handle.stat({ bigint: true })
  await handle.writeFile(write(ino))
  await handle.sync()
}
