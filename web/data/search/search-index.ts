import { foldText, readNoteText } from '../fold-text.ts'
import { readQuery, type Term } from '../query.ts'

/** A thing as the search knows it. */
export interface SearchedThing {
  /** Names the thing in the answers. */
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

interface Entry {
  readonly number: number
  readonly date: number
  /** All that words are looked for in, folded. */
  readonly text: string
  /** ` home todo `, folded. */
  readonly tags: string
  readonly archived: boolean
  readonly todoStatus: boolean | undefined
  readonly isPending: boolean
}

/** Finds things by what was typed. */
export interface SearchIndex {
  readonly put: (things: readonly SearchedThing[]) => void
  readonly remove: (numbers: readonly number[]) => void
  /** The numbers of the things that meet the query, the newest first; archived ones only where `is:archived` is said. */
  readonly search: (query: string) => Uint32Array<ArrayBuffer>
}

const toEntry = ({
  number,
  date,
  title,
  tags,
  url = '',
  html,
  archived,
  todoStatus,
  isPending,
}: SearchedThing): Entry => ({
  number,
  date,
  text: foldText(`${title}\n${tags}\n${url}\n${html === undefined ? '' : readNoteText(html)}`),
  tags: ` ${foldText(tags)} `,
  archived,
  todoStatus,
  isPending,
})

const meetsState = (entry: Entry, state: string): boolean => {
  if (state === 'archived') return entry.archived
  if (state === 'pending') return entry.isPending
  if (state === 'todo') return entry.todoStatus !== undefined
  return entry.todoStatus === (state === 'done')
}

const byNewest = (one: Entry, other: Entry): number => other.date - one.date || other.number - one.number

/** Whether all that meets the term meets the older one, too. */
const implies = (term: Term, older: Term): boolean =>
  term.kind === older.kind &&
  term.isNot === older.isNot &&
  (term.value === older.value || (term.kind === 'word' && !term.isNot && term.value.includes(older.value)))

/**
 * An index that looks through all text at each query. At 100,000 things this is quicker to build, smaller, and no slower
 * than an index of words (`search-measure-trial.ts` measures it), and it finds any part of a word.
 */
export const createSearchIndex = (): SearchIndex => {
  const entries = new Map<number, Entry>()
  let inOrder: readonly Entry[] | undefined = []
  // Each key mostly narrows what the last one found: places in `inOrder`.
  let last: { readonly terms: readonly Term[]; readonly found: Uint32Array<ArrayBuffer> } | undefined

  const forget = () => {
    inOrder = undefined
    last = undefined
  }

  const hasTag = (name: string): boolean => [...entries.values()].some(({ tags }) => tags.includes(` ${name} `))
  /** A tag that nothing carries is one that is still being typed. */
  const toTest = ({ kind, value }: Term): ((entry: Entry) => boolean) => {
    if (kind === 'word') return ({ text }) => text.includes(value)
    if (kind === 'is') return (entry) => meetsState(entry, value)
    const wanted = hasTag(value) ? ` ${value} ` : ` ${value}`
    return ({ tags }) => tags.includes(wanted)
  }
  return {
    put: (things) => {
      for (const thing of things) entries.set(thing.number, toEntry(thing))
      forget()
    },
    remove: (numbers) => {
      for (const number of numbers) entries.delete(number)
      forget()
    },
    search: (query) => {
      inOrder ??= [...entries.values()].sort(byNewest)
      const ordered = inOrder
      const asked = readQuery(query)
      const asksArchived = asked.some(({ kind, value }) => kind === 'is' && value === 'archived')
      const terms = asksArchived ? asked : [notArchived, ...asked]
      const known = last?.terms.every((older) => terms.some((term) => implies(term, older))) ? last : undefined
      let found = known?.found ?? Uint32Array.from(ordered.keys())
      for (const term of terms) {
        if (!known?.terms.some((older) => isSame(term, older)))
          found = keepMet(found, ordered, toTest(term), term.isNot)
      }
      last = { terms, found }
      return found.map((place) => ordered[place]?.number ?? 0)
    },
  }
}

const notArchived: Term = { kind: 'is', value: 'archived', isNot: true }

const isSame = (one: Term, other: Term): boolean =>
  one.kind === other.kind && one.value === other.value && one.isNot === other.isNot

/** The places whose entries meet the test, or, with `isNot`, do not. */
const keepMet = (
  places: Uint32Array<ArrayBuffer>,
  entries: readonly Entry[],
  isMet: (entry: Entry) => boolean,
  isNot: boolean,
): Uint32Array<ArrayBuffer> => {
  const kept = new Uint32Array(places.length)
  let count = 0
  for (const place of places) {
    const entry = entries[place]
    if (entry !== undefined && isMet(entry) !== isNot) kept[count++] = place
  }
  return kept.slice(0, count)
}
