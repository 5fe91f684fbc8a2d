/** Room for the steps of one write, as the bytes that the journal and the account in memory are given. */
export interface StepRoom {
  /** Adds a step as JSON; gives its place. */
  readonly add: (json: string) => number
  /** The bytes that have a place, and where in them it is. */
  readonly find: (place: number) => { readonly bytes: Buffer; readonly start: number }
  /** All steps as a JSON list, in pieces, behind some that are JSON already. Nothing can be added then. */
  readonly close: (before: readonly string[]) => readonly Buffer[]
}

// So few bytes are out of Node's pool.
const firstBytes = 2 * 1024
const mostBytes = 256 * 1024

/** Bytes of a room that one piece has. */
interface Piece {
  /** The place of its first byte. */
  readonly from: number
  readonly bytes: Buffer
  used: number
}

const [comma, opening, closing] = [0x2c, 0x5b, 0x5d]

/** Most bytes that a text may have; those of a long one are counted. */
const bytesOf = (text: string): number => (text.length < firstBytes ? text.length * 3 : Buffer.byteLength(text))

/** A room without steps. */
export const createStepRoom = (): StepRoom => {
  const pieces: Piece[] = []
  let last: Piece | undefined

  const open = (size: number): Piece => {
    const wanted = last === undefined ? firstBytes : Math.min(mostBytes, last.bytes.length * 4)
    const from = last === undefined ? 0 : last.from + last.bytes.length
    last = { from, bytes: Buffer.allocUnsafe(Math.max(size, wanted)), used: 0 }
    pieces.push(last)
    return last
  }

  return {
    add: (json) => {
      // With the comma before it, and the bracket behind the last.
      const size = bytesOf(json) + 2
      const piece = last === undefined || last.bytes.length - last.used < size ? open(size) : last
      piece.bytes[piece.used] = comma
      const start = piece.used + 1
      piece.used = start + piece.bytes.write(json, start)
      return piece.from + start
    },
    find: (place) => {
      let index = pieces.length - 1
      while ((pieces[index] as Piece).from > place) index -= 1
      const { bytes, from } = pieces[index] as Piece
      return { bytes, start: place - from }
    },
    close: (before) => {
      const [first] = pieces
      if (first === undefined || last === undefined) return [Buffer.from(`[${before.join(',')}]`)]
      last.bytes[last.used] = closing
      last.used += 1
      const closed = pieces.map(({ bytes, used }) => bytes.subarray(0, used))
      if (before.length > 0) return [Buffer.from(`[${before.join(',')}`), ...closed]
      first.bytes[0] = opening
      return closed
    },
  }
}
