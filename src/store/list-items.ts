import type { DirectoryDocument } from './directory-state.ts'
import type { AccountCopy } from './open-accounts.ts'
import type { StoreItem } from './store-item.ts'

function* listDirectory(directory: DirectoryDocument): Generator<StoreItem, void, undefined> {
  for (const user of directory.users) yield { user }
  for (const app of directory.apps) yield { app }
  for (const session of directory.sessions) yield { session }
  for (const code of directory.codes) yield { code }
  for (const browserSession of directory.browserSessions) yield { browserSession }
  for (const link of directory.links) yield { link }
  for (const key of directory.keys) yield { key }
}

function* listAccount(userId: string, { document, errands }: AccountCopy): Generator<StoreItem, void, undefined> {
  yield { account: userId, position: document.position }
  for (const thing of document.things) yield { thing }
  for (const tombstone of document.tombstones) yield { tombstone }
  for (const tag of document.tags) yield { tag }
  for (const record of document.records) yield { record }
  for (const [key, dueAt] of errands) yield { errand: { key, dueAt } }
}

/** The directory, then the account of each of its users, each as it is when its turn comes. */
export async function* listItems(
  directory: DirectoryDocument,
  copyAccount: (userId: string) => Promise<AccountCopy>,
): AsyncGenerator<StoreItem, void, undefined> {
  yield* listDirectory(directory)
  for (const { id } of directory.users) yield* listAccount(id, await copyAccount(id))
}
