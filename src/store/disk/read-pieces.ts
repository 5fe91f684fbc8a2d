import type { FileHandle } from 'node:fs/promises'

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
