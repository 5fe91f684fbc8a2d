import { type FileOperations, isSystemError } from './file-operations.ts'

const headBytes = 4096

/**
 * The number of the last write that a file of an account or of the registry names in its first lines, damaged or not;
 * 0 when there is none.
 */
export const findSavedWrite = async (files: FileOperations, path: string): Promise<number> => {
  try {
    const handle = await files.open(path, 'r')
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0)
      const [, write] = /"write": *(\d{1,15})[,}]/.exec(buffer.toString('utf8', 0, bytesRead)) ?? []
      return Number(write ?? 0)
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return 0
    throw error
  }
}
