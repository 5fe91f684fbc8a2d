import type { FileHandle } from 'node:fs/promises'
import type { FileOperations } from './file-operations.ts'

/** What is read at once: a few milliseconds of work. */
const pieceBytes = 1024 * 1024

/**
 * Reads a stretch of a file piece by piece. `findCut` tells how much of some bytes can be worked on by itself, 0 when
 * more is needed for that. Every piece stands in the same memory, which the next one overwrites.
 */
export async function* readPieces(
  handle: FileHandle,
  { start, end }: { readonly start: number; readonly end: number },
  findCut: (bytes: Buffer) => number,
): AsyncGenerator<Buffer, void, undefined> {
  let room = Buffer.allocUnsafeSlow(Math.min(pieceBytes, end - start))
  let filled = 0
  for (let at = start; at < end; ) {
    const { bytesRead } = await handle.read(room, filled, Math.min(room.length - filled, end - at), at)
    at += bytesRead
    filled += bytesRead
    const isLast = at === end || bytesRead === 0
    const cut = isLast ? filled : findCut(room.subarray(0, filled))
    if (cut > 0) yield room.subarray(0, cut)
    if (isLast) return
    room.copyWithin(0, cut, filled)
    filled -= cut
    if (filled < room.length) continue
    const larger = Buffer.allocUnsafeSlow(room.length * 2)
    room.copy(larger)
    room = larger
  }
}

/** Reads one file after another as a whole, all in the same memory: what was read last is there no more. */
export const createFileReader = (files: Pick<FileOperations, 'open'>): ((path: string) => Promise<Buffer>) => {
  let room = Buffer.alloc(0)
  return async (path) => {
    const handle = await files.open(path, 'r')
    try {
      const { size } = await handle.stat()
      if (size > room.length) room = Buffer.allocUnsafeSlow(size)
      let filled = 0
      for (let isEnd = size === 0; !isEnd; ) {
        const { bytesRead } = await handle.read(room, filled, size - filled, filled)
        filled += bytesRead
        isEnd = bytesRead === 0 || filled === size
      }
      return room.subarray(0, filled)
    } finally {
      await handle.close()
    }
  }
}
