import type { AccountDocument } from './account-document.ts'
import type { Change } from './change.ts'
import type { DirectoryDocument } from './directory-state.ts'

/**
 * What makes the changes of a store last. Changes of one account, and those of the directory, arrive one after the
 * other. Whatever a keeper throws but StoreFailed is a bug.
 */
export interface Keeper {
  readonly loadDirectory: () => Promise<DirectoryDocument | undefined>
  /** Resolves when the directory is durable; otherwise throws StoreFailed and leaves the one before. */
  readonly keepDirectory: (next: DirectoryDocument) => Promise<void>
  readonly loadAccount: (userId: string) => Promise<AccountDocument | undefined>
  /**
   * Resolves when the changes are durable; otherwise throws StoreFailed and leaves the account as before.
   * A keeper takes the whole next state or its changes, whichever it keeps, and may ask for the state before.
   */
  readonly keepAccount: (userId: string, write: AccountWrite) => Promise<void>
  readonly removeAccount: (userId: string) => Promise<void>
  /** Throws StoreFailed when nothing could be kept now. */
  readonly check: () => Promise<void>
}

/** One write to be kept. */
export interface AccountWrite {
  readonly changes: readonly Change[]
  readonly before: () => AccountDocument
  readonly next: () => AccountDocument
}

/** A keeper that keeps nothing beyond the process. */
export const forgetfulKeeper: Keeper = {
  loadDirectory: async () => undefined,
  keepDirectory: async () => undefined,
  loadAccount: async () => undefined,
  keepAccount: async () => undefined,
  removeAccount: async () => undefined,
  check: async () => undefined,
}
