import { join } from 'node:path'
import { listFirstWrites, locateSegment } from '../wal/segment-file.ts'
import type { FileOperations } from './file-operations.ts'
import { type DataFormat, findPlace, formatName, readFormatCopy } from './format-file.ts'

/**
 * Why a folder may be an earlier state of itself: it was copied, restored, also in place, or its file system was rolled
 * back. Clients may then hold positions that it does not know of.
 *
 * - `copied`: the journal's folder, or `format.json`, is not the one that was written.
 * - `touched`: a file that is only written anew, or only grows, was changed by something else.
 * - `unseen`: for so long nothing was written down that all of it may be an earlier state.
 */
export type WayBack = 'copied' | 'touched' | 'unseen'

/** A folder in which the signs are looked for. */
export interface WayBackParts {
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
export const findWayBack = async (
  { folder, files, now }: WayBackParts,
  { place, inventory }: DataFormat,
): Promise<WayBack | undefined> => {
  const journalFolder = join(folder, 'journal')
  if (place !== (await findPlace(journalFolder, files))) return 'copied'
  const path = join(folder, formatName)
  const copy = await readFormatCopy(folder, files)
  if (copy?.originals?.includes(await findPlace(path, files)) === false) return 'copied'
  const format = await statTimes(files, path)
  if (isTouched(format) || isOverwritten(format)) return 'touched'
  const newest = (await listFirstWrites(files, journalFolder)).at(-1)
  if (newest !== undefined && isTouched(await statTimes(files, locateSegment(journalFolder, newest)))) return 'touched'
  return inventory !== undefined && now() / 1000 - inventory.at > unseenSeconds ? 'unseen' : undefined
}
