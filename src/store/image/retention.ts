/** Who may still read earlier positions of an account. */
export interface EarlierReaders {
  /** Milliseconds since whenever; never set back. */
  readonly elapsed: () => number
  /** The lowest position of the listings whose next page may still be asked for. */
  readonly lowestListed: () => number | undefined
}

/** How long any position stays readable, so that a listing can be begun at it and remembered: in seconds. */
export const recentSeconds = 60
/** The same for an account of which too much is held, and whose open listings are given up: long enough to begin a page. */
const hurriedSeconds = 5
/** How many bytes of replaced versions are too much: at least these, and this many times what the account has. */
const tooMuch = { bytes: 64 * 1024 * 1024, times: 2 }

/** Knows how long the versions of an account must stay, and has the rest dropped, a little with each write. */
export interface Retention {
  /** Lowest position whose versions are all there. */
  readonly readableFrom: () => number
  /** To be told before a write is applied; `position` is the account's, which readers were given until now. */
  readonly noteWrite: (position: number) => void
  /** To be told of each version that was replaced, and of how many bytes it has. */
  readonly noteReplaced: (bytes: number) => void
  /**
   * Goes on with a sweep, so many steps; begins one with `sweep` when enough was replaced of what the account has, by
   * count or by bytes, to be worth it. It is given the position below which nothing must stay.
   */
  readonly sweepWhenDue: (account: AccountSize, steps: number, sweep: Sweep) => void
}

/** How much an account has: ids that were ever there, and bytes of its things. */
export interface AccountSize {
  readonly ids: number
  readonly bytes: number
}

/** Drops what was replaced at or before a position, step by step. */
export type Sweep = (floor: number) => Iterator<void>

interface Mark {
  /** When, as `EarlierReaders.elapsed` counts. */
  readonly at: number
  readonly position: number
  /** How many bytes of versions were replaced until then, ever. */
  readonly replacedBytes: number
}

/** By count alone, the account would hold a thousand versions of a large note. */
const minReplaced = { count: 1024, bytes: 1024 * 1024 }
const markMilliseconds = 1000

/** Begins with an account of which nothing older than `position` is known. */
export const createRetention = ({ elapsed, lowestListed }: EarlierReaders, position: number): Retention => {
  let marks: Mark[] = []
  let readableFrom = position
  // Since the last sweep began, and ever.
  let replaced = { count: 0, bytes: 0 }
  let replacedBytes = 0
  let sweptBytes = 0
  let sweeping: Iterator<void> | undefined

  const noteWrite = (before: number): void => {
    const last = marks.at(-1)
    if (last !== undefined && elapsed() - last.at < markMilliseconds) return
    // Of those that nobody need read any more the newest is enough.
    const oldest = marks.findLastIndex((mark) => mark.at <= elapsed() - recentSeconds * 1000)
    marks = [...marks.slice(Math.max(0, oldest)), { at: elapsed(), position: before, replacedBytes }]
  }

  const begin = ({ ids, bytes }: AccountSize, sweep: Sweep): Iterator<void> | undefined => {
    const isEnough =
      replaced.count >= Math.max(minReplaced.count, ids / 4) || replaced.bytes >= Math.max(minReplaced.bytes, bytes / 4)
    if (!isEnough) return undefined
    const isTooMuch = replacedBytes - sweptBytes > Math.max(tooMuch.bytes, tooMuch.times * bytes)
    const end = elapsed() - (isTooMuch ? hurriedSeconds : recentSeconds) * 1000
    const index = marks.findLastIndex((mark) => mark.at <= end)
    const mark = marks[index]
    if (mark === undefined) return undefined
    const listed = isTooMuch ? undefined : lowestListed()
    const floor = Math.min(mark.position, listed ?? mark.position)
    const swept = marks.findLast(({ position }) => position <= floor)
    marks = marks.slice(index + 1)
    if (floor <= readableFrom) return undefined
    replaced = { count: 0, bytes: 0 }
    sweptBytes = swept?.replacedBytes ?? sweptBytes
    readableFrom = floor
    return sweep(floor)
  }

  const sweepWhenDue: Retention['sweepWhenDue'] = (account, steps, sweep) => {
    sweeping ??= begin(account, sweep)
    for (let step = 0; sweeping !== undefined && step < steps; step += 1)
      if (sweeping.next().done === true) sweeping = undefined
  }

  return {
    readableFrom: () => readableFrom,
    noteWrite,
    noteReplaced: (bytes) => {
      replaced.count += 1
      replaced.bytes += bytes
      replacedBytes += bytes
    },
    sweepWhenDue,
  }
}
