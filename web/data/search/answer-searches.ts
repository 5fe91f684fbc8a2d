import type { SearchAnswer, SearchMessage } from './search.ts'
import { createSearchIndex } from './search-index.ts'

/** Carries out messages on an index of its own; gives the answers to searches. */
export const createSearchAnswerer = (): ((message: SearchMessage) => SearchAnswer | undefined) => {
  const index = createSearchIndex()
  return (message) => {
    if (message.kind === 'put') index.put(message.things)
    else if (message.kind === 'remove') index.remove(message.numbers)
    else return { call: message.call, found: index.search(message.query) }
    return undefined
  }
}
