import type { FilesToRead, ReadingMessage } from '../data/transfer/read-files.ts'

/** Reads files in a worker of its own until it is stopped. */
export const startImportWorker = (
  wanted: FilesToRead,
  tell: (message: ReadingMessage) => void,
  fail: (reason: string) => void,
): { readonly stop: () => void } => {
  const worker = new Worker(new URL('../data/transfer/import-worker.ts', import.meta.url), { type: 'module' })
  worker.addEventListener('message', ({ data }: MessageEvent<ReadingMessage>) => tell(data))
  worker.addEventListener('error', ({ message }) => fail(message))
  worker.postMessage(wanted)
  return { stop: () => worker.terminate() }
}
