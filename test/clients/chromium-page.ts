/*
 * The part of the Chromium adapter that runs in the page: the client with its store in IndexedDB. The adapter calls
 * `runCommand` of the page.
 */
import type { Tokens } from '../../client/src/index.ts'
import { openIndexedDbStore } from '../../client/src/indexeddb.ts'
import { claimsInChromium, createCommands, type FolderStores } from './client-commands.ts'

/** Opens the stores of the profile folder, which has one replica. */
const openStores = async (): Promise<FolderStores> => {
  const [store, tokens] = [await openIndexedDbStore('replica'), await openIndexedDbStore('tokens')]
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
