import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, extname, join, relative, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Command, Option } from 'commander'
import { isDatabaseUrl } from '../config/settings-table.ts'
import { CommandFailed } from '../runtime/command-errors.ts'
import { isSystemError } from '../store/disk/files.ts'
import { checkTarget, describeUnwritable } from '../store/tools/backup.ts'
import { decodeText, EncodingError } from '../transfer/decode-text.ts'
import { FieldError } from '../transfer/fields.ts'
import { writeFormatNames } from '../transfer/format-names.ts'
import { writeFormats } from '../transfer/formats.ts'
import { readJson } from '../transfer/json.ts'
import { readMarkdownNote, writeMarkdown, writeMarkdownNote } from '../transfer/markdown.ts'
import { gatherContent, joinTags, type ReadItem, type TransferContent, type WriteFormat } from '../transfer/transfer.ts'
import { copyStore } from './copy-commands.ts'
import { addSettingFlags, readCommandSettings } from './options.ts'
import { isReaderClosed } from './output.ts'
import type { FolderSettings } from './run-command.ts'

/**
 * Reads the Markdown files of a folder and of the folders in it, whose names become tags. Skips hidden files and
 * folders.
 */
export async function* readMarkdownFolder(folder: string): AsyncGenerator<ReadItem, void, undefined> {
  for await (const file of listFiles(folder)) yield await readNote(folder, file)
}

async function* listFiles(folder: string): AsyncGenerator<string, void, undefined> {
  const entries = await readdir(folder, { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* listFiles(path)
    else if (entry.isFile() && /\.(?:md|markdown)$/iu.test(entry.name)) yield path
  }
}

const readNote = async (folder: string, file: string): Promise<ReadItem> => {
  const path = relative(folder, file)
  try {
    const thing = readMarkdownNote(await readText(file), basename(file, extname(file)))
    const folders = joinTags(path.split(sep).slice(0, -1))
    const tags = folders === '' ? thing.tags : joinTags([...folders.split(' '), ...thing.tags.split(' ')])
    return { kind: 'thing', line: 1, thing: { ...thing, tags } }
  } catch (error) {
    if (error instanceof FieldError || error instanceof EncodingError)
      return { kind: 'problem', line: 1, reason: `${path}: ${error.message}` }
    throw error
  }
}

const readText = async (file: string): Promise<string> => {
  let text = ''
  for await (const chunk of decodeText(listOne(await readFile(file)))) text += chunk
  return text
}

async function* listOne(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes
}

/**
 * Writes a file for each thing, named after its title, to a missing or empty folder. Returns the number of files.
 * @throws CommandFailed when the folder is not empty
 */
export const writeMarkdownFolder = async ({ things }: TransferContent, folder: string): Promise<number> => {
  await mkdir(folder, { recursive: true })
  if ((await readdir(folder)).length > 0) throw new CommandFailed(`${folder} is not empty; choose another folder`)
  const names = new Map<string, number>()
  let count = 0
  for await (const thing of things) {
    const name = nameFile(thing.title)
    // Some file systems ignore letter case.
    const times = (names.get(name.toLowerCase()) ?? 0) + 1
    names.set(name.toLowerCase(), times)
    const file = times === 1 ? `${name}.md` : `${name} (${times}).md`
    await writeFile(join(folder, file), writeMarkdownNote(thing), { mode: 0o600, flag: 'wx' })
    count++
  }
  return count
}

const maxNameCharacters = 60

const nameFile = (title: string): string => {
  const name = title.replace(/[\p{C}\p{Z}\\/:*?"<>|#^[\]]+/gu, ' ').trim()
  const cut = [...name]
    .slice(0, maxNameCharacters)
    .join('')
    .replace(/^\.+|[. ]+$/gu, '')
  // A title may end in ` (2)`, like the file of the second of two things with the same title.
  return (cut === '' ? 'untitled' : cut).replace(/ \((\d+)\)$/u, ' $1')
}

/** Says what an export writes, and where. */
export interface ExportRun {
  readonly user: string
  /** The name of a format. */
  readonly format: string
  /** The file or folder; undefined or `-` is standard output. */
  readonly output?: string | undefined
}

/** Exports the account of a user, as it is at one moment. @throws FolderError, StoreError, CommandFailed */
export async function runExport(settings: FolderSettings, { user, format: name, output }: ExportRun): Promise<void> {
  const format = findWriter(name)
  const use = async (text: AsyncIterable<string>) => {
    const content = await gatherContent(readJson.read(text))
    if (output === undefined || output === '-') return writeToStandardOutput(format, content)
    const path = resolve(output)
    const isFolder = format === writeMarkdown && (output.endsWith('/') || (await isExistingFolder(path)))
    if (!isFolder) await checkExportPath(path, settings)
    const count = await (isFolder ? writeMarkdownFolder(content, path) : writeToFile(format, content, path))
    process.stderr.write(`exported ${count} things of ${user} to ${path}\n`)
  }
  await copyStore(settings, use, user)
}

const findWriter = (name: string): WriteFormat => {
  const format = writeFormats.find((each) => each.name === name)
  if (format === undefined) throw new TypeError(`no writer is called ${name}`)
  return format
}

async function writeToStandardOutput(format: WriteFormat, content: TransferContent): Promise<void> {
  try {
    await pipeline(Readable.from(format.write(content)), process.stdout, { end: false })
  } catch (error) {
    // The reader may have stopped early (`| head`).
    if (error instanceof Error && isReaderClosed(error)) return
    throw isSystemError(error) ? new CommandFailed(`standard output cannot be written (${error.code})`) : error
  }
}

const checkExportPath = async (path: string, { data, store }: FolderSettings): Promise<void> => {
  try {
    await checkTarget(path, isDatabaseUrl(store) ? undefined : data, 'export')
  } catch (error) {
    throw describeFile(path, error)
  }
}

/** Writes a file that appears only when it is whole, and that is readable by its owner only. */
async function writeToFile(format: WriteFormat, content: TransferContent, path: string): Promise<number> {
  let count = 0
  async function* counted() {
    for await (const thing of content.things) {
      count++
      yield thing
    }
  }
  const partial = `${path}.${process.pid}.partial`
  try {
    const file = await open(partial, 'wx', 0o600)
    const pieces = Readable.from(format.write({ tags: content.tags, things: counted() }))
    await pipeline(pieces, file.createWriteStream({ flush: true }))
    await rename(partial, path)
    return count
  } catch (error) {
    await rm(partial, { force: true })
    throw describeFile(path, error)
  }
}

const describeFile = (path: string, error: unknown): unknown =>
  isSystemError(error) ? describeUnwritable(path, error, 'export') : error

const isExistingFolder = async (path: string): Promise<boolean> => {
  try {
    return (await stat(path)).isDirectory()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw describeFile(path, error)
  }
}

/** Adds `export`: writes the account of one user in a format that other programs read. */
export function addExportCommand(program: Command): void {
  addSettingFlags(program.command('export'), ['data', 'store'])
    .description('Export all things of a user to a file for other programs, whether or not the server is running.')
    .requiredOption('--user <NAME>', 'The user whose things are exported; required.')
    .addOption(new Option('--format <FORMAT>', 'Format of the file.').choices(writeFormatNames).default('json'))
    .option('--output <FILE>', 'File to write; - is standard output, and the default.')
    .addHelpText(
      'after',
      `
The format json contains everything, with the settings of tags. The other formats contain title, tags, date, URL, note,
archived and todo. With --format markdown and a folder as --output, the command writes a file for each thing.

Examples:
  thingsync export --user anna --format netscape --output bookmarks.html
  thingsync export --user anna --format markdown --output notes/
  thingsync export --user anna | gzip > things.json.gz`,
    )
    .action(async (_options, command: Command) => {
      const { settings } = await readCommandSettings(command)
      const user: string = command.getOptionValue('user')
      const format: string = command.getOptionValue('format')
      const output: string | undefined = command.getOptionValue('output')
      await runExport(settings, { user, format, output })
    })
}
