import { pagedDownloadSeconds } from './store.ts'

/** Knows how long the versions of an account must stay, and says when to drop the rest. */
export interface Retention {
  /** Lowest position whose versions were all kept. */
  readonly readableFrom: () => number
  /** To be told before a write is applied; `position` is the account's, which readers were given until now. */
  readonly noteWrite: (position: number) => void
  /** To be told of each version that was replaced. */
  readonly noteReplaced: () => void
  /** Calls `compact` with the position below which nothing must stay, when enough was replaced to be worth it. */
  readonly compactWhenDue: (livingCount: number, compact: (floor: number) => void) => void
}

interface Mark {
  /** Unix time in milliseconds. */
  readonly at: number
  readonly position: number
}

const leastReplaced = 1024
const markMilliseconds = 1000

/** Begins with an account of which nothing older than `position` is known. `now` is Unix time in milliseconds. */
export const createRetention = (now: () => number, position: number): Retention => {
  let marks: Mark[] = []
  let readableFrom = position
  let replacedCount = 0

  const noteWrite = (before: number): void => {
    const last = marks.at(-1)
    if (last === undefined || now() - last.at >= markMilliseconds) marks.push({ at: now(), position: before })
  }

  const compactWhenDue = (livingCount: number, compact: (floor: number) => void): void => {
    const end = now() - pagedDownloadSeconds * 1000
    const floorIndex = marks.findLastIndex((mark) => mark.at <= end)
    const floor = marks[floorIndex]
    if (floor === undefined || replacedCount < Math.max(leastReplaced, livingCount / 4)) return
    marks = marks.slice(floorIndex + 1)
    replacedCount = 0
    readableFrom = floor.position
    compact(floor.position)
  }

  return {
    readableFrom: () => readableFrom,
    noteWrite,
    noteReplaced: () => {
      replacedCount += 1
    },
    compactWhenDue,
  }
}
