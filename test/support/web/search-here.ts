import { createSearchAnswerer } from '../../../web/data/search/answer-searches.ts'
import { createSearch, type Search, type SearchAnswer } from '../../../web/data/search/search.ts'

/** A search without a worker, by its own clock where one is given. */
export const createSearchHere = (now?: () => number): Search => {
  let listener: (answer: SearchAnswer) => void = () => undefined
  const take = createSearchAnswerer(
    (answer) => queueMicrotask(() => listener(answer)),
    (work) => void setTimeout(work),
    now,
  )
  return createSearch({
    send: take,
    listen: (next) => {
      listener = next
    },
  })
}
