import { type QuotaSettings, readQuotas } from '../accounts/quotas.ts'
import { armWrites } from '../delivery/arm-writes.ts'
import { type ImportBegin, openImport } from '../runtime/imports.ts'
import type { ImportCounts, ItemToImport } from '../things/import-things.ts'
import type { ReadItem } from '../transfer/transfer.ts'
import { systemWorld } from '../world.ts'
import { beginInOwner, type FolderSettings, useOwnerOrStore } from './run-on-folder.ts'

/** What became of the items of a file so far. */
export interface ImportReport {
  added: number
  alreadyThere: number
  notRead: number
  /** Of what was read, how often something of it was lost. */
  remarks: number
  /** What there is to say of the whole, at its end. */
  notes?: readonly string[]
}

/** A file on its way in. */
export interface ImportRun {
  readonly begin: ImportBegin
  readonly items: AsyncIterable<ReadItem>
  readonly onProblem: (problem: ReadItem & { readonly kind: 'problem' | 'remark' }) => void
  readonly onProgress: (report: Readonly<ImportReport>) => void
}

// As much as a request may have: a longer thing could be changed by nobody, and is in the memory of every listing.
const maxThingCharacters = 32 * 1024 * 1024

// What fits a command to the owner of the folder (1 MiB) once it is sealed, which makes four bytes of three: in UTF-8 a
// character may be three.
const maxTextCharacters = 240 * 1024

// Each batch becomes one write: a larger one is held in memory as a whole, and a smaller one waits as long for the disk.
const batchCharacters = 256 * 1024
/** What an item takes beside its texts, in characters. */
const itemCharacters = 100

/**
 * Imports items in the process that owns the folder, or, when there is none, here and as its owner for that long.
 * @throws FolderRefused, StoreFailed, AccountRefused, CommandFailed; what reading the items throws
 */
export async function runImport(settings: FolderSettings & QuotaSettings, run: ImportRun): Promise<ImportReport> {
  return useOwnerOrStore(settings, {
    useOwner: async () => {
      const job = await beginInOwner<ImportCounts>(settings.data, run.begin, 'during the import; run it again to go on')
      return job && addAll(run, listTexts, job.next, job.end)
    },
    useStore: async (store) => {
      const place = { store: armWrites(store, systemWorld), world: systemWorld, quotas: readQuotas(settings) }
      const { addItems, end } = await openImport(place, run.begin)
      return addAll(run, listBatches, addItems, end)
    },
  })
}

async function addAll<Piece>(
  run: ImportRun,
  listPieces: (items: AsyncIterable<ItemToImport>) => AsyncIterable<Piece>,
  send: (piece: Piece) => Promise<ImportCounts>,
  end: () => Promise<readonly string[]>,
): Promise<ImportReport> {
  const report: ImportReport = { added: 0, alreadyThere: 0, notRead: 0, remarks: 0 }
  const sendPiece = async (piece: Piece): Promise<void> => {
    const { added, alreadyThere } = await send(piece)
    report.added += added
    report.alreadyThere += alreadyThere
  }
  // The next piece is read while one is on its way.
  let sent: Promise<void> = Promise.resolve()
  for await (const piece of listPieces(listReadable(run, report))) {
    await sent
    sent = sendPiece(piece)
    // Awaited with the next piece; until then nothing else handles its failure.
    sent.catch(() => undefined)
    run.onProgress(report)
  }
  await sent
  const notes = await end()
  if (notes.length > 0) report.notes = notes
  run.onProgress(report)
  return report
}

/** The items that can be imported; reports the others. */
async function* listReadable({ items, onProblem }: ImportRun, report: ImportReport): AsyncGenerator<ItemToImport> {
  for await (const read of items) {
    const item: ReadItem =
      read.kind === 'thing' && countCharacters(read) > maxThingCharacters
        ? { kind: 'problem', line: read.line, reason: 'the thing is longer than 32 MiB' }
        : read
    if (item.kind === 'thing' || item.kind === 'tag') {
      yield item
      continue
    }
    if (item.kind === 'problem') report.notRead++
    else report.remarks++
    onProblem(item)
  }
}

/** Pieces for another process: JSON lines, cut anywhere. */
async function* listTexts(items: AsyncIterable<ItemToImport>): AsyncGenerator<string> {
  let text = ''
  for await (const item of items) {
    text += `${JSON.stringify(item)}\n`
    for (; text.length >= maxTextCharacters; text = text.slice(maxTextCharacters))
      yield text.slice(0, maxTextCharacters)
  }
  if (text !== '') yield text
}

/** Pieces for this process: the items as they are. */
async function* listBatches(items: AsyncIterable<ItemToImport>): AsyncGenerator<readonly ItemToImport[]> {
  let [batch, held]: [ItemToImport[], number] = [[], 0]
  for await (const item of items) {
    batch.push(item)
    held += countCharacters(item)
    if (held < batchCharacters) continue
    yield batch
    ;[batch, held] = [[], 0]
  }
  if (batch.length > 0) yield batch
}

/** What an item takes, in characters. */
const countCharacters = (item: ItemToImport): number => {
  if (item.kind === 'tag') return itemCharacters
  const { title, tags, url = '', html = '' } = item.thing
  return itemCharacters + title.length + tags.length + url.length + html.length
}
