import { type FileHandle, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createRunInOrder } from '../../client/src/environment.ts'
import type { LocalStore, TokenStorage, Tokens } from '../../client/src/index.ts'

/** A local store in a folder. */
export interface FileLocalStore extends LocalStore {
  readonly close: () => Promise<void>
}

/** One write as a line: the keys with their JSON texts, or null for removed keys. */
type Line = readonly (readonly [key: string, json: string | null])[]

const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

/** Replaces a file: a kill leaves the old or the new content. */
const replaceFile = async (folder: string, name: string, text: string): Promise<void> => {
  const path = join(folder, name)
  await writeFile(`${path}.new`, text, { flush: true })
  await rename(`${path}.new`, path)
  await syncFolder(folder)
}

const readIfThere = async (path: string): Promise<Buffer | undefined> => {
  try {
    return await readFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const journalName = 'journal'
/** Minimum lines of a journal to write it again, and only when most of its values are replaced. */
const minLinesToCompact = 1_000

/**
 * Opens a local store in a folder, and creates it the first time. Each write is one line of a journal, which is on disk
 * when `write` resolves. A line that a kill cut off is dropped: its write had not resolved.
 */
export const openFileLocalStore = async (folder: string): Promise<FileLocalStore> => {
  await mkdir(folder, { recursive: true })
  const entries = new Map<string, string>()
  const apply = (line: Line) => {
    for (const [key, json] of line) json === null ? entries.delete(key) : entries.set(key, json)
  }
  const path = join(folder, journalName)
  const content = (await readIfThere(path)) ?? Buffer.alloc(0)
  const kept = content.subarray(0, content.lastIndexOf(10) + 1)
  const lines = kept.toString('utf8').split('\n').slice(0, -1)
  for (const line of lines) apply(JSON.parse(line) as Line)
  if (lines.length >= minLinesToCompact && lines.length > 2 * entries.size) {
    await replaceFile(folder, journalName, `${JSON.stringify([...entries])}\n`)
  } else if (kept.length < content.length) await replaceFile(folder, journalName, kept.toString('utf8'))

  const journal: FileHandle = await open(path, 'a')
  await syncFolder(folder)
  let length = (await journal.stat()).size
  const runInOrder = createRunInOrder()
  const append = async (line: Line): Promise<void> => {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
    try {
      await journal.writeFile(bytes)
      await journal.datasync()
    } catch (error) {
      // Nothing of a failed write stays behind.
      await journal.truncate(length)
      throw error
    }
    length += bytes.length
    apply(line)
  }
  const parse = (json: string | undefined): unknown => (json === undefined ? undefined : JSON.parse(json))
  return {
    get: async (key) => parse(entries.get(key)),
    async *list(prefix) {
      for (const [key, json] of entries) if (key.startsWith(prefix)) yield [key, parse(json)]
    },
    write: async (changes) => {
      const line = Array.from(
        changes,
        ([key, value]) => [key, value === undefined ? null : JSON.stringify(value)] as const,
      )
      await runInOrder(() => append(line))
    },
    close: () => runInOrder(() => journal.close()),
  }
}

/** Opens a token storage in a folder; the folder must exist. */
export const createFileTokenStorage = (folder: string): TokenStorage => ({
  read: async () => {
    const content = await readIfThere(join(folder, 'tokens.json'))
    return content === undefined ? undefined : (JSON.parse(content.toString('utf8')) as Tokens)
  },
  write: (tokens) => replaceFile(folder, 'tokens.json', JSON.stringify(tokens)),
  clear: () => rm(join(folder, 'tokens.json'), { force: true }),
})
