import type { StoredThing } from '../model.ts'
import type { RegistryItems, RegistryKind } from '../registry/registry.ts'
import { registryKinds } from '../registry/registry-state.ts'
import type { StoredErrand, StoredRecord, StoredTag, Tombstone } from './change.ts'
import { encodeStoredThing } from './thing-step.ts'

/** Whose account the items that follow are, up to the next one of these, and its position. */
export interface AccountItem {
  readonly account: string
  readonly position: number
}

/** What an item of each kind of the registry is called in a backup. */
export const itemNames = {
  users: 'user',
  apps: 'app',
  sessions: 'session',
  codes: 'code',
  browserSessions: 'browserSession',
  links: 'link',
  keys: 'key',
} as const satisfies Readonly<Record<RegistryKind, string>>

type RegistryItem = {
  readonly [Kind in RegistryKind]: { readonly [Name in (typeof itemNames)[Kind]]: RegistryItems[Kind] }
}[RegistryKind]

/** One thing that a store holds, as it stands in a backup. Things, tombstones and tags come in position order. */
export type StoreItem =
  | RegistryItem
  | AccountItem
  | { readonly thing: StoredThing }
  | { readonly tombstone: Tombstone }
  | { readonly tag: StoredTag }
  | { readonly record: StoredRecord }
  | { readonly errand: StoredErrand }

/** An item as JSON, as a backup has it: a thing as the step that the journal has of it (`thing-step.ts`). */
export const encodeItem = (item: StoreItem): string =>
  'thing' in item ? encodeStoredThing(item.thing) : JSON.stringify(item)

/** Hands on an item of the registry with its kind; any other is left alone. */
export const takeRegistryItem = <Taken>(
  item: StoreItem,
  take: <Kind extends RegistryKind>(kind: Kind, value: RegistryItems[Kind]) => Taken,
): Taken | undefined => {
  const kind = registryKinds.find((each) => itemNames[each] === Object.keys(item)[0])
  return kind && take(kind, Object.values(item)[0])
}
