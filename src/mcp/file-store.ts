import type { FileHandle } from 'node:fs/promises'
import * as files from 'node:fs/promises'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { ClientError } from '../../client/src/client-error.ts'
import type { LocalStore } from '../../client/src/local-store.ts'
import { isSystemError, orIfMissing, readPieces, replaceFile, SyncError } from '../store/disk/files.ts'

/**
 * # The file of a local store
 *
 * The first line names the format. Each later line is one write: a checksum (crc32, 8 hex digits) of the rest of the
 * line, a space, and a JSON array with `[key, value]` for a set value and `[key]` for a removed one. A write is whole
 * when its line is whole: a last line that is not whole is a write that a crash cut off before it was confirmed. When
 * more than half of the file is replaced by later lines, a new file replaces it.
 */

const head = '{"format":"thingsync replica","version":1}\n'
const lineBreak = 0x0a
const checksumCharacters = 8

/** Bytes of replaced lines that are not worth a new file. */
const minReplacedBytes = 1024 * 1024

/** Characters of one line of a new file, so that no line needs much memory. */
const lineCharacters = 256 * 1024

/** The file of a local store is not as this program wrote it; the message says what to do. */
export class DamagedStore extends Error {
  override readonly name = 'DamagedStore'
}

/** A local store in a file. */
export interface FileStore extends LocalStore {
  /** Waits for writes that are under way, and closes the file. */
  readonly close: () => Promise<void>
}

/** The options of a local store in a file. */
export interface FileStoreOptions {
  /** Tells whether this process still owns the folder; a write that finds that it does not is an error. */
  readonly isHeld?: () => Promise<boolean>
}

const encodeLine = (entries: readonly string[]): string => {
  const json = `[${entries.join(',')}]`
  return `${crc32(json).toString(16).padStart(checksumCharacters, '0')} ${json}\n`
}

const encodeEntry = (key: string, json: string | undefined): string =>
  json === undefined ? `[${JSON.stringify(key)}]` : `[${JSON.stringify(key)},${json}]`

/** Reads the entries of a line without its line break; undefined when the line is damaged. */
const decodeLine = (line: Buffer): readonly (readonly [key: string, value?: unknown])[] | undefined => {
  const json = line.subarray(checksumCharacters + 1)
  const checksum = crc32(json).toString(16).padStart(checksumCharacters, '0')
  if (line.toString('latin1', 0, checksumCharacters + 1) !== `${checksum} `) return undefined
  return JSON.parse(json.toString())
}

/** Reads all whole lines into the entries, and returns how many bytes they have. @throws DamagedStore */
const readEntries = async (path: string, handle: FileHandle, entries: Map<string, string>): Promise<number> => {
  const { size } = await handle.stat()
  let end = 0
  for await (const piece of readPieces(handle, { start: 0, end: size }, (bytes) => bytes.lastIndexOf(lineBreak) + 1)) {
    let start = 0
    for (let at = piece.indexOf(lineBreak); at !== -1; at = piece.indexOf(lineBreak, start)) {
      const line = piece.subarray(start, at)
      const read = end === 0 ? checkHead(path, line) : decodeLine(line)
      if (read === undefined) {
        // A power cut can lose bytes of the last line, which was not confirmed then, and keep its end.
        if (end + line.length + 1 === size) return end
        throw damaged(path, `the line at byte ${end}`)
      }
      for (const [key, ...values] of read) {
        if (values.length === 0) entries.delete(key)
        else entries.set(key, JSON.stringify(values[0]))
      }
      end += at + 1 - start
      start = at + 1
    }
  }
  return end
}

const checkHead = (path: string, line: Buffer): [] => {
  if (`${line}\n` !== head) throw damaged(path, 'its first line')
  return []
}

const damaged = (path: string, where: string): DamagedStore =>
  new DamagedStore(
    `${path} is damaged or of another version of thingsync (${where}); delete this file, and the items come from the ` +
      'server again, without edits that were not sent',
  )

const describeFailure = (path: string, error: unknown): unknown =>
  isSystemError(error, 'ENOSPC') || isSystemError(error, 'EDQUOT')
    ? new ClientError('store_full', `${path} cannot grow, because the disk is full; free some space`, { cause: error })
    : error

/**
 * Opens a local store in a file of an existing folder, and creates the file if it is missing. All values are in memory
 * as JSON texts. A write resolves when it is on disk.
 * @throws DamagedStore, the system's error
 */
export const openFileStore = async (path: string, { isHeld }: FileStoreOptions = {}): Promise<FileStore> => {
  const location = { path, asideFolder: dirname(path), files }
  const entries = new Map<string, string>()
  if ((await orIfMissing(files.stat(path), undefined)) === undefined) await replaceFile(location, [head])
  let handle = await files.open(path, 'r+')
  let bytes: number
  try {
    bytes = await readEntries(path, handle, entries)
    if (bytes === 0) throw damaged(path, 'its first line')
    // What follows is a write that a crash cut off.
    await handle.truncate(bytes)
  } catch (error) {
    await handle.close()
    throw error
  }
  let failure: unknown
  let last: Promise<unknown> = Promise.resolve()

  const countLive = (): number => {
    let characters = head.length
    for (const [key, json] of entries) characters += key.length + json.length
    return characters
  }
  let liveBytes = countLive()

  function* encodeAll(): Generator<string> {
    yield head
    let line: string[] = []
    let characters = 0
    for (const [key, json] of entries) {
      line.push(encodeEntry(key, json))
      characters += json.length
      if (characters < lineCharacters) continue
      yield encodeLine(line)
      line = []
      characters = 0
    }
    if (line.length > 0) yield encodeLine(line)
  }
  const compact = async (): Promise<void> => {
    await replaceFile(location, encodeAll())
    await handle.close()
    handle = await files.open(path, 'r+')
    bytes = (await handle.stat()).size
    liveBytes = countLive()
  }
  const append = async (line: Buffer): Promise<void> => {
    try {
      for (let written = 0; written < line.length; ) {
        const { bytesWritten } = await handle.write(line, written, line.length - written, bytes + written)
        written += bytesWritten
      }
      await handle.datasync()
    } catch (error) {
      // Without the end of the failed write, later writes would follow half a line.
      await handle.truncate(bytes).catch((truncateError: unknown) => {
        failure = truncateError
      })
      throw describeFailure(path, error)
    }
  }
  /** Replaces the file without replaced lines. The entries are on disk already, so a full disk only delays it. */
  const compactIfPossible = async (): Promise<void> => {
    try {
      await compact()
    } catch (error) {
      if (isSystemError(error) || (error instanceof SyncError && !error.isInUse)) return
      failure = error
    }
  }
  const write = async (texts: readonly (readonly [key: string, json: string | undefined])[]): Promise<void> => {
    if (failure !== undefined) throw failure
    const line = Buffer.from(encodeLine(texts.map(([key, json]) => encodeEntry(key, json))))
    await append(line)
    if ((await isHeld?.()) === false) {
      failure = new ClientError('store_gone', `another process has taken over ${dirname(path)}; start again`)
      throw failure
    }
    bytes += line.length
    for (const [key, json] of texts) {
      if (json === undefined) entries.delete(key)
      else entries.set(key, json)
    }
    if (bytes > 2 * liveBytes + minReplacedBytes) await compactIfPossible()
  }
  const runInTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work)
    last = next.catch(() => undefined)
    return next
  }
  return {
    get: async (key) => parse(entries.get(key)),
    getMany: async (keys) => keys.map((key) => parse(entries.get(key))),
    async *list(prefix) {
      for (const [key, json] of entries) if (key.startsWith(prefix)) yield [key, parse(json)]
    },
    write: async (changes) => {
      // All JSON texts at once: the caller may change the values later, and one that has no JSON must write nothing.
      const texts = Array.from(changes, ([key, value]) => [key, JSON.stringify(value) as string | undefined] as const)
      await runInTurn(() => write(texts))
    },
    close: () => runInTurn(() => handle.close()),
  }
}

const parse = (json: string | undefined): unknown => (json === undefined ? undefined : JSON.parse(json))
