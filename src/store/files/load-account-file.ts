import { isUtf8 } from 'node:buffer'
import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { AccountLoading, BeginLoading } from '../account/account.ts'
import { type AccountHead, showAccountHead } from './account-file.ts'
import { createAccountLines } from './account-lines.ts'
import { type FileOperations, isSystemError } from './file-operations.ts'
import { readPieces } from './read-pieces.ts'
import { showSeal } from './sealed-json.ts'

/** An account with all its writes up to one number of the journal. */
export interface LoadedAccount {
  readonly write: number
  readonly loading: AccountLoading
}

const sealBytes = showSeal(0).length

const findLinesCut = (bytes: Buffer): number => bytes.lastIndexOf('\n') + 1

const readHead = (line: string, userId: string): AccountHead | undefined => {
  const [, position, write] = /,"position":(\d{1,15}),"write":(\d{1,15}),$/.exec(line) ?? []
  const head = { position: Number(position), write: Number(write) }
  return line === showAccountHead(userId, head) ? head : undefined
}

const readSeal = async (handle: FileHandle, start: number): Promise<string> => {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(sealBytes), 0, sealBytes, start)
  return buffer.toString('latin1', 0, bytesRead)
}

const loadPieces = async (
  handle: FileHandle,
  end: number,
  { userId, begin }: { readonly userId: string; readonly begin: BeginLoading },
): Promise<(LoadedAccount & { readonly checksum: number }) | undefined> => {
  let checksum = 0
  let write = 0
  let loading: AccountLoading | undefined
  let lines: ReturnType<typeof createAccountLines> | undefined
  for await (const piece of readPieces(handle, { start: 0, end }, findLinesCut)) {
    checksum = crc32(piece, checksum)
    let start = 0
    if (lines === undefined) {
      start = piece.indexOf('\n') + 1
      const head = readHead(piece.toString('utf8', 0, start - 1), userId)
      if (head === undefined) return undefined
      write = head.write
      loading = begin(head.position)
      lines = createAccountLines(loading, head.position)
    }
    if (!isUtf8(piece) || !lines.take(piece.subarray(start))) return undefined
  }
  return loading !== undefined && lines?.isComplete() === true ? { write, loading, checksum } : undefined
}

/**
 * Loads an account line by line from its file, or a new one when there is none. Undefined when the file is not exactly
 * what `accountForm` writes, with its checksum: it may be damaged, or repaired, or of an earlier version.
 */
export const loadAccountFile = async (
  { path, files }: { readonly path: string; readonly files: FileOperations },
  userId: string,
  begin: BeginLoading,
): Promise<LoadedAccount | undefined> => {
  let handle: FileHandle
  try {
    handle = await files.open(path, 'r')
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return { write: 0, loading: begin(0) }
    throw error
  }
  try {
    const end = (await handle.stat()).size - sealBytes
    if (end <= 0) return undefined
    const seal = await readSeal(handle, end)
    const loaded = await loadPieces(handle, end, { userId, begin })
    return loaded !== undefined && seal === showSeal(loaded.checksum) ? loaded : undefined
  } finally {
    await handle.close()
  }
}
