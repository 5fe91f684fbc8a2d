import type { Readable } from 'node:stream'

/** Lets in bytes that may be for nothing no faster than a server can bear beside its other work. */
export interface BytePace {
  /** To be told of each piece of a body: it rests for as long as too much has come of all of them lately. */
  readonly count: (body: Readable, bytes: number) => void
}

const sliceMilliseconds = 20

/** A piece of a body is about so large; a body that goes on brings one at least. */
const pieceBytes = 64 * 1024

/** A pace of so many bytes a second for all bodies together. Those that rest go on in the order in which they came. */
export const createBytePace = (bytesPerSecond: number): BytePace => {
  const sliceBytes = (bytesPerSecond * sliceMilliseconds) / 1000
  const resting = new Set<Readable>()
  // A long body rests hundreds of times, and ends once.
  const known = new WeakSet<Readable>()
  let left = sliceBytes
  let timer: NodeJS.Timeout | undefined

  const beginSlice = (): void => {
    timer = undefined
    left = sliceBytes
    let pieces = Math.max(1, Math.floor(sliceBytes / pieceBytes))
    for (const body of resting) {
      if (pieces-- === 0) break
      resting.delete(body)
      body.resume()
    }
    if (resting.size > 0) wait()
  }
  const wait = (): void => {
    if (timer === undefined) timer = setTimeout(beginSlice, sliceMilliseconds)
  }

  return {
    count: (body, bytes) => {
      left -= bytes
      wait()
      if (left > 0 || body.destroyed) return
      body.pause()
      if (!known.has(body)) body.once('close', () => resting.delete(body))
      known.add(body)
      resting.add(body)
    },
  }
}
