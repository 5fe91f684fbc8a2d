import { createSearchAnswerer } from './answer-searches.ts'
import { createSearch, type Search, type SearchAnswer } from './search.ts'

/** A search without a worker. */
export const createSearchHere = (): Search => {
  const answer = createSearchAnswerer()
  let listener: (answer: SearchAnswer) => void = () => undefined
  return createSearch({
    send: (message) => {
      const found = answer(message)
      if (found !== undefined) queueMicrotask(() => listener(found))
    },
    listen: (next) => {
      listener = next
    },
  })
}
