import { type QuotaForAll, type QuotaSettings, readQuotas } from '../accounts/quotas.ts'
import { isDatabaseUrl } from '../config/store-place.ts'
import { armWrites } from '../delivery/arm-writes.ts'
import { requireFolder } from '../folder/make-folder.ts'
import type { Store } from '../store/store.ts'
import type { ReadItem } from '../transfer/transfer.ts'
import { systemWorld } from '../world.ts'
import { CommandFailed } from './command-failed.ts'
import {
  countCharacters,
  createItemPieces,
  createTextPieces,
  type ImportPieces,
  type SendPiece,
} from './import-pieces.ts'
import { createImports, type ImportCommand, type ImportOutcome } from './imports.ts'
import { type FolderSettings, maxAttempts, runInOwner, useDatabase, useHere } from './run-on-folder.ts'

/** How an import begins. */
export type ImportBegin = ImportCommand & { readonly name: 'import begin' }

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

// As much as a request may have: a thing that is longer could be changed by nobody, and is in the memory of every listing.
const mostThingCharacters = 32 * 1024 * 1024

/** What a command gave; undefined when nobody was there to run it. */
type Outcome = ImportOutcome | undefined

/** Where an import is made, and how items are brought there. */
interface Place {
  readonly run: (command: ImportCommand) => Promise<Outcome>
  readonly createPieces: (name: string) => ImportPieces<Outcome>
}

/**
 * Imports items in the process that owns the folder, or, when there is none, here and as its owner for that long.
 * @throws FolderRefused, StoreFailed, CommandFailed; what reading the items throws
 */
export async function runImport(settings: FolderSettings & QuotaSettings, run: ImportRun): Promise<ImportReport> {
  const { data } = settings
  const importHere = async (store: Store) => {
    const here = inStore(store, readQuotas(settings))
    return importItems(here, await here.run(run.begin), run)
  }
  if (isDatabaseUrl(settings.store)) return useDatabase(settings, importHere)
  await requireFolder(data)
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const there = inOwner(data)
    const begun = await there.run(run.begin)
    if (begun !== undefined) return await importItems(there, begun, run)
    const report = await useHere(settings, importHere)
    if (report) return report
  }
  throw new CommandFailed(`data folder ${data}: other processes keep taking it; try again`)
}

const inOwner = (data: string): Place => {
  const run: Place['run'] = (command) => runInOwner<ImportOutcome>(data, command)
  return { run, createPieces: (name) => createTextPieces((text) => run({ name: 'import next', import: name, text })) }
}

const inStore = (store: Store, quotas: QuotaForAll): Place => {
  const { run } = createImports(armWrites(store, systemWorld), systemWorld, quotas)
  return {
    run,
    createPieces: (name) => createItemPieces((items) => run({ name: 'import items', import: name, items })),
  }
}

async function importItems(place: Place, begun: Outcome, { items, onProblem, onProgress }: ImportRun) {
  if (begun !== undefined && 'refused' in begun) throw new CommandFailed(begun.refused)
  if (begun === undefined || !('import' in begun)) throw new TypeError('an import began without a name')
  const report: ImportReport = { added: 0, alreadyThere: 0, notRead: 0, remarks: 0 }
  // The next piece is read while one is on its way.
  let sent: Promise<void> = Promise.resolve()
  const send = async (piece: SendPiece<Outcome>) => {
    await sent
    sent = sendPiece(piece, report)
    // Awaited with the next piece; until then nobody else is told that it failed.
    sent.catch(() => undefined)
    onProgress(report)
  }
  const pieces = place.createPieces(begun.import)
  for await (const read of items) {
    const item = refuseLong(read)
    if (item.kind === 'problem' || item.kind === 'remark') {
      if (item.kind === 'problem') report.notRead++
      else report.remarks++
      onProblem(item)
      continue
    }
    pieces.add(item)
    for (let piece = pieces.takeFull(); piece !== undefined; piece = pieces.takeFull()) await send(piece)
  }
  await send(pieces.takeRest())
  await sent
  const ended = await place.run({ name: 'import end', import: begun.import })
  if (ended !== undefined && 'ended' in ended && ended.notes?.length) report.notes = ended.notes
  onProgress(report)
  return report
}

const refuseLong = (item: ReadItem): ReadItem =>
  item.kind === 'thing' && countCharacters(item) > mostThingCharacters
    ? { kind: 'problem', line: item.line, reason: 'the thing is longer than 32 MiB' }
    : item

async function sendPiece(piece: SendPiece<Outcome>, report: ImportReport): Promise<void> {
  const outcome = await piece()
  if (outcome === undefined) throw new CommandFailed('the server stopped during the import; run it again to go on')
  if ('refused' in outcome) throw new CommandFailed(outcome.refused)
  if (!('added' in outcome)) throw new TypeError('an import went on without a count')
  report.added += outcome.added
  report.alreadyThere += outcome.alreadyThere
}
