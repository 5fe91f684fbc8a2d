import * as nodeFiles from 'node:fs/promises'
import { basename, join } from 'node:path'
import { createSerialQueue } from '../scheduling.ts'
import { type Account, type BeginLoading, documentOf, emptyAccount, isEmptyAccount } from './account/account.ts'
import { chooseDistance, type PositionJump } from './account/records.ts'
import { type Backend, type BackendSource, createStore, type StoredRegistry } from './create-store.ts'
import { type AccountFiles, createAccountFiles, createCheckpoints, reportDamage } from './disk/checkpoint.ts'
import {
  createInventoryWriter,
  type JournalLeft,
  type KnownFile,
  listAccountFiles,
  missingAdvice,
  type PreparedFolder,
  prepareDataFolder,
  type RegistrySnapshot,
  readRegistry,
  writeFormat,
  writeRegistry,
} from './disk/directory.ts'
import { type FileOperations, writeAside } from './disk/files.ts'
import { createDiskGuard, guardNames, type Ownership, soleOwner } from './disk/ownership.ts'
import { type JournalReader, openJournal } from './journal/journal.ts'
import { passLines, type ReadLines } from './journal/journal-index.ts'
import type { StepSink } from './record/change.ts'
import { decodeRegistryChanges, encodeRegistryChanges, removal } from './record/change-text.ts'
import { DamagedFile, encodeAccountKey, findUserId, readSteps, registryKey } from './record/checked-lines.ts'
import type { RegistryChanges } from './registry/registry-state.ts'
import { type Store, StoreError, type StoreLog, silentLog, type ThingForm } from './store.ts'

/** Turns a damaged line of the journal into a StoreError for the caller that requested its account. */
export const failOnDamage = async <T>(key: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error
    throw new StoreError(`journal: ${key} is damaged: ${error.message}`, { cause: error })
  }
}

/** Checks that the journal cannot have lost a write of the key after the writes in its own file. @throws StoreError */
const checkWhole = (
  journal: Pick<JournalReader, 'folder' | 'lastWrite' | 'findDamage'>,
  key: string,
  saved: number,
): void => {
  // Otherwise a later load would take the next write for a write that the file already holds.
  if (saved > journal.lastWrite())
    throw new StoreError(
      `${journal.folder} has lost its end: the file of ${key} holds write ${saved}, the journal ends at ` +
        `${journal.lastWrite()}; replace both with files of the same backup`,
    )
  const damage = journal.findDamage(key, saved)
  if (damage !== undefined)
    throw new StoreError(`${damage.path} is damaged at byte ${damage.start}: ${key} may lack writes`)
}

/** Decodes the registry change in a line that `readLine` has read. @throws DamagedFile */
export const readRegistryLine = (line: Buffer): RegistryChanges => decodeRegistryChanges(readSteps(line))

/** Loads the registry, and the outbox entries of all accounts, from its file and the journal. @throws StoreError */
export const loadRegistry = (snapshot: RegistrySnapshot, journal: JournalReader): Promise<StoredRegistry> => {
  const { write, document, outboxEntries, outboxWrite = write } = snapshot
  return failOnDamage(registryKey, async () => {
    checkWhole(journal, registryKey, write)
    const writes: RegistryChanges[] = []
    for await (const lines of journal.read(registryKey, { after: write }))
      for (const { bytes } of lines) writes.push(readRegistryLine(bytes))
    journal.outbox.begin(outboxEntries, outboxWrite)
    return { document, writes, outboxEntries: journal.outbox.list() }
  })
}

/** The sources of an account. */
export interface StoredParts {
  readonly accounts: Pick<AccountFiles, 'load'>
  readonly journal: Omit<JournalReader, 'outbox'>
  readonly raises: readonly PositionJump[]
  /** The last write to load; all writes by default. */
  readonly upTo?: number
}

/**
 * Loads an account from its file and the journal, line by line, so that the input is never in memory as a whole.
 * `begin` gets the position of the file's base and returns a sink. The result is this sink and the last write that the
 * file holds.
 * @throws StoreError when the input may be incomplete or contains anything that this program does not write
 */
export const loadAccount = <Sink extends StepSink>(
  userId: string,
  { accounts, journal, raises, upTo = Number.POSITIVE_INFINITY }: StoredParts,
  begin: (position: number) => Sink,
): Promise<{ readonly saved: number; readonly sink: Sink }> => {
  const key = encodeAccountKey(userId)
  return failOnDamage(key, async () => {
    // The file of a removed account may still exist.
    const removed = journal.removals.get(key)
    const { write: saved, sink } =
      removed === undefined ? await accounts.load(userId, begin) : { write: removed, sink: begin(0) }
    checkWhole(journal, key, saved)
    let after = saved
    for (const { write, by } of raises.filter(({ write }) => write > saved).toSorted((a, b) => a.write - b.write)) {
      await passLines(journal.read(key, { after, before: write }), sink)
      sink.put({ raisedTo: sink.position() + by })
      after = write
    }
    await passLines(journal.read(key, { after, before: upTo + 1 }), sink)
    return { saved, sink }
  })
}

/** The dependencies of a file backend. */
export interface FileBackendOptions {
  readonly folder: string
  readonly files: FileOperations
  readonly log: StoreLog
  /** Unix time in milliseconds. */
  readonly now: () => number
  /** Size at which a segment of the journal is full. Its lines are then saved to the files of their accounts. */
  readonly segmentBytes: number
  readonly ownership: Ownership
  /** Called after each batch of writes became durable. */
  readonly onCommit: (writes: number, milliseconds: number) => void
}

/** Compares the files that must exist with the files that do, and logs missing ones. */
const listKnownAccounts = (
  { folder, log }: FileBackendOptions,
  { inventory }: PreparedFolder,
  paths: readonly string[],
): readonly KnownFile[] => {
  const found = new Set(paths.map((path) => basename(path)))
  const known = inventory?.accounts ?? []
  const missing = known.map(([name]) => name).filter((name) => !found.has(name))
  if (missing.length > 0)
    log.error(
      { folder, missing },
      `${missing.length} files of accounts are missing (${missing.slice(0, 3).join(', ')}); these accounts are not ` +
        `served; ${missingAdvice}`,
    )
  // A file that the inventory does not name yet needs no minimum: the journal also holds its writes.
  return [...Array.from(found, (name) => [name, 0] as const), ...known]
}

/**
 * Opens the backend that stores every write as a line of one journal. In the background it copies the lines to files of
 * the accounts and of the registry. It creates missing folders and removes files that a crash left unfinished.
 * @throws StoreError when the folder cannot be used
 */
export const openFileBackend = async (options: FileBackendOptions): Promise<Backend> => {
  const { folder, log, now, segmentBytes, ownership } = options
  const files = guardNames(options.files, folder, ownership)
  const guard = createDiskGuard(log)
  // Serializes writing and removing the same file.
  const fileQueue = createSerialQueue()
  let source: BackendSource | undefined

  const prepared = await guard.writing(() => prepareDataFolder({ folder, files, log, now }))
  const found = await guard.reading(() => listAccountFiles(files, folder))
  const inventory = createInventoryWriter(listKnownAccounts(options, prepared, found), (accounts, after = left) => {
    left = after
    const known = { at: Math.floor(now() / 1000), ...left, write: journal.lastWrite(), accounts }
    return guard.writing(() => writeFormat(folder, files, { identity: prepared.identity, raises, inventory: known }))
  })
  const accounts = createAccountFiles({ folder, files, log, guard, inventory, ownership })

  const saveRegistry = async (held: BackendSource): Promise<void> => {
    const write = journal.findUnsaved(registryKey)
    if (write === undefined) return
    // The visible state, the outbox entries and the last write's number must match: nothing is awaited between them.
    const outboxEntries = journal.outbox.list()
    const outboxWrite = Math.min(write, journal.lastWhole())
    const snapshot = { write, document: held.visibleRegistry(), outboxEntries, outboxWrite }
    await guard.writing(() => writeRegistry(folder, files, snapshot))
    journal.noteSaved(registryKey, write)
  }

  /** Appends the lines of an account to its file unchanged. Returns false when the file must be written as a whole. */
  const appendAccount = (held: BackendSource, userId: string, write: number): Promise<boolean> => {
    const key = encodeAccountKey(userId)
    const read = (after: number): ReadLines | undefined => {
      // No line holds a raise of positions.
      const isWhole = journal.findDamage(key, after) === undefined && (raises.at(-1)?.write ?? 0) <= after
      return isWhole ? journal.read(key, { after, before: write + 1 }) : undefined
    }
    const liveBytes = held.visibleAccount(userId)?.roughBytes
    return failOnDamage(key, () => accounts.append(userId, { write, read, liveBytes }))
  }

  /** Loads an account from the disk, up to the given write or to its last write. */
  const load = async (userId: string, begin: BeginLoading, upTo?: number): Promise<Account> => {
    const parts = { accounts, journal, raises, ...(upTo !== undefined && { upTo }) }
    return (await guard.reading(() => loadAccount(userId, parts, begin))).sink.finish()
  }

  const rewriteAccount = async (held: BackendSource, userId: string): Promise<void> => {
    const key = encodeAccountKey(userId)
    for (let busy = held.whenVisible(userId); busy !== undefined; busy = held.whenVisible(userId)) await busy
    // The visible state and the number of its last write must match: nothing is awaited between them.
    const visible = held.visibleAccount(userId)
    const write = journal.findUnsaved(key)
    if (write === undefined) return
    const isRemoved = journal.removals.get(key) === write
    const document = isRemoved ? emptyAccount : (visible ?? documentOf(await load(userId, held.beginAccount, write)))
    // A later load must not apply the raise again to what is saved after it.
    const snapshot = { write: Math.max(write, raises.at(-1)?.write ?? 0), document }
    await (isEmptyAccount(document) ? accounts.remove(userId) : accounts.write(userId, snapshot))
    journal.noteSaved(key, write)
  }

  const saveAccount = async (held: BackendSource, userId: string): Promise<void> => {
    const key = encodeAccountKey(userId)
    const write = journal.findUnsaved(key)
    if (write === undefined) return
    const removedAt = journal.removals.get(key)
    if (removedAt === write) await accounts.remove(userId)
    else if (removedAt !== undefined || !(await appendAccount(held, userId, write))) return rewriteAccount(held, userId)
    journal.noteSaved(key, write)
  }

  const save = (key: string): Promise<void> =>
    fileQueue.run(key, async () => {
      const userId = findUserId(key)
      if (source === undefined) return
      if (userId !== undefined) await saveAccount(source, userId)
      else if (key === registryKey) await saveRegistry(source)
    })

  const checkpoints = createCheckpoints(() => journal, save, log)
  const journal = await openJournal({
    folder: prepared.journalFolder,
    files,
    log,
    guard,
    segmentBytes,
    ownership,
    asideFolder: join(folder, 'unfinished'),
    known: prepared.inventory,
    onFull: checkpoints.request,
    onCommit: options.onCommit,
    noteRemoval: inventory.save,
  })
  // The oldest segment of the journal must exist until its removal is recorded.
  let left: JournalLeft = {
    first: prepared.inventory?.first ?? journal.segments()[0]?.first ?? 0,
    outliers: prepared.inventory?.outliers ?? [],
  }
  let raises = prepared.raises
  try {
    const { rollback } = prepared
    if (rollback !== undefined) {
      const write = await journal.mark(JSON.stringify('restored'))
      // A folder that was merely not seen for a while needs no log line.
      if (rollback !== 'unseen')
        log.warn(
          { folder, write, rollback },
          `${folder} was restored or copied; the positions of all accounts are raised`,
        )
      raises = [...raises, { write, by: chooseDistance(now(), prepared.inventory?.at) }]
    }
    // Always: from now on, a copy that was made of the folder before is only a copy.
    await inventory.save()
  } catch (error) {
    await journal.close()
    throw error
  }

  const removeAccount = async (userId: string): Promise<void> => {
    const key = encodeAccountKey(userId)
    await new Promise<void>((resolve, failed) => {
      journal.append({
        key,
        steps: [Buffer.from(JSON.stringify(removal))],
        entrySteps: removal,
        durable: resolve,
        failed,
      })
    })
    await checkpoints.saveOrReport(key)
  }

  return {
    loadRegistry: () =>
      guard.reading(async () => {
        try {
          return await loadRegistry(await readRegistry(folder, files), journal)
        } catch (error) {
          if (!(error instanceof DamagedFile)) throw error
          const advice = 'repair it and replace the digits of its checksum with --------, or replace it with a backup'
          throw await reportDamage({ files, log }, join(folder, 'directory.json'), error, advice)
        }
      }),
    commitRegistry: (changes, outcome) =>
      journal.append({ key: registryKey, steps: [Buffer.from(encodeRegistryChanges(changes))], ...outcome }),
    loadAccount: (userId, begin) =>
      // The contents that are read from the file and from the journal must match.
      fileQueue.run(encodeAccountKey(userId), () => load(userId, begin)),
    commitAccount: (userId, { json, entryChanges }, outcome, priority) =>
      journal.append({
        key: encodeAccountKey(userId),
        steps: json,
        entrySteps: entryChanges,
        mayWait: priority === 'soon',
        ...outcome,
      }),
    removeAccount,
    releaseAccount: async (userId) => {
      const key = encodeAccountKey(userId)
      await save(key)
      return journal.findUnsaved(key) === undefined
    },
    begin: (held) => {
      source = held
      checkpoints.requestLater()
    },
    checkpoint: async () => {
      await journal.rotate()
      checkpoints.request()
      await checkpoints.settle()
    },
    check: () => {
      const probe = { path: join(folder, 'unfinished', 'check'), asideFolder: join(folder, 'unfinished'), files }
      return guard.writing(() => writeAside(probe, ['{}\n'], (aside) => files.unlink(aside)))
    },
    close: async () => {
      await journal.settle()
      await checkpoints.settle()
      try {
        await inventory.save()
      } catch (error) {
        // The store is complete without the inventory; only a later loss might go unnoticed.
        if (!(error instanceof StoreError)) throw error
        log.warn({ err: error }, `${folder} was closed without a new inventory: ${error.message}`)
      }
      await journal.close()
    },
  }
}

/** Options of a JSON-file store. */
export interface JsonFileStoreOptions {
  /** The data folder; created when it is missing. Only one process at a time may have it open. */
  readonly folder: string
  readonly form: ThingForm
  /** Unix time in milliseconds; `Date.now` by default. Only the distance of a raise after a restore depends on it. */
  readonly now?: () => number
  /** A monotonic clock in milliseconds; `performance.now` by default. */
  readonly monotonicMs?: () => number
  /** Receives what was repaired and what is damaged; nothing is logged by default. */
  readonly log?: StoreLog
  /** Size at which a segment of the journal is full and its lines are saved to the accounts' files; 64 MiB. */
  readonly segmentBytes?: number
  /** Checks that this process is the folder's only owner; without it the store looks for no other owner. */
  readonly ownership?: Ownership
  /** Called after each batch of writes became durable, with the duration. */
  readonly onCommit?: (writes: number, milliseconds: number) => void
  /** The functions of `node:fs/promises`; tests replace them to simulate a failing disk. */
  readonly files?: FileOperations
}

const defaultSegmentBytes = 64 * 1024 * 1024

/**
 * Opens the store that has everything as JSON files in one folder. Every write is first a line under `journal/`. Later
 * the line goes to `directory.json` (users, apps and sessions) or to the account's file under `accounts/`.
 * @throws StoreError when the folder cannot be used or `directory.json` is damaged
 */
export const openJsonFileStore = async (options: JsonFileStoreOptions): Promise<Store> => {
  const {
    folder,
    form,
    now = Date.now,
    monotonicMs = () => performance.now(),
    log = silentLog,
    files = nodeFiles,
    segmentBytes = defaultSegmentBytes,
    ownership = soleOwner,
    onCommit = () => undefined,
  } = options
  const backend = await openFileBackend({ folder, files, log, now, segmentBytes, ownership, onCommit })
  try {
    return await createStore({ form, monotonicMs, backend })
  } catch (error) {
    await backend.close()
    throw error
  }
}
