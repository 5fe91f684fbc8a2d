import { createHash } from 'node:crypto'
import { basename, join } from 'node:path'
import { readVersion as readProgramVersion } from '../../environment.ts'
import type { PositionJump } from '../account/records.ts'
import type { Outlier } from '../journal/journal-index.ts'
import { listFirstWrites, locateSegment } from '../journal/segment-file.ts'
import { DamagedFile, decodeSealed, encodeSealed, NewerVersion } from '../record/checked-lines.ts'
import { isListOf, isObjectOf, isOptional, isPosition, isText, registryShapes, type Shape } from '../record/shapes.ts'
import type { RegistryKind } from '../registry/registry.ts'
import { emptyRegistry, mapKinds, type RegistryDocument } from '../registry/registry-state.ts'
import { type OutboxEntry, StoreError, type StoreLog } from '../store.ts'
import { createSerialQueue } from '../write/commit-queue.ts'
import {
  type DurableFile,
  type FileOperations,
  isSystemError,
  makeFolder,
  makeFolders,
  NoFile,
  openFile,
  orIfMissing,
  readBytes,
  readDurable,
  removeFile,
  replaceFile,
  withHandle,
  writeDurable,
} from './files.ts'

/** What the names of accounts' files end in. */
export const accountEnding = '.ndjson'

/**
 * The path of an account's file under the accounts' folder. Ids that the server makes are file names as they are; any
 * other text is hashed, so that no name leaves the folder.
 */
export const locateAccount = (userId: string): string => {
  const hash = createHash('sha256').update(userId).digest('hex')
  const name = /^[A-Za-z0-9_-]{1,64}$/.test(userId) ? userId : `sha256.${hash}`
  return join(hash.slice(0, 2), `${name}${accountEnding}`)
}

/** The same path, found by the name of the file. */
export const locateByName = (name: string): string => {
  const [, hashed] = /^sha256\.([0-9a-f]{64})\.ndjson$/.exec(name) ?? []
  return hashed === undefined ? locateAccount(name.slice(0, -accountEnding.length)) : join(hashed.slice(0, 2), name)
}

/**
 * What a data folder held when that was last written down: before anything of it was removed, and when it was last
 * closed. What is gone since then was lost.
 */
export interface Inventory {
  /** Unix time in seconds. */
  readonly at: number
  /** Number of the first write of the journal's oldest file behind which none is missing. */
  readonly first: number
  /** The files of the journal before it: what they hold of damaged accounts stands nowhere else. */
  readonly outliers: readonly Outlier[]
  /** Number of a write that was on disk. */
  readonly write: number
  /** The accounts' files. */
  readonly accounts: readonly KnownFile[]
}

/** The name of an account's file, and the last write that it was known to hold. */
export type KnownFile = readonly [name: string, write: number]

/** What an inventory says of the journal's files. */
export type JournalLeft = Pick<Inventory, 'first' | 'outliers'>

/** Keeps the inventory of an open data folder. */
export interface InventoryWriter {
  /** The last write that the file of an account must hold; undefined when it need not have one. */
  readonly findKnown: (userId: string) => number | undefined
  /** To be told that an account has a file now, which holds its writes up to one. */
  readonly noteWritten: (userId: string, write: number) => void
  /** To be told before the file of an account is removed. @throws StoreFailed */
  readonly noteRemoval: (userId: string) => Promise<void>
  /** Writes it down, for a journal of which this is left, or of which nothing was removed. @throws StoreFailed */
  readonly save: (left?: JournalLeft) => Promise<void>
}

const nameFile = (userId: string): string => basename(locateAccount(userId))

/** Begins with what is known and what was found; `write` replaces what is written down. */
export const createInventoryWriter = (
  accounts: Iterable<KnownFile>,
  write: (accounts: readonly KnownFile[], left: JournalLeft | undefined) => Promise<void>,
): InventoryWriter => {
  const known = new Map(accounts)
  const turns = createSerialQueue()
  const save = (left?: JournalLeft): Promise<void> => turns.run('save', () => write([...known], left))

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
 * The version of a data folder, and so of all files in it: a program that knows only earlier ones refuses the folder and
 * changes nothing (contributing/data-format.md).
 */
const formatHead = { format: 'thingsync data', version: 1 }

/** What a data folder says of itself. */
export interface DataFormat {
  /** Tells a folder from its copies, which call themselves another place; see `findLocation`. */
  readonly place: string
  /** What was restored, oldest first. */
  readonly raises: readonly PositionJump[]
  /** Undefined in a folder that is new. */
  readonly inventory: Inventory | undefined
  /** In the copy: what the file system calls `format.json` before that was written, and from then on; see `findLocation`. */
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
): value is Pick<DataFormat, 'place' | 'raises' | 'originals'> & Partial<Inventory> => hasShape(value)

const encode = (format: DataFormat | null): Iterable<string> => {
  const { place = '', raises = [], inventory, originals } = format ?? {}
  const { accounts, outliers = [], ...known } = inventory ?? {}
  const lists = { raises, ...(accounts && { accounts, outliers }), ...(originals && { originals }) }
  return encodeSealed({ ...formatHead, program: readProgramVersion(), place, ...known }, lists)
}

const decode = (text: string): DataFormat => {
  const value: unknown = decodeSealed(text, formatHead)
  if (!isStoredFormat(value)) throw new DamagedFile('its place, its raises or its inventory are not complete')
  const { place, raises, at, first, outliers = [], write, accounts, originals } = value
  const isKnown = at !== undefined && first !== undefined && write !== undefined && accounts !== undefined
  const inventory = isKnown ? { at, first, outliers, write, accounts } : undefined
  return { place, raises, inventory, ...(originals && { originals }) }
}

const fileOf = (folder: string, name: string, files: FileOperations): DurableFile<DataFormat | null> => ({
  path: join(folder, name),
  asideFolder: join(folder, 'unfinished'),
  files,
  encode,
  decode,
})

/** The names of the file in which a data folder says what it is, and of its copy. */
export const [formatName, formatCopyName] = ['format.json', 'format-copy.json'] as const

/**
 * `format.json` of a data folder; null when there is none. Every server and every tool asks here first whether it knows
 * the folder's version.
 * @throws NewerVersion, DamagedFile, or the system's error
 */
export const readFormat = async (folder: string, files: FileOperations): Promise<DataFormat | null> => {
  try {
    return await readDurable(fileOf(folder, formatName, files), null)
  } catch (error) {
    if (!(error instanceof NewerVersion)) throw error
    const maker = error.program === undefined ? 'a newer thingsync' : `thingsync ${error.program}`
    const sentence =
      `${error.message}; ${maker} wrote it, this is thingsync ${readProgramVersion()}; ` +
      'nothing was changed; use that version or a newer one'
    throw new NewerVersion(sentence, error.program)
  }
}

/** The copy of `format.json`; undefined when there is none, or none that can be read. @throws the system's error */
export const readFormatCopy = async (folder: string, files: FileOperations): Promise<DataFormat | undefined> => {
  try {
    const copy = await readDurable(fileOf(folder, formatCopyName, files), null)
    return copy?.originals && copy
  } catch (error) {
    if (error instanceof DamagedFile || error instanceof NewerVersion) return undefined
    throw error
  }
}

/** Where `format.json` is, unless it is one that its copy does not know: that stays a stranger. */
const findOriginals = async (folder: string, files: FileOperations): Promise<readonly string[]> => {
  const { originals = [] } = (await readFormatCopy(folder, files)) ?? {}
  const place = await orIfMissing(identifyFolder(join(folder, formatName), files), '')
  return originals.filter((known) => known === place)
}

/**
 * Replaces `format.json` of a data folder, and its copy: without it raises would be lost together with the one file, and
 * it tells the file from another one with the same content. The copy comes first, and knows the file before and the next
 * one, so that no crash makes it a stranger.
 * @throws SyncFailed, or the system's error
 */
export const writeFormat = (
  folder: string,
  files: FileOperations,
  { place, raises, inventory }: Pick<DataFormat, 'place' | 'raises' | 'inventory'>,
): Promise<void> => {
  const format = { place, raises, inventory }
  return writeDurable(fileOf(folder, formatName, files), format, async (aside) => {
    const originals = [...(await findOriginals(folder, files)), await identifyFolder(aside, files)]
    await writeDurable(fileOf(folder, formatCopyName, files), { ...format, originals })
  })
}

/** What `format.json` says instead of the format while no store may open the folder, and what to do about it. */
const unfinishedFormats = {
  restore: 'thingsync data, half restored: empty this folder and restore or copy again',
  repair: 'thingsync data, half repaired: run thingsync verify --repair again',
}

/** True for what is wrong with a `format.json` of a restore that was never finished: most of the backup may be missing. */
export const isHalfRestored = (damage: string): boolean => damage.includes(unfinishedFormats.restore)

/** Keeps stores from opening a data folder until `writeFormat`. @throws SyncFailed, or the system's error */
export const writeUnfinishedFormat = (
  folder: string,
  files: FileOperations,
  work: keyof typeof unfinishedFormats,
): Promise<void> =>
  replaceFile(fileOf(folder, formatName, files), encodeSealed({ ...formatHead, format: unfinishedFormats[work] }, {}))

/**
 * What the file system calls a file or folder. It stays when the data folder is moved, and no copy or backup can take it
 * along, so a folder that was restored does not say of itself where it is.
 */
export const identifyFolder = async (path: string, files: FileOperations): Promise<string> => {
  const { ino, birthtimeNs } = await files.stat(path, { bigint: true })
  return `${ino}-${birthtimeNs}`
}

/** The names in a folder; none where it is missing. */
const listNames = (files: FileOperations, folder: string): Promise<readonly string[]> =>
  orIfMissing(files.readdir(folder), [])

/** The files of accounts in a data folder, by their paths. */
export const listAccountFiles = async (files: FileOperations, folder: string): Promise<readonly string[]> => {
  const accountsFolder = join(folder, 'accounts')
  const names = await orIfMissing(files.readdir(accountsFolder, { recursive: true }), [])
  return names.filter((name) => name.endsWith(accountEnding)).map((name) => join(accountsFolder, name))
}

const headBytes = 4096

/** True when a file of an account or of the registry, damaged or not, names in its first lines a write that it holds. */
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

/** What to do about a file that is gone. */
export const missingAdvice =
  'put it back from a copy of the folder, or restore a backup, or run "thingsync verify --repair" to go on without it'

/**
 * Refuses a data folder that lacks what it must have had, before anything in it is changed: it would be taken for an
 * empty or an older one, and its clients would lose what they are told is gone.
 * @throws StoreFailed
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
  // Not by its name: a link may lead to a disk that is not there.
  if ((await orIfMissing(files.stat(registry), undefined)) === undefined)
    throw new StoreError(`${registry} is missing, with all users and sessions; ${missingAdvice}`)
  if (segments.length > 0) return
  // The journal's first file is created last: until then the folder is where it was created, and no file names a write.
  const isBegun =
    format.inventory !== undefined ||
    !names.includes('journal') ||
    format.place !== (await identifyFolder(journalFolder, files)) ||
    (await isAnyWriteSaved(files, folder))
  if (!isBegun) return
  const oldest = format.inventory === undefined ? journalFolder : locateSegment(journalFolder, format.inventory.first)
  throw new StoreError(`${oldest} is missing; ${missingAdvice}`)
}

const registryHead = { format: 'thingsync directory', version: 1 }

/** What `directory.json` holds: the registry, and the errands of all accounts. */
export interface RegistrySnapshot {
  /** The last write of the journal that it includes. */
  readonly write: number
  readonly document: RegistryDocument
  readonly errands: readonly OutboxEntry[]
  /** The last write whose errands it includes for certain; `write` when left out. Lower while the journal is damaged. */
  readonly errandsWrite?: number
}

const isDocumentShape = isObjectOf({
  write: isPosition,
  errandsWrite: isOptional(isPosition),
  ...mapKinds<Readonly<Record<RegistryKind, Shape>>>((kind) => isListOf(registryShapes[kind])),
  errands: isListOf(registryShapes.errands),
})

type Written = RegistryDocument & Omit<RegistrySnapshot, 'document'>

const isStoredRegistry = (value: unknown): value is Written => isDocumentShape(value)

/**
 * `directory.json` of a data folder: users, apps, sessions and the like, and errands.
 */
export const registryFile = (folder: string, files: FileOperations): DurableFile<RegistrySnapshot> => ({
  path: join(folder, 'directory.json'),
  asideFolder: join(folder, 'unfinished'),
  files,
  encode: ({ write, document, errands, errandsWrite = write }) => {
    const known = { ...registryHead, write, ...(errandsWrite !== write && { errandsWrite }) }
    return encodeSealed(known, { ...mapKinds<RegistryDocument>((kind) => document[kind]), errands })
  },
  decode: (text) => {
    const value: unknown = decodeSealed(text, registryHead)
    if (!isStoredRegistry(value)) throw new DamagedFile('a user, app or session in it is not complete')
    const { write, errands, errandsWrite = write } = value
    const document = mapKinds<RegistryDocument>((kind) => value[kind])
    return { write, document, errands, ...(errandsWrite !== write && { errandsWrite }) }
  },
})

/** What `directory.json` holds; an empty registry where there is none. @throws DamagedFile, NewerVersion, the system's error */
export const readRegistry = (folder: string, files: FileOperations): Promise<RegistrySnapshot> =>
  readDurable(registryFile(folder, files), { write: 0, document: emptyRegistry, errands: [] })

/** Replaces `directory.json`. @throws SyncFailed, or the system's error */
export const writeRegistry = (folder: string, files: FileOperations, snapshot: RegistrySnapshot): Promise<void> =>
  writeDurable(registryFile(folder, files), snapshot)

/**
 * Why a folder may be an earlier state of itself: it was copied, restored, also in place, or its file system was rolled
 * back. Clients may then hold positions that it does not know of.
 *
 * - `copied`: the journal's folder, or `format.json`, is not the one that was written.
 * - `touched`: a file that is only written anew, or only grows, was changed by something else.
 * - `unseen`: for so long nothing was written down that all of it may be an earlier state.
 */
type Rollback = 'copied' | 'touched' | 'unseen'

/** A folder in which the signs are looked for. */
interface RollbackParts {
  readonly folder: string
  readonly files: FileOperations
  /** Unix time in milliseconds. */
  readonly now: () => number
}

// Between the first byte of a small file and its name lies a sync, which a busy disk takes its time for.
const slackNs = 60n * 1_000_000_000n
const unseenSeconds = 600

interface Times {
  readonly birthtimeNs: bigint
  readonly mtimeNs: bigint
  readonly ctimeNs: bigint
}

const isApart = (a: bigint, b: bigint): boolean => (a < b ? b - a : a - b) > slackNs

/** Content and name change together; who puts an earlier time back, as copies do, changes only the second of these. */
const isTouched = ({ mtimeNs, ctimeNs }: Times): boolean => isApart(mtimeNs, ctimeNs)

/** A file that is written once and never changed. Some file systems know no time of birth. */
const isOverwritten = ({ birthtimeNs, mtimeNs }: Times): boolean => birthtimeNs > 0n && isApart(birthtimeNs, mtimeNs)

const statTimes = (files: FileOperations, path: string): Promise<Times> => files.stat(path, { bigint: true })

/** Looks for signs that a folder, whose `format.json` says this, is an earlier state of itself. @throws the system's error */
export const detectRollback = async (
  { folder, files, now }: RollbackParts,
  { place, inventory }: DataFormat,
): Promise<Rollback | undefined> => {
  const journalFolder = join(folder, 'journal')
  if (place !== (await identifyFolder(journalFolder, files))) return 'copied'
  const path = join(folder, formatName)
  const copy = await readFormatCopy(folder, files)
  if (copy?.originals?.includes(await identifyFolder(path, files)) === false) return 'copied'
  const format = await statTimes(files, path)
  if (isTouched(format) || isOverwritten(format)) return 'touched'
  const newest = (await listFirstWrites(files, journalFolder)).at(-1)
  if (newest !== undefined && isTouched(await statTimes(files, locateSegment(journalFolder, newest)))) return 'touched'
  return inventory !== undefined && now() / 1000 - inventory.at > unseenSeconds ? 'unseen' : undefined
}

/** A data folder, and who is told what was changed in it. */
interface DataFolder {
  readonly folder: string
  readonly files: FileOperations
  readonly log: StoreLog
  /** Unix time in milliseconds. */
  readonly now: () => number
}

/** What was found when a data folder was prepared. */
export interface PreparedFolder {
  readonly journalFolder: string
  /** Where the folder is now (format-file.ts). */
  readonly place: string
  /** Why the folder may be an earlier state of itself, such as a backup; undefined when nothing says so. */
  readonly wayBack: Rollback | undefined
  readonly raises: readonly PositionJump[]
  readonly inventory: Inventory | undefined
}

/**
 * Removes what an interrupted write left, before anything is read: an owner that was taken over can then give nothing
 * its name any more (`ownership.ts`).
 * @throws NoFile of a folder, which no write has left; the system's error
 */
const emptyAsideFolder = async ({ files, log }: DataFolder, asideFolder: string): Promise<void> => {
  for (const name of await listNames(files, asideFolder)) {
    const path = join(asideFolder, name)
    await removeFile(files, path).catch((error: unknown) => {
      throw isSystemError(error, 'EISDIR') ? new NoFile(path) : error
    })
    log.warn({ file: name }, `removed ${name}, which an interrupted write had left unfinished; nothing was lost`)
  }
}

/**
 * Creates a data folder, or opens one of this program's format.
 * @throws StoreFailed when the folder is of a later format, its `directory.json` is damaged, or a file that it must have
 * is missing; the system's error
 */
export const prepareDataFolder = async (data: DataFolder): Promise<PreparedFolder> => {
  const { folder, files } = data
  await makeFolders(files, folder)
  const asideFolder = join(folder, 'unfinished')
  const journalFolder = join(folder, 'journal')

  const find = async (): Promise<PreparedFolder> => {
    // A folder of a later format is left as it is.
    await readFormat(folder, files)
    await emptyAsideFolder(data, asideFolder)
    const found = await readFormat(folder, files)
    await checkMissing(folder, files, found)
    await makeFolder(files, asideFolder)
    const wayBack = found === null ? undefined : await detectRollback(data, found)
    for (const path of [join(folder, 'accounts'), journalFolder]) await makeFolder(files, path)
    const place = await identifyFolder(journalFolder, files)
    // A folder with a `format.json` and without this file would be refused.
    if (found === null) await writeRegistry(folder, files, await readRegistry(folder, files))
    const format = { raises: found?.raises ?? [], inventory: found?.inventory }
    // The sign must outlive what is changed before the positions are raised, should a crash come between.
    if (found === null || wayBack !== undefined)
      await writeFormat(folder, files, { ...format, place: wayBack === undefined ? place : '' })
    return { ...format, journalFolder, place, wayBack }
  }

  try {
    return await find()
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error
    const path = join(folder, 'directory.json')
    throw new StoreError(`${path} or format.json beside it is damaged: ${error.message}`, { cause: error })
  }
}
