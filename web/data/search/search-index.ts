import { foldText } from '../fold-text.ts'
import { readQuery, type Term } from '../query.ts'
import { textAt } from '../reading/joined-texts.ts'
import { flagsOf, readSearched, type ThingPart } from '../reading/thing-part.ts'
import { type Columns, createColumns } from './columns.ts'
import { mayHold, readPairs } from './letter-pairs.ts'

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
export interface SearchIndex {
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
 * an index of words (`test/support/web/search-measure.ts` measures it), finds any part of a word, and has what is seen
 * first at once.
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
