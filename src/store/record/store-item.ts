import type { App, AuthorizationCode, BrowserSession, Key, Link, Session, User } from '../registry/registry.ts'
import type { StoredThing } from '../store.ts'
import type { StoredErrand, StoredRecord, StoredTag, Tombstone } from './change.ts'

/** Whose account the items that follow are, up to the next one of these, and its position. */
export interface AccountItem {
  readonly account: string
  readonly position: number
}

/** One thing that a store holds, as it stands in a backup. Things, tombstones and tags come in position order. */
export type StoreItem =
  | { readonly user: User }
  | { readonly app: App }
  | { readonly session: Session }
  | { readonly code: AuthorizationCode }
  | { readonly browserSession: BrowserSession }
  | { readonly link: Link }
  | { readonly key: Key }
  | AccountItem
  | { readonly thing: StoredThing }
  | { readonly tombstone: Tombstone }
  | { readonly tag: StoredTag }
  | { readonly record: StoredRecord }
  | { readonly errand: StoredErrand }
