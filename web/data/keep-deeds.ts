import { isClientError, type LocalStore } from '../../client/src/index.ts'
import type { Step } from './steps.ts'

/** What a person did, in a word; `words/` says it. */
export type DeedKind =
  | 'added'
  | 'edited'
  | 'archived'
  | 'unarchived'
  | 'deleted'
  | 'done'
  | 'opened'
  | 'tagged'
  | 'renamedTag'
  | 'setTag'
  | 'restored'
  | 'imported'

/** Something that was done and can be taken back. */
export interface Deed {
  readonly key: number
  readonly kind: DeedKind
  /** How many things it concerned. */
  readonly count: number
  /** The title of the thing, or the name of the tag. */
  readonly name: string
  /** When, in milliseconds since 1970. */
  readonly at: number
  readonly isUndone: boolean
}

/** A deed as it is kept: what it was, and what became of things that were deleted and made again. */
export interface KeptDeed {
  readonly deed: Deed
  /** Of each thing that was made again: its id before, and now. */
  readonly next: readonly (readonly [id: string, next: string])[]
  /** How many parts what takes it back is kept in, where that is written bit by bit. */
  readonly parts?: number
}

/** Keeps what was done, and what takes it back, for the next visit. */
export interface DeedKeeper {
  /** What is kept, the latest first; what is older than 90 days is forgotten. */
  readonly read: () => Promise<readonly KeptDeed[]>
  /** What takes a deed back; nothing of one that is not kept. */
  readonly readInverse: (key: number) => Promise<readonly Step[]>
  /**
   * Keeps a deed, and forgets others, in one write. Where the browser keeps nothing more, it is not kept. With `parts` the
   * inverse is that of the last part, and is kept beside those of the parts before, which take their turn after it.
   */
  readonly write: (kept: KeptDeed, inverse: readonly Step[], forgotten: readonly KeptDeed[]) => Promise<void>
  /** Forgets these deeds. */
  readonly forget: (forgotten: readonly KeptDeed[]) => Promise<void>
}

/** How long a deed is kept, in days: as long as the versions of a thing. */
export const deedDays = 90

const dayMilliseconds = 86_400_000
const digits = 12
const pad = (number: number) => String(number).padStart(digits, '0')
const deedKey = (key: number) => `deed/${pad(key)}`
const inverseKey = (key: number, part?: number) => `inverse/${pad(key)}${part === undefined ? '' : `/${pad(part)}`}`
const forget = (forgotten: readonly KeptDeed[]): readonly (readonly [string, undefined])[] =>
  forgotten.flatMap(({ deed: { key }, parts = 0 }) => {
    const inverses = Array.from({ length: parts }, (_, index) => inverseKey(key, index + 1))
    return [deedKey(key), inverseKey(key), ...inverses].map((name) => [name, undefined] as const)
  })

/** A keeper in this store. What takes deeds back may be long, and is read only when it is wanted. */
export const createDeedKeeper = (store: LocalStore, now: () => number): DeedKeeper => ({
  read: async () => {
    const all: KeptDeed[] = []
    for await (const [, kept] of store.list('deed/')) all.push(kept as KeptDeed)
    const isOld = ({ deed }: KeptDeed) => deed.at < now() - deedDays * dayMilliseconds
    const old = all.filter(isOld)
    if (old.length > 0) await store.write(new Map(forget(old)))
    const isLater = (one: KeptDeed, other: KeptDeed) => other.deed.at - one.deed.at || other.deed.key - one.deed.key
    return all.filter((kept) => !isOld(kept)).sort(isLater)
  },
  readInverse: async (key) => {
    const all: (readonly [string, readonly Step[]])[] = []
    for await (const [name, steps] of store.list(inverseKey(key))) all.push([name, steps as readonly Step[]])
    return all.sort(([one], [other]) => (one < other ? 1 : -1)).flatMap(([, steps]) => steps)
  },
  forget: (forgotten) => store.write(new Map(forget(forgotten))),
  write: async (kept, inverse, forgotten) => {
    const { key } = kept.deed
    const next = [deedKey(key), kept] as const
    try {
      await store.write(new Map<string, unknown>([...forget(forgotten), next, [inverseKey(key, kept.parts), inverse]]))
    } catch (error) {
      // What was done is done, and can be taken back until the page is closed.
      if (!isClientError(error) || !error.code.startsWith('store_')) throw error
    }
  },
})
