// The search of the web app: a protocol between the page and a worker, an index (search-index.ts) and the query syntax
// (query.ts). It knows items only by their numbers, and neither the DOM nor the replica.
// Start reading at `Search`, then `createSearchIndex`.

import type { Sort } from './query.ts'
import {
  createSearchIndex,
  type SearchedPart,
  type SearchedThing,
  type SearchRun,
  type Touched,
} from './search-index.ts'

/** A message to the search; only `search` gets responses. */
export type SearchMessage =
  | { readonly kind: 'put'; readonly things: readonly SearchedThing[] }
  | { readonly kind: 'putPart'; readonly numbers: Uint32Array<ArrayBuffer>; readonly part: SearchedPart }
  | { readonly kind: 'remove'; readonly numbers: readonly number[] }
  | { readonly kind: 'touch'; readonly times: Touched }
  | { readonly kind: 'search'; readonly call: number; readonly query: string; readonly sort: Sort }

/** A result for the call with this number: first a partial one if the whole search takes longer. */
export interface SearchResponse {
  readonly call: number
  readonly found: Uint32Array<ArrayBuffer>
  /** False for a partial result, also if the next call ended this one. */
  readonly isWhole: boolean
  /** Whether this is the last response to the call. */
  readonly isLast: boolean
}

/** The result of a search. */
interface SearchResult {
  readonly found: Uint32Array<ArrayBuffer>
  /** False if the next call ended this one early. */
  readonly isWhole: boolean
}

/** The connection to the search worker. */
interface SearchPort {
  readonly send: (message: SearchMessage) => void
  /** Sets the listener for responses. */
  readonly listen: (listener: (response: SearchResponse) => void) => void
}

/** A search that runs in a worker. */
export interface Search {
  readonly put: (things: readonly SearchedThing[]) => void
  /** Adds many items at once, by their numbers. */
  readonly putPart: (numbers: Uint32Array<ArrayBuffer>, part: SearchedPart) => void
  readonly remove: (numbers: readonly number[]) => void
  /** Sets the times of the last changes of items, for the order `changed`. */
  readonly touch: (times: Touched) => void
  /**
   * Searches like `SearchIndex.search`, with all items that were put or removed before the call. `onPart` receives the
   * first results if the search takes longer than a frame. The next call ends this one, whose result is then partial.
   */
  readonly search: (
    query: string,
    onPart?: (found: Uint32Array<ArrayBuffer>) => void,
    sort?: Sort,
  ) => Promise<SearchResult>
}

/** Creates a search that sends its messages through a port. */
export const createSearch = (port: SearchPort): Search => {
  interface PendingCall {
    readonly resolve: (result: SearchResult) => void
    readonly onPart: ((found: Uint32Array<ArrayBuffer>) => void) | undefined
  }
  const pendingCalls = new Map<number, PendingCall>()
  let calls = 0
  port.listen(({ call, found, isWhole, isLast }) => {
    const { resolve, onPart } = pendingCalls.get(call) ?? {}
    if (!isLast) return onPart?.(found)
    pendingCalls.delete(call)
    resolve?.({ found, isWhole })
  })
  return {
    put: (things) => port.send({ kind: 'put', things }),
    putPart: (numbers, { searched, tags, dates, flags }) =>
      port.send({ kind: 'putPart', numbers, part: { searched, tags, dates, flags } }),
    remove: (numbers) => port.send({ kind: 'remove', numbers }),
    touch: (times) => port.send({ kind: 'touch', times }),
    search: (query, onPart, sort = 'newest') =>
      new Promise((resolve) => {
        const call = ++calls
        pendingCalls.set(call, { resolve, onPart })
        port.send({ kind: 'search', call, query, sort })
      }),
  }
}

// The first time slice fits into a frame, so that the first results appear with the keystroke.
const firstMilliseconds = 12
const nextMilliseconds = 16

/** Creates a handler that applies messages to an index. `respond` receives the results; `later` defers work. */
export const createSearchHandler = (
  respond: (found: SearchResponse) => void,
  later: (work: () => void) => void,
  now?: () => number,
): ((message: SearchMessage) => void) => {
  const index = createSearchIndex(now)
  let current: { readonly call: number; readonly run: SearchRun } | undefined
  let hasResponded = false

  const continueSearch = (milliseconds: number) => {
    if (current === undefined) return
    const { call, run } = current
    const isWhole = run.advance(milliseconds)
    const found = run.found()
    if (isWhole) current = undefined
    // The first response has the visible results; the second has the rest.
    const isFirst = !hasResponded && found.length > 0
    hasResponded ||= isFirst
    if (isWhole || isFirst) respond({ call, found, isWhole, isLast: isWhole })
    if (!isWhole) later(() => current?.call === call && continueSearch(nextMilliseconds))
  }
  const end = () => {
    if (current !== undefined) respond({ call: current.call, found: current.run.found(), isWhole: false, isLast: true })
    current = undefined
  }
  return (message) => {
    if (message.kind === 'search') {
      end()
      hasResponded = false
      current = { call: message.call, run: index.begin(message.query, message.sort) }
      continueSearch(firstMilliseconds)
      return
    }
    // The index must not change during a search.
    while (current !== undefined) continueSearch(nextMilliseconds)
    if (message.kind === 'put') index.put(message.things)
    else if (message.kind === 'putPart') index.putPart(message.numbers, message.part)
    else if (message.kind === 'touch') index.touch(message.times)
    else index.remove(message.numbers)
  }
}
