import { join } from 'node:path'
import { readVersion as readProgramVersion } from '../../read-version.ts'
import { DamagedFile, decodeSealed, encodeSealed, NewerVersion } from '../record/sealed-json.ts'
import { isListOf, isObjectOf, isOptional, isPosition, isText, type Shape } from '../record/shape.ts'
import { type DurableFile, readDurable, replaceFile, writeDurable } from './durable-json-file.ts'
import { type FileOperations, orIfMissing } from './file-operations.ts'
import type { Inventory } from './inventory.ts'
import type { Raise } from './raises.ts'

/**
 * The version of a data folder, and so of all files in it: a program that knows only earlier ones refuses the folder and
 * changes nothing (contributing/data-format.md).
 */
const head = { format: 'thingsync data', version: 1 }

/** What a data folder says of itself. */
export interface DataFormat {
  /** Tells a folder from its copies, which call themselves another place; see `findPlace`. */
  readonly place: string
  /** What was restored, oldest first. */
  readonly raises: readonly Raise[]
  /** Undefined in a folder that is new. */
  readonly inventory: Inventory | undefined
  /** In the copy: what the file system calls `format.json` before that was written, and from then on; see `findPlace`. */
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

const isWritten = (value: unknown): value is Pick<DataFormat, 'place' | 'raises' | 'originals'> & Partial<Inventory> =>
  hasShape(value)

const encode = (format: DataFormat | null): Iterable<string> => {
  const { place = '', raises = [], inventory, originals } = format ?? {}
  const { accounts, outliers = [], ...known } = inventory ?? {}
  const lists = { raises, ...(accounts && { accounts, outliers }), ...(originals && { originals }) }
  return encodeSealed({ ...head, program: readProgramVersion(), place, ...known }, lists)
}

const decode = (text: string): DataFormat => {
  const value: unknown = decodeSealed(text, head)
  if (!isWritten(value)) throw new DamagedFile('its place, its raises or its inventory are not complete')
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
  const place = await orIfMissing(findPlace(join(folder, formatName), files), '')
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
    const originals = [...(await findOriginals(folder, files)), await findPlace(aside, files)]
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
  replaceFile(fileOf(folder, formatName, files), encodeSealed({ ...head, format: unfinishedFormats[work] }, {}))

/**
 * What the file system calls a file or folder. It stays when the data folder is moved, and no copy or backup can take it
 * along, so a folder that was restored does not say of itself where it is.
 */
export const findPlace = async (path: string, files: FileOperations): Promise<string> => {
  const { ino, birthtimeNs } = await files.stat(path, { bigint: true })
  return `${ino}-${birthtimeNs}`
}
