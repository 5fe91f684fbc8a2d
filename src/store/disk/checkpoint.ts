import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { type AccountDocument, listSteps } from '../account/account.ts'
import type { Journal } from '../journal/journal.ts'
import type { ReadLines } from '../journal/journal-index.ts'
import type { StepSink } from '../record/change.ts'
import { DamagedFile, encodeAccountKey } from '../record/checked-lines.ts'
import { StoreError, type StoreLog } from '../store.ts'
import { encodeSeal, findSeal, readAccountFile, type TakenAccount, writeAccountFile } from './account-file.ts'
import { type InventoryWriter, locateAccount, missingAdvice } from './directory.ts'
import {
  type FileLocation,
  type FileOperations,
  isSystemError,
  makeFolder,
  orIfMissing,
  readPieces,
  removeFile,
  SyncError,
  syncFolder,
  withHandle,
} from './files.ts'
import { checkOwnership, type DiskGuard, type Ownership } from './ownership.ts'

const mark = '.damaged-'

/**
 * Copies a damaged file to a name beside it, and says so in the log and in an error. The file itself stays where it is,
 * for a person to repair. The same damage is copied once, however often it is found.
 */
export const reportDamage = async (
  { files, log }: { readonly files: FileOperations; readonly log: StoreLog },
  path: string,
  cause: DamagedFile,
  advice: string,
): Promise<StoreError> => {
  const copy = `${path}${mark}${(await sumUp(files, path)).toString(16).padStart(8, '0')}`
  try {
    await files.copyFile(path, copy, constants.COPYFILE_EXCL)
  } catch (error) {
    if (!isSystemError(error, 'EEXIST')) throw error
  }
  const sentence = `${path} is damaged: ${cause.message}`
  log.error({ file: path, copy, reason: cause.message }, `${sentence}; ${advice}, then restart`)
  return new StoreError(sentence, { cause })
}

const sumUp = (files: FileOperations, path: string): Promise<number> =>
  withHandle(files.open(path, 'r'), async (handle) => {
    let checksum = 0
    const { size } = await handle.stat()
    for await (const piece of readPieces(handle, { start: 0, end: size })) checksum = crc32(piece, checksum)
    return checksum
  })

/** The copies that were made of a damaged file. */
const listDamagedCopies = async (files: FileOperations, path: string): Promise<readonly string[]> => {
  const names = await files.readdir(dirname(path))
  return names.filter((name) => name.startsWith(`${basename(path)}${mark}`)).map((name) => join(dirname(path), name))
}

/** The files of accounts. All throw StoreFailed. Whoever writes or reads one waits for who writes it. */
export interface AccountFiles {
  /** What the file of an account holds; nothing at position 0 when there is none. */
  readonly load: <Sink extends StepSink>(
    userId: string,
    begin: (position: number) => Sink,
  ) => Promise<Omit<TakenAccount<Sink>, 'end'>>
  /** Writes a file anew, with all of the account's writes up to one. */
  readonly write: (
    userId: string,
    snapshot: { readonly write: number; readonly document: AccountDocument },
  ) => Promise<void>
  /** Brings lines of the journal to the end of a file. False when it has to be written anew. */
  readonly append: (userId: string, wanted: WantedLines) => Promise<boolean>
  /** Removes the file of an account, and the copies that were made of it. */
  readonly remove: (userId: string) => Promise<void>
}

/** What is to be appended to the file of an account. */
interface WantedLines {
  /** The last write that the file is to hold. */
  readonly write: number
  /** The lines of the writes after one up to this one, or undefined when they do not go on from it. */
  readonly read: (after: number) => ReadLines | undefined
  /** About how many bytes the account would take in a file that was written anew; undefined when that is not known. */
  readonly liveBytes: number | undefined
}

/** What the files of accounts work with. */
interface AccountFilesOptions {
  readonly folder: string
  readonly files: FileOperations
  readonly log: StoreLog
  readonly guard: DiskGuard
  readonly inventory: InventoryWriter
  readonly ownership: Ownership
}

const lineBreak = Buffer.from('\n')

/** A file is not written anew for less than this. */
const smallBytes = 64 * 1024

/** Half of a file that is this many times as large as what lives in it is superseded; the sizes are rough. */
const wastefulTimes = 1.8

/** Tries to; the next append does it otherwise. */
const giveBack = async (handle: FileHandle, end: number): Promise<void> => {
  try {
    await handle.truncate(end)
  } catch (error) {
    if (!isSystemError(error)) throw error
  }
}

/** Nothing is open. */
export const createAccountFiles = (options: AccountFilesOptions): AccountFiles => {
  const { folder, files, log, inventory, ownership } = options
  const { reading, writing } = options.guard
  const asideFolder = join(folder, 'unfinished')
  const folders = new Set<string>()
  const damaged = new Map<string, StoreError>()
  // What an earlier owner still appends must reach a file that has no name any more.
  const ownFiles = new Set<string>()
  // To be added to: a person may put a copy in the place of a file that is damaged, and needs the journal then.
  const wholeFiles = new Set<string>()

  const place = (userId: string): FileLocation => ({
    path: join(folder, 'accounts', locateAccount(userId)),
    asideFolder,
    files,
  })

  const ensureFolder = async (path: string): Promise<void> => {
    if (!folders.has(path)) await makeFolder(files, path)
    folders.add(path)
  }

  const noteDamage = async (path: string, cause: DamagedFile): Promise<StoreError> => {
    const advice = 'repair the line there and put -------- in the place of its checksum, or put a backup in its place'
    const failed = await reportDamage(options, path, cause, advice)
    damaged.set(path, failed)
    wholeFiles.delete(path)
    return failed
  }

  const load: AccountFiles['load'] = (userId, begin) =>
    reading(async () => {
      const { path } = place(userId)
      const failed = damaged.get(path)
      if (failed !== undefined) throw failed
      const known = inventory.findKnown(userId)
      try {
        const taken = await readAccountFile(
          { path, files },
          { key: encodeAccountKey(userId), known: known ?? 0 },
          begin,
        )
        if (taken !== undefined) {
          wholeFiles.add(path)
          return taken
        }
      } catch (error) {
        throw error instanceof DamagedFile ? await noteDamage(path, error) : error
      }
      if (known !== undefined) throw new StoreError(`${path} is missing; ${missingAdvice}`)
      return { write: 0, sink: begin(0) }
    })

  const write: AccountFiles['write'] = (userId, { write: last, document }) =>
    writing(async () => {
      const at = place(userId)
      await ensureFolder(dirname(at.path))
      await writeAccountFile(at, userId, { position: document.position, write: last }, listSteps(document))
      if (ownership.mayHaveRival) ownFiles.add(userId)
      wholeFiles.add(at.path)
      inventory.noteWritten(userId, last)
    })

  const remove: AccountFiles['remove'] = (userId) =>
    writing(async () => {
      const { path } = place(userId)
      await ensureFolder(dirname(path))
      await inventory.noteRemoval(userId)
      for (const copy of await listDamagedCopies(files, path)) await removeFile(files, copy)
      await removeFile(files, path)
      await syncFolder(files, dirname(path))
      damaged.delete(path)
    })

  const append: AccountFiles['append'] = (userId, wanted) =>
    writing(async () => {
      const { path } = place(userId)
      if (ownership.mayHaveRival && !ownFiles.has(userId)) return false
      if ((await orIfMissing(files.stat(path), undefined)) === undefined) return false
      return withHandle(files.open(path, 'a+', 0o600), async (handle) => {
        // Asked when the file is open: who takes the folder over after that gives the account a file of its own.
        await checkOwnership(folder, ownership)
        const last = await appendLines(handle, path, userId, wanted)
        if (last === undefined) return false
        await checkOwnership(folder, ownership)
        inventory.noteWritten(userId, last)
        return true
      })
    })

  /** Gives the last write that the file holds; undefined when it has to be written anew. */
  const appendLines = async (
    handle: FileHandle,
    path: string,
    userId: string,
    { write: last, read, liveBytes }: WantedLines,
  ): Promise<number | undefined> => {
    const known = inventory.findKnown(userId) ?? 0
    let seal: Awaited<ReturnType<typeof findSeal>>
    try {
      seal = await findSeal(handle, { key: encodeAccountKey(userId), known, isWhole: wholeFiles.has(path) })
      wholeFiles.add(path)
    } catch (error) {
      // Who reads the account names the damage.
      if (error instanceof DamagedFile) return undefined
      throw error
    }
    if (seal.write >= last) return seal.write
    const isGrown = seal.end > 2 * seal.base + smallBytes
    if (isGrown && liveBytes !== undefined && seal.end > wastefulTimes * liveBytes) return undefined
    const lines = read(seal.write)
    if (lines === undefined) return undefined
    const { size } = await handle.stat()
    if (size > seal.end) {
      log.warn(
        { file: path, bytes: size - seal.end },
        `cut ${size - seal.end} bytes off ${path}, which the journal has`,
      )
      await handle.truncate(seal.end)
    }
    try {
      let checksum = seal.checksum
      for await (const group of lines) {
        const bytes = Buffer.concat(group.flatMap((line) => [line.bytes, lineBreak]))
        checksum = crc32(bytes, checksum)
        await handle.appendFile(bytes)
      }
      const next = { write: last, checksum, from: seal.end, after: seal.checksum, base: seal.base }
      await handle.appendFile(encodeSeal(userId, next))
    } catch (error) {
      // It counts for nothing, but it takes room, and there may be none.
      if (isSystemError(error)) await giveBack(handle, seal.end)
      throw error
    }
    await handle.datasync().catch((error: unknown) => {
      throw new SyncError(path, true, error)
    })
    return last
  }

  return { load, write, append, remove }
}

/** Saves in the background what old segments of the journal are needed for, and then removes them. */
interface Checkpoints {
  /** To be told that a segment was filled. */
  readonly ask: () => void
  /** The same after a start: when the first requests are answered, unless the journal has grown in crash after crash. */
  readonly askLater: () => void
  /** Saves one key now, or says in the log why it has to wait. */
  readonly saveOrReport: (key: string) => Promise<void>
  /** Resolves when none is at work. */
  readonly settle: () => Promise<void>
}

/** How long the first requests after a start have the disk for themselves. */
const laterMilliseconds = 10_000
const maxSegments = 5

/** No checkpoint yet. `save` brings the newest state of a key to its own file. */
export const createCheckpoints = (
  journal: () => Journal,
  save: (key: string) => Promise<void>,
  log: StoreLog,
): Checkpoints => {
  let isAsked = false
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const saveOrReport = async (key: string): Promise<void> => {
    try {
      await save(key)
    } catch (error) {
      // The journal still has what could not be saved; the next checkpoint tries again.
      if (!(error instanceof StoreError)) throw error
      log.warn({ err: error, key }, `${key} stays in the journal for now: ${error.message}`)
    }
  }

  const run = async (): Promise<void> => {
    while (isAsked) {
      isAsked = false
      for (const key of journal().listUnsavedKeys()) await saveOrReport(key)
      try {
        await journal().removeNeedless()
      } catch (error) {
        if (!(error instanceof StoreError)) throw error
        log.warn({ err: error }, `old segments of the journal stay for now: ${error.message}`)
      }
    }
    running = undefined
  }

  const ask = (): void => {
    isAsked = true
    running ??= run()
  }

  return {
    saveOrReport,
    ask,
    askLater: () => {
      if (journal().segments().length > maxSegments) ask()
      else timer = setTimeout(ask, laterMilliseconds).unref()
    },
    settle: async () => {
      clearTimeout(timer)
      while (running !== undefined) await running
    },
  }
}
