import { constants } from 'node:os'
import { type CopyBegin, type CopyPiece, openCopy } from '../runtime/copies.ts'
import type { PiecewiseJob } from '../runtime/piecewise-jobs.ts'
import { beginInOwner, type FolderSettings, useOwnerOrStore } from './run-on-folder.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Gives `use` everything in a store, or what one user has, as text in pieces: from the process that owns the folder, or,
 * when there is none, from its files, which this process owns for that long.
 * @throws FolderRefused, StoreFailed, AccountRefused, CommandFailed; what `use` throws
 */
export async function copyStore<T>(
  settings: FolderSettings,
  use: (text: AsyncIterable<string>) => Promise<T>,
  user?: string,
): Promise<T> {
  const begin: CopyBegin = { name: 'copy begin', user }
  const { result } = await useOwnerOrStore(settings, {
    useOwner: async () => {
      const copy = await beginInOwner<CopyPiece>(settings.data, begin, 'while the copy was made; run it again')
      return copy && { result: await useAndEnd(copy, use) }
    },
    useStore: async (store) => ({ result: await use(listPieces(await openCopy(store, begin))) }),
  })
  return result
}

async function* listPieces(copy: PiecewiseJob<CopyPiece>): AsyncGenerator<string> {
  for (let isLast = false; !isLast; ) {
    const piece = await copy.next()
    isLast = piece.isLast
    yield piece.text
  }
}

/** The owner has room for a few copies only: each is ended, also when a signal ends this process. */
async function useAndEnd<T>(
  copy: PiecewiseJob<CopyPiece>,
  use: (text: AsyncIterable<string>) => Promise<T>,
): Promise<T> {
  const onSignal = (signal: NodeJS.Signals) => {
    const exit = () => process.exit(128 + constants.signals[signal])
    copy.end().then(exit, exit)
  }
  for (const signal of signals) process.once(signal, onSignal)
  try {
    return await use(listPieces(copy))
  } finally {
    // The result of `use` counts, whatever becomes of the copy: the owner drops it within a minute.
    await copy.end().catch(() => undefined)
    for (const signal of signals) process.off(signal, onSignal)
  }
}
