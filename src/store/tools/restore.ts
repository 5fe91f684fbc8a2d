import * as files from 'node:fs/promises'
import { open, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { chooseDistance, encodeJump } from '../account/records.ts'
import { writeAccountFile } from '../disk/account-file.ts'
import {
  formatCopyName,
  identifyFolder,
  type KnownFile,
  locateAccount,
  writeFormat,
  writeRegistry,
  writeUnfinishedFormat,
} from '../disk/directory.ts'
import { createDurableFolder, isSystemError, SyncError } from '../disk/files.ts'
import { soleOwner } from '../disk/ownership.ts'
import { createSegment } from '../journal/journal.ts'
import {
  type AccountItem,
  type BackupEnd,
  BackupError,
  type BackupHead,
  createTally,
  findKind,
  type ItemCounts,
  itemNames,
  passRegistryItem,
  type StoreItem,
} from '../record/backup-format.ts'
import type { Change } from '../record/change.ts'
import { encodeChangeLine } from '../record/change-text.ts'
import { readWrittenThing, type WrittenThing } from '../record/encoded-thing.ts'
import { parseJson } from '../record/json.ts'
import {
  isObjectOf,
  isOneOf,
  isOutboxEntry,
  isPosition,
  isRecord,
  isTag,
  isText,
  isTombstone,
  isWrittenThing,
  registryShapes,
  type Shape,
} from '../record/shapes.ts'
import type { RegistryItems, RegistryKind } from '../registry/registry.ts'
import { mapKinds, registryKinds } from '../registry/registry-state.ts'
import type { OutboxEntry } from '../store.ts'

const nameShape = (name: string, shape: Shape) => [name, isObjectOf({ [name]: shape })] as const

const shapes = new Map<string, Shape>([
  ...registryKinds.map((kind) => nameShape(itemNames[kind], registryShapes[kind])),
  ['account', isObjectOf({ account: isText, position: isPosition })],
  ['thing', isWrittenThing],
  nameShape('tombstone', isTombstone),
  nameShape('tag', isTag),
  nameShape('record', isRecord),
  nameShape('entry', isOutboxEntry),
])

/** The members of an item; kinds whose only member is their name are not listed. */
const members = new Map([
  ['account', ['account', 'position']],
  ['thing', ['thing', 'at', 'by', 'todoStatus']],
])

/** The largest thing that a server accepts has 16 Mi characters of HTML, and JSON writes each of them as up to six. */
export const maxThingLineCharacters = 128 * 1024 * 1024

/** The limit for all other items, which are far smaller. */
export const maxLineCharacters = 4 * 1024 * 1024

/** Returns the maximum length of a line, according to its beginning. */
export const findMaxCharacters = (line: string): number =>
  line.startsWith('{"thing":') ? maxThingLineCharacters : maxLineCharacters

// JSON.parse needs many times the memory of a line that consists of brackets and commas only.
const maxDepth = 32
const maxValues = 100_000

/** Finds the end of the string that begins at a quote. */
const findTextEnd = (json: string, start: number): number => {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let first = end
    while (json[first - 1] === '\\') first -= 1
    if ((end - first) % 2 === 0) return end
  }
  return json.length
}

/** Finds a fault in the structure of a JSON text before it is parsed. The result is the end of a sentence. */
const findStructureFault = (json: string): string | undefined => {
  let [depth, values] = [0, 0]
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at]
    if (character === '"') at = findTextEnd(json, at)
    else if (character === '{' || character === '[') {
      depth += 1
      values += 1
    } else if (character === ',') values += 1
    else if (character === '}' || character === ']') depth -= 1
    if (depth > maxDepth) return `is nested deeper than ${maxDepth} levels`
    if (values > maxValues) return `holds more than ${maxValues} values`
  }
  return undefined
}

const parseLine = (line: string): unknown => {
  const fault = findStructureFault(line)
  if (fault !== undefined) throw new BackupError(fault)
  try {
    return JSON.parse(line)
  } catch (error) {
    if (error instanceof SyntaxError) throw new BackupError('is not JSON')
    throw error
  }
}

const isItem = (kind: string, value: unknown): value is Exclude<StoreItem, { thing: unknown }> | WrittenThing =>
  shapes.get(kind)?.(value) === true &&
  Object.keys(value as object).every((name) => (members.get(kind) ?? [kind]).includes(name))

/**
 * Decodes the item in a line of a backup.
 * @throws BackupError when this program does not know the item; the message is the end of a sentence about the line,
 * and contains no content of the line
 */
export const decodeItem = (line: string): StoreItem => {
  const item = parseLine(line)
  const kind = findKind(line)
  if (!shapes.has(kind)) throw new BackupError('is of an unknown kind')
  if (!isItem(kind, item)) throw new BackupError(`is not a complete ${kind}`)
  return 'thing' in item ? { thing: readWrittenThing(item) } : item
}

/**
 * The registry of a data folder is one file, which is read as one string. A string of Node has at most 512 Mi
 * characters.
 */
const maxRegistryCharacters = 500 * 1024 * 1024

const registryNames = new Set<string>(Object.values(itemNames))

/** Creates a counter for the characters of the registry's lines. @throws BackupError when there are too many */
export const createRegistryMeter = (): ((line: string) => void) => {
  let characters = 0
  return (line) => {
    if (!registryNames.has(findKind(line))) return
    characters += line.length
    if (characters > maxRegistryCharacters)
      throw new BackupError(
        `users, apps and sessions up to here take more than ${maxRegistryCharacters} characters, the maximum of a data folder`,
      )
  }
}

// The latest date of JavaScript.
const maxSeconds = 8.64e12
const isDate: Shape = (value) => isPosition(value) && Number(value) <= maxSeconds

const isHeadShape = isObjectOf({ format: isOneOf('thingsync backup'), version: isPosition, createdAt: isDate })
const isHead = (value: unknown): value is Omit<BackupHead, 'version'> & { readonly version: number } =>
  isHeadShape(value)

const isEndShape = isObjectOf({ end: isObjectOf({}), sha256: isText })
const isEnd = (value: unknown): value is BackupEnd => isEndShape(value)

/** The content of a whole backup. */
export interface BackupSummary {
  /** Unix time in seconds. */
  readonly createdAt: number
  readonly counts: ItemCounts
  /** The checksum of the whole backup; only identical backups have the same. */
  readonly sha256: string
}

/**
 * Checks the items of another store, and receives all of them in order. The functions describe a fault as a sentence
 * without its end; undefined without a fault.
 */
export interface ItemCheck {
  readonly take: (item: StoreItem) => string | undefined
  /** Finds faults that appear only after all items. */
  readonly end: () => string | undefined
}

const areSame = (a: ItemCounts, b: ItemCounts): boolean =>
  JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort())

const createFault = (file: string, reason: string): BackupError =>
  new BackupError(`backup: ${file} ${reason}; nothing was restored`)

const createLineFault = (file: string, line: number, reason: string): BackupError =>
  createFault(file, `cannot be used: line ${line} ${reason}; use another backup, or fix this in its source`)

/**
 * Reads the items of a backup, as lines without line breaks. Only at the end it is known whether the backup is whole,
 * so check it once (`checkBackup`) before you use it. `checked` is the result of that check; a changed backup is an
 * error.
 * @throws BackupError when the file is no backup, of a later version, damaged, cut off or changed
 */
export async function* readBackup(
  file: string,
  checked?: BackupSummary,
): AsyncGenerator<string, BackupSummary, undefined> {
  const lines = readLines(file)
  try {
    const first = (await lines.next()).value ?? ''
    const head = parseShort(first)
    if (!isHead(head)) throw createFault(file, 'is not a backup of thingsync')
    if (head.version !== 1)
      throw createFault(
        file,
        `is of version ${head.version}, this program reads version 1; use the program that wrote it`,
      )
    const tally = createTally(first)
    let end: unknown
    for await (const line of lines) {
      if (end !== undefined) throw createFault(file, 'continues after its end')
      if (findKind(line) === 'end') {
        end = parseShort(line) ?? 'unreadable'
        continue
      }
      tally.add(line)
      yield line
    }
    if (end === undefined) throw createFault(file, 'is cut off before its end')
    const sha256 = tally.sha256()
    if (!isEnd(end) || end.sha256 !== sha256 || !areSame(end.end, tally.counts()))
      throw createFault(file, 'is damaged: its checksum does not fit its content')
    if (checked !== undefined && checked.sha256 !== sha256) throw createFault(file, 'was changed while it was restored')
    return { createdAt: head.createdAt, counts: end.end, sha256 }
  } catch (error) {
    const code = isSystemError(error) ? error.code : undefined
    if (code === 'ENOENT') throw createFault(file, 'does not exist')
    if (code === 'EISDIR') throw createFault(file, 'is a folder')
    if (code === 'Z_BUF_ERROR') throw createFault(file, 'is cut off before its end')
    if (code?.startsWith('Z_') && !isHeaderProblem(error)) throw createFault(file, 'is damaged: gzip cannot read it')
    if (code?.startsWith('Z_')) throw createFault(file, 'is not a gzip file')
    if (isSystemError(error)) throw createFault(file, `cannot be read: ${error.message}`)
    throw error
  } finally {
    await lines.return()
  }
}

/**
 * Reads a backup to its end, checks every item, and summarizes it. It keeps nothing in memory except what detects
 * repetitions.
 * @throws BackupError when the backup is not whole, or `check` finds a fault; the message has the number of the line
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
      if (error instanceof BackupError) return error.message
      throw error
    }
  }
  try {
    while (true) {
      const { done, value } = await lines.next()
      number += 1
      if (done) {
        const wrong = check.end()
        if (wrong !== undefined) throw createFault(file, `cannot be used: ${wrong}; use another backup`)
        return value
      }
      const fault = findFault(value)
      if (fault === undefined) continue
      // If the backup ends in the middle of a line, the next read throws a better error.
      await lines.next()
      throw createLineFault(file, number, fault)
    }
  } finally {
    await lines.return({ createdAt: 0, counts: {}, sha256: '' })
  }
}

const isHeaderProblem = (error: unknown): boolean => error instanceof Error && error.message.includes('header')

/** Parses a head or an end, which are short. */
const parseShort = (line: string): unknown => (line.length > maxFrameCharacters ? undefined : parseJson(line))

const maxFrameCharacters = 64 * 1024

/**
 * Splits a text at line breaks only: `node:readline` also splits at U+2028, which a JSON string may contain. It never
 * keeps more than the maximum of one line.
 */
async function* readLines(file: string): AsyncGenerator<string, void, undefined> {
  // A pipe would wait here endlessly, and could not be read twice.
  const found = await stat(file)
  if (found.isDirectory()) throw createFault(file, 'is a folder')
  if (!found.isFile()) throw createFault(file, 'is not a regular file; write the backup to a file first')
  const handle = await open(file, 'r')
  // The reader of the last stream receives all errors.
  const text = pipeline(handle.createReadStream(), createGunzip(), () => undefined).setEncoding('utf8')
  let number = 1
  let begun: string[] = []
  let length = 0
  let max = 0
  for await (const chunk of text as AsyncIterable<string>) {
    const [first = '', ...rest] = chunk.split('\n')
    const add = (part: string): void => {
      // The first characters of a line show its kind, and a chunk may end within them.
      const beginning = length < kindCharacters ? begun.join('') + part : undefined
      begun.push(part)
      length += part.length
      if (beginning !== undefined) max = findMaxCharacters(beginning)
      if (length > max) throw createLineFault(file, number, `has more than ${max} characters`)
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

type RegistryLists = { readonly [Kind in RegistryKind]: RegistryItems[Kind][] }

const putInRegistry = (registry: RegistryLists, item: StoreItem) =>
  passRegistryItem(item, (kind, value) => registry[kind].push(value))

/** Converts an item of an account to the step that creates it; undefined for any other item. */
const toStep = (item: StoreItem): Change | undefined =>
  'thing' in item || 'tombstone' in item || 'tag' in item || 'record' in item ? item : undefined

const describeWriteError = (code: string | undefined): string =>
  code === 'ENOSPC' ? 'is on a full disk' : `cannot be written (${code})`

const createdNames = ['unfinished', 'format.json', formatCopyName, 'journal', 'accounts', 'directory.json']

/** The source of the items: a backup made at a time, or another store that is moved as it is now. */
export type RestoreOptions = { readonly now: number } & ({ readonly createdAt: number } | { readonly isMove: true })

/**
 * Turns a folder without data into a data folder with the items of a backup, at raised positions. Items of a moved
 * store keep their positions. No store can open the folder before the end. After an error the folder is empty again.
 * `now` is Unix time in milliseconds; `createdAt`, the time of the backup, is in seconds.
 * @throws BackupError; what the lines throw
 */
export const restoreFolder = async (
  folder: string,
  lines: AsyncIterable<string>,
  { now, ...source }: RestoreOptions,
): Promise<void> => {
  try {
    const by = 'createdAt' in source ? chooseDistance(now, source.createdAt) : 0
    await writeFolder(folder, lines, { by, at: Math.floor(now / 1000) })
  } catch (error) {
    for (const name of createdNames) await files.rm(join(folder, name), { recursive: true, force: true })
    const cause = error instanceof SyncError ? error.cause : error
    if (isSystemError(cause))
      throw new BackupError(`data folder: ${folder} ${describeWriteError(cause.code)}; nothing was restored`)
    throw error
  }
}

/** The number of the first line of a journal. An account's file with this number includes the raise at it. */
const firstWrite = 1

const writeFolder = async (
  folder: string,
  lines: AsyncIterable<string>,
  { by, at }: { readonly by: number; readonly at: number },
): Promise<void> => {
  const asideFolder = join(folder, 'unfinished')
  const journalFolder = join(folder, 'journal')
  const accountsFolder = join(folder, 'accounts')
  await createDurableFolder(files, asideFolder)
  await writeUnfinishedFormat(folder, files, 'restore')
  for (const path of [journalFolder, accountsFolder]) await createDurableFolder(files, path)

  const accounts: KnownFile[] = []
  const registry = mapKinds<RegistryLists>(() => [])
  const outboxEntries: OutboxEntry[] = []
  const meter = createRegistryMeter()
  const items = lines[Symbol.asyncIterator]()
  const readNext = async (): Promise<StoreItem | undefined> => {
    const { done, value } = await items.next()
    if (done === true) return undefined
    meter(value)
    return decodeItem(value)
  }
  let next = await readNext()

  async function* readSteps(userId: string, from: number): AsyncGenerator<string> {
    for (; next !== undefined && !('account' in next); next = await readNext()) {
      putInRegistry(registry, next)
      if ('entry' in next) outboxEntries.push({ userId, ...next.entry })
      const step = toStep(next)
      if (step !== undefined) yield encodeChangeLine(by === 0 ? step : encodeJump(step, from, by))
    }
  }

  for (; next !== undefined && !('account' in next); next = await readNext()) putInRegistry(registry, next)
  while (next !== undefined && 'account' in next) {
    const { account: userId, position }: AccountItem = next
    next = await readNext()
    // An empty account has no file.
    if (position === 0 && (next === undefined || 'account' in next)) continue
    const path = join(accountsFolder, locateAccount(userId))
    await createDurableFolder(files, dirname(path))
    const head = { position: position + by, write: firstWrite }
    await writeAccountFile({ path, asideFolder, files }, userId, head, readSteps(userId, position))
    accounts.push([basename(path), firstWrite])
  }
  await writeRegistry(folder, files, { write: firstWrite, document: registry, outboxEntries })
  const context = { files, folder: journalFolder, asideFolder, ownership: soleOwner }
  await (await createSegment(context, firstWrite)).close()
  // The raise applies to accounts without a file.
  const raises = by === 0 ? [] : [{ write: firstWrite, by }]
  const inventory = { at, first: firstWrite, outliers: [], write: firstWrite, accounts }
  await writeFormat(folder, files, { identity: await identifyFolder(journalFolder, files), raises, inventory })
}
