import { type ReadResponse, receiveParts, type ThingPart } from '../data/item-parts.ts'
import { createSearch, type Search, type SearchResponse } from '../search/search.ts'

/** Reads all items of the store of this name in a worker, which ends after the reading. */
export const readInWorker = (store: string): AsyncGenerator<ThingPart, void> => {
  const worker = new Worker(new URL('../workers/read-worker.ts', import.meta.url), { type: 'module' })
  return receiveParts(
    {
      send: (request) => worker.postMessage(request),
      listen: (listener) => {
        worker.addEventListener('message', ({ data }: MessageEvent<ReadResponse>) => listener(data))
        worker.addEventListener('error', ({ message }) => listener({ kind: 'failure', message }))
      },
      stop: () => worker.terminate(),
    },
    store,
  )
}

/** Starts a worker for the search; it runs until it is stopped. */
export const startSearchWorker = (): { readonly search: Search; readonly stop: () => void } => {
  const worker = new Worker(new URL('../workers/search-worker.ts', import.meta.url), { type: 'module' })
  const search = createSearch({
    send: (message) => worker.postMessage(message),
    listen: (listener) =>
      worker.addEventListener('message', ({ data }: MessageEvent<SearchResponse>) => listener(data)),
  })
  return { search, stop: () => worker.terminate() }
}
