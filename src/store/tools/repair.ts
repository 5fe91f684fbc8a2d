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
  createDurableFolder,
  type FileLine,
  orIfMissing,
  readFileLines,
  removeFile,
  syncFolder,
} from '../disk/files.ts'
import { soleOwner } from '../disk/ownership.ts'
import { createSegment } from '../journal/journal.ts'
import type { ReadLines } from '../journal/journal-index.ts'
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

/** The steps of a line, valid until the next line. */
interface SalvagedSteps {
  readonly changes: Iterable<Change>
  /** False when the line is damaged. */
  readonly isWhole: boolean
}

/** The sources of an account's steps. */
interface SalvageSource {
  readonly key: string
  /** Its file, which may not exist; undefined when the file is obsolete. */
  readonly path: string | undefined
  /** The last valid write of the file. */
  readonly upTo: number
  /** Reads its lines in the journal. */
  readonly readLines: () => ReadLines
}

const opening = '{"'

/** Yields the readable steps in partly damaged bytes. */
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

/** Yields the lines of a file, up to the seal of the last valid write. */
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

/**
 * Yields the readable steps of an account, line by line: first its file, whose head sets the position, then the
 * journal.
 */
async function* salvageAccount({ key, path, upTo, readLines }: SalvageSource): AsyncGenerator<SalvagedSteps> {
  let saved = 0
  for await (const { bytes, start, line } of salvageFile({ path, upTo })) {
    // The line belongs to another account: its file may have been copied here.
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
      // The file includes older changes of records. For all other steps, the position shows the newest state.
      yield { changes: write > saved ? changes : listByPosition(changes), isWhole: true }
    }
}

function* listByPosition(changes: Iterable<Change>): Generator<Change> {
  for (const change of changes) if (findPosition(change) !== undefined) yield change
}

/** The account that results from salvaged steps, even if steps are missing between them. */
interface RebuiltAccount {
  /** Returns true when the steps result in an empty account. */
  readonly isEmpty: () => boolean
  /** Computes the position. Steps out of order get positions at the end; all do when two steps share a position. */
  readonly findPosition: () => Promise<number>
  /** Yields the account's steps at a position, as JSON, all of them raised by `by`. */
  readonly listSteps: (position: number, by: number) => AsyncGenerator<string>
}

// A flipped bit can result in any position; no position in use is larger.
const maxPosition = 2 ** 50

const findId = (change: Change): string | undefined => {
  if ('thing' in change) return change.thing.id
  return 'tombstone' in change ? change.tombstone.id : undefined
}

/**
 * Ranks a state of a thing or a deletion; the newest has the highest rank. A state from damaged bytes is unreliable, so
 * a state from whole bytes with the same position ranks higher.
 */
const rank = (change: Change, isWhole: boolean): number => (findPosition(change) ?? 0) - (isWhole ? 0 : 0.5)

const isPossible = (change: Change): boolean => (findPosition(change) ?? 0) <= maxPosition

/**
 * Rebuilds an account from salvaged steps. Of each thing and tag it takes the state with the highest position. The
 * listing reads the steps again; in between only the ids of things are remembered, outside of the heap.
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

  /** Yields the newest states with unique positions, which ascend among things, deletions and tags. */
  async function* assignPositions(): AsyncGenerator<{ readonly change: Change; readonly position: number }> {
    const last = { thing: 0, tombstone: 0, tag: 0 }
    const isAnyDouble = isAnyPositionDouble()
    let end = highest
    for await (const change of listNewest()) {
      const kind = 'thing' in change ? 'thing' : 'tag' in change ? 'tag' : 'tombstone'
      const own = findPosition(change) ?? 0
      const keepsPosition = own > last[kind] && !isAnyDouble
      if (!keepsPosition) end += 1
      const position = keepsPosition ? own : end
      last[kind] = position
      yield { change, position }
    }
  }

  async function* listSteps(position: number, by: number): AsyncGenerator<string> {
    const raise = (change: Change, own: number): Change =>
      by === 0 ? change : encodeJump(change, position, by + own - (findPosition(change) ?? own))
    for await (const { change, position: own } of assignPositions()) yield encodeChangeLine(raise(change, own))
    for (const record of eachRecord(newestRecords)) yield encodeChangeLine(raise({ record }, 0))
  }

  return {
    isEmpty: () => highest === 0 && eachRecord(newestRecords).next().done === true,
    findPosition: async () => {
      let end = highest
      for await (const { position } of assignPositions()) end = Math.max(end, position)
      return end
    },
    listSteps,
  }
}

/** The known part of the registry and the outbox entries, before the journal's writes are added. */
interface SalvagedRegistry {
  readonly document: RegistryDocument
  readonly outboxEntries: readonly OutboxEntry[]
  /** Number of the last write that it includes; 0 when the number is unknown. */
  readonly write: number
}

/** Reads the whole lines of `directory.json`, whatever the state of the other lines. */
export const salvageRegistry = (text: string): SalvagedRegistry => {
  const [first = '', ...rest] = text.split('\n').map((line) => line.replace(/,$/, ''))
  const { write }: { readonly write?: unknown } = Object(parseJson(`${first}}`))
  const items = rest.filter((line) => line.startsWith('{')).map(parseJson)
  const lists = Object.entries(registryShapes).map(([name, shape]) => [name, items.filter(shape)] as const)
  const { outbox: outboxEntries, ...document } = Object.fromEntries(lists) as unknown as RegistryDocument & {
    readonly outbox: readonly OutboxEntry[]
  }
  return { document, outboxEntries, write: isPosition(write) ? Number(write) : 0 }
}

/** Rebuilds the registry from salvaged lines and the readable writes of the journal. */
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

/** The result of a repair. */
interface Repair {
  /** The damage, file by file. */
  readonly damaged: readonly FoundFile[]
  /** The folder with all quarantined files; undefined when nothing was damaged. */
  readonly quarantineFolder: string | undefined
}

/**
 * Repairs a data folder that this process owns. It quarantines damaged files in a new folder and rebuilds them from
 * their readable lines and the journal. Then it begins a new journal. Accounts that may have lost data continue at
 * raised positions, so that their clients receive everything once. No store can open the folder before the end. `now`
 * is Unix time in milliseconds.
 * @throws NewerVersion, or StoreError for an unfinished restore, without any change; the system's error or SyncError,
 * after which the repair can be run again
 */
export const repairFolder = async (folder: string, now: number): Promise<Repair> => {
  await checkRepairable(folder)
  const read = await readFolder(folder)
  const damaged = describeFiles(read).filter(({ state }) => state === 'damaged')
  if (damaged.length === 0) return { damaged, quarantineFolder: undefined }

  const stamp = new Date(now).toISOString().replaceAll(':', '-').replace(/\..*$/, '')
  const quarantineFolder = join(folder, `repaired-${stamp}`)
  await createDurableFolder(files, quarantineFolder)
  await createDurableFolder(files, join(folder, 'unfinished'))
  const work: Work = {
    folder,
    quarantineFolder,
    read,
    by: chooseDistance(now, undefined),
    at: read.inventory?.at ?? Math.floor(now / 1000),
    mayAnyLackWrites: await mayAnyAccountLackWrites(folder, read, now),
    write: Math.max(read.journal.lastFound, read.registry.write, ...read.accounts.map(({ write }) => write)) + 1,
  }
  await quarantineCopy(work, 'format.json')
  await writeUnfinishedFormat(folder, files, 'repair')
  await rewrite(work)
  return { damaged, quarantineFolder }
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
  /** The subfolder for all replaced files. */
  readonly quarantineFolder: string
  readonly read: ReadFolder
  /** The distance by which the positions of accounts with a possible loss are raised. */
  readonly by: number
  /** Unix time in seconds. */
  readonly at: number
  readonly mayAnyLackWrites: boolean
  /** The number of the new journal's first line; all rebuilt files include the earlier writes. */
  readonly write: number
}

/** Copies a file to the same path in the quarantine folder; a missing file is ignored. */
const quarantineCopy = async ({ folder, quarantineFolder }: Work, file: string): Promise<void> => {
  const location = { path: join(quarantineFolder, file), asideFolder: join(folder, 'unfinished'), files }
  await files.mkdir(dirname(location.path), { recursive: true, mode: 0o700 })
  await orIfMissing(copyDurable(join(folder, file), location), undefined)
}

/** Moves a file out of the data folder, to the same path in the quarantine folder. */
const quarantineFile = async (work: Work, file: string): Promise<void> => {
  await quarantineCopy(work, file)
  await removeFile(files, join(work.folder, file))
}

/** Returns true when it is unknown which accounts lost writes, or continued at raised positions. */
const mayAnyAccountLackWrites = async (folder: string, read: ReadFolder, now: number): Promise<boolean> => {
  const { format, journal, beyondJournal, beforeJournal, missingAccounts, registry, accounts } = read
  if (format === null)
    return describeFiles(read).some(({ file, state }) => file === 'format.json' && state === 'damaged')
  if (journal.segments.length === 0) return true
  if (beyondJournal !== undefined || beforeJournal !== undefined || missingAccounts.length > 0) return true
  const rollback = await detectRollback({ folder, files, now: () => now }, format)
  // A folder that was not seen for a while is checked again at the next start, with the same recorded time.
  if (rollback !== undefined && rollback !== 'unseen') return true
  const lastUnknown = Math.max(0, ...journal.damages.filter(({ keys }) => keys === undefined).map(({ last }) => last))
  return lastUnknown > Math.min(registry.write, ...accounts.map(({ write }) => write))
}

const rewrite = async (work: Work): Promise<void> => {
  const { folder, quarantineFolder, read, by, at, write, mayAnyLackWrites } = work
  await rewriteRegistry(work)
  const saved = new Map<string, number>()
  for (const account of read.accounts) saved.set(basename(account.file), await rewriteAccount(work, account))
  for (const { file, says } of describeFiles(read)) if (says === ownerUnknown) await quarantineFile(work, file)

  const journalFolder = join(folder, 'journal')
  if (read.journal.segments.length > 0) await files.rename(journalFolder, join(quarantineFolder, 'journal'))
  await syncFolder(files, quarantineFolder)
  await createDurableFolder(files, journalFolder)
  const asideFolder = join(folder, 'unfinished')
  await (await createSegment({ files, folder: journalFolder, asideFolder, ownership: soleOwner }, write)).close()
  const raises = [...read.raises, ...(mayAnyLackWrites ? [{ write, by }] : [])]
  const names = (await listAccountFiles(files, folder)).map((path) => basename(path))
  const accounts = names.map((name) => [name, saved.get(name) ?? 0] as const)
  const inventory = { at, first: write, outliers: [], write, accounts }
  await writeFormat(folder, files, { identity: await identifyFolder(journalFolder, files), raises, inventory })
}

const rewriteRegistry = async (work: Work): Promise<void> => {
  const { folder, read, write } = work
  const { registry, journal } = read
  const salvaged = registry.found
    ? { document: registry.found.document, write: journal.lastFound }
    : salvageRegistry(await orIfMissing(files.readFile(join(folder, 'directory.json'), 'utf8'), ''))
  const document = await rebuildRegistry(salvaged, journal.read(registryKey, { after: 0 }))
  if ('outboxEntries' in salvaged) journal.outbox.begin(salvaged.outboxEntries, salvaged.write)
  const outboxEntries = journal.outbox.list()
  if (registry.damage !== undefined) await quarantineCopy(work, 'directory.json')
  await writeRegistry(folder, files, { write, document, outboxEntries })
}

/** Rewrites an account's file if necessary. Returns the last write that the file then holds. */
const rewriteAccount = async (work: Work, account: ReadAccount): Promise<number> => {
  const { folder, write, mayAnyLackWrites } = work
  const { journal } = work.read
  const { userId, file, damage, found } = account
  const path = join(folder, file)
  if (found !== undefined && !account.isBehind && !mayAnyLackWrites) return account.write

  const key = encodeAccountKey(userId)
  const source = {
    key,
    path: journal.removals.has(key) ? undefined : path,
    upTo: found === undefined ? Number.POSITIVE_INFINITY : account.write,
    readLines: () => journal.read(key, { after: 0 }),
  }
  const rebuilt = await rebuildAccount(() => salvageAccount(source))
  // If an account had a file, its clients know positions, even if the file is completely unreadable.
  const hadFile = () => work.read.inventory?.accounts.some(([name]) => name === basename(file)) === true
  if (rebuilt.isEmpty() && (found !== undefined || !hadFile())) {
    await quarantineFile(work, file)
    return 0
  }
  if (damage !== undefined) await quarantineCopy(work, file)
  const position = Math.max(found?.position ?? 0, await rebuilt.findPosition())
  const by = position === found?.position && !mayAnyLackWrites ? 0 : work.by
  await createDurableFolder(files, dirname(path))
  const location = { path, asideFolder: join(folder, 'unfinished'), files }
  await writeAccountFile(location, userId, { position: position + by, write }, rebuilt.listSteps(position, by))
  return write
}
