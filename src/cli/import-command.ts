import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { formatVisibleJson, maskInvisible } from '../accounts/names.ts'
import { type QuotaSettings, readQuotas } from '../accounts/quotas.ts'
import { enqueueDeliveries } from '../delivery/dispatcher.ts'
import { systemEnvironment } from '../environment.ts'
import { CommandFailed } from '../runtime/command-errors.ts'
import { type ImportBegin, openImport } from '../runtime/piecewise-jobs.ts'
import type { ImportCounts, ItemToImport } from '../things/import-things.ts'
import { readFormatNames } from '../transfer/format-names.ts'
import { guessFormat, readFormats } from '../transfer/formats.ts'
import { readMarkdown } from '../transfer/markdown.ts'
import type { ReadFormat, ReadItem } from '../transfer/transfer.ts'
import { readMarkdownFolder } from './export-command.ts'
import { addSettingFlags, readCommandSettings } from './options.ts'
import { checkTextFile, readTextFile } from './output.ts'
import { beginInOwner, type FolderSettings, useOwnerOrStore } from './run-command.ts'

/** A file, opened for import. */
export interface ImportFile {
  readonly allowsDuplicates: boolean
  /** Identifies the file when its import is begun again. */
  readonly key: string
  readonly items: AsyncIterable<ReadItem>
}

const headCharacters = 4096

/**
 * Opens a file, or the Markdown files of a folder, for import. Guesses the format when `formatName` is undefined.
 * @throws CommandFailed when the file cannot be read, or its format is unknown
 */
export async function openImportFile(file: string, formatName: string | undefined): Promise<ImportFile> {
  const path = file === '-' ? file : resolve(file)
  const kind = file === '-' ? 'stream' : await findKind(path)
  if (kind === 'folder') {
    if (formatName !== undefined && formatName !== readMarkdown.name)
      throw new CommandFailed(
        `${maskInvisible(file)} is a folder, and only Markdown can be imported from a folder; give a file, or leave out --format`,
      )
    return { allowsDuplicates: false, key: hash(`folder\n${path}`), items: readMarkdownFolder(path) }
  }
  // A stream can be read only once: its errors appear during the import.
  if (kind === 'file') await checkTextFile(path)
  const text = readTextFile(path)
  let head = ''
  while (head.length < headCharacters) {
    const { value, done } = await text.next()
    if (done) break
    head += value
  }
  const format = findFormat(head.slice(0, headCharacters), basename(file), formatName)
  if (format === undefined) {
    await text.return()
    const names = readFormats.map((each) => each.name).join(', ')
    throw new CommandFailed(`${maskInvisible(file)} has an unknown format; give its format with --format: ${names}`)
  }
  const { name, allowsDuplicates, read } = format
  return {
    allowsDuplicates: allowsDuplicates,
    key: hash(`${name}\n${head.slice(0, headCharacters)}`),
    items: read(putBack(head, text)),
  }
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

async function findKind(path: string): Promise<'file' | 'folder' | 'stream'> {
  try {
    const found = await stat(path)
    return found.isDirectory() ? 'folder' : found.isFile() ? 'file' : 'stream'
  } catch (error) {
    // The reader of the file reports why it cannot be read.
    if (error instanceof Error && 'syscall' in error) return 'file'
    throw error
  }
}

const findFormat = (head: string, fileName: string, name: string | undefined): ReadFormat | undefined =>
  name === undefined ? guessFormat(head, fileName) : readFormats.find((each) => each.name === name)

async function* putBack(head: string, rest: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  yield head
  yield* rest
}

/** Prints an import. */
export interface ImportPrinter {
  readonly onProblem: (problem: ReadItem & { readonly kind: 'problem' | 'remark' }) => void
  readonly onProgress: (report: Readonly<ImportReport>) => void
  /** Prints the report, and sets the exit code. */
  readonly end: (report: Readonly<ImportReport>) => void
}

interface Printed {
  readonly file: string
  readonly user: string
  readonly isDry: boolean
  readonly form: 'text' | 'json'
}

const progressMilliseconds = 200
// A report is one JSON object, held until the end.
const maxProblems = 10_000

/** Creates a printer: problems at once and progress on a terminal, both on standard error; the report at the end. */
export const createImportPrinter = ({ file, user, isDry, form }: Printed): ImportPrinter => {
  const listed: { readonly kind: string; readonly line: number; readonly reason: string }[] = []
  const list = (wanted: string) =>
    listed.flatMap(({ kind, line, reason }) => (kind === wanted ? [{ line, reason }] : []))
  const isTerminal = process.stderr.isTTY === true
  let printedAt = 0

  const clear = () => {
    if (isTerminal) process.stderr.write('\r\u001B[K')
  }
  const describe = ({ added, alreadyThere, notRead, remarks }: ImportReport) =>
    `${count(added)} ${isDry ? 'would be added' : 'added'}, ${count(alreadyThere)} already there, ${count(notRead)} not read${remarks === 0 ? '' : `, ${count(remarks)} remarks`}`

  return {
    onProblem: ({ kind, line, reason }) => {
      if (form === 'json') {
        if (listed.length < maxProblems) listed.push({ kind, line, reason })
        return
      }
      clear()
      process.stderr.write(`thingsync: line ${line}: ${maskInvisible(reason)}\n`)
    },
    onProgress: (report) => {
      if (!isTerminal || Date.now() - printedAt < progressMilliseconds) return
      printedAt = Date.now()
      clear()
      process.stderr.write(describe(report))
    },
    end: (report) => {
      clear()
      const { added, alreadyThere, notRead, notes = [] } = report
      if (notRead > 0) process.exitCode = 3
      const counts = { added, already_there: alreadyThere, not_read: notRead }
      const result = {
        file,
        user,
        dry_run: isDry,
        ...counts,
        problems: list('problem'),
        remarks: list('remark'),
      }
      if (form === 'json')
        process.stdout.write(`${formatVisibleJson(notes.length > 0 ? { ...result, notes } : result)}\n`)
      else process.stdout.write(`${maskInvisible(file)}: ${describe(report)}\n`)
      if (form === 'text') for (const note of notes) process.stderr.write(`thingsync: note: ${note}\n`)
    },
  }
}

const count = (value: number): string => value.toLocaleString('en')

/** The outcomes of the items of a file so far. */
export interface ImportReport {
  added: number
  alreadyThere: number
  notRead: number
  /** Number of read items of which the import lost a part. */
  remarks: number
  /** Notes about the whole import, at its end. */
  notes?: readonly string[]
}

/** One import: its first command, its items, and the observers. */
export interface ImportRun {
  readonly begin: ImportBegin
  readonly items: AsyncIterable<ReadItem>
  readonly onProblem: (problem: ReadItem & { readonly kind: 'problem' | 'remark' }) => void
  readonly onProgress: (report: Readonly<ImportReport>) => void
}

// As much as a request may have: no client could change a longer thing, and every listing holds it in memory.
const maxThingCharacters = 32 * 1024 * 1024

// Fits into a command to the owner of the folder (1 MiB). A character may take three bytes in UTF-8, and sealing makes
// four bytes of three.
const maxTextCharacters = 240 * 1024

// Each batch becomes one write: a larger one is held in memory as a whole, and a smaller one waits as long for the
// disk.
const batchCharacters = 256 * 1024
/** The size of an item beside its texts, in characters. */
const itemCharacters = 100

/**
 * Imports items in the process that owns the folder. Without an owner this process owns the folder during the import.
 * @throws FolderError, StoreError, AccountError, CommandFailed; what reading the items throws
 */
export async function runImport(settings: FolderSettings & QuotaSettings, run: ImportRun): Promise<ImportReport> {
  return useOwnerOrStore(settings, {
    useOwner: async () => {
      const job = await beginInOwner<ImportCounts>(
        settings.data,
        run.begin,
        'during the import; run the command again to continue',
      )
      return job && addAll(run, listTexts, job.next, job.end)
    },
    useStore: async (store) => {
      const context = {
        store: enqueueDeliveries(store, systemEnvironment),
        environment: systemEnvironment,
        quotas: readQuotas(settings),
      }
      const { addItems, end } = await openImport(context, run.begin)
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
  // Reads the next piece while the previous one is sent.
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

/** Yields the items that can be imported, and reports the others. */
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

/** Yields pieces for another process: JSON lines, cut anywhere. */
async function* listTexts(items: AsyncIterable<ItemToImport>): AsyncGenerator<string> {
  let text = ''
  for await (const item of items) {
    text += `${JSON.stringify(item)}\n`
    for (; text.length >= maxTextCharacters; text = text.slice(maxTextCharacters))
      yield text.slice(0, maxTextCharacters)
  }
  if (text !== '') yield text
}

/** Yields pieces for this process: batches of items. */
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

/** Counts the characters of an item. */
const countCharacters = (item: ItemToImport): number => {
  if (item.kind === 'tag') return itemCharacters
  const { title, tags, url = '', html = '' } = item.thing
  return itemCharacters + title.length + tags.length + url.length + html.length
}

/** Adds `import`: adds things from a file of another program, or of an export. */
export function addImportCommand(program: Command): void {
  addSettingFlags(program.command('import').argument('<FILE>'), ['data', 'store'])
    .description('Import the things of a file for a user, whether or not the server is running.')
    .requiredOption('--user <NAME>', 'The user who receives the things; required.')
    .addOption(
      new Option('--format <FORMAT>', 'Format of the file; by default, the command detects it.').choices(
        readFormatNames,
      ),
    )
    .option('--tag <TAG>', 'Tag to add to each imported thing.')
    .option('--dry-run', 'Print the result, but import nothing.')
    .addOption(new Option('--report <FORM>', 'Format of the report.').choices(['text', 'json']).default('text'))
    .addHelpText(
      'after',
      `
The command skips existing things: things with the same URL, or with the same ID if the file has IDs. So you can import
a file again, for example after an interrupted import. The command reports each line that it cannot read, and imports
the rest. FILE - is standard input. From a folder, the command imports all Markdown files.

Exit codes: 0 everything was read; 1 nothing could be imported; 2 wrong usage; 3 a line could not be read.

Examples:
  thingsync import bookmarks.html --user anna --dry-run
  thingsync import pocket.csv --user anna --tag imported
  thingsync import ~/notes --user anna`,
    )
    .action(async (file: string, _options, command: Command) => {
      const { settings } = await readCommandSettings(command)
      const user: string = command.getOptionValue('user')
      const tag: string | undefined = command.getOptionValue('tag')
      if (tag !== undefined && !/^[^\s\0]+$/u.test(tag))
        throw new CommandFailed('--tag: a tag must not contain spaces; give one word', 2)
      const isDry = command.getOptionValue('dryRun') === true
      const opened = await openImportFile(file, command.getOptionValue('format'))
      const printer = createImportPrinter({ file, user, isDry, form: command.getOptionValue('report') })
      const begin = {
        name: 'import begin',
        user,
        ...(tag === undefined ? {} : { tag }),
        isDry,
        allowsDuplicates: opened.allowsDuplicates,
        file: opened.key,
      } as const
      printer.end(await runImport(settings, { begin, items: opened.items, ...printer }))
    })
}
