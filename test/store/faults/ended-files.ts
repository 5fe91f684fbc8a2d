import { writeSync } from 'node:fs'
import * as nodeFiles from 'node:fs/promises'
import type { FileOperations } from '../../../src/store/disk/files.ts'

/**
 * Where a process is to be killed: at the n-th step that changes the disk, when half of what it writes is written (and
 * nothing of a step that writes no bytes is done), or when the step is done and nobody knows.
 */
export interface KillPoint {
  readonly step: number
  readonly moment: 'half-way' | 'done'
}

type Handle = nodeFiles.FileHandle

const asBytes = (data: unknown): Buffer => (typeof data === 'string' ? Buffer.from(data) : Buffer.from(data as Buffer))

const endProcess = (): never => {
  process.kill(process.pid, 'SIGKILL')
  throw new Error('the process goes on after SIGKILL')
}

/** The real file operations, in a process that kills itself at a step of the disk. */
export const createEndedFiles = (kill: KillPoint): FileOperations => {
  let steps = 0

  const step = async <T>(work: () => Promise<T>, half: () => void = () => undefined): Promise<T> => {
    steps += 1
    if (steps !== kill.step) return work()
    if (kill.moment === 'half-way') half()
    else await work()
    return endProcess()
  }

  const useHandle = (handle: Handle): Handle => {
    const { appendFile, datasync, sync, truncate } = handle
    return Object.assign(handle, {
      appendFile: (data: string | Uint8Array) =>
        step(
          () => appendFile.call(handle, data),
          () => writeSync(handle.fd, asBytes(data).subarray(0, Math.ceil(data.length / 2))),
        ),
      datasync: () => step(() => datasync.call(handle)),
      sync: () => step(() => sync.call(handle)),
      truncate: (length?: number) => step(() => truncate.call(handle, length)),
    })
  }

  return {
    ...nodeFiles,
    copyFile: (from, to, mode) => step(() => nodeFiles.copyFile(from, to, mode)),
    mkdir: ((...args: Parameters<typeof nodeFiles.mkdir>) =>
      step(() => nodeFiles.mkdir(...args))) as typeof nodeFiles.mkdir,
    open: async (path, flags, mode) =>
      useHandle(
        flags === 'r' ? await nodeFiles.open(path, flags) : await step(() => nodeFiles.open(path, flags, mode)),
      ),
    rename: (from, to) => step(() => nodeFiles.rename(from, to)),
    rm: (path, options) => step(() => nodeFiles.rm(path, options)),
    unlink: (path) => step(() => nodeFiles.unlink(path)),
    writeFile: (path, data, options) => step(() => nodeFiles.writeFile(path, data, options)),
  }
}
