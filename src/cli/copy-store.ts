import { requireFolder } from '../folder/make-folder.ts'
import type { Store } from '../store/store.ts'
import { CommandFailed } from './command-failed.ts'
import { type CopyOutcome, takePiece } from './copies.ts'
import { maxAttempts, runInOwner, useHere } from './run-on-folder.ts'

/**
 * Gives `use` everything in a store, as lines in pieces: from the process that owns the folder, or, when there is none,
 * from its files, which this process owns for that long.
 * @throws FolderRefused, StoreFailed, CommandFailed; what `use` throws
 */
export async function copyStore<T>(
  settings: { readonly data: string; readonly store: 'json' | 'memory' },
  use: (lines: AsyncIterable<string>) => Promise<T>,
): Promise<T> {
  const { data } = settings
  await requireFolder(data)
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const begun = await runInOwner<CopyOutcome>(data, { name: 'copy begin' })
    if (begun) return use(askForPieces(data, begun))
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

async function* askForPieces(folder: string, begun: CopyOutcome): AsyncGenerator<string> {
  if ('refused' in begun) throw new CommandFailed(begun.refused)
  if (!('copy' in begun)) throw new TypeError('a copy began without a name')
  for (let isLast = false; !isLast; ) {
    const piece = await runInOwner<CopyOutcome>(folder, { name: 'copy next', copy: begun.copy })
    if (piece === undefined) throw new CommandFailed('the server stopped while the backup was made; run it again')
    if ('refused' in piece) throw new CommandFailed(piece.refused)
    if (!('text' in piece)) throw new TypeError('a copy went on without text')
    isLast = piece.isLast
    yield piece.text
  }
}
