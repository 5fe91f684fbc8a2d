import type { FileOperations } from '../disk/file-operations.ts'
import { readPieces } from '../disk/read-pieces.ts'

/** The bytes of a segment. */
export interface SegmentBytes {
  readonly size: number
  /** All of them in order, in pieces of whole lines; what a piece has is there until the next one. */
  readonly pieces: () => AsyncIterable<Buffer>
  /** Those between two places; none behind the last. */
  readonly read: (start: number, end: number) => Promise<Buffer>
}

const lineBreak = 0x0a

/** Works on those of a file, of which little is in memory at any time. @throws the system's error, or what the work throws */
export const withBytesOfFile = async <Result>(
  files: Pick<FileOperations, 'open'>,
  path: string,
  work: (bytes: SegmentBytes) => Promise<Result>,
): Promise<Result> => {
  const handle = await files.open(path, 'r')
  try {
    const { size } = await handle.stat()
    return await work({
      size,
      pieces: () => readPieces(handle, { start: 0, end: size }, (bytes) => bytes.lastIndexOf(lineBreak) + 1),
      read: async (start, end) => {
        const length = Math.max(0, Math.min(end, size) - start)
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, start)
        return buffer.subarray(0, bytesRead)
      },
    })
  } finally {
    await handle.close()
  }
}
