/*
 * The part of the Chromium adapter that runs in the page: the client with its store in IndexedDB. The adapter calls
 * `runCommand` of the page.
 */
import type { Tokens } from '../../client/src/index.ts'
import { openIndexedDbStore } from '../../client/src/indexeddb.ts'
import { claimsInChromium, createCommands, type FolderStores } from './client-commands.ts'

/** Opens the stores of a replica; the profile has the replicas of many folders. */
const openStores = async (folder: string): Promise<FolderStores> => {
  const store = await openIndexedDbStore(`${folder} replica`)
  const tokens = await openIndexedDbStore(`${folder} tokens`)
  return {
    store,
    tokens: {
      read: async () => (await tokens.get('pair')) as Tokens | undefined,
      write: (pair) => tokens.write(new Map([['pair', pair]])),
      clear: () => tokens.write(new Map([['pair', undefined]])),
    },
    close: async () => {
      store.close()
      tokens.close()
    },
  }
}

const runCommand = createCommands({
  ...claimsInChromium,
  openFolder: openStores,
})

Object.assign(globalThis, { runCommand })
