import { join } from 'node:path'
import { readVersion as readProgramVersion } from '../../read-version.ts'
import { DamagedFile, decodeSealed, encodeSealed, NewerVersion } from '../record/sealed-json.ts'
import { isListOf, isObjectOf, isOptional, isPosition, isText, type Shape } from '../record/shape.ts'
import { type DurableFile, readDurable, type TextForm, writeDurable } from './durable-json-file.ts'
import { type FileOperations, isSystemError } from './file-operations.ts'
import type { Inventory, KnownFile } from './inventory.ts'
import type { Raise } from './raises.ts'

/**
 * The version of a data folder, and so of all files in it. Since version 3 it may hold keys, errands and other items that
 * earlier programs would drop in silence; since version 4 things stand in the journal in a form (`thing-step.ts`) that
 * earlier programs take for damage; since version 5 the files of accounts hold lines as the journal does. `version` is the
 * lowest that a program must know to write the folder, `readVersion` the lowest to read it.
 */
const head = { format: 'thingsync data', version: 5, readVersion: 5 }
const earlierVersions = [2, 3, 4]

/** What a data folder says of itself. */
export interface DataFormat {
  /** Tells a folder from its copies, which call themselves another place; see `findPlace`. */
  readonly place: string
  /** What was restored, oldest first. */
  readonly raises: readonly Raise[]
  /** True when it stands there in the earlier version, and must be written again before anything else is. */
  readonly isEarlier?: boolean
  /** Undefined in a folder that is new, or of which earlier versions wrote none. */
  readonly inventory: Inventory | undefined
}

// Earlier versions wrote the name alone.
const isKnownFile: Shape = (value) =>
  isText(value) || (Array.isArray(value) && isText(value[0]) && isPosition(value[1]) && value.length === 2)

const hasShape = isObjectOf({
  version: isPosition,
  place: isOptional(isText),
  raises: isOptional(isListOf(isObjectOf({ write: isPosition, by: isPosition }))),
  at: isOptional(isPosition),
  first: isOptional(isPosition),
  write: isOptional(isPosition),
  accounts: isOptional(isListOf(isKnownFile)),
  outliers: isOptional(isListOf(isObjectOf({ first: isPosition, next: isPosition }))),
})

const isWritten = (
  value: unknown,
): value is Partial<Pick<DataFormat, 'place' | 'raises'> & Omit<Inventory, 'accounts'>> & {
  readonly version: number
  readonly accounts?: readonly (string | KnownFile)[]
} => hasShape(value)

const toKnownFile = (file: string | KnownFile): KnownFile => (typeof file === 'string' ? [file, 0] : file)

const encodeFormat = (
  format: DataFormat | null,
  more: Readonly<Record<string, readonly string[]>> = {},
): Iterable<string> => {
  const { accounts, outliers = [], ...known } = format?.inventory ?? {}
  const lists = { raises: format?.raises ?? [], ...(accounts && { accounts, outliers }), ...more }
  return encodeSealed({ ...head, program: readProgramVersion(), place: format?.place ?? '', ...known }, lists)
}

const form: TextForm<DataFormat | null> = {
  encode: (format) => encodeFormat(format),
  decode: (text) => decodeFormat(text, false),
}

const decodeFormat = (text: string, isOnlyRead: boolean): DataFormat => {
  const value: unknown = decodeSealed(text, { ...head, alsoReads: earlierVersions, isOnlyRead })
  if (!isWritten(value)) throw new DamagedFile('its place, its raises or its inventory are not complete')
  const { place = '', raises = [], at, first, outliers = [], write, accounts } = value
  const isKnown = at !== undefined && first !== undefined && write !== undefined && accounts !== undefined
  const inventory = isKnown ? { at, first, outliers, write, accounts: accounts.map(toKnownFile) } : undefined
  return { place, raises, inventory, ...(earlierVersions.includes(value.version) && { isEarlier: true }) }
}

/** Where a data folder says of itself what it is. */
export const formatPath = (folder: string): string => join(folder, 'format.json')

const formatFile = (folder: string, files: FileOperations): DurableFile<DataFormat | null> => ({
  path: formatPath(folder),
  asideFolder: join(folder, 'unfinished'),
  form,
  files,
})

/**
 * `format.json` of a data folder; null when there is none. Every server and every tool asks here first whether it knows
 * the folder's version: one that will write must know all of it.
 * @throws NewerVersion, DamagedFile, or the system's error
 */
export const readFormat = async (
  folder: string,
  files: FileOperations,
  purpose: 'read' | 'write',
): Promise<DataFormat | null> => {
  const decode = (text: string): DataFormat => decodeFormat(text, purpose === 'read')
  try {
    return await readDurable<DataFormat | null>({ ...formatFile(folder, files), form: { ...form, decode } }, null)
  } catch (error) {
    if (!(error instanceof NewerVersion)) throw error
    const maker = error.program === undefined ? 'a newer thingsync' : `thingsync ${error.program}`
    const sentence =
      `${error.message}; ${maker} wrote it, this is thingsync ${readProgramVersion()}; ` +
      'nothing was changed; use that version or a newer one'
    throw new NewerVersion(sentence, error.program)
  }
}

/** The name of the copy of `format.json`. */
export const formatCopyName = 'format-copy.json'

/** What the copy of `format.json` says: the same, and of which file it is the copy. */
export interface FormatCopy extends DataFormat {
  /** What the file system calls `format.json`: before this was written, and from then on; see `findPlace`. */
  readonly originals: readonly string[]
}

const copyOf = (folder: string, files: FileOperations): DurableFile<FormatCopy | null> => ({
  path: join(folder, formatCopyName),
  asideFolder: join(folder, 'unfinished'),
  form: {
    encode: (copy) => encodeFormat(copy, { originals: copy?.originals ?? [] }),
    decode: (text) => {
      const { originals } = decodeSealed(text, { ...head, alsoReads: earlierVersions, isOnlyRead: true })
      if (!areTexts(originals)) throw new DamagedFile('it does not say of what it is a copy')
      return { ...decodeFormat(text, true), originals }
    },
  },
  files,
})

const areTexts = (value: unknown): value is readonly string[] => isListOf(isText)(value)

/** The copy of `format.json`; undefined when there is none, or none that can be read. @throws the system's error */
export const readFormatCopy = async (folder: string, files: FileOperations): Promise<FormatCopy | undefined> => {
  try {
    return (await readDurable<FormatCopy | null>(copyOf(folder, files), null)) ?? undefined
  } catch (error) {
    if (error instanceof DamagedFile || error instanceof NewerVersion) return undefined
    throw error
  }
}

/** Where `format.json` is, unless it is one that its copy does not know: that stays a stranger. */
const findOriginals = async (folder: string, files: FileOperations): Promise<readonly string[]> => {
  const known = (await readFormatCopy(folder, files))?.originals ?? []
  if (known.length === 0) return []
  try {
    const place = await findPlace(formatPath(folder), files)
    return known.includes(place) ? [place] : []
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return []
    throw error
  }
}

/**
 * Replaces `format.json` of a data folder, and its copy: without it raises would be lost together with the one file, and
 * it tells the file from another one with the same content. The copy comes first, and knows the file before and the next
 * one, so that no crash makes it a stranger.
 * @throws SyncFailed, or the system's error
 */
export const writeFormat = (folder: string, files: FileOperations, format: DataFormat): Promise<void> => {
  const onAside = async (aside: string): Promise<void> => {
    const originals = [...(await findOriginals(folder, files)), await findPlace(aside, files)]
    await writeDurable<FormatCopy | null>(copyOf(folder, files), { ...format, originals })
  }
  return writeDurable<DataFormat | null>({ ...formatFile(folder, files), onAside }, format)
}

/** What `format.json` says instead of the format while no store may open the folder, and what to do about it. */
const unfinishedFormats = {
  restore: 'thingsync data, half restored: empty this folder and restore the backup again',
  repair: 'thingsync data, half repaired: run thingsync verify --repair again',
}

/** Keeps stores from opening a data folder until `writeFormat`. @throws SyncFailed, or the system's error */
export const writeUnfinishedFormat = (
  folder: string,
  files: FileOperations,
  work: keyof typeof unfinishedFormats,
): Promise<void> => {
  const encode = () => encodeSealed({ ...head, format: unfinishedFormats[work] }, {})
  return writeDurable(
    { ...formatFile(folder, files), form: { ...form, encode } },
    { place: '', raises: [], inventory: undefined },
  )
}

/**
 * What the file system calls a file or folder. It stays when the data folder is moved, and no copy or backup can take it
 * along, so a folder that was restored does not say of itself where it is.
 */
export const findPlace = async (path: string, files: FileOperations): Promise<string> => {
  const { ino, birthtimeNs } = await files.stat(path, { bigint: true })
  return `${ino}-${birthtimeNs}`
}
