import { openReplicaReader } from '../../client/src/index.ts'
import { openIndexedDbStore } from '../../client/src/indexeddb.ts'
import { type ReadRequest, type ReadResponse, readParts, toFailure } from '../data/item-parts.ts'

// The worker that reads everything when the app starts. What it leaves behind in its memory goes with it.
const tell = (told: ReadResponse) => postMessage(told)
let allowed = 0
let wake = () => {}

const read = async (name: string): Promise<void> => {
  const store = await openIndexedDbStore(name)
  for await (const part of readParts(await openReplicaReader(store))) {
    while (allowed === 0) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    allowed--
    tell({ kind: 'part', part })
  }
  store.close()
  tell({ kind: 'end' })
}

addEventListener('message', ({ data }: MessageEvent<ReadRequest>) => {
  if (data.kind === 'read') {
    read(data.store).catch((error: unknown) => tell(toFailure(error)))
    return
  }
  allowed++
  wake()
})
