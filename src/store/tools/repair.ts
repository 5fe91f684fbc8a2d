import * as files from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { createIdIndex } from '../account/hash-index.ts'
import { chooseDistance, draftRecords, eachRecord, encodeJump } from '../account/records.ts'
import { readHead, readSeal, writeAccountFile } from '../disk/account-file.ts'
import {
  detectRollback,
  identifyFolder,
  isHalfRestored,
  listAccountFiles,
  readFormat,
  writeFormat,
  writeRegistry,
  writeUnfinishedFormat,
} from '../disk/directory.ts'
import {
  copyDurable,
  type FileLine,
  makeFolder,
  orIfMissing,
  readFileLines,
  removeFile,
  syncFolder,
} from '../disk/files.ts'
import { soleOwner } from '../disk/ownership.ts'
import type { ReadLines } from '../journal/journal-index.ts'
import { createSegment } from '../journal/segment-file.ts'
import { readRegistryLine } from '../json-file-store.ts'
import { type Change, findPosition, type StoredTag } from '../record/change.ts'
import { encodeChangeLine, parseSteps, readChange } from '../record/change-text.ts'
import {
  DamagedFile,
  encodeAccountKey,
  findKey,
  findSteps,
  isRepairedLine,
  registryKey,
} from '../record/checked-lines.ts'
import { findValueEnd, parseJson } from '../record/json.ts'
import { isPosition, registryShapes } from '../record/shapes.ts'
import { createRegistryState, type RegistryDocument } from '../registry/registry-state.ts'
import { type OutboxEntry, StoreError } from '../store.ts'
import {
  describeFiles,
  type FoundFile,
  ownerUnknown,
  type ReadAccount,
  type ReadFolder,
  readFolder,
} from './inspect.ts'

/** The steps of a line, which are there until the next line. */
interface SalvagedSteps {
  readonly changes: Iterable<Change>
  /** False when the line is not what was written. */
  readonly isWhole: boolean
}

/** Where the steps of an account stand. */
interface SalvageSource {
  readonly key: string
  /** Its file, which may not be there; undefined when it does not count. */
  readonly path: string | undefined
  /** The last write of the file that counts. */
  readonly upTo: number
  /** Its lines in the journal. */
  readonly readLines: () => ReadLines
}

const opening = '{"'

/** The steps that can be read in bytes of which some are damaged. */
function* salvageSteps(bytes: Buffer): Generator<Change> {
  for (let at = bytes.indexOf(opening); at !== -1; at = bytes.indexOf(opening, at)) {
    const end = findValueEnd(bytes, at)
    const step = end === -1 ? undefined : parseStep(bytes.toString('utf8', at, end))
    if (step !== undefined) yield step
    at = step === undefined ? at + 1 : end
  }
}

const parseStep = (text: string): Change | undefined => readChange(parseJson(text))

const readWhole = (bytes: Buffer): Iterable<Change> =>
  (isRepairedLine(bytes) ? parseSteps(bytes) : undefined) ?? salvageSteps(findSteps(bytes))

/** The lines of a file, up to the seal of the last write that counts. */
async function* salvageFile({ path, upTo }: Pick<SalvageSource, 'path' | 'upTo'>): AsyncGenerator<FileLine> {
  const handle = path === undefined ? undefined : await orIfMissing(files.open(path, 'r'), undefined)
  try {
    if (handle === undefined) return
    for await (const lines of readFileLines(handle, (await handle.stat()).size))
      for (const found of lines) {
        yield found
        if (found.line?.write === upTo && readSeal(found.bytes) !== undefined) return
      }
  } finally {
    await handle?.close()
  }
}

/** What can be read of an account, line by line: first its file, whose head raises to its position, then the journal. */
async function* salvageAccount({ key, path, upTo, readLines }: SalvageSource): AsyncGenerator<SalvagedSteps> {
  let saved = 0
  for await (const { bytes, start, line } of salvageFile({ path, upTo })) {
    // Somebody put the file of another account in its place.
    if ((line?.key ?? findKey(bytes) ?? key) !== key) continue
    saved = line?.write ?? saved
    const head = line !== undefined && start === 0 ? readHead(bytes) : undefined
    if (typeof head === 'number') yield { changes: [{ raisedTo: head }], isWhole: true }
    else if (line === undefined) yield { changes: salvageSteps(bytes), isWhole: false }
    else yield { changes: readWhole(bytes), isWhole: true }
  }
  for await (const lines of readLines())
    for (const { write, bytes } of lines) {
      const changes = readWhole(bytes)
      // The file has what came of its records since. All else says by its position which state of it is the newest.
      yield { changes: write > saved ? changes : listByPosition(changes), isWhole: true }
    }
}

function* listByPosition(changes: Iterable<Change>): Generator<Change> {
  for (const change of changes) if (findPosition(change) !== undefined) yield change
}

/** The account that salvaged steps make together, whatever is missing between them. */
interface RebuiltAccount {
  /** True when the steps say no more than that there is no account. */
  readonly isEmpty: () => boolean
  /** The position of an account in which what was out of order has come behind all else, or all when a position stood twice. */
  readonly findPosition: () => Promise<number>
  /** The steps that make it at a position, as JSON, all of them `by` positions further on if that is not 0. */
  readonly listSteps: (position: number, by: number) => AsyncGenerator<string>
}

// A flipped bit can make a position of any size; none that was ever given is larger.
const maxPosition = 2 ** 50

const findId = (change: Change): string | undefined => {
  if ('thing' in change) return change.thing.id
  return 'tombstone' in change ? change.tombstone.id : undefined
}

/**
 * Which state of a thing or a deletion is the newest. In bytes that are damaged it may be anything, so another one with
 * its position is better.
 */
const rank = (change: Change, isWhole: boolean): number => (findPosition(change) ?? 0) - (isWhole ? 0 : 0.5)

const isPossible = (change: Change): boolean => (findPosition(change) ?? 0) <= maxPosition

/**
 * Reads salvaged steps, and says what they make: of each thing and tag the state with the highest position counts. They are
 * read again to be listed; of things only the ids are remembered, outside of the heap.
 */
const rebuildAccount = async (read: () => AsyncIterable<SalvagedSteps>): Promise<RebuiltAccount> => {
  const ids = createIdIndex()
  const tags = new Map<string, StoredTag>()
  const records = draftRecords(new Map())
  let highest = 0

  const note = (change: Change, isWhole: boolean): void => {
    highest = Math.max(highest, findPosition(change) ?? 0)
    records.apply(change)
    if ('tag' in change && (tags.get(change.tag.name)?.position ?? 0) <= change.tag.position)
      tags.set(change.tag.name, change.tag)
    const id = findId(change)
    if (id === undefined) return
    const slot = ids.take(id)
    ids.setNewest(slot, Math.max(ids.newestOf(slot), rank(change, isWhole)))
  }

  for await (const { changes, isWhole } of read())
    for (const change of changes) if (isPossible(change)) note(change, isWhole)
  const newestRecords = records.finish()

  async function* listNewest(): AsyncGenerator<Change> {
    for (const tag of [...tags.values()].sort((a, b) => a.position - b.position)) yield { tag }
    const isListed = new Uint8Array(ids.size())
    for await (const { changes, isWhole } of read())
      for (const change of changes) {
        const id = findId(change)
        if (id === undefined || !isPossible(change)) continue
        const slot = ids.take(id)
        if (isListed[slot] === 1 || rank(change, isWhole) !== ids.newestOf(slot)) continue
        isListed[slot] = 1
        yield change
      }
  }

  const isAnyPositionDouble = (): boolean => {
    const all = new Float64Array(ids.size() + tags.size)
    for (let slot = 0; slot < ids.size(); slot += 1) all[slot] = Math.ceil(ids.newestOf(slot))
    all.set(
      Array.from(tags.values(), ({ position }) => position),
      ids.size(),
    )
    return all.sort().some((position, at) => position === all[at - 1])
  }

  /** What is listed, each with a position of its own, which ascend among things, deletions and tags. */
  async function* place(): AsyncGenerator<{ readonly change: Change; readonly position: number }> {
    const last = { thing: 0, tombstone: 0, tag: 0 }
    const isAnyDouble = isAnyPositionDouble()
    let end = highest
    for await (const change of listNewest()) {
      const kind = 'thing' in change ? 'thing' : 'tag' in change ? 'tag' : 'tombstone'
      const own = findPosition(change) ?? 0
      const isPlaced = own > last[kind] && !isAnyDouble
      if (!isPlaced) end += 1
      const position = isPlaced ? own : end
      last[kind] = position
      yield { change, position }
    }
  }

  async function* listSteps(position: number, by: number): AsyncGenerator<string> {
    const raise = (change: Change, own: number): Change =>
      by === 0 ? change : encodeJump(change, position, by + own - (findPosition(change) ?? own))
    for await (const { change, position: own } of place()) yield encodeChangeLine(raise(change, own))
    for (const record of eachRecord(newestRecords)) yield encodeChangeLine(raise({ record }, 0))
  }

  return {
    isEmpty: () => highest === 0 && eachRecord(newestRecords).next().done === true,
    findPosition: async () => {
      let end = highest
      for await (const { position } of place()) end = Math.max(end, position)
      return end
    },
    listSteps,
  }
}

/** What is known of the registry, and of errands, before the journal's writes are added. */
interface SalvagedRegistry {
  readonly document: RegistryDocument
  readonly errands: readonly OutboxEntry[]
  /** Number of the last write in it; 0 when that cannot be told. */
  readonly write: number
}

/** Reads the lines of `directory.json` that are whole, whatever has become of the others. */
export const salvageRegistry = (text: string): SalvagedRegistry => {
  const [first = '', ...rest] = text.split('\n').map((line) => line.replace(/,$/, ''))
  const { write }: { readonly write?: unknown } = Object(parseJson(`${first}}`))
  const items = rest.filter((line) => line.startsWith('{')).map(parseJson)
  const lists = Object.entries(registryShapes).map(([name, shape]) => [name, items.filter(shape)] as const)
  const { errands, ...document } = Object.fromEntries(lists) as unknown as RegistryDocument &
    Pick<SalvagedRegistry, 'errands'>
  return { document, errands, write: isPosition(write) ? Number(write) : 0 }
}

/** The registry that salvaged lines and the writes of the journal that can be read make together. */
const rebuildRegistry = async (
  { document, write: saved }: Pick<SalvagedRegistry, 'document' | 'write'>,
  lines: ReadLines,
): Promise<RegistryDocument> => {
  const state = createRegistryState(document)
  for await (const group of lines)
    for (const { write, bytes } of group) {
      if (write <= saved) continue
      try {
        state.apply(readRegistryLine(bytes))
      } catch (error) {
        if (!(error instanceof DamagedFile)) throw error
      }
    }
  return state.document()
}

/** What a repair did. */
interface Repair {
  /** What was wrong, file by file. */
  readonly damaged: readonly FoundFile[]
  /** Where everything that was damaged is kept; undefined when nothing was. */
  readonly keptIn: string | undefined
}

/**
 * Makes a data folder whole again that this process owns: what is damaged is kept aside in a folder of its own and made
 * again from its readable lines and the journal, and the journal begins anew. Accounts that may have lost something go on
 * at raised positions, so that their clients are listed everything once. Until it is finished no store opens the folder.
 * `now` is Unix time in milliseconds.
 * @throws NewerVersion, StoreFailed of what was half restored, and nothing is changed then; the system's error, SyncFailed;
 * the repair can be run again then
 */
export const repairFolder = async (folder: string, now: number): Promise<Repair> => {
  await checkRepairable(folder)
  const read = await readFolder(folder)
  const damaged = describeFiles(read).filter(({ state }) => state === 'damaged')
  if (damaged.length === 0) return { damaged, keptIn: undefined }

  const stamp = new Date(now).toISOString().replaceAll(':', '-').replace(/\..*$/, '')
  const keptIn = join(folder, `repaired-${stamp}`)
  await makeFolder(files, keptIn)
  await makeFolder(files, join(folder, 'unfinished'))
  const work: Work = {
    folder,
    keptIn,
    read,
    by: chooseDistance(now, undefined),
    at: read.inventory?.at ?? Math.floor(now / 1000),
    isAnyoneSuspect: await mayAnyoneMissWrites(folder, read, now),
    write: Math.max(read.journal.lastFound, read.registry.write, ...read.accounts.map(({ write }) => write)) + 1,
  }
  await copyAside(work, 'format.json')
  await writeUnfinishedFormat(folder, files, 'repair')
  await rewrite(work)
  return { damaged, keptIn }
}

const checkRepairable = async (folder: string): Promise<void> => {
  try {
    await readFormat(folder, files)
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error
    if (isHalfRestored(error.message))
      throw new StoreError(`${folder} was half restored; empty it and restore or copy again`)
  }
}

interface Work {
  readonly folder: string
  /** The folder in it where everything that is replaced is kept. */
  readonly keptIn: string
  readonly read: ReadFolder
  /** How far the positions of accounts that may have lost something are raised. */
  readonly by: number
  /** Unix time in seconds. */
  readonly at: number
  readonly isAnyoneSuspect: boolean
  /** The number of the first line of the new journal; all files that are made hold what was written before it. */
  readonly write: number
}

/** Copies a file to the same path among those that are kept; one that is not there is not missed. */
const copyAside = async ({ folder, keptIn }: Work, file: string): Promise<void> => {
  const place = { path: join(keptIn, file), asideFolder: join(folder, 'unfinished'), files }
  await files.mkdir(dirname(place.path), { recursive: true, mode: 0o700 })
  await orIfMissing(copyDurable(join(folder, file), place), undefined)
}

/** Takes a file out of the data folder, to the same path among those that are kept. */
const moveAside = async (work: Work, file: string): Promise<void> => {
  await copyAside(work, file)
  await removeFile(files, join(work.folder, file))
}

/** True when it cannot be told which accounts lost writes, or went on at raised positions. */
const mayAnyoneMissWrites = async (folder: string, read: ReadFolder, now: number): Promise<boolean> => {
  const { format, journal, beyondJournal, beforeJournal, missingAccounts, registry, accounts } = read
  if (format === null)
    return describeFiles(read).some(({ file, state }) => file === 'format.json' && state === 'damaged')
  if (journal.segments.length === 0) return true
  if (beyondJournal !== undefined || beforeJournal !== undefined || missingAccounts.length > 0) return true
  const wayBack = await detectRollback({ folder, files, now: () => now }, format)
  // One that was not seen for a while is judged once more at the next start, by the same time.
  if (wayBack !== undefined && wayBack !== 'unseen') return true
  const lastUntold = Math.max(0, ...journal.damages.filter(({ keys }) => keys === undefined).map(({ last }) => last))
  return lastUntold > Math.min(registry.write, ...accounts.map(({ write }) => write))
}

const rewrite = async (work: Work): Promise<void> => {
  const { folder, keptIn, read, by, at, write, isAnyoneSuspect } = work
  await rewriteRegistry(work)
  const saved = new Map<string, number>()
  for (const account of read.accounts) saved.set(basename(account.file), await rewriteAccount(work, account))
  for (const { file, says } of describeFiles(read)) if (says === ownerUnknown) await moveAside(work, file)

  const journalFolder = join(folder, 'journal')
  if (read.journal.segments.length > 0) await files.rename(journalFolder, join(keptIn, 'journal'))
  await syncFolder(files, keptIn)
  await makeFolder(files, journalFolder)
  const asideFolder = join(folder, 'unfinished')
  await (await createSegment({ files, folder: journalFolder, asideFolder, ownership: soleOwner }, write)).close()
  const raises = [...read.raises, ...(isAnyoneSuspect ? [{ write, by }] : [])]
  const names = (await listAccountFiles(files, folder)).map((path) => basename(path))
  const accounts = names.map((name) => [name, saved.get(name) ?? 0] as const)
  const inventory = { at, first: write, outliers: [], write, accounts }
  await writeFormat(folder, files, { place: await identifyFolder(journalFolder, files), raises, inventory })
}

const rewriteRegistry = async (work: Work): Promise<void> => {
  const { folder, read, write } = work
  const { registry, journal } = read
  const salvaged = registry.found
    ? { document: registry.found.document, write: journal.lastFound }
    : salvageRegistry(await orIfMissing(files.readFile(join(folder, 'directory.json'), 'utf8'), ''))
  const document = await rebuildRegistry(salvaged, journal.read(registryKey, { after: 0 }))
  if ('errands' in salvaged) journal.errands.begin(salvaged.errands, salvaged.write)
  const errands = journal.errands.list()
  if (registry.damage !== undefined) await copyAside(work, 'directory.json')
  await writeRegistry(folder, files, { write, document, errands })
}

/** Gives the last write that the account's file holds then. */
const rewriteAccount = async (work: Work, account: ReadAccount): Promise<number> => {
  const { folder, write, isAnyoneSuspect } = work
  const { journal } = work.read
  const { userId, file, damage, found } = account
  const path = join(folder, file)
  if (found !== undefined && !account.isBehind && !isAnyoneSuspect) return account.write

  const key = encodeAccountKey(userId)
  const source = {
    key,
    path: journal.removals.has(key) ? undefined : path,
    upTo: found === undefined ? Number.POSITIVE_INFINITY : account.write,
    readLines: () => journal.read(key, { after: 0 }),
  }
  const rebuilt = await rebuildAccount(() => salvageAccount(source))
  // Of an account that had a file clients know positions, also where nothing of it can be read.
  const hadFile = () => work.read.inventory?.accounts.some(([name]) => name === basename(file)) === true
  if (rebuilt.isEmpty() && (found !== undefined || !hadFile())) {
    await moveAside(work, file)
    return 0
  }
  if (damage !== undefined) await copyAside(work, file)
  const position = Math.max(found?.position ?? 0, await rebuilt.findPosition())
  const by = position === found?.position && !isAnyoneSuspect ? 0 : work.by
  await makeFolder(files, dirname(path))
  const place = { path, asideFolder: join(folder, 'unfinished'), files }
  await writeAccountFile(place, userId, { position: position + by, write }, rebuilt.listSteps(position, by))
  return write
}
