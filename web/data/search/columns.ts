import { flag } from '../reading/thing-part.ts'
import { growPairs, notePairs } from './letter-pairs.ts'

/** What the search knows of a thing. */
export interface ColumnValues {
  /** All that is searched, folded. */
  readonly text: string
  /** As ` home todo `, folded like the text. */
  readonly tags: string
  readonly date: number
  /** Bits of `flag`. */
  readonly flags: number
}

/** What the search knows of things, by their numbers. */
export interface Columns {
  readonly put: (number: number, thing: ColumnValues) => void
  readonly remove: (number: number) => void
  readonly textOf: (number: number) => string
  readonly tagsOf: (number: number) => string
  readonly pairsOf: () => Uint32Array<ArrayBuffer>
  readonly hasState: (number: number, state: string) => boolean
  /** Whether any thing carries this tag. */
  readonly hasTag: (name: string) => boolean
  /** All numbers, those of the newest things first. */
  readonly order: () => Uint32Array<ArrayBuffer>
}

const meets = (flags: number, state: string): boolean => {
  if (state === 'archived') return (flags & flag.archived) !== 0
  if (state === 'pending') return (flags & flag.pending) !== 0
  if (state === 'todo') return (flags & flag.todo) !== 0
  return (flags & (flag.todo | flag.done)) === (state === 'done' ? flag.todo | flag.done : flag.todo)
}

/** No things yet. Columns and not objects: 100,000 of those take twice the memory. */
export const createColumns = (): Columns => {
  const texts: (string | undefined)[] = []
  const tags: string[] = []
  let dates = new Float64Array(1_024)
  let flags = new Uint8Array(1_024)
  let pairs = new Uint32Array()
  let inOrder = new Uint32Array()
  /** What changed since it was put in order. */
  const changed = new Set<number>()
  const tagTexts = new Map<string, string>()
  const tagCounts = new Map<string, number>()

  const grow = (number: number) => {
    if (number >= dates.length) {
      const size = Math.max(number + 1, dates.length * 2)
      const [oldDates, oldFlags] = [dates, flags]
      dates = new Float64Array(size)
      dates.set(oldDates)
      flags = new Uint8Array(size)
      flags.set(oldFlags)
    }
    pairs = growPairs(pairs, dates.length)
  }
  const countTags = (number: number, step: 1 | -1) => {
    if (texts[number] === undefined) return
    for (const name of new Set((tags[number] ?? '').split(' '))) {
      const count = (tagCounts.get(name) ?? 0) + step
      if (count === 0) tagCounts.delete(name)
      else tagCounts.set(name, count)
    }
  }
  // Those of one second as they came: an id would not do, it changes when the server gives one, and the row would jump.
  const byNewest = (one: number, other: number): number => (dates[other] ?? 0) - (dates[one] ?? 0) || other - one
  /** Merges what changed into what was in order: sorting everything takes a tenth of a second. */
  const putInOrder = () => {
    const old = changed.size === 0 ? inOrder : inOrder.filter((number) => !changed.has(number))
    const added = Uint32Array.from([...changed].filter((number) => texts[number] !== undefined)).sort(byNewest)
    const merged = new Uint32Array(old.length + added.length)
    let place = 0
    let next = 0
    for (const number of old) {
      while (next < added.length && byNewest(added[next] ?? 0, number) < 0) merged[place++] = added[next++] ?? 0
      merged[place++] = number
    }
    merged.set(added.subarray(next), place)
    inOrder = merged
    changed.clear()
  }
  return {
    put: (number, { text, tags: tagText, date, flags: flagged }) => {
      grow(number)
      countTags(number, -1)
      texts[number] = text
      // Most things carry the same few sets of tags.
      const shared = tagTexts.get(tagText) ?? tagText
      tagTexts.set(shared, shared)
      tags[number] = shared
      countTags(number, 1)
      dates[number] = date
      flags[number] = flagged
      notePairs(pairs, number, text)
      changed.add(number)
    },
    remove: (number) => {
      countTags(number, -1)
      texts[number] = undefined
      changed.add(number)
    },
    textOf: (number) => texts[number] ?? '',
    tagsOf: (number) => tags[number] ?? '',
    pairsOf: () => pairs,
    hasState: (number, state) => meets(flags[number] ?? 0, state),
    hasTag: (name) => name !== '' && tagCounts.has(name),
    order: () => {
      if (changed.size > 0) putInOrder()
      return inOrder
    },
  }
}
