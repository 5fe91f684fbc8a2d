import * as nodeFiles from 'node:fs/promises'
import { basename, join } from 'node:path'
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
import { type ReadLines, takeLines } from './journal/journal-index.ts'
import type { StepSink } from './record/change.ts'
import { decodeRegistryChanges, encodeRegistryChanges, removal } from './record/change-text.ts'
import { DamagedFile, encodeAccountKey, findUserId, readSteps, registryKey } from './record/checked-lines.ts'
import type { RegistryChanges } from './registry/registry-state.ts'
import { type Store, StoreError, type StoreLog, silentLog, type ThingForm } from './store.ts'
import { createSerialQueue } from './write/commit-queue.ts'

/** What a line of the journal that is not what it should be is to those who ask for its account. */
export const failOnDamage = async <T>(key: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error
    throw new StoreError(`journal: ${key} is damaged: ${error.message}`, { cause: error })
  }
}

/** Refuses a key of which the journal may have lost something behind what its own file holds. @throws StoreFailed */
const checkWhole = (
  journal: Pick<JournalReader, 'folder' | 'lastWrite' | 'findDamage'>,
  key: string,
  saved: number,
): void => {
  // Otherwise what is written next would be taken for something that the file holds.
  if (saved > journal.lastWrite())
    throw new StoreError(
      `${journal.folder} has lost its end: the file of ${key} holds write ${saved}, the journal ends at ` +
        `${journal.lastWrite()}; put files and journal of the same backup in their place`,
    )
  const damage = journal.findDamage(key, saved)
  if (damage !== undefined)
    throw new StoreError(`${damage.path} is damaged at byte ${damage.start}: ${key} may miss writes`)
}

/** The change of the registry in a line that `readLine` has read. @throws DamagedFile */
export const readRegistryLine = (line: Buffer): RegistryChanges => decodeRegistryChanges(readSteps(line))

/** The registry, and the errands of all accounts, from its file and the journal. @throws StoreFailed */
export const loadRegistry = (snapshot: RegistrySnapshot, journal: JournalReader): Promise<StoredRegistry> => {
  const { write, document, errands, errandsWrite = write } = snapshot
  return failOnDamage(registryKey, async () => {
    checkWhole(journal, registryKey, write)
    const writes: RegistryChanges[] = []
    for await (const lines of journal.read(registryKey, { after: write }))
      for (const { bytes } of lines) writes.push(readRegistryLine(bytes))
    journal.errands.begin(errands, errandsWrite)
    return { document, writes, errands: journal.errands.list() }
  })
}

/** What an account is loaded from. */
export interface StoredParts {
  readonly accounts: Pick<AccountFiles, 'load'>
  readonly journal: Omit<JournalReader, 'errands'>
  readonly raises: readonly PositionJump[]
  /** The last write that counts; all of them without it. */
  readonly upTo?: number
}

/**
 * An account from its file and the journal, line by line: what is read is never there as a whole. Gives the sink that
 * `begin` gave for the position that the file's base has, and the last write that the file holds.
 * @throws StoreFailed when anything in them is not what this program writes, or may be missing
 */
export const loadAccount = <Sink extends StepSink>(
  userId: string,
  { accounts, journal, raises, upTo = Number.POSITIVE_INFINITY }: StoredParts,
  begin: (position: number) => Sink,
): Promise<{ readonly saved: number; readonly sink: Sink }> => {
  const key = encodeAccountKey(userId)
  return failOnDamage(key, async () => {
    // The file of an account that was removed may have outlived it.
    const removed = journal.removals.get(key)
    const { write: saved, sink } =
      removed === undefined ? await accounts.load(userId, begin) : { write: removed, sink: begin(0) }
    checkWhole(journal, key, saved)
    let after = saved
    for (const { write, by } of raises.filter(({ write }) => write > saved).toSorted((a, b) => a.write - b.write)) {
      await takeLines(journal.read(key, { after, before: write }), sink)
      sink.put({ raisedTo: sink.position() + by })
      after = write
    }
    await takeLines(journal.read(key, { after, before: upTo + 1 }), sink)
    return { saved, sink }
  })
}

/** What a file backend works with. */
export interface FileBackendOptions {
  readonly folder: string
  readonly files: FileOperations
  readonly log: StoreLog
  /** Unix time in milliseconds. */
  readonly now: () => number
  /** Size at which a segment of the journal is full, and what it holds is saved to the files of its accounts. */
  readonly segmentBytes: number
  readonly ownership: Ownership
  /** Told of each batch of writes that became durable. */
  readonly onCommit: (writes: number, milliseconds: number) => void
}

/** What must be there and what is; says what is not. */
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
  // What a file holds that is not known yet stands in the journal as well.
  return [...Array.from(found, (name) => [name, 0] as const), ...known]
}

/**
 * Keeps every write as a line of one journal, and brings accounts and the registry to files of their own in the
 * background. Folders that are missing are made, what a crash left unfinished is removed, and a data folder of the
 * format before is brought to this one.
 * @throws StoreFailed when the folder cannot be used
 */
export const openFileBackend = async (options: FileBackendOptions): Promise<Backend> => {
  const { folder, log, now, segmentBytes, ownership } = options
  const files = guardNames(options.files, folder, ownership)
  const guard = createDiskGuard(log)
  // Keeps a file that is written and one that is removed apart.
  const fileTurns = createSerialQueue()
  let source: BackendSource | undefined

  const prepared = await guard.writing(() => prepareDataFolder({ folder, files, log, now }))
  const found = await guard.reading(() => listAccountFiles(files, folder))
  const inventory = createInventoryWriter(listKnownAccounts(options, prepared, found), (accounts, after = left) => {
    left = after
    const known = { at: Math.floor(now() / 1000), ...left, write: journal.lastWrite(), accounts }
    return guard.writing(() => writeFormat(folder, files, { place: prepared.place, raises, inventory: known }))
  })
  const accounts = createAccountFiles({ folder, files, log, guard, inventory, ownership })

  const saveRegistry = async (held: BackendSource): Promise<void> => {
    const write = journal.findUnsaved(registryKey)
    if (write === undefined) return
    // What is visible, the errands, and the number of the last write belong together: nothing is awaited between them.
    const errands = journal.errands.list()
    const errandsWrite = Math.min(write, journal.lastWhole())
    const snapshot = { write, document: held.visibleRegistry(), errands, errandsWrite }
    await guard.writing(() => writeRegistry(folder, files, snapshot))
    journal.noteSaved(registryKey, write)
  }

  /** Brings the lines of an account to its file as they are. False when the file has to be written anew. */
  const appendAccount = (held: BackendSource, userId: string, write: number): Promise<boolean> => {
    const key = encodeAccountKey(userId)
    const read = (after: number): ReadLines | undefined => {
      // A raise of positions stands in no line.
      const isWhole = journal.findDamage(key, after) === undefined && (raises.at(-1)?.write ?? 0) <= after
      return isWhole ? journal.read(key, { after, before: write + 1 }) : undefined
    }
    const liveBytes = held.visibleAccount(userId)?.roughBytes
    return failOnDamage(key, () => accounts.append(userId, { write, read, liveBytes }))
  }

  /** An account as it is on disk, up to a write or up to its last one. */
  const load = async (userId: string, begin: BeginLoading, upTo?: number): Promise<Account> => {
    const parts = { accounts, journal, raises, ...(upTo !== undefined && { upTo }) }
    return (await guard.reading(() => loadAccount(userId, parts, begin))).sink.finish()
  }

  const rewriteAccount = async (held: BackendSource, userId: string): Promise<void> => {
    const key = encodeAccountKey(userId)
    for (let busy = held.whenVisible(userId); busy !== undefined; busy = held.whenVisible(userId)) await busy
    // What is visible and the number of its last write belong together: nothing may be awaited between them.
    const visible = held.visibleAccount(userId)
    const write = journal.findUnsaved(key)
    if (write === undefined) return
    const isRemoved = journal.removals.get(key) === write
    const document = isRemoved ? emptyAccount : (visible ?? documentOf(await load(userId, held.beginAccount, write)))
    // What is saved after a raise must not be raised again.
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
    fileTurns.run(key, async () => {
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
    onFull: checkpoints.ask,
    onCommit: options.onCommit,
    noteRemoval: inventory.save,
  })
  // Before its removal is written down the oldest file of the journal must be there.
  let left: JournalLeft = {
    first: prepared.inventory?.first ?? journal.segments()[0]?.first ?? 0,
    outliers: prepared.inventory?.outliers ?? [],
  }
  let raises = prepared.raises
  try {
    const { wayBack } = prepared
    if (wayBack !== undefined) {
      const write = await journal.mark(JSON.stringify('restored'))
      // A folder that was not seen for a while is nothing to tell anybody of.
      if (wayBack !== 'unseen')
        log.warn(
          { folder, write, wayBack },
          `${folder} was restored or copied; the positions of all accounts are raised`,
        )
      raises = [...raises, { write, by: chooseDistance(now(), prepared.inventory?.at) }]
    }
    // Always: what was copied from the folder before is no more than a copy from now on.
    await inventory.save()
  } catch (error) {
    await journal.close()
    throw error
  }

  const removeAccount = async (userId: string): Promise<void> => {
    const key = encodeAccountKey(userId)
    await new Promise<void>((resolve, failed) => {
      journal.append({ key, steps: [Buffer.from(JSON.stringify(removal))], errands: removal, durable: resolve, failed })
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
          const advice =
            'repair it (and put -------- in the place of the digits of its checksum) or put a backup in its place'
          throw await reportDamage({ files, log }, join(folder, 'directory.json'), error, advice)
        }
      }),
    commitRegistry: (changes, outcome) =>
      journal.append({ key: registryKey, steps: [Buffer.from(encodeRegistryChanges(changes))], ...outcome }),
    loadAccount: (userId, begin) =>
      // What is read of the file and of the journal belong together.
      fileTurns.run(encodeAccountKey(userId), () => load(userId, begin)),
    commitAccount: (userId, { json, errandSteps }, outcome, haste) =>
      journal.append({
        key: encodeAccountKey(userId),
        steps: json,
        errands: errandSteps,
        mayWait: haste === 'soon',
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
      checkpoints.askLater()
    },
    checkpoint: async () => {
      await journal.rotate()
      checkpoints.ask()
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
        // Without it nothing is wrong; only losses that come later may go untold.
        if (!(error instanceof StoreError)) throw error
        log.warn({ err: error }, `${folder} was closed without a word of what it holds: ${error.message}`)
      }
      await journal.close()
    },
  }
}

/** Options of a JSON-file store. */
export interface JsonFileStoreOptions {
  /** The data folder; made when it is missing. One process at a time may have it open. */
  readonly folder: string
  readonly form: ThingForm
  /** Unix time in milliseconds; `Date.now` when left out. Only how far positions are raised after a restore depends on it. */
  readonly now?: () => number
  /** Milliseconds since whenever, never set back; `performance.now` when left out. */
  readonly elapsed?: () => number
  /** Told what was repaired and what is damaged; nobody when left out. */
  readonly log?: StoreLog
  /** Size at which a file of the journal is full, and what is in it is brought to the accounts' files; 64 MiB. */
  readonly segmentBytes?: number
  /** What is known of the folder's one owner; without it nobody else is looked for. */
  readonly ownership?: Ownership
  /** Told of each batch of writes that became durable, and how long that took; nobody when left out. */
  readonly onCommit?: (writes: number, milliseconds: number) => void
  /** The functions of `node:fs/promises`, for tests of a disk that fails. */
  readonly files?: FileOperations
}

const defaultSegmentBytes = 64 * 1024 * 1024

/**
 * Opens the store that has everything as JSON files in one folder: every write is a line under `journal/` first, and
 * comes later to `directory.json` (users, apps and sessions) or to the account's file under `accounts/`.
 * @throws StoreFailed when the folder cannot be used or `directory.json` is damaged
 */
export const openJsonFileStore = async (options: JsonFileStoreOptions): Promise<Store> => {
  const {
    folder,
    form,
    now = Date.now,
    elapsed = () => performance.now(),
    log = silentLog,
    files = nodeFiles,
    segmentBytes = defaultSegmentBytes,
    ownership = soleOwner,
    onCommit = () => undefined,
  } = options
  const backend = await openFileBackend({ folder, files, log, now, segmentBytes, ownership, onCommit })
  try {
    return await createStore({ form, elapsed, backend })
  } catch (error) {
    await backend.close()
    throw error
  }
}
