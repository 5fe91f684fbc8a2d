/** One file of the journal, and what in it is not kept anywhere else. */
export interface Segment {
  readonly path: string
  /** The last write of each key that is not in that key's own file yet. */
  readonly unsaved: Map<string, number>
}

/** The files of a journal, oldest first, and what they are still needed for. */
export interface Segments {
  readonly add: (path: string) => void
  /** To be told of each line in the newest segment. */
  readonly noteLine: (key: string, write: number) => void
  /** To be told that a key's own file holds its writes up to this one. */
  readonly noteSaved: (key: string, write: number) => void
  /** The last write of a key that is not in its own file. */
  readonly findUnsaved: (key: string) => number | undefined
  /** Keys because of which a segment before the newest is still needed. */
  readonly listUnsavedKeys: () => readonly string[]
  /** The oldest segment when it is needed no more; never the newest one. */
  readonly findNeedless: () => string | undefined
  readonly oldest: () => string | undefined
  /** The oldest segment that is not needless. */
  readonly firstNeeded: () => string | undefined
  /** Forgets the oldest segment. */
  readonly dropOldest: () => void
}

/** A journal without files. */
export const createSegments = (): Segments => {
  const segments: Segment[] = []

  const noteSaved = (key: string, write: number): void => {
    for (const { unsaved } of segments) if ((unsaved.get(key) ?? Number.POSITIVE_INFINITY) <= write) unsaved.delete(key)
  }

  const noteLine = (key: string, write: number): void => {
    const unsaved = segments.at(-1)?.unsaved
    unsaved?.set(key, Math.max(write, unsaved.get(key) ?? 0))
  }

  return {
    add: (path) => void segments.push({ path, unsaved: new Map() }),
    noteLine,
    noteSaved,
    findUnsaved: (key) => segments.findLast(({ unsaved }) => unsaved.has(key))?.unsaved.get(key),
    listUnsavedKeys: () => [...new Set(segments.slice(0, -1).flatMap(({ unsaved }) => [...unsaved.keys()]))],
    findNeedless: () => (segments.length > 1 && segments[0]?.unsaved.size === 0 ? segments[0].path : undefined),
    oldest: () => segments[0]?.path,
    firstNeeded: () => (segments.find(({ unsaved }) => unsaved.size > 0) ?? segments.at(-1))?.path,
    dropOldest: () => void segments.shift(),
  }
}
