import { join } from 'node:path'
import { type DurableFile, readDurable, type TextForm, writeDurable } from './durable-json-file.ts'
import type { FileOperations } from './file-operations.ts'
import type { Inventory } from './inventory.ts'
import type { Raise } from './raises.ts'
import { DamagedFile, decodeSealed, encodeSealed } from './sealed-json.ts'
import { isListOf, isObjectOf, isOptional, isPosition, isText } from './shape.ts'

/**
 * Version 3 may hold keys, errands and other items that version 1.0.0 of the program would drop in silence; it reads no
 * other than 2, and refuses the folder.
 */
const head = { format: 'thingsync data', version: 3 }
const earlierVersion = 2

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

const hasShape = isObjectOf({
  version: isPosition,
  place: isOptional(isText),
  raises: isOptional(isListOf(isObjectOf({ write: isPosition, by: isPosition }))),
  at: isOptional(isPosition),
  first: isOptional(isPosition),
  write: isOptional(isPosition),
  accounts: isOptional(isListOf(isText)),
})

const isWritten = (
  value: unknown,
): value is Partial<Pick<DataFormat, 'place' | 'raises'> & Inventory> & { readonly version: number } => hasShape(value)

const form: TextForm<DataFormat | null> = {
  encode: (format) => {
    const { accounts, ...known } = format?.inventory ?? {}
    const lists = { raises: format?.raises ?? [], ...(accounts && { accounts }) }
    return encodeSealed({ ...head, place: format?.place ?? '', ...known }, lists)
  },
  decode: (text) => {
    const value: unknown = decodeSealed(text, { ...head, alsoReads: earlierVersion })
    if (!isWritten(value)) throw new DamagedFile('its place, its raises or its inventory are not complete')
    const { place = '', raises = [], at, first, write, accounts } = value
    const isKnown = at !== undefined && first !== undefined && write !== undefined && accounts !== undefined
    const inventory = isKnown ? { at, first, write, accounts } : undefined
    return { place, raises, inventory, ...(value.version === earlierVersion && { isEarlier: true }) }
  },
}

const formatFile = (folder: string, files: FileOperations): DurableFile<DataFormat | null> => ({
  path: join(folder, 'format.json'),
  asideFolder: join(folder, 'unfinished'),
  form,
  files,
})

/** `format.json` of a data folder; null when there is none. @throws DamagedFile, or the system's error */
export const readFormat = (folder: string, files: FileOperations): Promise<DataFormat | null> =>
  readDurable<DataFormat | null>(formatFile(folder, files), null)

/** Replaces `format.json` of a data folder. @throws SyncFailed, or the system's error */
export const writeFormat = (folder: string, files: FileOperations, format: DataFormat): Promise<void> =>
  writeDurable<DataFormat | null>(formatFile(folder, files), format)

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
 * What the file system calls the journal's folder. It stays when the data folder is moved, and no copy or backup can
 * take it along, so a folder that was restored does not say of itself where it is.
 */
export const findPlace = async (journalFolder: string, files: FileOperations): Promise<string> => {
  const { ino, birthtimeNs } = await files.stat(journalFolder, { bigint: true })
  return `${ino}-${birthtimeNs}`
}
