/*
 * The files of a data folder: `format.json` and its copy, `directory.json`, and the paths of accounts' files. The
 * folder `disk/` knows bytes, names and durability, and must not know sync rules or HTTP. Start with
 * `prepareDataFolder`; then read `files.ts` (durable writes), `ownership.ts` (one writer), `account-file.ts` and
 * `checkpoint.ts`.
 */
import { createHash } from 'node:crypto'
import { basename, join } from 'node:path'
import { readVersion as readProgramVersion } from '../../environment.ts'
import { createSerialQueue } from '../../scheduling.ts'
import type { PositionJump } from '../account/records.ts'
import { listFirstWrites, locateSegment, type Outlier } from '../journal/journal-index.ts'
import { DamagedFile, decodeSealed, encodeSealed, NewerVersion } from '../record/checked-lines.ts'
import { isListOf, isObjectOf, isOptional, isPosition, isText, registryShapes, type Shape } from '../record/shapes.ts'
import type { RegistryKind } from '../registry/registry.ts'
import { emptyRegistry, mapKinds, type RegistryDocument } from '../registry/registry-state.ts'
import { type OutboxEntry, StoreError, type StoreLog } from '../store.ts'
import {
  createDurableFolder,
  createDurableFolders,
  type DurableFile,
  type FileOperations,
  isSystemError,
  NotAFile,
  openFile,
  orIfMissing,
  readBytes,
  readDurable,
  removeFile,
  replaceFile,
  withHandle,
  writeDurable,
} from './files.ts'

/** The extension of accounts' files. */
export const accountEnding = '.ndjson'

/**
 * Returns the path of an account's file under the accounts' folder. Ids that the server creates are used as file names.
 * Any other text is hashed, so that no name leaves the folder.
 */
export const locateAccount = (userId: string): string => {
  const hash = createHash('sha256').update(userId).digest('hex')
  const name = /^[A-Za-z0-9_-]{1,64}$/.test(userId) ? userId : `sha256.${hash}`
  return join(hash.slice(0, 2), `${name}${accountEnding}`)
}

/** Returns the same path, from the name of the file. */
export const locateByName = (name: string): string => {
  const [, hashed] = /^sha256\.([0-9a-f]{64})\.ndjson$/.exec(name) ?? []
  return hashed === undefined ? locateAccount(name.slice(0, -accountEnding.length)) : join(hashed.slice(0, 2), name)
}

/**
 * The content of a data folder when it was last recorded: before any part of it was removed, and at the last close. Any
 * part that is missing since then was lost.
 */
export interface Inventory {
  /** Unix time in seconds. */
  readonly at: number
  /** Number of the first write of the journal's oldest segment after which no segment is missing. */
  readonly first: number
  /** The segments of the journal before it: only they hold some writes of damaged accounts. */
  readonly outliers: readonly Outlier[]
  /** Number of a write that was on disk. */
  readonly write: number
  /** The accounts' files. */
  readonly accounts: readonly KnownFile[]
}

/** The name of an account's file, and the last write that it was known to hold. */
export type KnownFile = readonly [name: string, write: number]

/** The part of an inventory about the journal's segments. */
export type JournalLeft = Pick<Inventory, 'first' | 'outliers'>

/** Maintains the inventory of an open data folder. */
export interface InventoryWriter {
  /** Finds the last write that the file of an account must hold; undefined when the account needs no file. */
  readonly findKnown: (userId: string) => number | undefined
  /** Records that an account has a file, which holds its writes up to `write`. */
  readonly noteWritten: (userId: string, write: number) => void
  /** Records the removal of an account's file; call it before the removal. @throws StoreError */
  readonly noteRemoval: (userId: string) => Promise<void>
  /** Writes the inventory. `left` is given when segments of the journal will be removed. @throws StoreError */
  readonly save: (left?: JournalLeft) => Promise<void>
}

const nameFile = (userId: string): string => basename(locateAccount(userId))

/** Creates an inventory writer with known accounts; `write` replaces the stored inventory. */
export const createInventoryWriter = (
  accounts: Iterable<KnownFile>,
  write: (accounts: readonly KnownFile[], left: JournalLeft | undefined) => Promise<void>,
): InventoryWriter => {
  const known = new Map(accounts)
  const saveQueue = createSerialQueue()
  const save = (left?: JournalLeft): Promise<void> => saveQueue.run('save', () => write([...known], left))

  return {
    findKnown: (userId) => known.get(nameFile(userId)),
    noteWritten: (userId, write) => void known.set(nameFile(userId), write),
    noteRemoval: async (userId) => {
      if (known.delete(nameFile(userId))) await save()
    },
    save,
  }
}

/**
 * The version of a data folder, and so of all files in it. A program that knows only earlier versions rejects the
 * folder and changes nothing (docs/reference/data-folder.md).
 */
const formatHead = { format: 'thingsync data', version: 1 }

/** The content of `format.json`. */
export interface DataFormat {
  /** Distinguishes a folder from its copies, which have another one; see `identifyFolder`. */
  readonly identity: string
  /** The raises of positions after restores, oldest first. */
  readonly raises: readonly PositionJump[]
  /** Undefined in a new folder. */
  readonly inventory: Inventory | undefined
  /**
   * Only in the copy: the file system's identities of the present `format.json` and of the next; see `identifyFolder`.
   */
  readonly originals?: readonly string[]
}

const isKnownFile: Shape = (value) =>
  Array.isArray(value) && isText(value[0]) && isPosition(value[1]) && value.length === 2

const hasShape = isObjectOf({
  place: isText,
  raises: isListOf(isObjectOf({ write: isPosition, by: isPosition })),
  at: isOptional(isPosition),
  first: isOptional(isPosition),
  write: isOptional(isPosition),
  accounts: isOptional(isListOf(isKnownFile)),
  outliers: isOptional(isListOf(isObjectOf({ first: isPosition, next: isPosition }))),
  originals: isOptional(isListOf(isText)),
})

const isStoredFormat = (
  value: unknown,
): value is Pick<DataFormat, 'raises' | 'originals'> & Partial<Inventory> & { readonly place: string } =>
  hasShape(value)

const encode = (format: DataFormat | null): Iterable<string> => {
  const { identity = '', raises = [], inventory, originals } = format ?? {}
  const { accounts, outliers = [], ...known } = inventory ?? {}
  const lists = { raises, ...(accounts && { accounts, outliers }), ...(originals && { originals }) }
  return encodeSealed({ ...formatHead, program: readProgramVersion(), place: identity, ...known }, lists)
}

const decode = (text: string): DataFormat => {
  const value: unknown = decodeSealed(text, formatHead)
  if (!isStoredFormat(value)) throw new DamagedFile('its place, its raises or its inventory are not complete')
  const { place: identity, raises, at, first, outliers = [], write, accounts, originals } = value
  const isKnown = at !== undefined && first !== undefined && write !== undefined && accounts !== undefined
  const inventory = isKnown ? { at, first, outliers, write, accounts } : undefined
  return { identity, raises, inventory, ...(originals && { originals }) }
}

const fileOf = (folder: string, name: string, files: FileOperations): DurableFile<DataFormat | null> => ({
  path: join(folder, name),
  asideFolder: join(folder, 'unfinished'),
  files,
  encode,
  decode,
})

/** The names of the file that describes a data folder, and of its copy. */
export const [formatName, formatCopyName] = ['format.json', 'format-copy.json'] as const

/**
 * Reads `format.json` of a data folder; returns null when there is none. Every server and every tool first checks here
 * that it knows the folder's version.
 * @throws NewerVersion, DamagedFile, or the system's error
 */
export const readFormat = async (folder: string, files: FileOperations): Promise<DataFormat | null> => {
  try {
    return await readDurable(fileOf(folder, formatName, files), null)
  } catch (error) {
    if (!(error instanceof NewerVersion)) throw error
    const program = error.program === undefined ? 'a newer thingsync' : `thingsync ${error.program}`
    const sentence =
      `${error.message}; ${program} wrote it, this is thingsync ${readProgramVersion()}; ` +
      'nothing was changed; use that version or a newer one'
    throw new NewerVersion(sentence, error.program)
  }
}

/** Reads the copy of `format.json`; undefined when there is no readable copy. @throws the system's error */
export const readFormatCopy = async (folder: string, files: FileOperations): Promise<DataFormat | undefined> => {
  try {
    const copy = await readDurable(fileOf(folder, formatCopyName, files), null)
    return copy?.originals && copy
  } catch (error) {
    if (error instanceof DamagedFile || error instanceof NewerVersion) return undefined
    throw error
  }
}

/** Finds the identity of `format.json` if its copy knows it. An unknown file stays unknown. */
const findOriginals = async (folder: string, files: FileOperations): Promise<readonly string[]> => {
  const { originals = [] } = (await readFormatCopy(folder, files)) ?? {}
  const identity = await orIfMissing(identifyFolder(join(folder, formatName), files), '')
  return originals.filter((known) => known === identity)
}

/**
 * Replaces `format.json` of a data folder, and its copy. Without the copy, the loss of one file would lose the raises.
 * The copy also distinguishes the file from another file with the same content. The copy is written first, and knows
 * both the present and the next file, so that after a crash it still knows the file.
 * @throws SyncError, or the system's error
 */
export const writeFormat = (
  folder: string,
  files: FileOperations,
  { identity, raises, inventory }: Pick<DataFormat, 'identity' | 'raises' | 'inventory'>,
): Promise<void> => {
  const format = { identity, raises, inventory }
  return writeDurable(fileOf(folder, formatName, files), format, async (aside) => {
    const originals = [...(await findOriginals(folder, files)), await identifyFolder(aside, files)]
    await writeDurable(fileOf(folder, formatCopyName, files), { ...format, originals })
  })
}

/** The format text of `format.json` while no store may open the folder, with advice for the user. */
const unfinishedFormats = {
  restore: 'thingsync data, half restored: empty this folder and restore or copy again',
  repair: 'thingsync data, half repaired: run thingsync verify --repair again',
}

/** Returns true for the damage of a `format.json` whose restore never finished: most of the backup may be missing. */
export const isHalfRestored = (damage: string): boolean => damage.includes(unfinishedFormats.restore)

/** Prevents stores from opening a data folder until `writeFormat`. @throws SyncError, or the system's error */
export const writeUnfinishedFormat = (
  folder: string,
  files: FileOperations,
  work: keyof typeof unfinishedFormats,
): Promise<void> =>
  replaceFile(fileOf(folder, formatName, files), encodeSealed({ ...formatHead, format: unfinishedFormats[work] }, {}))

/**
 * Returns the file system's identity of a file or folder. It stays the same when the data folder is moved. No copy or
 * backup can keep it, so a restored folder has another identity than its `format.json` says.
 */
export const identifyFolder = async (path: string, files: FileOperations): Promise<string> => {
  const { ino, birthtimeNs } = await files.stat(path, { bigint: true })
  return `${ino}-${birthtimeNs}`
}

/** Lists the names in a folder; the list is empty when the folder is missing. */
const listNames = (files: FileOperations, folder: string): Promise<readonly string[]> =>
  orIfMissing(files.readdir(folder), [])

/** Lists the paths of accounts' files in a data folder. */
export const listAccountFiles = async (files: FileOperations, folder: string): Promise<readonly string[]> => {
  const accountsFolder = join(folder, 'accounts')
  const names = await orIfMissing(files.readdir(accountsFolder, { recursive: true }), [])
  return names.filter((name) => name.endsWith(accountEnding)).map((name) => join(accountsFolder, name))
}

const headBytes = 4096

/** Returns true when the first lines of an account's or the registry's file name a write, even if it is damaged. */
const namesWrite = async (files: FileOperations, path: string): Promise<boolean> => {
  const reading = withHandle(openFile(files, path), (handle) => readBytes(handle, 0, headBytes))
  const [, write] = /"write": *(\d{1,15})[,}]/.exec(String(await orIfMissing(reading, ''))) ?? []
  return Number(write ?? 0) > 0
}

const isAnyWriteSaved = async (files: FileOperations, folder: string): Promise<boolean> => {
  for (const path of [join(folder, 'directory.json'), ...(await listAccountFiles(files, folder))])
    if (await namesWrite(files, path)) return true
  return false
}

/** Advice for a missing file. */
export const missingAdvice =
  'put it back from a copy of the folder, or restore a backup, or run "thingsync verify --repair" to go on without it'

/**
 * Checks a data folder for missing files before any change. Without the check the store would treat the folder as empty
 * or older, and its clients would delete what the store does not list.
 * @throws StoreError when a file is missing
 */
const checkMissing = async (folder: string, files: FileOperations, format: DataFormat | null): Promise<void> => {
  const names = await listNames(files, folder)
  const journalFolder = join(folder, 'journal')
  const segments = await listFirstWrites(files, journalFolder)
  // In a folder whose creation was interrupted no file names a write.
  if (format === null) {
    if (segments.length > 0 || (await isAnyWriteSaved(files, folder)))
      throw new StoreError(`${join(folder, 'format.json')} is missing; ${missingAdvice}`)
    return
  }
  const registry = join(folder, 'directory.json')
  // The check reads more than the name: a link may lead to a disk that is not mounted.
  if ((await orIfMissing(files.stat(registry), undefined)) === undefined)
    throw new StoreError(`${registry} is missing, with all users and sessions; ${missingAdvice}`)
  if (segments.length > 0) return
  // The journal's first file is created last. Until then the folder is as it was created, and no file names a
  // write.
  const isBegun =
    format.inventory !== undefined ||
    !names.includes('journal') ||
    format.identity !== (await identifyFolder(journalFolder, files)) ||
    (await isAnyWriteSaved(files, folder))
  if (!isBegun) return
  const oldest = format.inventory === undefined ? journalFolder : locateSegment(journalFolder, format.inventory.first)
  throw new StoreError(`${oldest} is missing; ${missingAdvice}`)
}

const registryHead = { format: 'thingsync directory', version: 1 }

/** The content of `directory.json`: the registry, and the outbox entries of all accounts. */
export interface RegistrySnapshot {
  /** The last write of the journal that it includes. */
  readonly write: number
  readonly document: RegistryDocument
  readonly outboxEntries: readonly OutboxEntry[]
  /** The last write whose outbox changes it surely includes; `write` by default. Lower while the journal is damaged. */
  readonly outboxWrite?: number
}

const isDocumentShape = isObjectOf({
  write: isPosition,
  outboxWrite: isOptional(isPosition),
  ...mapKinds<Readonly<Record<RegistryKind, Shape>>>((kind) => isListOf(registryShapes[kind])),
  outbox: isListOf(registryShapes.outbox),
})

/** The content as it is in the file. */
interface StoredContent extends RegistryDocument {
  readonly write: number
  readonly outbox: readonly OutboxEntry[]
  readonly outboxWrite?: number
}

const isStoredContent = (value: unknown): value is StoredContent => isDocumentShape(value)

/**
 * Describes `directory.json` of a data folder: users, apps, sessions and other items of the registry, and outbox
 * entries.
 */
export const registryFile = (folder: string, files: FileOperations): DurableFile<RegistrySnapshot> => ({
  path: join(folder, 'directory.json'),
  asideFolder: join(folder, 'unfinished'),
  files,
  encode: ({ write, document, outboxEntries, outboxWrite = write }) => {
    const known = { ...registryHead, write, ...(outboxWrite !== write && { outboxWrite }) }
    return encodeSealed(known, { ...mapKinds<RegistryDocument>((kind) => document[kind]), outbox: outboxEntries })
  },
  decode: (text) => {
    const value: unknown = decodeSealed(text, registryHead)
    if (!isStoredContent(value)) throw new DamagedFile('a user, app or session in it is not complete')
    const { write, outbox: outboxEntries, outboxWrite = write } = value
    const document = mapKinds<RegistryDocument>((kind) => value[kind])
    return { write, document, outboxEntries, ...(outboxWrite !== write && { outboxWrite }) }
  },
})

/**
 * Reads `directory.json`; an empty registry when there is none.
 * @throws DamagedFile, NewerVersion, the system's error
 */
export const readRegistry = (folder: string, files: FileOperations): Promise<RegistrySnapshot> =>
  readDurable(registryFile(folder, files), { write: 0, document: emptyRegistry, outboxEntries: [] })

/** Replaces `directory.json`. @throws SyncError, or the system's error */
export const writeRegistry = (folder: string, files: FileOperations, snapshot: RegistrySnapshot): Promise<void> =>
  writeDurable(registryFile(folder, files), snapshot)

/**
 * Why a folder may be an earlier state of itself: it was copied, it was restored (perhaps in place), or its file system
 * was rolled back. Clients may then hold positions that the folder does not know.
 *
 * - `copied`: the journal's folder, or `format.json`, is not the one that this program wrote.
 * - `touched`: another program changed a file that is only replaced or only grows.
 * - `unseen`: the last record is so old that the whole folder may be an earlier state.
 */
type Rollback = 'copied' | 'touched' | 'unseen'

/** The dependencies of the search for signs of a rollback. */
interface RollbackParts {
  readonly folder: string
  readonly files: FileOperations
  /** Unix time in milliseconds. */
  readonly now: () => number
}

// A sync lies between the first byte of a small file and its rename, and may take long on a busy disk.
const slackNs = 60n * 1_000_000_000n
const unseenSeconds = 600

interface Times {
  readonly birthtimeNs: bigint
  readonly mtimeNs: bigint
  readonly ctimeNs: bigint
}

const isApart = (a: bigint, b: bigint): boolean => (a < b ? b - a : a - b) > slackNs

/** Checks whether content and metadata changed at different times: a copy that restores a time changes only `mtime`. */
const isTouched = ({ mtimeNs, ctimeNs }: Times): boolean => isApart(mtimeNs, ctimeNs)

/** Checks whether a file that is written once was changed. Some file systems record no birth time. */
const isOverwritten = ({ birthtimeNs, mtimeNs }: Times): boolean => birthtimeNs > 0n && isApart(birthtimeNs, mtimeNs)

const statTimes = (files: FileOperations, path: string): Promise<Times> => files.stat(path, { bigint: true })

/** Looks for signs that a folder with this `format.json` is an earlier state of itself. @throws the system's error */
export const detectRollback = async (
  { folder, files, now }: RollbackParts,
  { identity, inventory }: DataFormat,
): Promise<Rollback | undefined> => {
  const journalFolder = join(folder, 'journal')
  if (identity !== (await identifyFolder(journalFolder, files))) return 'copied'
  const path = join(folder, formatName)
  const copy = await readFormatCopy(folder, files)
  if (copy?.originals?.includes(await identifyFolder(path, files)) === false) return 'copied'
  const format = await statTimes(files, path)
  if (isTouched(format) || isOverwritten(format)) return 'touched'
  const newest = (await listFirstWrites(files, journalFolder)).at(-1)
  if (newest !== undefined && isTouched(await statTimes(files, locateSegment(journalFolder, newest)))) return 'touched'
  return inventory !== undefined && now() / 1000 - inventory.at > unseenSeconds ? 'unseen' : undefined
}

/** A data folder, and the log for changes in it. */
interface DataFolder {
  readonly folder: string
  readonly files: FileOperations
  readonly log: StoreLog
  /** Unix time in milliseconds. */
  readonly now: () => number
}

/** The result of preparing a data folder. */
export interface PreparedFolder {
  readonly journalFolder: string
  /** The identity of the journal's folder (`identifyFolder`). */
  readonly identity: string
  /** Why the folder may be an earlier state of itself, such as a backup; undefined without a sign. */
  readonly rollback: Rollback | undefined
  readonly raises: readonly PositionJump[]
  readonly inventory: Inventory | undefined
}

/**
 * Removes unfinished files of interrupted writes, before the store reads anything. A previous owner can then give none
 * of them its final name any more (`ownership.ts`).
 * @throws NotAFile for a folder, which no write creates; the system's error
 */
const emptyAsideFolder = async ({ files, log }: DataFolder, asideFolder: string): Promise<void> => {
  for (const name of await listNames(files, asideFolder)) {
    const path = join(asideFolder, name)
    await removeFile(files, path).catch((error: unknown) => {
      throw isSystemError(error, 'EISDIR') ? new NotAFile(path) : error
    })
    log.warn({ file: name }, `removed ${name}, which an interrupted write had left unfinished; nothing was lost`)
  }
}

/**
 * Creates a data folder, or opens one of this program's format.
 * @throws StoreError when the folder is of a later format, its `directory.json` is damaged, or a file that it must have
 * is missing; the system's error
 */
export const prepareDataFolder = async (data: DataFolder): Promise<PreparedFolder> => {
  const { folder, files } = data
  await createDurableFolders(files, folder)
  const asideFolder = join(folder, 'unfinished')
  const journalFolder = join(folder, 'journal')

  const find = async (): Promise<PreparedFolder> => {
    // A folder of a later format must stay unchanged.
    await readFormat(folder, files)
    await emptyAsideFolder(data, asideFolder)
    const found = await readFormat(folder, files)
    await checkMissing(folder, files, found)
    await createDurableFolder(files, asideFolder)
    const rollback = found === null ? undefined : await detectRollback(data, found)
    for (const path of [join(folder, 'accounts'), journalFolder]) await createDurableFolder(files, path)
    const identity = await identifyFolder(journalFolder, files)
    // A folder with a `format.json` and without this file would not open.
    if (found === null) await writeRegistry(folder, files, await readRegistry(folder, files))
    const format = { raises: found?.raises ?? [], inventory: found?.inventory }
    // After a crash before the raise of positions, this sign must still exist although other files have changed.
    if (found === null || rollback !== undefined)
      await writeFormat(folder, files, { ...format, identity: rollback === undefined ? identity : '' })
    return { ...format, journalFolder, identity, rollback }
  }

  try {
    return await find()
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error
    const path = join(folder, 'directory.json')
    throw new StoreError(`${path} or format.json beside it is damaged: ${error.message}`, { cause: error })
  }
}
