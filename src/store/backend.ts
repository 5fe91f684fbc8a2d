import type { Account, BeginLoading } from './image/account.ts'
import type { AccountDocument } from './image/account-document.ts'
import { emptyRegistry, type RegistryChanges, type RegistryDocument } from './registry/registry-state.ts'
import type { Errand, Haste } from './store.ts'
import type { EncodedWrite } from './write/commit-queue.ts'
import type { Outcome } from './write/outcome.ts'

/**
 * What makes the changes of a store last. Changes of one account, and those of the registry, arrive in order, and each
 * may arrive before the one before it is durable. Whatever a backend fails with but StoreFailed is a bug.
 */
export interface Backend {
  readonly loadRegistry: () => Promise<StoredRegistry>
  readonly commitRegistry: (changes: RegistryChanges, outcome: Outcome) => void
  readonly loadAccount: (userId: string, begin: BeginLoading) => Promise<Account>
  readonly commitAccount: (userId: string, write: EncodedWrite, outcome: Outcome, haste: Haste) => void
  /** Resolves when the account is forgotten for good. No changes of it may arrive meanwhile. */
  readonly removeAccount: (userId: string) => Promise<void>
  /**
   * Resolves with true when an account of which nothing is on its way can leave the memory: what is loaded then is what
   * it is now.
   * @throws StoreFailed
   */
  readonly releaseAccount: (userId: string) => Promise<boolean>
  /** From now on the backend may look at what the store holds, to keep it in a shorter form. */
  readonly begin: (source: BackendSource) => void
  /** Brings all that is kept into the plain form that a person can read. @throws StoreFailed */
  readonly checkpoint: () => Promise<void>
  /** Throws StoreFailed when nothing could be kept now. */
  readonly check: () => Promise<void>
  /** Resolves when all that arrived is kept, and everything is released. */
  readonly close: () => Promise<void>
}

/** The registry as it was stored, the changes that were made to it since, and the errands of all accounts. */
export interface StoredRegistry {
  readonly document: RegistryDocument
  readonly writes: readonly RegistryChanges[]
  readonly errands: readonly Errand[]
}

/** The visible state of a store. */
export interface BackendSource {
  readonly visibleRegistry: () => RegistryDocument
  /** Undefined while the account is not in memory. */
  readonly visibleAccount: (userId: string) => AccountDocument | undefined
  /** While durable changes of an account are being made visible: resolves when they are. */
  readonly whenVisible: (userId: string) => Promise<void> | undefined
  /** Begins to load an account that nobody but the backend gets to see. */
  readonly beginAccount: BeginLoading
}

/** A backend that keeps nothing beyond the process. */
export const forgetfulBackend: Backend = {
  loadRegistry: async () => ({ document: emptyRegistry, writes: [], errands: [] }),
  commitRegistry: (_changes, outcome) => outcome.durable(),
  loadAccount: async (_userId, begin) => begin(0).finish(),
  commitAccount: (_userId, _write, outcome) => outcome.durable(),
  removeAccount: async () => undefined,
  releaseAccount: async () => false,
  begin: () => undefined,
  checkpoint: async () => undefined,
  check: async () => undefined,
  close: async () => undefined,
}
