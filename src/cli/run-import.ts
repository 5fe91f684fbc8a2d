import { armWrites } from '../delivery/arm-writes.ts'
import { requireFolder } from '../folder/make-folder.ts'
import type { ReadItem } from '../transfer/transfer.ts'
import { systemWorld } from '../world.ts'
import { CommandFailed } from './command-failed.ts'
import { createImports, type ImportCommand, type ImportOutcome } from './imports.ts'
import { type FolderSettings, maxAttempts, runInOwner, useHere } from './run-on-folder.ts'

/** How an import begins. */
export type ImportBegin = ImportCommand & { readonly name: 'import begin' }

/** What became of the items of a file so far. */
export interface ImportReport {
  added: number
  alreadyThere: number
  notRead: number
  /** Of what was read, how often something of it was lost. */
  remarks: number
}

/** A file on its way in. */
export interface ImportRun {
  readonly begin: ImportBegin
  readonly items: AsyncIterable<ReadItem>
  readonly onProblem: (problem: ReadItem & { readonly kind: 'problem' | 'remark' }) => void
  readonly onProgress: (report: Readonly<ImportReport>) => void
}

type Run = (command: ImportCommand) => Promise<ImportOutcome | undefined>

// What one write makes durable, and what fits a question to the owner of the folder once it is sealed.
const pieceCharacters = 256 * 1024

/**
 * Imports items in the process that owns the folder, or, when there is none, here and as its owner for that long.
 * @throws FolderRefused, StoreFailed, CommandFailed; what reading the items throws
 */
export async function runImport(settings: FolderSettings, run: ImportRun): Promise<ImportReport> {
  const { data } = settings
  await requireFolder(data)
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const send: Run = (command) => runInOwner<ImportOutcome>(data, command)
    const begun = await send(run.begin)
    if (begun !== undefined) return await importItems(send, begun, run)
    const here = await useHere(settings, async (store) => {
      const imports = createImports(armWrites(store, systemWorld), systemWorld)
      return importItems(imports.run, await imports.run(run.begin), run)
    })
    if (here) return here
  }
  throw new CommandFailed(`data folder ${data}: other processes keep taking it; try again`)
}

async function importItems(run: Run, begun: ImportOutcome, { items, onProblem, onProgress }: ImportRun) {
  if ('refused' in begun) throw new CommandFailed(begun.refused)
  if (!('import' in begun)) throw new TypeError('an import began without a name')
  const report: ImportReport = { added: 0, alreadyThere: 0, notRead: 0, remarks: 0 }
  // The next piece is read while one is on its way.
  let sent: Promise<void> = Promise.resolve()
  const send = async (text: string) => {
    await sent
    sent = runPiece(run, { name: 'import next', import: begun.import, text }, report)
    // Awaited with the next piece; until then nobody else is told that it failed.
    sent.catch(() => undefined)
    onProgress(report)
  }
  let text = ''
  for await (const item of items) {
    if (item.kind === 'problem' || item.kind === 'remark') {
      if (item.kind === 'problem') report.notRead++
      else report.remarks++
      onProblem(item)
      continue
    }
    const { line: _, ...kept } = item
    text += `${JSON.stringify(kept)}\n`
    while (text.length >= pieceCharacters) {
      const piece = text.slice(0, pieceCharacters)
      text = text.slice(pieceCharacters)
      await send(piece)
    }
  }
  await send(text)
  await sent
  await run({ name: 'import end', import: begun.import })
  onProgress(report)
  return report
}

async function runPiece(run: Run, command: ImportCommand, report: ImportReport): Promise<void> {
  const outcome = await run(command)
  if (outcome === undefined) throw new CommandFailed('the server stopped during the import; run it again to go on')
  if ('refused' in outcome) throw new CommandFailed(outcome.refused)
  if (!('added' in outcome)) throw new TypeError('an import went on without a count')
  report.added += outcome.added
  report.alreadyThere += outcome.alreadyThere
}
