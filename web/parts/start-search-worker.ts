import { createSearch, type Search, type SearchAnswer } from '../data/search/search.ts'

/** A search in a worker, until it is stopped. */
export const startSearchWorker = (): { readonly search: Search; readonly stop: () => void } => {
  const worker = new Worker(new URL('../data/search/search-worker.ts', import.meta.url), { type: 'module' })
  const search = createSearch({
    send: (message) => worker.postMessage(message),
    listen: (listener) => worker.addEventListener('message', ({ data }: MessageEvent<SearchAnswer>) => listener(data)),
  })
  return { search, stop: () => worker.terminate() }
}
