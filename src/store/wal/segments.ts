/** A segment that stays though those behind it were removed: its first write, and the number behind its last one. */
export interface Outlier {
  readonly first: number
  readonly next: number
}

/** One file of the journal, and what in it is not kept anywhere else. */
export interface Segment {
  readonly path: string
  readonly first: number
  /** The number behind its last write, when the one behind it is gone. */
  readonly next?: number
  /** The last write of each key that is not in that key's own file yet. */
  readonly unsaved: Map<string, number>
}

/** The files of a journal, oldest first, and what they are still needed for. */
export interface Segments {
  readonly add: (path: string, first: number, next?: number) => void
  /** To be told of each line in the newest segment. */
  readonly noteLine: (key: string, write: number) => void
  /** To be told that a key's own file holds its writes up to this one. */
  readonly noteSaved: (key: string, write: number) => void
  /** The last write of a key that is not in its own file. */
  readonly findUnsaved: (key: string) => number | undefined
  /** True when some key's own file does not hold all of its writes. */
  readonly hasUnsaved: () => boolean
  /** Keys because of which a segment before the newest is still needed. */
  readonly listUnsavedKeys: () => readonly string[]
  /** The segments that are needed no more, oldest first; never the newest one. */
  readonly listNeedless: () => readonly Segment[]
  /** What will be there without the needless ones: where the journal begins that has no gap, and those before it. */
  readonly planRemoval: () => { readonly first: number; readonly outliers: readonly Outlier[] }
  readonly oldest: () => string | undefined
  /** Number of the segments before the newest. */
  readonly countOld: () => number
  /** Forgets a segment that was removed. */
  readonly drop: (segment: Segment) => void
}

/** A journal without files. */
export const createSegments = (): Segments => {
  let segments: Segment[] = []

  const noteSaved = (key: string, write: number): void => {
    for (const { unsaved } of segments) if ((unsaved.get(key) ?? Number.POSITIVE_INFINITY) <= write) unsaved.delete(key)
  }

  const noteLine = (key: string, write: number): void => {
    const unsaved = segments.at(-1)?.unsaved
    unsaved?.set(key, Math.max(write, unsaved.get(key) ?? 0))
  }

  const listNeedless = (): readonly Segment[] => segments.slice(0, -1).filter(({ unsaved }) => unsaved.size === 0)

  const planRemoval: Segments['planRemoval'] = () => {
    const gone = new Set(listNeedless())
    const isBeforeGap = (index: number): boolean => {
      const behind = segments[index + 1]
      return segments[index]?.next !== undefined || (behind !== undefined && gone.has(behind))
    }
    const lastGap = segments.findLastIndex((segment, index) => gone.has(segment) || isBeforeGap(index))
    const outliers = segments.slice(0, lastGap + 1).flatMap((segment, index) => {
      const next = segment.next ?? segments[index + 1]?.first
      return gone.has(segment) || next === undefined ? [] : [{ first: segment.first, next }]
    })
    return { first: segments[lastGap + 1]?.first ?? 0, outliers }
  }

  return {
    add: (path, first, next) =>
      void segments.push({ path, first, unsaved: new Map(), ...(next !== undefined && { next }) }),
    noteLine,
    noteSaved,
    findUnsaved: (key) => segments.findLast(({ unsaved }) => unsaved.has(key))?.unsaved.get(key),
    hasUnsaved: () => segments.some(({ unsaved }) => unsaved.size > 0),
    listUnsavedKeys: () => [...new Set(segments.slice(0, -1).flatMap(({ unsaved }) => [...unsaved.keys()]))],
    listNeedless,
    planRemoval,
    oldest: () => segments[0]?.path,
    countOld: () => Math.max(0, segments.length - 1),
    drop: (segment) => {
      const index = segments.indexOf(segment)
      const before = segments[index - 1]
      segments = segments.filter((one) => one !== segment)
      if (before !== undefined) segments[index - 1] = { ...before, next: before.next ?? segment.first }
    },
  }
}
