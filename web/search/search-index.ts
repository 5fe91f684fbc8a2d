import { flag, flagsOf, readSearched, type ThingPart, textAt } from '../data/item-parts.ts'
import { foldText, readQuery, type Sort, type Term } from './query.ts'

/**
 * The number of 32-bit words of a filter. Each text has a Bloom filter of its bigrams (pairs of adjacent letters). It
 * excludes most texts without a word, without reading them. It never excludes a text that contains the word.
 */
const wordsPerText = 16

// The hash uses the upper 9 bits of the products, because adjacent letters differ only in the lower bits.
const hashBigram = (first: number, second: number): number =>
  (Math.imul(first, 0x9e37_79b1) ^ Math.imul(second, 0x85eb_ca6b)) >>> 23

/** Enlarges the filters for texts with numbers below `count`; existing filters stay. */
const growFilters = (filters: Uint32Array<ArrayBuffer>, count: number): Uint32Array<ArrayBuffer> => {
  if (filters.length >= count * wordsPerText) return filters
  const grown = new Uint32Array(count * wordsPerText)
  grown.set(filters)
  return grown
}

/** Replaces the filter of the text with this number. */
const setFilter = (filters: Uint32Array<ArrayBuffer>, number: number, text: string): void => {
  const start = number * wordsPerText
  filters.fill(0, start, start + wordsPerText)
  let previous = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    for (const bit of [hashBigram(previous, code), hashBigram(0, code)]) {
      const word = start + (bit >>> 5)
      filters[word] = (filters[word] ?? 0) | (1 << (bit & 31))
    }
    previous = code
  }
}

/** Returns the bits of the bigrams of a word, or of its only letter. */
const bigramBits = (word: string): readonly number[] => {
  const bits = new Set<number>()
  for (let at = 0; at < word.length; at++) {
    bits.add(at === 0 ? hashBigram(0, word.charCodeAt(0)) : hashBigram(word.charCodeAt(at - 1), word.charCodeAt(at)))
  }
  return [...bits]
}

/** False if the filter of the text with this number lacks one of the bits. */
const mayContain = (filters: Uint32Array<ArrayBuffer>, number: number, bits: readonly number[]): boolean => {
  for (const bit of bits) {
    const word = filters[number * wordsPerText + (bit >>> 5)] ?? 0
    if ((word & (1 << (bit & 31))) === 0) return false
  }
  return true
}

/** The values of an item in the columns. */
interface ColumnValues {
  /** The searched text, folded. */
  readonly text: string
  /** The tags in the form ` home todo `, folded. */
  readonly tags: string
  readonly date: number
  /** The states, as bits of `flag`. */
  readonly flags: number
}

/** The columns of the index, by item number. */
interface Columns {
  readonly put: (number: number, thing: ColumnValues) => void
  readonly remove: (number: number) => void
  readonly textOf: (number: number) => string
  readonly tagsOf: (number: number) => string
  readonly filters: () => Uint32Array<ArrayBuffer>
  readonly hasState: (number: number, state: string) => boolean
  /** Whether any item has this tag. */
  readonly hasTag: (name: string) => boolean
  /** Sets the time of the last change of an item, in seconds since 1970; until then it is the item's date. */
  readonly touch: (number: number, seconds: number) => void
  /** All numbers in this order. */
  readonly order: (sort: Sort) => Uint32Array<ArrayBuffer>
}

/** All numbers in one order, which follows changes. */
interface Order {
  /** Marks a number whose item was added, changed or removed. */
  readonly note: (number: number) => void
  readonly read: () => Uint32Array<ArrayBuffer>
}

/** Creates an empty order. It merges changed numbers into the sorted ones: sorting all would block the worker. */
const createOrder = (isListed: (number: number) => boolean, compare: (one: number, other: number) => number): Order => {
  let sorted = new Uint32Array()
  /** The numbers that changed since the last sorting. */
  const changed = new Set<number>()
  const sortChanged = () => {
    const old = sorted.filter((number) => !changed.has(number))
    const added = Uint32Array.from([...changed].filter(isListed)).sort(compare)
    const merged = new Uint32Array(old.length + added.length)
    let index = 0
    let next = 0
    for (const number of old) {
      while (next < added.length && compare(added[next] ?? 0, number) < 0) merged[index++] = added[next++] ?? 0
      merged[index++] = number
    }
    merged.set(added.subarray(next), index)
    sorted = merged
    changed.clear()
  }
  return {
    note: (number) => void changed.add(number),
    read: () => {
      if (changed.size > 0) sortChanged()
      return sorted
    },
  }
}

const hasFlag = (flags: number, state: string): boolean => {
  if (state === 'archived') return (flags & flag.archived) !== 0
  if (state === 'pending') return (flags & flag.pending) !== 0
  if (state === 'todo') return (flags & flag.todo) !== 0
  return (flags & (flag.todo | flag.done)) === (state === 'done' ? flag.todo | flag.done : flag.todo)
}

/** Creates empty columns. Columns take less memory than objects. */
const createColumns = (): Columns => {
  const texts: (string | undefined)[] = []
  const tags: string[] = []
  let dates = new Float64Array(1_024)
  let flags = new Uint8Array(1_024)
  let filters = new Uint32Array()
  const touched = new Map<number, number>()
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
    filters = growFilters(filters, dates.length)
  }
  const countTags = (number: number, step: 1 | -1) => {
    if (texts[number] === undefined) return
    for (const name of new Set((tags[number] ?? '').split(' '))) {
      const count = (tagCounts.get(name) ?? 0) + step
      if (count === 0) tagCounts.delete(name)
      else tagCounts.set(name, count)
    }
  }
  // Items of the same second are in the order of their numbers. An ID changes on upload, and the row would jump.
  const byNewest = (one: number, other: number): number => (dates[other] ?? 0) - (dates[one] ?? 0) || other - one
  const lastChange = (number: number): number => Math.max(dates[number] ?? 0, touched.get(number) ?? 0)
  // The searched text begins with the folded title.
  const byTitle = (one: number, other: number): number => {
    const [text = '', otherText = ''] = [texts[one], texts[other]]
    return text === otherText ? byNewest(one, other) : text < otherText ? -1 : 1
  }
  const compareBy = {
    newest: byNewest,
    oldest: (one: number, other: number) => byNewest(other, one),
    title: byTitle,
    changed: (one: number, other: number) => lastChange(other) - lastChange(one) || byNewest(one, other),
  } satisfies Record<Sort, unknown>
  const isListed = (number: number): boolean => texts[number] !== undefined
  // Most users never need the other orders, so an order exists from its first use on.
  const orders = new Map<Sort, Order>([['newest', createOrder(isListed, byNewest)]])
  const noteChange = (number: number) => {
    for (const order of orders.values()) order.note(number)
  }
  const openOrder = (sort: Sort): Order => {
    const known = orders.get(sort)
    if (known !== undefined) return known
    const order = createOrder(isListed, compareBy[sort])
    for (const number of texts.keys()) order.note(number)
    orders.set(sort, order)
    return order
  }
  return {
    put: (number, { text, tags: tagText, date, flags: flagged }) => {
      grow(number)
      countTags(number, -1)
      texts[number] = text
      // Most items have the same few sets of tags, so the columns share them.
      const shared = tagTexts.get(tagText) ?? tagText
      tagTexts.set(shared, shared)
      tags[number] = shared
      countTags(number, 1)
      dates[number] = date
      flags[number] = flagged
      setFilter(filters, number, text)
      noteChange(number)
    },
    remove: (number) => {
      countTags(number, -1)
      texts[number] = undefined
      touched.delete(number)
      noteChange(number)
    },
    touch: (number, seconds) => {
      touched.set(number, seconds)
      orders.get('changed')?.note(number)
    },
    textOf: (number) => texts[number] ?? '',
    tagsOf: (number) => tags[number] ?? '',
    filters: () => filters,
    hasState: (number, state) => hasFlag(flags[number] ?? 0, state),
    hasTag: (name) => name !== '' && tagCounts.has(name),
    order: (sort) => openOrder(sort).read(),
  }
}

/** An item as input of the search index. */
export interface SearchedThing {
  /** Identifies the item in the results: a small integer that belongs to one item only. */
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

/** The columns of a part that the index needs. */
export type SearchedPart = Pick<ThingPart, 'searched' | 'tags' | 'dates' | 'flags'>

/** A search that runs in time slices. */
export interface SearchRun {
  /** Continues for about this many milliseconds; true at the end of the search. */
  readonly advance: (milliseconds: number) => boolean
  /** The numbers of the items found so far, in the order of the search. */
  readonly found: () => Uint32Array<ArrayBuffer>
}

/** The numbers of items, each with the time of its last change in seconds since 1970. */
export type Touched = readonly (readonly [number: number, seconds: number])[]

/** A full-text index of items. */
interface SearchIndex {
  readonly put: (things: readonly SearchedThing[]) => void
  /** Adds or replaces the items with these numbers. */
  readonly putPart: (numbers: Uint32Array, part: SearchedPart) => void
  readonly remove: (numbers: readonly number[]) => void
  /** Sets the times of the last changes of items, in seconds since 1970. */
  readonly touch: (times: Touched) => void
  /** Begins a search for matching items; archived items match only a query with `is:archived`. */
  readonly begin: (query: string, sort?: Sort) => SearchRun
  /** Runs a whole search at once. */
  readonly search: (query: string, sort?: Sort) => Uint32Array<ArrayBuffer>
}

/** Whether every item that matches the term also matches the previous term. */
const implies = (term: Term, previous: Term): boolean =>
  term.kind === previous.kind &&
  term.isNot === previous.isNot &&
  (term.value === previous.value || (term.kind === 'word' && !term.isNot && term.value.includes(previous.value)))

const notArchived: Term = { kind: 'is', value: 'archived', isNot: true }

const isSame = (one: Term, other: Term): boolean =>
  one.kind === other.kind && one.value === other.value && one.isNot === other.isNot

/** The number of items between two checks of the clock. */
const thingsPerCheck = 256

/**
 * Creates an empty index that scans all text in the order of the list, by default the newest items first. It is faster to build and smaller than an
 * inverted index, finds any part of a word, and has the first visible results at once.
 * `now` is a monotonic clock in milliseconds.
 */
export const createSearchIndex = (now: () => number = () => performance.now()): SearchIndex => {
  const columns = createColumns()
  // Each keystroke usually narrows the previous result.
  interface LastSearch {
    readonly terms: readonly Term[]
    readonly sort: Sort
    readonly found: Uint32Array<ArrayBuffer>
  }
  let last: LastSearch | undefined

  const begin = (query: string, sort: Sort = 'newest'): SearchRun => {
    const queryTerms = readQuery(query)
    const includesArchived = queryTerms.some(({ kind, value }) => kind === 'is' && value === 'archived')
    const terms = includesArchived ? queryTerms : [notArchived, ...queryTerms]
    const isNarrower =
      last?.sort === sort && last.terms.every((previous) => terms.some((term) => implies(term, previous)))
    const known = isNarrower ? last : undefined
    const candidates = known?.found ?? columns.order(sort)
    const tests = terms
      .filter((term) => !known?.terms.some((previous) => isSame(term, previous)))
      .map((term) => toTest(columns, term))
    const matches = new Uint32Array(candidates.length)
    let count = 0
    let at = 0
    const isMatch = (number: number): boolean => {
      for (const test of tests) if (!test(number)) return false
      return true
    }
    return {
      advance: (milliseconds) => {
        const until = now() + milliseconds
        do {
          const stop = Math.min(candidates.length, at + thingsPerCheck)
          for (; at < stop; at++) {
            const number = candidates[at] ?? 0
            if (isMatch(number)) matches[count++] = number
          }
        } while (at < candidates.length && now() < until)
        if (at < candidates.length) return false
        last = { terms, sort, found: matches.slice(0, count) }
        return true
      },
      found: () => matches.slice(0, count),
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
      for (const [index, number] of numbers.entries()) {
        columns.put(number, {
          text: textAt(searched, index),
          tags: ` ${foldText(textAt(tags, index))} `,
          date: dates[index] ?? 0,
          flags: flags[index] ?? 0,
        })
      }
      last = undefined
    },
    remove: (numbers) => {
      for (const number of numbers) columns.remove(number)
      last = undefined
    },
    touch: (times) => {
      for (const [number, seconds] of times) columns.touch(number, seconds)
      last = undefined
    },
    begin,
    search: (query, sort) => {
      const run = begin(query, sort)
      while (!run.advance(Number.POSITIVE_INFINITY));
      return run.found()
    },
  }
}

/** Returns a function that checks whether the item with a number matches a term. */
const toTest = (columns: Columns, { kind, value, isNot }: Term): ((number: number) => boolean) => {
  const is = toPositiveTest(columns, kind, value)
  return isNot ? (number) => !is(number) : is
}

const toPositiveTest = (columns: Columns, kind: Term['kind'], value: string): ((number: number) => boolean) => {
  if (kind === 'is') return (number) => columns.hasState(number, value)
  if (kind === 'word') {
    const bits = bigramBits(value)
    return (number) => mayContain(columns.filters(), number, bits) && columns.textOf(number).includes(value)
  }
  // A tag that no item has is still being typed.
  if (!columns.hasTag(value)) return (number) => columns.tagsOf(number).includes(` ${value}`)
  const [whole, nested] = [` ${value} `, ` ${value}/`]
  return (number) => {
    const tags = columns.tagsOf(number)
    return tags.includes(whole) || tags.includes(nested)
  }
}
