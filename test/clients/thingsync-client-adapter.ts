/*
 * The adapter of thingsync-client in Node, for the suite of clients:
 * `npx tsx conformance/src/main.ts client -- npx tsx test/clients/thingsync-client-adapter.ts`
 */
import { createHash } from 'node:crypto'
import { claimsInNode, createCommands } from './client-commands.ts'
import { createFileTokenStorage, openFileLocalStore } from './file-local-store.ts'
import { respondToLines } from './respond-to-lines.ts'

await respondToLines(
  createCommands({
    ...claimsInNode,
    openFolder: async (folder) => {
      const store = await openFileLocalStore(folder)
      return { store, tokens: createFileTokenStorage(folder), close: store.close }
    },
    createDigest: () => {
      const hash = createHash('sha256')
      return { update: (text) => void hash.update(text), toHex: () => hash.digest('hex') }
    },
  }),
)
process.exit(0)
