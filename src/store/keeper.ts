import { type AccountDocument, emptyAccount } from './account-document.ts'
import type { Change } from './change.ts'
import { type DirectoryDocument, emptyDirectory } from './directory-state.ts'

/**
 * What makes the changes of a store last. Changes of one account, and those of the directory, arrive one after the
 * other. Whatever a keeper throws but StoreFailed is a bug.
 */
export interface Keeper {
  readonly loadDirectory: () => Promise<DirectoryDocument>
  /** Resolves when the next state is durable; otherwise throws StoreFailed and leaves the state before. */
  readonly keepDirectory: (states: States<DirectoryDocument>) => Promise<void>
  readonly loadAccount: (userId: string) => Promise<AccountDocument>
  /** As keepDirectory. `changes` are the steps from the state before to the next, for a keeper that appends. */
  readonly keepAccount: (userId: string, changes: readonly Change[], states: States<AccountDocument>) => Promise<void>
  readonly removeAccount: (userId: string) => Promise<void>
  /** Throws StoreFailed when nothing could be kept now. */
  readonly check: () => Promise<void>
}

/** Both sides of a write, made when they are asked for. */
export interface States<Document> {
  readonly before: () => Document
  readonly next: () => Document
}

/** A keeper that keeps nothing beyond the process. */
export const forgetfulKeeper: Keeper = {
  loadDirectory: async () => emptyDirectory,
  keepDirectory: async () => undefined,
  loadAccount: async () => emptyAccount,
  keepAccount: async () => undefined,
  removeAccount: async () => undefined,
  check: async () => undefined,
}
