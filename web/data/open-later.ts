import type { LocalStore } from '../../client/src/index.ts'
import { type IndexedDbStore, openIndexedDbStore } from '../../client/src/indexeddb.ts'

/** A store of this name that is opened when it is first used: what is not needed for the first screen must not delay it. */
export const openLater = (name: string): LocalStore & { readonly close: () => Promise<void> } => {
  let opening: Promise<IndexedDbStore> | undefined
  const open = () => {
    opening ??= openIndexedDbStore(name)
    return opening
  }
  return {
    get: async (key) => (await open()).get(key),
    async *list(prefix) {
      yield* (await open()).list(prefix)
    },
    write: async (changes) => (await open()).write(changes),
    close: async () => (await opening)?.close(),
  }
}
