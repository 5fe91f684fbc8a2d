/*
 * The tools for data folders: inspection, repair, backup and restore. They read and write the stored forms without an
 * open store, and must not know the command line. Start with `readFolder`, which changes nothing; `repair.ts`,
 * `backup.ts` and `restore.ts` write.
 */
import type { Dirent } from 'node:fs'
import * as files from 'node:fs/promises'
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { createIdIndex } from '../account/hash-index.ts'
import { draftRecords, eachRecord, type PositionJump } from '../account/records.ts'
import type { StoredRegistry } from '../create-store.ts'
import { readAccountFile, type TakenAccount } from '../disk/account-file.ts'
import type { AccountFiles } from '../disk/checkpoint.ts'
import {
  accountEnding,
  type DataFormat,
  formatCopyName,
  type Inventory,
  isHalfRestored,
  locateAccount,
  locateByName,
  type RegistrySnapshot,
  readFormat,
  readFormatCopy,
  readRegistry,
} from '../disk/directory.ts'
import { isSystemError, NotAFile, openFile, orIfMissing, readFileLines, withHandle } from '../disk/files.ts'
import type { JournalReader } from '../journal/journal.ts'
import {
  createJournalIndex,
  type DamagedStretch,
  findFirstWithoutGap,
  headKey,
  type JournalIndex,
  listFirstWrites,
  locateSegment,
  type Outlier,
  readLines,
  scanJournal,
} from '../journal/journal-index.ts'
import { loadAccount, loadRegistry } from '../json-file-store.ts'
import { findPosition, type StepSink } from '../record/change.ts'
import { DamagedFile, encodeAccountKey, findKey, findUserId, NewerVersion } from '../record/checked-lines.ts'
import { createRegistryState } from '../registry/registry-state.ts'
import { StoreError } from '../store.ts'

/** The content of an account in numbers. */
interface AccountTotals {
  readonly position: number
  readonly things: number
  readonly deletions: number
  /** True when the account has no writes, or was removed. */
  readonly isEmpty: boolean
}

/** Counts the content of an account from its steps. */
interface AccountCount extends StepSink {
  readonly totals: () => AccountTotals
}

/** Begins to count an account at a position. It remembers only the ids, outside of the heap. */
export const beginCount = (start: number): AccountCount => {
  const ids = createIdIndex()
  const tags = new Set<string>()
  const records = draftRecords(new Map())
  let position = start
  let [things, deletions] = [0, 0]

  const note = (slot: number, isThing: boolean): void => {
    const before = ids.newestOf(slot)
    if (before === 1) things -= 1
    if (before === -1) deletions -= 1
    if (isThing) things += 1
    else deletions += 1
    ids.setNewest(slot, isThing ? 1 : -1)
  }

  return {
    position: () => position,
    put: (step) => {
      const known = ids.size() + tags.size
      position = Math.max(position, findPosition(step) ?? 0)
      if ('bytes' in step) note(ids.takeJson(step.bytes, step.idStart, step.idEnd), true)
      else if ('thing' in step) note(ids.take(step.thing.id), true)
      else if ('tombstone' in step) note(ids.take(step.tombstone.id), false)
      else if ('tag' in step) tags.add(step.tag.name)
      else {
        records.apply(step)
        return true
      }
      return ids.size() + tags.size > known
    },
    totals: () => {
      const isEmpty = position === 0 && eachRecord(records.finish()).next().done === true
      return { position, things, deletions, isEmpty }
    },
  }
}

/** A file of a data folder. */
interface ListedFile {
  /** Its path relative to the data folder. */
  readonly file: string
  readonly bytes: number
  /** The time of its last change: Unix time in milliseconds. */
  readonly changedAt: number
}

// A folder with the name of a file is reported by the reader of that file.
const isFolder = (entry: Dirent): boolean => entry.isDirectory() && !/\.(nd)?json$/.test(entry.name)

/**
 * Lists all files of a data folder and of its subfolders, by name, without files that vanish meanwhile.
 * @throws NotAFile for a folder among the unfinished files, which no start removes
 */
export const listFiles = async (folder: string): Promise<readonly ListedFile[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const listed: ListedFile[] = []
  for (const entry of entries) {
    if (entry.isDirectory() && entry.parentPath === join(folder, 'unfinished'))
      throw new NotAFile(join(entry.parentPath, entry.name))
    if (isFolder(entry)) continue
    const path = join(entry.parentPath, entry.name)
    const found = await orIfMissing(stat(path), undefined)
    if (found === undefined) continue
    listed.push({ file: path.slice(join(folder, 'x').length - 1), bytes: found.size, changedAt: found.mtimeMs })
  }
  return listed.sort((a, b) => (a.file < b.file ? -1 : 1))
}

/** One segment of a journal, with its damage. */
interface FoundSegment {
  readonly file: string
  readonly bytes: number
  readonly damaged: readonly DamagedStretch[]
  /** Bytes at its end that belong to an unfinished write, or to one in progress. */
  readonly unfinishedBytes: number
}

/** A journal in a folder that is only read. The lines are read on request. */
export interface FoundJournal extends JournalReader, Pick<JournalIndex, 'list' | 'listKeys' | 'damages'> {
  readonly segments: readonly FoundSegment[]
  readonly writeCount: number
  /** Number of the first write in it. */
  readonly firstFound: number | undefined
  /** Number of the last write in it. */
  readonly lastFound: number
}

/**
 * Reads the journal of a data folder; a server may write it meanwhile. `readOutliers` is called after the files are
 * listed.
 * @throws the system's error
 */
export const readJournal = async (
  folder: string,
  readOutliers: () => Promise<readonly Outlier[]>,
): Promise<FoundJournal> => readDespiteRemoval(() => readJournalOnce(join(folder, 'journal'), readOutliers))

/** Reads again when the server removed a segment meanwhile: other files then hold its content. */
const readDespiteRemoval = async <Result>(read: () => Promise<Result>, maxAttempts = 100): Promise<Result> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read()
    } catch (error) {
      if (!isSystemError(error, 'ENOENT') || attempt === maxAttempts) throw error
    }
  }
}

const readJournalOnce = async (
  folder: string,
  readOutliers: () => Promise<readonly Outlier[]>,
): Promise<FoundJournal> => {
  const listed = { firstWrites: await listFirstWrites(files, folder), outliers: await readOutliers() }
  const segments: FoundSegment[] = []
  const index = createJournalIndex()
  let writeCount = 0
  const lastFound = await scanJournal(files, folder, listed, async (segment) => {
    const { path, firstWrite, size, end, damaged, lines } = segment
    index.addSegment(path, firstWrite, segment)
    writeCount += lines.filter(({ key }) => key !== headKey).length
    const file = join(basename(folder), basename(path))
    segments.push({ file, bytes: size, damaged, unfinishedBytes: size - end })
  })
  return {
    ...index,
    segments,
    writeCount,
    firstFound: findFirstWithoutGap(listed),
    lastFound,
    folder,
    // A server may append while the other files are read; writes after the last one found are checked afterwards.
    lastWrite: () => Number.POSITIVE_INFINITY,
    read: (key, range) => readLines(files, index.list(key, range)),
  }
}

/** The content of a file together with the journal's lines of its key, or its damage. */
interface Inspected<Found> {
  /** Number of the last write in its file; 0 without a file, or with a damaged one. */
  readonly write: number
  readonly found?: Found
  /** The damage of its file. */
  readonly damage?: string
  /** The damage of the lines that the journal adds to it. */
  readonly journalDamage?: string
}

/** Reads the registry and all outbox entries as a store would open them. */
export const inspectRegistry = (folder: string, journal: FoundJournal): Promise<Inspected<StoredRegistry>> =>
  readDespiteRemoval(async () => {
    let snapshot: RegistrySnapshot
    try {
      snapshot = await readRegistry(folder, files)
    } catch (error) {
      if (!(error instanceof DamagedFile)) throw error
      return { write: 0, damage: error.message }
    }
    const { write } = snapshot
    try {
      const found = await loadRegistry(snapshot, journal)
      const state = createRegistryState(found.document)
      for (const changes of found.writes) state.apply(changes)
      return { write, found: { ...found, document: state.document() } }
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      return { write, journalDamage: error.message }
    }
  })

/** The context in which accounts are read. */
interface InspectParts {
  readonly journal: FoundJournal
  readonly raises: readonly PositionJump[]
  /** The last write that each file must hold, by the name of the file. */
  readonly known: ReadonlyMap<string, number>
}

/**
 * Returns true when lines follow the valid part of a file that are no unfinished append, because the journal does not
 * hold them any more. Lines of writes after the journal's last one found belong to a server that runs meanwhile.
 */
const hasMissing = (
  path: string,
  { end, write }: Pick<TakenAccount<unknown>, 'end' | 'write'>,
  { journal, key }: { readonly journal: FoundJournal; readonly key: string },
): Promise<boolean> =>
  withHandle(openFile(files, path), async (handle) => {
    const { size } = await handle.stat()
    if (size === end || journal.list(key, { after: write }).length > 0) return false
    for await (const lines of readFileLines(handle, size))
      for (const { start, line } of lines)
        if (line !== undefined && start >= end && line.write > write && line.write <= journal.lastFound) return true
    return false
  })

/** Reads the content of an account as a store would open it. */
export const inspectAccount = (
  folder: string,
  userId: string,
  { journal, raises, known }: InspectParts,
): Promise<Inspected<AccountTotals>> =>
  readDespiteRemoval(async () => {
    const account = locateAccount(userId)
    const wanted = { key: encodeAccountKey(userId), known: known.get(basename(account)) ?? 0 }
    let saved = 0
    let damage: string | undefined
    const load: AccountFiles['load'] = async (_userId, begin) => {
      try {
        const path = join(folder, 'accounts', account)
        const taken = await readAccountFile({ path, files }, wanted, begin)
        if (taken === undefined) return { write: 0, sink: begin(0) }
        saved = taken.write
        if (await hasMissing(path, taken, { journal, key: wanted.key }))
          throw new DamagedFile(`it is whole up to byte ${taken.end} only; no other file holds what followed`)
        return taken
      } catch (error) {
        if (error instanceof DamagedFile) damage = error.message
        throw error
      }
    }
    try {
      const loaded = await loadAccount(userId, { accounts: { load }, journal, raises }, beginCount)
      return { write: loaded.saved, found: loaded.sink.totals() }
    } catch (error) {
      // Such a file is not damaged, and a repair must not change it.
      if (!(error instanceof StoreError) || error instanceof NewerVersion || error instanceof NotAFile) throw error
      return damage === undefined ? { write: saved, journalDamage: error.message } : { write: 0, damage }
    }
  })

/**
 * Finds the user of an account's file from its name, or from its content if the name is a hash; undefined otherwise.
 */
const findFileOwner = async (path: string): Promise<string | undefined> => {
  const name = basename(path)
  if (!name.endsWith(accountEnding)) return undefined
  const plain = name.slice(0, -accountEnding.length)
  if (!plain.startsWith('sha256.')) return plain
  const userId = findUserId((await readFirstKey(path)) ?? '')
  return userId !== undefined && basename(locateAccount(userId)) === name ? userId : undefined
}

/** Reads the key in the first line of a file. */
const readFirstKey = (path: string): Promise<string | undefined> =>
  withHandle(openFile(files, path), async (handle) => {
    for await (const [first] of readFileLines(handle, (await handle.stat()).size)) return first && findKey(first.bytes)
    return undefined
  })

/** An account of a data folder; `found` is absent when it cannot be read. */
export interface ReadAccount extends Inspected<AccountTotals> {
  readonly userId: string
  /** The path of its file relative to the data folder; the file may not exist. */
  readonly file: string
  /** True when its file lacks writes of the journal, or a later raise of positions. */
  readonly isBehind: boolean
}

/** The whole content of a data folder, each file read as a store would read it. */
export interface ReadFolder {
  readonly listed: readonly ListedFile[]
  /** The content of `format.json`; null when there is no readable one. */
  readonly format: DataFormat | null
  /** The damage of `format.json`. */
  readonly formatDamage: string | undefined
  /** The raises in `format.json`, or in its copy when `format.json` has none. */
  readonly raises: readonly PositionJump[]
  /** The inventory, from the same files. */
  readonly inventory: Inventory | undefined
  readonly journal: FoundJournal
  readonly registry: Inspected<StoredRegistry>
  readonly accounts: readonly ReadAccount[]
  /** The highest number of a write that another file names, when the journal ends before it. */
  readonly beyondJournal: number | undefined
  /** The write with which, or before which, the journal must begin; undefined when it does. */
  readonly beforeJournal: number | undefined
  /** The missing files of accounts, by their paths relative to the folder. */
  readonly missingAccounts: readonly string[]
}

type FoundFormat = Pick<ReadFolder, 'format' | 'formatDamage' | 'raises' | 'inventory'>

const inspectFormat = async (folder: string): Promise<FoundFormat> => {
  const copy = await readFormatCopy(folder, files)
  const { raises = [], inventory } = copy ?? {}
  try {
    const format = await readFormat(folder, files)
    return { raises, inventory, ...format, format, formatDamage: undefined }
  } catch (error) {
    if (error instanceof DamagedFile) return { format: null, formatDamage: error.message, raises, inventory }
    throw error
  }
}

const readAccount = async (folder: string, userId: string, parts: InspectParts): Promise<ReadAccount> => {
  const inspected = await inspectAccount(folder, userId, parts)
  const after = inspected.write
  const isBehind =
    parts.journal.list(encodeAccountKey(userId), { after }).length > 0 ||
    parts.raises.some(({ write }) => write > after)
  return { ...inspected, userId, file: join('accounts', locateAccount(userId)), isBehind }
}

const listInAccounts = (listed: readonly ListedFile[]): readonly string[] =>
  listed.map(({ file }) => file).filter((file) => dirname(dirname(file)) === 'accounts')

const listUserIds = async (folder: string, accountFiles: readonly string[], journal: FoundJournal) => {
  const userIds = new Set(journal.listKeys().map(findUserId))
  for (const file of accountFiles) userIds.add(await findFileOwner(join(folder, file)))
  return [...userIds].filter((id) => id !== undefined).sort()
}

/**
 * Reads a data folder and changes nothing in it. A server may write it meanwhile. So the journal is read first, and the
 * other files are never older. If the server removes an account after that, no file has the journal's content of it,
 * and everything is read again.
 * @throws NewerVersion; the system's error when something cannot be read at all
 */
export const readFolder = (folder: string, findJournal = readJournal): Promise<ReadFolder> =>
  readDespiteRemoval(() => readFolderOnce(folder, findJournal), 5)

const readFolderOnce = async (folder: string, findJournal: typeof readJournal): Promise<ReadFolder> => {
  const readOutliers = async () => (await inspectFormat(folder)).inventory?.outliers ?? []
  const journal = await findJournal(folder, readOutliers)
  const registry = await inspectRegistry(folder, journal)
  const listed = await listFiles(folder)
  const accountFiles = listInAccounts(listed)
  const found = await inspectFormat(folder)
  const { raises, inventory } = found
  const known = new Map(inventory?.accounts)
  const accounts: ReadAccount[] = []
  for (const userId of await listUserIds(folder, accountFiles, journal))
    accounts.push(await readAccount(folder, userId, { journal, raises, known }))

  const lastSaved = Math.max(registry.write, inventory?.write ?? 0, ...accounts.map(({ write }) => write))
  // A server may have appended writes after the first read of the journal.
  const isBeyond = lastSaved > journal.lastFound && lastSaved > (await findJournal(folder, readOutliers)).lastFound
  const { firstFound } = journal
  const isHeadless = inventory !== undefined && firstFound !== undefined && firstFound > inventory.first
  // A server records the removal of a journal's segment before it removes the segment.
  const isLost = isHeadless && ((await inspectFormat(folder)).inventory?.first ?? 0) < firstFound
  const fileNames = new Set(accountFiles.map((file) => basename(file)))
  return {
    ...found,
    listed,
    journal,
    registry,
    accounts,
    beyondJournal: isBeyond ? lastSaved : undefined,
    beforeJournal: isLost ? inventory.first : undefined,
    missingAccounts: [...known.keys()]
      .filter((name) => !fileNames.has(name))
      .map((name) => join('accounts', locateByName(name))),
  }
}

/** The size of a data folder, as of its last write on disk. */
export interface FolderTotals {
  readonly users: number
  readonly apps: number
  readonly sessions: number
  /** Accounts with at least one write. */
  readonly accounts: number
  readonly things: number
  /** Deleted things whose deletions clients must still receive. */
  readonly deletions: number
  /** Outbox entries: notifications for webhooks and devices that are still to be delivered. */
  readonly outboxEntries: number
  /** Bytes of all files in the folder, of the accounts' files, and of the journal. */
  readonly bytes: number
  readonly accountBytes: number
  readonly journalBytes: number
  readonly journalSegments: number
  /** Writes in the journal; the accounts' files may hold some of them as well. */
  readonly journalWrites: number
  /** When the registry or an account was last saved from the journal to its own file: Unix time in seconds. */
  readonly lastCheckpoint: number | undefined
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

/** Computes the totals of a folder. */
export const sumUpFolder = ({ listed, journal, registry, accounts: read }: ReadFolder): FolderTotals => {
  const { document, outboxEntries = [] } = registry.found ?? {}
  const accounts = read.flatMap(({ found }) => (found === undefined || found.isEmpty ? [] : [found]))
  const bytesIn = (start: string) => sum(listed.filter(({ file }) => file.startsWith(start)).map(({ bytes }) => bytes))
  const saved = listed.filter(({ file }) => file === 'directory.json' || file.startsWith('accounts'))
  return {
    users: document?.users.length ?? 0,
    apps: document?.apps.length ?? 0,
    sessions: document?.sessions.length ?? 0,
    accounts: accounts.length,
    things: sum(accounts.map(({ things }) => things)),
    deletions: sum(accounts.map(({ deletions }) => deletions)),
    outboxEntries: outboxEntries.length,
    bytes: bytesIn(''),
    accountBytes: bytesIn('accounts'),
    journalBytes: bytesIn('journal'),
    journalSegments: journal.segments.length,
    journalWrites: journal.writeCount,
    lastCheckpoint:
      saved.length === 0 ? undefined : Math.floor(Math.max(...saved.map(({ changedAt }) => changedAt)) / 1000),
  }
}

/** The finding about one file of a data folder. */
export interface FoundFile {
  /** Its path relative to the data folder. */
  readonly file: string
  /** `note`: the file is not damaged, but the administrator may want to know about it. */
  readonly state: 'whole' | 'damaged' | 'note'
  readonly bytes: number
  /** The damage or the note, in words. */
  readonly says?: string
  /** What a repair would do. */
  readonly repair?: string
}

type Finding = Omit<FoundFile, 'bytes'>

/** A folder with indexes for the lookups per account; there may be a hundred thousand accounts. */
interface IndexedFolder extends ReadFolder {
  readonly listedFiles: ReadonlySet<string>
  readonly userNames: ReadonlyMap<string, string>
  readonly accountsById: ReadonlyMap<string | undefined, ReadAccount>
}

const indexFolder = (read: ReadFolder): IndexedFolder => ({
  ...read,
  listedFiles: new Set(read.listed.map(({ file }) => file)),
  userNames: new Map(read.registry.found?.document.users.map(({ id, name }) => [id, name])),
  accountsById: new Map(read.accounts.map((account) => [account.userId, account])),
})

const rebuild = 'quarantine it and rebuild it from its readable lines and the journal'
const rewriteFormat = 'write it again when all other files are whole'
const forgo = 'continue without it, with the lines of the account in the journal'
const noStart = 'no server starts on the folder'
const restart = 'save all accounts from it, quarantine it and begin a new journal'

const whole = (file: string): Finding => ({ file, state: 'whole' })
const note = (file: string, says: string): Finding => ({ file, state: 'note', says })
const damaged = (file: string, says: string, repair: string): Finding => ({ file, state: 'damaged', says, repair })

const describeFormat = ({ format, formatDamage, registry, listed, journal, accounts }: ReadFolder): Finding[] => {
  const file = 'format.json'
  if (format !== null) return [whole(file)]
  const isOfThisFormat = registry.write > 0 || journal.segments.length > 0 || accounts.some(({ write }) => write > 0)
  const wrong = formatDamage ?? (isOfThisFormat ? 'it is missing' : undefined)
  if (wrong !== undefined)
    return [damaged(file, `${wrong}; ${noStart}`, isHalfRestored(wrong) ? 'nothing' : rewriteFormat)]
  const hasData = listed.some(({ file: name }) => /^accounts\W/.test(name))
  return hasData ? [note(file, 'is missing; the next start writes it')] : []
}

/** Returns true for a folder with a `format.json`, whatever its content. */
const hasFormat = ({ format, formatDamage }: ReadFolder): boolean => format !== null || formatDamage !== undefined

const describeRegistry = (read: IndexedFolder): Finding[] => {
  const { registry, listedFiles } = read
  const file = 'directory.json'
  const isThere = listedFiles.has(file)
  if (!isThere && !hasFormat(read)) return []
  const wrong = isThere ? (registry.damage ?? registry.journalDamage) : 'it is missing'
  return [wrong === undefined ? whole(file) : damaged(file, `${wrong}; ${noStart}`, rebuild)]
}

const describeStretch = (read: IndexedFolder, { start, end, keys, last }: DamagedStretch): string => {
  const name = (key: string) => nameAccount(read, findUserId(key)) ?? 'users, apps and sessions'
  const whose = keys === undefined ? 'of unknown accounts' : `of the ${[...new Set(keys.map(name))].join(', ')}`
  const all = ['registry', ...read.accounts.map(({ userId }) => `account ${userId}`)]
  const isSaved = (keys ?? all).every((key) => {
    return (read.accountsById.get(findUserId(key)) ?? read.registry).write >= last
  })
  const loss = isSaved ? 'other files hold all of it' : 'no other file holds what was there'
  return `${end - start} bytes at byte ${start} are not what was written, ${whose}; ${loss}`
}

const describeSegment = (
  read: IndexedFolder,
  { file, bytes, damaged: stretches, unfinishedBytes }: FoundSegment,
): Finding => {
  if (bytes === 0) return note(file, 'is empty; unless a crash interrupted its creation, it was emptied')
  if (stretches.length > 0)
    return damaged(file, stretches.map((stretch) => describeStretch(read, stretch)).join('; '), restart)
  const cut = `ends in ${unfinishedBytes} bytes of a write that was not finished; the next start cuts them off`
  return unfinishedBytes > 0 ? note(file, cut) : whole(file)
}

const describeJournal = (read: IndexedFolder): Finding[] => {
  const { journal, beyondJournal, beforeJournal } = read
  const isMissing = journal.segments.length === 0 && hasFormat(read)
  const file = journal.segments.at(-1)?.file ?? 'journal'
  const says = isMissing
    ? 'is empty; writes that no other file holds are lost'
    : `its end is missing: it ends at write ${journal.lastFound}, and write ${beyondJournal} was on disk`
  const findings = journal.segments.map((segment) => describeSegment(read, segment))
  if (beforeJournal !== undefined) {
    const missing = `it is missing; perhaps no other file holds its writes; ${noStart}`
    findings.unshift(damaged(locateSegment('journal', beforeJournal), missing, restart))
  }
  if (!isMissing && beyondJournal === undefined) return findings
  return [...findings.filter((finding) => finding.file !== file), damaged(file, says, restart)]
}

const nameAccount = ({ userNames }: IndexedFolder, userId: string | undefined): string | undefined => {
  if (userId === undefined) return undefined
  const name = userNames.get(userId)
  return name === undefined ? `account ${userId} of no user` : `account of ${name}`
}

const describeAccount = (read: IndexedFolder, account: ReadAccount): Finding[] => {
  const { userId, file, found } = account
  const whose = `${nameAccount(read, userId)}`
  const wrong = account.damage ?? account.journalDamage
  if (wrong !== undefined) return [damaged(file, `${wrong}; ${whose}, not served`, rebuild)]
  if (!read.listedFiles.has(file)) return []
  const isForgotten = whose.endsWith('of no user') && read.registry.found !== undefined && found?.isEmpty === false
  return [isForgotten ? note(file, `${whose}; no user can read it`) : whole(file)]
}

/** The finding about an account's file without a known account. */
export const ownerUnknown = 'its account is unknown'

const known = new Set(['control.json', 'thingsync.json', formatCopyName])

const describeOther = (file: string): Finding => {
  const top = file.split(/[\\/]/)[0] ?? file
  if (known.has(file) || top === 'owner') return whole(top)
  if (top === 'unfinished') return note(file, 'a write that is running or was interrupted; the next start removes it')
  if (/^before-(journal|version-\d+)$/.test(top))
    return note(top, 'the folder before its update to a newer version; you may delete it')
  if (top.startsWith('repaired-')) return note(top, 'files that a repair quarantined; you may delete them')
  if (/\.(damaged|cut)-[^/\\]+$/.test(file)) return note(file, 'a copy of damaged bytes; you may delete it')
  if (/^first-run(-\d+)?\.txt$/.test(file))
    return note(file, 'secrets that the first start created; copy them, then delete the file')
  if (top === 'accounts' && file.endsWith(accountEnding)) return damaged(file, ownerUnknown, 'quarantine it')
  return note(file, 'not a file of thingsync; it stays as it is')
}

/** Describes each file of a data folder, sorted by name. */
export const describeFiles = (folder: ReadFolder): readonly FoundFile[] => {
  const read = indexFolder(folder)
  const findings = new Map<string, Finding>()
  for (const finding of [
    ...describeFormat(read),
    ...describeRegistry(read),
    ...describeJournal(read),
    ...read.accounts.flatMap((account) => describeAccount(read, account)),
    ...read.missingAccounts.map((file) => damaged(file, 'it is missing; the account is not served', forgo)),
  ])
    findings.set(finding.file, finding)
  for (const { file } of read.listed) {
    const other = describeOther(file)
    if (!findings.has(file)) findings.set(other.file, other)
  }
  const sizes = sumBytes(read.listed)
  return [...findings.values()]
    .map((finding) => ({ ...finding, bytes: sizes.get(finding.file) ?? 0 }))
    .sort((a, b) => (a.file < b.file ? -1 : 1))
}

/** Computes the bytes of each file, and of all files in each folder. */
const sumBytes = (listed: ReadFolder['listed']): ReadonlyMap<string, number> => {
  const sizes = new Map<string, number>()
  for (const { file, bytes } of listed) {
    for (let end = file.length; end > 0; end = file.lastIndexOf('/', end - 1)) {
      const name = file.slice(0, end)
      sizes.set(name, (sizes.get(name) ?? 0) + bytes)
    }
  }
  return sizes
}
