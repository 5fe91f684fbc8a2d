import { openReplicaReader } from '../../client/src/index.ts'
import { openIndexedDbStore } from '../../client/src/indexeddb.ts'
import { type ReadRequest, type ReadResponse, readParts, toFailure } from '../data/item-parts.ts'

// The worker that reads all items when the app starts. It ends after the reading, which frees its memory.
const respond = (response: ReadResponse) => postMessage(response)
let requestedParts = 0
let resume = () => {}

const read = async (name: string): Promise<void> => {
  const store = await openIndexedDbStore(name)
  for await (const part of readParts(await openReplicaReader(store))) {
    while (requestedParts === 0) {
      await new Promise<void>((resolve) => {
        resume = resolve
      })
    }
    requestedParts--
    respond({ kind: 'part', part })
  }
  store.close()
  respond({ kind: 'end' })
}

addEventListener('message', ({ data }: MessageEvent<ReadRequest>) => {
  if (data.kind === 'read') {
    read(data.store).catch((error: unknown) => respond(toFailure(error)))
    return
  }
  requestedParts++
  resume()
})
