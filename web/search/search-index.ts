import { flag, flagsOf, readSearched, type ThingPart, textAt } from '../data/item-parts.ts'
import { foldText, readQuery, type Term } from './query.ts'

/**
 * Which pairs of neighbouring letters a text has, in 512 bits. They say of most texts that they do not hold a word, without
 * a look at the text; never that of one that does.
 */
const wordsPerText = 16

// The upper 9 bits of the product: neighbouring letters differ in the lower ones.
const pairIndex = (first: number, second: number): number =>
  (Math.imul(first, 0x9e37_79b1) ^ Math.imul(second, 0x85eb_ca6b)) >>> 23

/** Room for the pairs of texts with numbers below this; what was noted stays. */
const growPairs = (pairs: Uint32Array<ArrayBuffer>, count: number): Uint32Array<ArrayBuffer> => {
  if (pairs.length >= count * wordsPerText) return pairs
  const grown = new Uint32Array(count * wordsPerText)
  grown.set(pairs)
  return grown
}

/** Notes the pairs of a text in the place of those of the text that had its number. */
const notePairs = (pairs: Uint32Array<ArrayBuffer>, number: number, text: string): void => {
  const start = number * wordsPerText
  pairs.fill(0, start, start + wordsPerText)
  let before = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    for (const place of [pairIndex(before, code), pairIndex(0, code)]) {
      const word = start + (place >>> 5)
      pairs[word] = (pairs[word] ?? 0) | (1 << (place & 31))
    }
    before = code
  }
}

/** The places of the pairs of a word, or of its only letter. */
const readPairs = (word: string): readonly number[] => {
  const places = new Set<number>()
  for (let at = 0; at < word.length; at++) {
    places.add(at === 0 ? pairIndex(0, word.charCodeAt(0)) : pairIndex(word.charCodeAt(at - 1), word.charCodeAt(at)))
  }
  return [...places]
}

/** False when the text with this number has not all of the pairs. */
const mayHold = (pairs: Uint32Array<ArrayBuffer>, number: number, places: readonly number[]): boolean => {
  for (const place of places) {
    const word = pairs[number * wordsPerText + (place >>> 5)] ?? 0
    if ((word & (1 << (place & 31))) === 0) return false
  }
  return true
}

/** What the search knows of a thing. */
interface ColumnValues {
  /** All that is searched, folded. */
  readonly text: string
  /** As ` home todo `, folded like the text. */
  readonly tags: string
  readonly date: number
  /** Bits of `flag`. */
  readonly flags: number
}

/** What the search knows of things, by their numbers. */
interface Columns {
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
const createColumns = (): Columns => {
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

/** A thing as the search knows it. */
export interface SearchedThing {
  /** Names the thing in the answers; small whole numbers, which are given again only to the same thing. */
  readonly number: number
  readonly title: string
  readonly tags: string
  readonly date: number
  readonly url?: string
  readonly html?: string
  readonly archived: boolean
  readonly todoStatus?: boolean
  readonly isPending: boolean
}

/** What of a part is searched. */
export type SearchedPart = Pick<ThingPart, 'searched' | 'tags' | 'dates' | 'flags'>

/** A search that is done bit by bit. */
export interface SearchRun {
  /** Looks on for about so many milliseconds; true when it has come to the end. */
  readonly look: (milliseconds: number) => boolean
  /** The numbers of what was found so far, the newest first. */
  readonly found: () => Uint32Array<ArrayBuffer>
}

/** Finds things by what was typed. */
interface SearchIndex {
  readonly put: (things: readonly SearchedThing[]) => void
  /** The things of these numbers. */
  readonly putPart: (numbers: Uint32Array, part: SearchedPart) => void
  readonly remove: (numbers: readonly number[]) => void
  /** Begins to look for things that meet the query; archived ones only where `is:archived` is said. */
  readonly begin: (query: string) => SearchRun
  /** The same, all at once. */
  readonly search: (query: string) => Uint32Array<ArrayBuffer>
}

/** Whether all that meets the term meets the older one, too. */
const implies = (term: Term, older: Term): boolean =>
  term.kind === older.kind &&
  term.isNot === older.isNot &&
  (term.value === older.value || (term.kind === 'word' && !term.isNot && term.value.includes(older.value)))

const notArchived: Term = { kind: 'is', value: 'archived', isNot: true }

const isSame = (one: Term, other: Term): boolean =>
  one.kind === other.kind && one.value === other.value && one.isNot === other.isNot

/** Between two looks at the clock. */
const thingsPerLook = 256

/**
 * An index that looks through all text, the newest things first. At 100,000 things it is quicker to build and smaller than
 * an index of words (`search-measure-trial.ts` measures it), finds any part of a word, and has what is seen first at once.
 */
export const createSearchIndex = (now: () => number = () => performance.now()): SearchIndex => {
  const columns = createColumns()
  // Each key mostly narrows what the last one found.
  let last: { readonly terms: readonly Term[]; readonly found: Uint32Array<ArrayBuffer> } | undefined

  const begin = (query: string): SearchRun => {
    const asked = readQuery(query)
    const asksArchived = asked.some(({ kind, value }) => kind === 'is' && value === 'archived')
    const terms = asksArchived ? asked : [notArchived, ...asked]
    const known = last?.terms.every((older) => terms.some((term) => implies(term, older))) ? last : undefined
    const places = known?.found ?? columns.order()
    const tests = terms
      .filter((term) => !known?.terms.some((older) => isSame(term, older)))
      .map((term) => toTest(columns, term))
    const met = new Uint32Array(places.length)
    let count = 0
    let at = 0
    const isMet = (number: number): boolean => {
      for (const test of tests) if (!test(number)) return false
      return true
    }
    return {
      look: (milliseconds) => {
        const until = now() + milliseconds
        do {
          const stop = Math.min(places.length, at + thingsPerLook)
          for (; at < stop; at++) {
            const number = places[at] ?? 0
            if (isMet(number)) met[count++] = number
          }
        } while (at < places.length && now() < until)
        if (at < places.length) return false
        last = { terms, found: met.slice(0, count) }
        return true
      },
      found: () => met.slice(0, count),
    }
  }
  return {
    put: (things) => {
      for (const thing of things) {
        const { number, tags, date } = thing
        columns.put(number, { text: readSearched(thing), tags: ` ${foldText(tags)} `, date, flags: flagsOf(thing) })
      }
      last = undefined
    },
    putPart: (numbers, { searched, tags, dates, flags }) => {
      for (const [place, number] of numbers.entries()) {
        columns.put(number, {
          text: textAt(searched, place),
          tags: ` ${foldText(textAt(tags, place))} `,
          date: dates[place] ?? 0,
          flags: flags[place] ?? 0,
        })
      }
      last = undefined
    },
    remove: (numbers) => {
      for (const number of numbers) columns.remove(number)
      last = undefined
    },
    begin,
    search: (query) => {
      const run = begin(query)
      while (!run.look(Number.POSITIVE_INFINITY));
      return run.found()
    },
  }
}

/** Whether the thing with a number meets a term. */
const toTest = (columns: Columns, { kind, value, isNot }: Term): ((number: number) => boolean) => {
  const is = toPositiveTest(columns, kind, value)
  return isNot ? (number) => !is(number) : is
}

const toPositiveTest = (columns: Columns, kind: Term['kind'], value: string): ((number: number) => boolean) => {
  if (kind === 'is') return (number) => columns.hasState(number, value)
  if (kind === 'word') {
    const pairs = readPairs(value)
    return (number) => mayHold(columns.pairsOf(), number, pairs) && columns.textOf(number).includes(value)
  }
  // A tag that nothing carries is one that is still being typed.
  const wanted = columns.hasTag(value) ? ` ${value} ` : ` ${value}`
  return (number) => columns.tagsOf(number).includes(wanted)
}
