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
  createDurableFolder,
  type FileLocation,
  type FileOperations,
  isSystemError,
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
 * Copies a damaged file to a name beside it, logs the damage and returns it as an error. The file itself is not
 * moved, so that the administrator can repair it. The same damage is copied once, however often it is found.
 */
export const reportDamage = async (
  { files, log }: { readonly files: FileOperations; readonly log: StoreLog },
  path: string,
  cause: DamagedFile,
  advice: string,
): Promise<StoreError> => {
  const copy = `${path}${mark}${(await computeCrc(files, path)).toString(16).padStart(8, '0')}`
  try {
    await files.copyFile(path, copy, constants.COPYFILE_EXCL)
  } catch (error) {
    if (!isSystemError(error, 'EEXIST')) throw error
  }
  const sentence = `${path} is damaged: ${cause.message}`
  log.error({ file: path, copy, reason: cause.message }, `${sentence}; ${advice}, then restart`)
  return new StoreError(sentence, { cause })
}

const computeCrc = (files: FileOperations, path: string): Promise<number> =>
  withHandle(files.open(path, 'r'), async (handle) => {
    let checksum = 0
    const { size } = await handle.stat()
    for await (const piece of readPieces(handle, { start: 0, end: size })) checksum = crc32(piece, checksum)
    return checksum
  })

/** Lists the copies of a damaged file. */
const listDamagedCopies = async (files: FileOperations, path: string): Promise<readonly string[]> => {
  const names = await files.readdir(dirname(path))
  return names.filter((name) => name.startsWith(`${basename(path)}${mark}`)).map((name) => join(dirname(path), name))
}

/** The files of accounts. All functions throw StoreError. Reads and writes of one file run one after the other. */
export interface AccountFiles {
  /** Loads the file of an account; without a file the account is empty, at position 0. */
  readonly load: <Sink extends StepSink>(
    userId: string,
    begin: (position: number) => Sink,
  ) => Promise<Omit<TakenAccount<Sink>, 'end'>>
  /** Writes a file as a whole, with all of the account's writes up to `write`. */
  readonly write: (
    userId: string,
    snapshot: { readonly write: number; readonly document: AccountDocument },
  ) => Promise<void>
  /** Appends lines of the journal to a file. Returns false when the file must be written as a whole. */
  readonly append: (userId: string, wanted: WantedLines) => Promise<boolean>
  /** Removes the file of an account, and all copies of it. */
  readonly remove: (userId: string) => Promise<void>
}

/** The lines to append to the file of an account. */
interface WantedLines {
  /** The last write that the file will hold. */
  readonly write: number
  /** Reads the lines of the writes after `after` up to `write`; undefined when they do not continue from `after`. */
  readonly read: (after: number) => ReadLines | undefined
  /** The approximate bytes of the account in a file written as a whole; undefined when they are unknown. */
  readonly liveBytes: number | undefined
}

/** The dependencies of accounts' files. */
interface AccountFilesOptions {
  readonly folder: string
  readonly files: FileOperations
  readonly log: StoreLog
  readonly guard: DiskGuard
  readonly inventory: InventoryWriter
  readonly ownership: Ownership
}

const lineBreak = Buffer.from('\n')

/** Superseded bytes up to this size never cause a file to be written as a whole. */
const smallBytes = 64 * 1024

/** In a file this many times as large as its live content, half is superseded; the sizes are approximate. */
const wastefulTimes = 1.8

/** Tries to remove an unfinished append; after a failure the next append removes it. */
const tryTruncate = async (handle: FileHandle, end: number): Promise<void> => {
  try {
    await handle.truncate(end)
  } catch (error) {
    if (!isSystemError(error)) throw error
  }
}

/** Creates the access to accounts' files, with no file open. */
export const createAccountFiles = (options: AccountFilesOptions): AccountFiles => {
  const { folder, files, log, inventory, ownership } = options
  const { reading, writing } = options.guard
  const asideFolder = join(folder, 'unfinished')
  const folders = new Set<string>()
  const damaged = new Map<string, StoreError>()
  // Only a file that this owner wrote: late appends of an earlier owner must reach a file without a name.
  const ownFiles = new Set<string>()
  // Files that were read as a whole: an append checks only their end. A damaged file is not among them, because a user
  // may replace it with a copy, which needs the lines of the journal.
  const wholeFiles = new Set<string>()

  const locate = (userId: string): FileLocation => ({
    path: join(folder, 'accounts', locateAccount(userId)),
    asideFolder,
    files,
  })

  const ensureFolder = async (path: string): Promise<void> => {
    if (!folders.has(path)) await createDurableFolder(files, path)
    folders.add(path)
  }

  const noteDamage = async (path: string, cause: DamagedFile): Promise<StoreError> => {
    const advice = 'repair the line there and replace its checksum with --------, or replace the file with a backup'
    const failed = await reportDamage(options, path, cause, advice)
    damaged.set(path, failed)
    wholeFiles.delete(path)
    return failed
  }

  const load: AccountFiles['load'] = (userId, begin) =>
    reading(async () => {
      const { path } = locate(userId)
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
      const location = locate(userId)
      await ensureFolder(dirname(location.path))
      await writeAccountFile(location, userId, { position: document.position, write: last }, listSteps(document))
      if (ownership.mayHavePreviousOwner) ownFiles.add(userId)
      wholeFiles.add(location.path)
      inventory.noteWritten(userId, last)
    })

  const remove: AccountFiles['remove'] = (userId) =>
    writing(async () => {
      const { path } = locate(userId)
      await ensureFolder(dirname(path))
      await inventory.noteRemoval(userId)
      for (const copy of await listDamagedCopies(files, path)) await removeFile(files, copy)
      await removeFile(files, path)
      await syncFolder(files, dirname(path))
      damaged.delete(path)
    })

  const append: AccountFiles['append'] = (userId, wanted) =>
    writing(async () => {
      const { path } = locate(userId)
      if (ownership.mayHavePreviousOwner && !ownFiles.has(userId)) return false
      if ((await orIfMissing(files.stat(path), undefined)) === undefined) return false
      return withHandle(files.open(path, 'a+', 0o600), async (handle) => {
        // Checked after the file is open: a later owner writes the account's file as a whole.
        await checkOwnership(folder, ownership)
        const last = await appendLines(handle, path, userId, wanted)
        if (last === undefined) return false
        await checkOwnership(folder, ownership)
        inventory.noteWritten(userId, last)
        return true
      })
    })

  /** Appends lines. Returns the last write that the file holds; undefined when it must be written as a whole. */
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
      // The next load of the account reports the damage.
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
      log.warn({ file: path, bytes: size - seal.end }, `cut ${size - seal.end} bytes off ${path}; the journal has them`)
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
      // The bytes have no effect, but they take space, and the disk may be full.
      if (isSystemError(error)) await tryTruncate(handle, seal.end)
      throw error
    }
    await handle.datasync().catch((error: unknown) => {
      throw new SyncError(path, true, error)
    })
    return last
  }

  return { load, write, append, remove }
}

/** Saves in the background the lines for which old segments of the journal are needed, then removes these segments. */
interface Checkpoints {
  /** Starts a checkpoint; call it when a segment is full. */
  readonly request: () => void
  /** Starts one after the first requests of a new process, or at once if the journal grew in crash after crash. */
  readonly requestLater: () => void
  /** Saves one key now, or logs why it has to wait. */
  readonly saveOrReport: (key: string) => Promise<void>
  /** Resolves when no checkpoint is running. */
  readonly settle: () => Promise<void>
}

/** The time after a start in which the disk is free for the first requests. */
const laterMilliseconds = 10_000
const maxSegments = 5

/** Creates the checkpoints; none is running. `save` writes the newest state of a key to its own file. */
export const createCheckpoints = (
  journal: () => Journal,
  save: (key: string) => Promise<void>,
  log: StoreLog,
): Checkpoints => {
  let isRequested = false
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
    while (isRequested) {
      isRequested = false
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

  const request = (): void => {
    isRequested = true
    running ??= run()
  }

  return {
    saveOrReport,
    request,
    requestLater: () => {
      if (journal().segments().length > maxSegments) request()
      else timer = setTimeout(request, laterMilliseconds).unref()
    },
    settle: async () => {
      clearTimeout(timer)
      while (running !== undefined) await running
    },
  }
}
