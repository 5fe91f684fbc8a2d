import { createSearchIndex, type SearchedPart, type SearchedThing, type SearchRun } from './search-index.ts'

/** What the search is told: it answers `search` with `SearchAnswer`, all else in silence. */
export type SearchMessage =
  | { readonly kind: 'put'; readonly things: readonly SearchedThing[] }
  | { readonly kind: 'putPart'; readonly numbers: Uint32Array<ArrayBuffer>; readonly part: SearchedPart }
  | { readonly kind: 'remove'; readonly numbers: readonly number[] }
  | { readonly kind: 'search'; readonly call: number; readonly query: string }

/** What was found for the call of this number: first a part, where all of it takes longer. */
export interface SearchResponse {
  readonly call: number
  readonly found: Uint32Array<ArrayBuffer>
  /** False when another call ended this one, too. */
  readonly isWhole: boolean
  /** Whether nothing more is said of this call. */
  readonly isLast: boolean
}

/** What a search came to. */
interface SearchResult {
  readonly found: Uint32Array<ArrayBuffer>
  /** False when the next call ended this one before everything was looked through. */
  readonly isWhole: boolean
}

/** Where a search runs: a worker in a browser. */
interface SearchPort {
  readonly send: (message: SearchMessage) => void
  /** Whom to tell the answers. */
  readonly listen: (listener: (answer: SearchResponse) => void) => void
}

/** A search that runs somewhere else. */
export interface Search {
  readonly put: (things: readonly SearchedThing[]) => void
  /** Many things at once, by their numbers. */
  readonly putPart: (numbers: Uint32Array<ArrayBuffer>, part: SearchedPart) => void
  readonly remove: (numbers: readonly number[]) => void
  /**
   * What `SearchIndex.search` gives; what was put and removed before the call is taken into account. `onPart` is told the
   * newest of it where all takes longer than a frame. The next call ends this one, which then gives what it has, and says so.
   */
  readonly search: (query: string, onPart?: (found: Uint32Array<ArrayBuffer>) => void) => Promise<SearchResult>
}

/** A search behind a port. */
export const createSearch = (port: SearchPort): Search => {
  interface Waiting {
    readonly resolve: (result: SearchResult) => void
    readonly onPart: ((found: Uint32Array<ArrayBuffer>) => void) | undefined
  }
  const waiting = new Map<number, Waiting>()
  let calls = 0
  port.listen(({ call, found, isWhole, isLast }) => {
    const { resolve, onPart } = waiting.get(call) ?? {}
    if (!isLast) return onPart?.(found)
    waiting.delete(call)
    resolve?.({ found, isWhole })
  })
  return {
    put: (things) => port.send({ kind: 'put', things }),
    putPart: (numbers, { searched, tags, dates, flags }) =>
      port.send({ kind: 'putPart', numbers, part: { searched, tags, dates, flags } }),
    remove: (numbers) => port.send({ kind: 'remove', numbers }),
    search: (query, onPart) =>
      new Promise((resolve) => {
        const call = ++calls
        waiting.set(call, { resolve, onPart })
        port.send({ kind: 'search', call, query })
      }),
  }
}

// Of a key that is answered within a frame nobody sees that it took two.
const firstMilliseconds = 12
const nextMilliseconds = 16

/** Carries out messages on an index of its own; `answer` is told what searches find, `later` calls back in a while. */
export const createSearchHandler = (
  answer: (found: SearchResponse) => void,
  later: (work: () => void) => void,
  now?: () => number,
): ((message: SearchMessage) => void) => {
  const index = createSearchIndex(now)
  let current: { readonly call: number; readonly run: SearchRun } | undefined
  let hasAnswered = false

  const goOn = (milliseconds: number) => {
    if (current === undefined) return
    const { call, run } = current
    const isWhole = run.look(milliseconds)
    const found = run.found()
    if (isWhole) current = undefined
    // What comes first is what is seen; all of the rest comes together.
    const isFirst = !hasAnswered && found.length > 0
    hasAnswered ||= isFirst
    if (isWhole || isFirst) answer({ call, found, isWhole, isLast: isWhole })
    if (!isWhole) later(() => current?.call === call && goOn(nextMilliseconds))
  }
  const end = () => {
    if (current !== undefined) answer({ call: current.call, found: current.run.found(), isWhole: false, isLast: true })
    current = undefined
  }
  return (message) => {
    if (message.kind === 'search') {
      end()
      hasAnswered = false
      current = { call: message.call, run: index.begin(message.query) }
      goOn(firstMilliseconds)
      return
    }
    // What is looked through may not change under a search.
    while (current !== undefined) goOn(nextMilliseconds)
    if (message.kind === 'put') index.put(message.things)
    else if (message.kind === 'putPart') index.putPart(message.numbers, message.part)
    else index.remove(message.numbers)
  }
}
