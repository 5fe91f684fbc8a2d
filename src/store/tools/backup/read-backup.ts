import { open, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { isSystemError } from '../../disk/file-operations.ts'
import { type BackupEnd, type BackupHead, createTally, findKind, type ItemCounts } from '../../record/backup-lines.ts'
import { parseJson } from '../../record/parse-json.ts'
import { isObjectOf, isOneOf, isPosition, isText, type Shape } from '../../record/shape.ts'
import type { StoreItem } from '../../record/store-item.ts'
import { BackupRefused } from './backup-refused.ts'
import { createRegistryMeter, decodeItem, findMaxCharacters } from './decode-item.ts'

// No date is later.
const maxSeconds = 8.64e12
const isDate: Shape = (value) => isPosition(value) && Number(value) <= maxSeconds

const isHeadShape = isObjectOf({ format: isOneOf('thingsync backup'), version: isPosition, createdAt: isDate })
const isHead = (value: unknown): value is Omit<BackupHead, 'version'> & { readonly version: number } =>
  isHeadShape(value)

const isEndShape = isObjectOf({ end: isObjectOf({}), sha256: isText })
const isEnd = (value: unknown): value is BackupEnd => isEndShape(value)

/** What a whole backup holds. */
export interface BackupSummary {
  /** Unix time in seconds. */
  readonly createdAt: number
  readonly counts: ItemCounts
  /** The checksum of all of it, which two backups have in common only when they are the same. */
  readonly sha256: string
}

/**
 * Says what is wrong with items that come from elsewhere, as a sentence without its end; undefined when nothing is. It is
 * given all items of a store, in their order.
 */
export interface ItemCheck {
  readonly take: (item: StoreItem) => string | undefined
  /** What only shows when all items were taken. */
  readonly end: () => string | undefined
}

const areSame = (a: ItemCounts, b: ItemCounts): boolean =>
  JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort())

const refuse = (file: string, reason: string): BackupRefused =>
  new BackupRefused(`backup: ${file} ${reason}; nothing was restored`)

const refuseLine = (file: string, line: number, reason: string): BackupRefused =>
  refuse(file, `cannot be used: line ${line} ${reason}; use another backup, or correct this where it was made`)

/**
 * The items of a backup, as lines without line breaks. Whether the backup is whole is known when the last one was given:
 * check it once (`checkBackup`) before you use it. `checked` is what that found; a backup that has changed since is refused.
 * @throws BackupRefused when it is no backup, of a later version, damaged, cut off or changed
 */
export async function* readBackup(
  file: string,
  checked?: BackupSummary,
): AsyncGenerator<string, BackupSummary, undefined> {
  const lines = readLines(file)
  try {
    const first = (await lines.next()).value ?? ''
    const head = parseShort(first)
    if (!isHead(head)) throw refuse(file, 'is no backup of thingsync')
    if (head.version !== 1)
      throw refuse(file, `is of version ${head.version}, this program reads version 1; use the program that wrote it`)
    const tally = createTally(first)
    let end: unknown
    for await (const line of lines) {
      if (end !== undefined) throw refuse(file, 'goes on after its end')
      if (findKind(line) === 'end') {
        end = parseShort(line) ?? 'unreadable'
        continue
      }
      tally.add(line)
      yield line
    }
    if (end === undefined) throw refuse(file, 'is cut off before its end')
    const sha256 = tally.sha256()
    if (!isEnd(end) || end.sha256 !== sha256 || !areSame(end.end, tally.counts()))
      throw refuse(file, 'is damaged: its checksum does not fit its content')
    if (checked !== undefined && checked.sha256 !== sha256) throw refuse(file, 'was changed while it was restored')
    return { createdAt: head.createdAt, counts: end.end, sha256 }
  } catch (error) {
    const code = isSystemError(error) ? error.code : undefined
    if (code === 'ENOENT') throw refuse(file, 'does not exist')
    if (code === 'EISDIR') throw refuse(file, 'is a folder')
    if (code === 'Z_BUF_ERROR') throw refuse(file, 'is cut off before its end')
    if (code?.startsWith('Z_') && !isHeaderProblem(error)) throw refuse(file, 'is damaged: gzip cannot read it')
    if (code?.startsWith('Z_')) throw refuse(file, 'is no gzip file')
    if (isSystemError(error)) throw refuse(file, `cannot be read: ${error.message}`)
    throw error
  } finally {
    await lines.return()
  }
}

/**
 * Reads a backup to its end, checks every item, and says what is in it. Nothing is kept but what finds repetitions.
 * @throws BackupRefused when it is not whole, or `check` finds something wrong, with the number of the line
 */
export const checkBackup = async (file: string, check: ItemCheck): Promise<BackupSummary> => {
  const meter = createRegistryMeter()
  const lines = readBackup(file)
  // The first line is the head.
  let number = 1
  const findFault = (line: string): string | undefined => {
    try {
      meter(line)
      const wrong = check.take(decodeItem(line))
      return wrong && `is wrong: ${wrong}`
    } catch (error) {
      if (error instanceof BackupRefused) return error.message
      throw error
    }
  }
  try {
    while (true) {
      const { done, value } = await lines.next()
      number += 1
      if (done) {
        const wrong = check.end()
        if (wrong !== undefined) throw refuse(file, `cannot be used: ${wrong}; use another backup`)
        return value
      }
      const fault = findFault(value)
      if (fault === undefined) continue
      // Of a backup that ends in the middle of a line there is something better to say.
      await lines.next()
      throw refuseLine(file, number, fault)
    }
  } finally {
    await lines.return({ createdAt: 0, counts: {}, sha256: '' })
  }
}

const isHeaderProblem = (error: unknown): boolean => error instanceof Error && error.message.includes('header')

/** Of a head or an end, which are short. */
const parseShort = (line: string): unknown => (line.length > maxFrameCharacters ? undefined : parseJson(line))

const maxFrameCharacters = 64 * 1024

/**
 * Splits at line breaks only: `node:readline` also splits at U+2028, which may stand in a JSON text. Never keeps more than
 * a line may have.
 */
async function* readLines(file: string): AsyncGenerator<string, void, undefined> {
  // A pipe would wait here for ever, and could not be read twice.
  const found = await stat(file)
  if (found.isDirectory()) throw refuse(file, 'is a folder')
  if (!found.isFile()) throw refuse(file, 'is no regular file; write the backup to one first')
  const handle = await open(file, 'r')
  // What fails reaches whoever reads the last stream.
  const text = pipeline(handle.createReadStream(), createGunzip(), () => undefined).setEncoding('utf8')
  let number = 1
  let begun: string[] = []
  let length = 0
  let max = 0
  for await (const chunk of text as AsyncIterable<string>) {
    const [first = '', ...rest] = chunk.split('\n')
    const add = (part: string): void => {
      // The kind of a line is told by its first characters, which a chunk may cut.
      const beginning = length < kindCharacters ? begun.join('') + part : undefined
      begun.push(part)
      length += part.length
      if (beginning !== undefined) max = findMaxCharacters(beginning)
      if (length > max) throw refuseLine(file, number, `has more than ${max} characters`)
    }
    add(first)
    for (const part of rest) {
      yield begun.join('')
      number += 1
      begun = []
      length = 0
      add(part)
    }
  }
  const last = begun.join('')
  if (last !== '') yield last
}

const kindCharacters = 16
