import { constants } from 'node:os'
import { isDatabaseUrl } from '../config/store-place.ts'
import { requireFolder } from '../folder/make-folder.ts'
import type { Store } from '../store/store.ts'
import type { TextParts } from './account-text.ts'
import { CommandFailed } from './command-failed.ts'
import { type CopyCommand, type CopyOutcome, listStoreText, takePiece } from './copies.ts'
import { type FolderSettings, maxAttempts, runInOwner, useDatabase, useHere } from './run-on-folder.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** What is copied: how its owner is asked for it, and how it is made here. */
export interface Copied {
  readonly command: CopyCommand & { readonly name: 'copy begin' | 'copy user' }
  readonly listText: (store: Store) => TextParts | Promise<TextParts>
}

const everything: Copied = { command: { name: 'copy begin' }, listText: listStoreText }

/**
 * Gives `use` everything in a store, or another copy of it, as text in pieces: from the process that owns the folder,
 * or, when there is none, from its files, which this process owns for that long.
 * @throws FolderRefused, StoreFailed, CommandFailed; what `use` throws
 */
export async function copyStore<T>(
  settings: FolderSettings,
  use: (text: AsyncIterable<string>) => Promise<T>,
  { command, listText }: Copied = everything,
): Promise<T> {
  const { data } = settings
  if (isDatabaseUrl(settings.store))
    return useDatabase(settings, async (store) => use(takePieces(await listText(store))))
  await requireFolder(data)
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const begun = await runInOwner<CopyOutcome>(data, command)
    if (begun && 'refused' in begun) throw new CommandFailed(begun.refused)
    if (begun) return await useCopy(data, begun, use)
    const used = await useHere(settings, async (store) => ({ result: await use(takePieces(await listText(store))) }))
    if (used) return used.result
  }
  throw new CommandFailed(`data folder ${data}: other processes keep taking it; try again`)
}

async function* takePieces(items: TextParts): AsyncGenerator<string> {
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
    if (piece === undefined) throw new CommandFailed('the server stopped while the copy was made; run it again')
    if ('refused' in piece) throw new CommandFailed(piece.refused)
    if (!('text' in piece)) throw new TypeError('a copy went on without text')
    isLast = piece.isLast
    yield piece.text
  }
}
