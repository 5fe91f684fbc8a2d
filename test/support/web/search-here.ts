import { createSearch, createSearchHandler, type Search, type SearchResponse } from '../../../web/search/search.ts'

/** A search without a worker, by its own clock where one is given. */
export const createInProcessSearch = (now?: () => number): Search => {
  let listener: (response: SearchResponse) => void = () => undefined
  const take = createSearchHandler(
    (response) => queueMicrotask(() => listener(response)),
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
