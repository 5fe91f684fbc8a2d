import { open, rename, rm, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isDatabaseUrl } from '../config/store-place.ts'
import { CommandFailed } from '../runtime/command-failed.ts'
import { isSystemError } from '../store/disk/file-operations.ts'
import { checkTarget, describeUnwritable } from '../store/tools/backup/check-target.ts'
import { gatherContent } from '../transfer/gather-content.ts'
import { readJson } from '../transfer/read-json.ts'
import type { TransferContent, WriteFormat } from '../transfer/transfer.ts'
import { writeFormats } from '../transfer/write-formats.ts'
import { writeMarkdown } from '../transfer/write-markdown.ts'
import { copyStore } from './copy-store.ts'
import { writeMarkdownFolder } from './markdown-folder.ts'
import { isReaderGone } from './output.ts'
import type { FolderSettings } from './run-on-folder.ts'

/** What is exported, and where to. */
export interface ExportRun {
  readonly user: string
  /** The name of a format. */
  readonly format: string
  /** Standard output when it is left out, or `-`. */
  readonly output?: string | undefined
}

/** Exports what a user has at one moment. @throws FolderRefused, StoreFailed, CommandFailed */
export async function runExport(settings: FolderSettings, { user, format: name, output }: ExportRun): Promise<void> {
  const format = findWriter(name)
  const use = async (text: AsyncIterable<string>) => {
    const content = await gatherContent(readJson.read(text))
    if (output === undefined || output === '-') return writeToStandardOutput(format, content)
    const path = resolve(output)
    const isFolder = format === writeMarkdown && (output.endsWith('/') || (await isExistingFolder(path)))
    if (!isFolder) await refusePlace(path, settings)
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
    // Who reads may have seen enough.
    if (error instanceof Error && isReaderGone(error)) return
    throw isSystemError(error) ? new CommandFailed(`standard output cannot be written (${error.code})`) : error
  }
}

const refusePlace = async (path: string, { data, store }: FolderSettings): Promise<void> => {
  try {
    await checkTarget(path, isDatabaseUrl(store) ? undefined : data, 'export')
  } catch (error) {
    throw describeFile(path, error)
  }
}

/** The file is there when it is whole, and not before; it is readable by its owner only. */
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
