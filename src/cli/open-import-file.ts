import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { showSeen } from '../accounts/unseen-characters.ts'
import { CommandFailed } from '../runtime/command-failed.ts'
import { guessFormat, readFormats } from '../transfer/formats.ts'
import { readMarkdown } from '../transfer/read-markdown.ts'
import type { ReadFormat, ReadItem } from '../transfer/transfer.ts'
import { readMarkdownFolder } from './markdown-folder.ts'
import { checkTextFile, readTextFile } from './text-file.ts'

/** A file that is about to be imported. */
export interface ImportFile {
  readonly keepsRepetitions: boolean
  /** By which it is known again. */
  readonly key: string
  readonly items: AsyncIterable<ReadItem>
}

const headCharacters = 4096

/** What is in a file, or in the Markdown files of a folder; its format is guessed when it is not named. @throws CommandFailed */
export async function openImportFile(file: string, formatName: string | undefined): Promise<ImportFile> {
  const path = file === '-' ? file : resolve(file)
  const kind = file === '-' ? 'stream' : await findKind(path)
  if (kind === 'folder') {
    if (formatName !== undefined && formatName !== readMarkdown.name)
      throw new CommandFailed(`${showSeen(file)} is a folder; only Markdown is read from folders`)
    return { keepsRepetitions: false, key: hash(`folder\n${path}`), items: readMarkdownFolder(path) }
  }
  // What can be read once only is refused on the way.
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
    throw new CommandFailed(`${showSeen(file)} is in no format that is known; say which with --format: ${names}`)
  }
  const { name, keepsRepetitions, read } = format
  return { keepsRepetitions, key: hash(`${name}\n${head.slice(0, headCharacters)}`), items: read(putBack(head, text)) }
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

async function findKind(path: string): Promise<'file' | 'folder' | 'stream'> {
  try {
    const found = await stat(path)
    return found.isDirectory() ? 'folder' : found.isFile() ? 'file' : 'stream'
  } catch (error) {
    // Whoever reads it says why it cannot be read.
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
