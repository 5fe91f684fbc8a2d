import type { AccountCopy } from './open-accounts.ts'
import { itemNames, type StoreItem } from './record/store-item.ts'
import { type RegistryDocument, registryKinds } from './registry/registry-state.ts'

function* listRegistry(registry: RegistryDocument): Generator<StoreItem, void, undefined> {
  for (const kind of registryKinds)
    for (const item of registry[kind]) yield { [itemNames[kind]]: item } as unknown as StoreItem
}

function* listAccount(userId: string, { document, errands }: AccountCopy): Generator<StoreItem, void, undefined> {
  yield { account: userId, position: document.position }
  for (const tag of document.tags) yield { tag }
  for (const thing of document.things) yield { thing }
  for (const tombstone of document.tombstones) yield { tombstone }
  for (const record of document.records) yield { record }
  for (const [key, dueAt] of errands) yield { errand: { key, dueAt } }
}

/** The registry, then the account of each of its users, each as it is when its turn comes. */
export async function* listItems(
  registry: RegistryDocument,
  copyAccount: (userId: string) => Promise<AccountCopy>,
): AsyncGenerator<StoreItem, void, undefined> {
  yield* listRegistry(registry)
  for (const { id } of registry.users) yield* listAccount(id, await copyAccount(id))
}
