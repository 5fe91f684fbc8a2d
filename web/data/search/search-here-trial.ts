import { createSearchAnswerer } from './answer-searches.ts'
import { createSearch, type Search, type SearchAnswer } from './search.ts'

/** A search without a worker. */
export const createSearchHere = (): Search => {
  let listener: (answer: SearchAnswer) => void = () => undefined
  const take = createSearchAnswerer(
    (answer) => queueMicrotask(() => listener(answer)),
    (work) => void setTimeout(work),
  )
  return createSearch({
    send: take,
    listen: (next) => {
      listener = next
    },
  })
}
