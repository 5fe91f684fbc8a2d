/** Which entries of a store are in packs: many entries in one record, which a browser writes and reads ten times as fast. */
export interface PackIndex {
  /** The pack that holds the value of this key; undefined for entries of their own, and for what is not there. */
  readonly findPack: (key: string) => number | undefined
  /** Packs that may have keys with this prefix, in their order; a listing of few things reads few of them. */
  readonly listPacks: (prefix: string) => readonly number[]
  /** The last pack that there is. */
  readonly lastPack: () => number
  /** What of the keys of a pack is still to be read there, for a listing that began when `last` was the last pack. */
  readonly isReadIn: (key: string, pack: number, last: number) => boolean
  /** Keys that have entries of their own, also those whose entry says that the key in the pack is gone. */
  readonly singles: ReadonlySet<string>
  readonly isPacked: (key: string) => boolean
  /** To be called when entries of their own were written. */
  readonly noteSingles: (put: readonly string[], removed: readonly string[]) => void
  /** To be called when a pack was written. */
  readonly notePack: (pack: number, keys: readonly string[]) => void
  /** Packs of which nothing is left: all that they had was replaced or removed. */
  readonly listDead: () => readonly number[]
  /** To be called when these packs were removed. */
  readonly noteRemoved: (packs: readonly number[]) => void
}

/** `thing/` of `thing/4711`; undefined for what has no such beginning. */
const kindOf = (key: string): string | undefined => {
  const end = key.indexOf('/')
  return end === -1 ? undefined : key.slice(0, end + 1)
}

/** The index of a store with these entries of their own and these packs, in their order. */
export const createPackIndex = (
  singleKeys: Iterable<string>,
  packs: Iterable<readonly [pack: number, keys: readonly string[]]>,
): PackIndex => {
  const singles = new Set(singleKeys)
  const packOf = new Map<string, number>()
  /** How many keys of each pack are not replaced. */
  const living = new Map<number, number>()
  /** Which packs have had keys of each kind. */
  const packsOfKind = new Map<string | undefined, Set<number>>()
  let last = 0

  const count = (key: string, step: 1 | -1) => {
    const pack = packOf.get(key)
    if (pack !== undefined) living.set(pack, (living.get(pack) ?? 0) + step)
  }
  const notePack = (pack: number, keys: readonly string[]) => {
    last = Math.max(last, pack)
    let left = 0
    let kind: string | undefined
    for (const key of keys) {
      // Mostly all keys of a pack are of one kind.
      if (kind === undefined || !key.startsWith(kind)) {
        kind = kindOf(key)
        packsOfKind.set(kind, (packsOfKind.get(kind) ?? new Set()).add(pack))
      }
      if (!singles.has(key)) {
        count(key, -1)
        left++
      }
      packOf.set(key, pack)
    }
    living.set(pack, left)
  }
  for (const [pack, keys] of packs) notePack(pack, keys)
  return {
    singles,
    findPack: (key) => (singles.has(key) ? undefined : packOf.get(key)),
    listPacks: (prefix) => {
      const kind = kindOf(prefix)
      return [...(kind === undefined ? living.keys() : (packsOfKind.get(kind) ?? []))]
    },
    lastPack: () => last,
    isReadIn: (key, pack, lastThen) => {
      const now = packOf.get(key)
      return now === pack || (now !== undefined && now > lastThen)
    },
    isPacked: (key) => packOf.has(key),
    noteSingles: (put, removed) => {
      for (const key of put) {
        if (!singles.has(key)) count(key, -1)
        singles.add(key)
      }
      for (const key of removed) {
        if (singles.delete(key)) count(key, 1)
      }
    },
    notePack,
    listDead: () => [...living].filter(([, number]) => number === 0).map(([pack]) => pack),
    noteRemoved: (removed) => {
      for (const pack of removed) {
        living.delete(pack)
        for (const packs of packsOfKind.values()) packs.delete(pack)
      }
      for (const [key, pack] of packOf) if (!living.has(pack)) packOf.delete(key)
    },
  }
}

/** Packs that are read by one request. */
export type PackRun = readonly [first: number, last: number]

/** These packs up to the last one, where their numbers follow each other so many at most together. */
export const listRuns = (packs: readonly number[], last: number, most: number): readonly PackRun[] => {
  const runs: [first: number, last: number][] = []
  for (const pack of packs) {
    const run = runs.at(-1)
    if (pack > last) break
    if (run !== undefined && pack === run[1] + 1 && pack - run[0] < most) run[1] = pack
    else runs.push([pack, pack])
  }
  return runs
}
