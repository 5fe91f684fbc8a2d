import type { Work } from '../slices.ts'
import type { Account, BeginLoading } from './account/account.ts'
import type { AccountDocument } from './account/account-document.ts'
import type { Change, ErrandChange } from './change.ts'
import { type DirectoryChanges, type DirectoryDocument, emptyDirectory } from './directory-state.ts'
import type { Errand, Haste } from './store.ts'

/**
 * What makes the changes of a store last. Changes of one account, and those of the directory, arrive in order, and each
 * may arrive before the one before it is durable. Whatever a keeper fails with but StoreFailed is a bug.
 */
export interface Keeper {
  readonly loadDirectory: () => Promise<KeptDirectory>
  readonly keepDirectory: (changes: DirectoryChanges, outcome: Outcome) => void
  readonly loadAccount: (userId: string, begin: BeginLoading) => Promise<Account>
  /** Takes changes as they are or, if there are many, as `encodeChanges` has encoded them. */
  readonly keepAccount: (
    userId: string,
    changes: readonly Change[] | EncodedChanges,
    outcome: Outcome,
    haste: Haste,
  ) => void
  readonly encodeChanges: (changes: readonly Change[]) => Work<EncodedChanges>
  /** Resolves when the account is forgotten for good. No changes of it may arrive meanwhile. */
  readonly removeAccount: (userId: string) => Promise<void>
  /**
   * Resolves with true when an account of which nothing is on its way can leave the memory: what is loaded then is what
   * it is now.
   * @throws StoreFailed
   */
  readonly releaseAccount: (userId: string) => Promise<boolean>
  /** From now on the keeper may look at what the store holds, to keep it in a shorter form. */
  readonly begin: (source: KeeperSource) => void
  /** Throws StoreFailed when nothing could be kept now. */
  readonly check: () => Promise<void>
  /** Resolves when all that arrived is kept, and everything is released. */
  readonly close: () => Promise<void>
}

/** Changes in a keeper's own form, and those of errands among them. */
export interface EncodedChanges {
  readonly encoded: readonly Buffer[]
  readonly errands: readonly ErrandChange[]
}

/** Told once how a change ended, in the order in which the changes arrived. */
export interface Outcome {
  /** It is durable; makes it visible, unless it is long before the next one is told. */
  readonly kept: () => void
  /** It is not, and neither is any that arrived after it. */
  readonly failed: (error: unknown) => void
}

/** A state that was kept, and the changes that were made to it since, one write after the other. */
export interface Kept<Document, Changes> {
  readonly document: Document
  readonly writes: readonly Changes[]
}

/** The directory, and the errands of all accounts. */
export interface KeptDirectory extends Kept<DirectoryDocument, DirectoryChanges> {
  readonly errands: readonly Errand[]
}

/** The visible state of a store. */
export interface KeeperSource {
  readonly showDirectory: () => DirectoryDocument
  /** Undefined while the account is not in memory. */
  readonly showAccount: (userId: string) => AccountDocument | undefined
  /** While durable changes of an account are being made visible: resolves when they are. */
  readonly whenVisible: (userId: string) => Promise<void> | undefined
  /** Brings an account into memory. */
  readonly openAccount: (userId: string) => Promise<unknown>
}

const nothing: EncodedChanges = { encoded: [], errands: [] }

function* encodeNothing(): Work<EncodedChanges> {
  yield
  return nothing
}

/** A keeper that keeps nothing beyond the process. */
export const forgetfulKeeper: Keeper = {
  loadDirectory: async () => ({ document: emptyDirectory, writes: [], errands: [] }),
  keepDirectory: (_changes, outcome) => outcome.kept(),
  loadAccount: async (_userId, begin) => begin(0).finish(),
  keepAccount: (_userId, _changes, outcome) => outcome.kept(),
  encodeChanges: encodeNothing,
  removeAccount: async () => undefined,
  releaseAccount: async () => false,
  begin: () => undefined,
  check: async () => undefined,
  close: async () => undefined,
}
