import { constants } from 'node:os'
import { requireFolder } from '../folder/make-folder.ts'
import type { Store } from '../store/store.ts'
import { CommandFailed } from './command-failed.ts'
import { type CopyOutcome, takePiece } from './copies.ts'
import { type FolderSettings, maxAttempts, runInOwner, useHere } from './run-on-folder.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Gives `use` everything in a store, as lines in pieces: from the process that owns the folder, or, when there is none,
 * from its files, which this process owns for that long.
 * @throws FolderRefused, StoreFailed, CommandFailed; what `use` throws
 */
export async function copyStore<T>(
  settings: FolderSettings,
  use: (lines: AsyncIterable<string>) => Promise<T>,
): Promise<T> {
  const { data } = settings
  await requireFolder(data)
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const begun = await runInOwner<CopyOutcome>(data, { name: 'copy begin' })
    if (begun && 'refused' in begun) throw new CommandFailed(begun.refused)
    if (begun) return await useCopy(data, begun, use)
    const used = await useHere(settings, async (store) => ({ result: await use(takePieces(store)) }))
    if (used) return used.result
  }
  throw new CommandFailed(`data folder ${data}: other processes keep taking it; try again`)
}

async function* takePieces(store: Store): AsyncGenerator<string> {
  const items = store.listItems()
  for (let isLast = false; !isLast; ) {
    const piece = await takePiece(items)
    isLast = piece.isLast
    yield piece.text
  }
}

/** The owner has room for a few copies only: one that is not used to its end is given up, also when a signal ends this. */
async function useCopy<T>(
  folder: string,
  begun: CopyOutcome,
  use: (lines: AsyncIterable<string>) => Promise<T>,
): Promise<T> {
  if (!('copy' in begun)) throw new TypeError('a copy began without a name')
  const { copy } = begun
  const giveUp = () => runInOwner<CopyOutcome>(folder, { name: 'copy end', copy })
  const onSignal = (signal: NodeJS.Signals) => {
    const end = () => process.exit(128 + constants.signals[signal])
    giveUp().then(end, end)
  }
  for (const signal of signals) process.once(signal, onSignal)
  try {
    return await use(askForPieces(folder, copy))
  } catch (error) {
    // Whatever becomes of it, why the copy was not used is what is to be said; the owner forgets it in a minute.
    await giveUp().catch(() => undefined)
    throw error
  } finally {
    for (const signal of signals) process.off(signal, onSignal)
  }
}

async function* askForPieces(folder: string, copy: string): AsyncGenerator<string> {
  for (let isLast = false; !isLast; ) {
    const piece = await runInOwner<CopyOutcome>(folder, { name: 'copy next', copy })
    if (piece === undefined) throw new CommandFailed('the server stopped while the backup was made; run it again')
    if ('refused' in piece) throw new CommandFailed(piece.refused)
    if (!('text' in piece)) throw new TypeError('a copy went on without text')
    isLast = piece.isLast
    yield piece.text
  }
}
