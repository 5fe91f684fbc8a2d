import { type ReadTold, receiveParts } from '../data/reading/read-messages.ts'
import type { ThingPart } from '../data/reading/thing-part.ts'

/** Reads the store of this name in a worker that ends with the reading. */
export const readInWorker = (store: string): AsyncGenerator<ThingPart, void> => {
  const worker = new Worker(new URL('../data/reading/read-worker.ts', import.meta.url), { type: 'module' })
  return receiveParts(
    {
      send: (asked) => worker.postMessage(asked),
      listen: (listener) => {
        worker.addEventListener('message', ({ data }: MessageEvent<ReadTold>) => listener(data))
        worker.addEventListener('error', ({ message }) => listener({ kind: 'failure', message }))
      },
      stop: () => worker.terminate(),
    },
    store,
  )
}
