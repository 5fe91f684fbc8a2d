import * as nodeFiles from 'node:fs/promises'
import type { FileOperations } from '../../src/store/disk/files.ts'

/** The real file operations, with a disk whose behaviour a test can change. */
export interface FailingFiles {
  readonly files: FileOperations
  /** Fails an operation with this code from now on, on files or on folders; undefined ends the fault. */
  readonly injectFault: (operation: FailingOperation | undefined, code?: string) => void
  /** Holds every sync from now on until the returned function is called. */
  readonly holdSyncs: () => () => void
}

/** The operations that a test can fail. */
export type FailingOperation = 'open' | 'append' | 'sync file' | 'sync aside' | 'sync folder' | 'rename' | 'read'

const createError = (code: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${code}: injected by the test`), { code, errno: -1, syscall: 'test' })

/** Files on a disk that works until a test injects a fault. */
export const createFailingFiles = (): FailingFiles => {
  let failing: FailingOperation | undefined
  let failingCode = 'EIO'
  let held = Promise.resolve()

  const pass = (operation: FailingOperation): void => {
    if (operation === failing) throw createError(failingCode)
  }

  const files: FileOperations = {
    ...nodeFiles,
    readFile: (async (...args: Parameters<typeof nodeFiles.readFile>) => {
      pass('read')
      return nodeFiles.readFile(...args)
    }) as typeof nodeFiles.readFile,
    rename: async (from, to) => {
      pass('rename')
      await nodeFiles.rename(from, to)
    },
    open: async (path, flags, mode) => {
      const isFolder = flags === 'r'
      if (!isFolder) pass('open')
      const handle = await nodeFiles.open(path, flags, mode)
      const { sync, datasync, appendFile, read } = handle
      return Object.assign(handle, {
        read: (async (...args: Parameters<typeof read>) => {
          pass('read')
          return read.apply(handle, args)
        }) as typeof read,
        sync: async () => {
          await held
          pass(isFolder ? 'sync folder' : 'sync file')
          // Only what is written aside is synced as a whole; lines of the journal are by `datasync`.
          if (!isFolder) pass('sync aside')
          await sync.call(handle)
        },
        datasync: async () => {
          await held
          pass('sync file')
          await datasync.call(handle)
        },
        appendFile: async (data: string | Uint8Array) => {
          if (failing === 'append') {
            const error = createError(failingCode)
            // A full disk takes what it has room for before it fails.
            await appendFile.call(handle, Buffer.from(data).subarray(0, data.length / 2))
            throw error
          }
          await appendFile.call(handle, data)
        },
      })
    },
  }

  return {
    files,
    injectFault: (operation, code = 'EIO') => {
      failing = operation
      failingCode = code
    },
    holdSyncs: () => {
      let release = (): void => undefined
      held = new Promise((resolve) => {
        release = resolve
      })
      return () => release()
    },
  }
}
