import { basename, join } from 'node:path'
import type { Backend, BackendSource } from '../backend.ts'
import type { Account, BeginLoading } from '../image/account.ts'
import { documentOf, emptyAccount, isEmptyAccount } from '../image/account-document.ts'
import { encodeAccountKey, findUserId, registryKey } from '../record/journal-line.ts'
import { DamagedFile } from '../record/sealed-json.ts'
import { encodeRegistryChanges, removal } from '../record/write-steps.ts'
import { StoreFailed } from '../store.ts'
import type { StoreLog } from '../store-log.ts'
import { openJournal } from '../wal/journal.ts'
import type { ReadLines } from '../wal/read-lines.ts'
import { createTurns } from '../write/turns.ts'
import { createAccountFiles } from './account-files.ts'
import { createCheckpoints } from './checkpoints.ts'
import { reportDamage } from './damaged-copy.ts'
import { type PreparedFolder, prepareDataFolder } from './data-format.ts'
import { createDiskGuard } from './disk-guard.ts'
import { writeAside } from './durable-json-file.ts'
import type { FileOperations } from './file-operations.ts'
import { writeFormat } from './format-file.ts'
import { createInventoryWriter, type JournalLeft, type KnownFile } from './inventory.ts'
import { failOnDamage, loadAccount, loadRegistry } from './load-account.ts'
import { listAccountFiles, missingAdvice } from './missing-files.ts'
import { guardNames, type Ownership } from './ownership.ts'
import { chooseDistance } from './raises.ts'
import { readRegistry, writeRegistry } from './registry-file.ts'

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
const nameKnownAccounts = (
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
  const fileTurns = createTurns()
  let source: BackendSource | undefined

  const prepared = await guard.writing(() => prepareDataFolder({ folder, files, log, now }))
  const found = await guard.reading(() => listAccountFiles(files, folder))
  const inventory = createInventoryWriter(nameKnownAccounts(options, prepared, found), (accounts, after = left) => {
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
    fileTurns.take(key, async () => {
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
      fileTurns.take(encodeAccountKey(userId), () => load(userId, begin)),
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
        if (!(error instanceof StoreFailed)) throw error
        log.warn({ err: error }, `${folder} was closed without a word of what it holds: ${error.message}`)
      }
      await journal.close()
    },
  }
}
