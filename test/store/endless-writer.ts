import { openJsonFileStore } from '../../src/store/json-file-store.ts'
import type { Store } from '../../src/store/store.ts'
import { contractForm, createThing } from './fixtures.ts'

const writeNext = (store: Store, userId: string): Promise<readonly [number, number]> =>
  store.write(userId, 'phone', async (draft) => {
    const count = Number((await draft.findRecord('counter', '', '')) ?? 0) + 1
    await draft.putRecord('counter', '', '', count)
    await draft.putThing(createThing(`t${count}`))
    await draft.putThing(createThing('often', { title: `${count}` }))
    await draft.deleteThing(`t${count - 3}`)
    return [count, draft.position()]
  })

/** Writes to an account of the store without end, and prints each write that resolved as `user count position`. */
const writeEndlessly = async (store: Store, userId: string): Promise<never> => {
  for (;;) {
    const response = await writeNext(store, userId)
    // Not fs.writeSync: Node 24 may have made the pipe one that says EAGAIN when it is full.
    process.stdout.write(`${[userId, ...response].join(' ')}\n`)
  }
}

// Run as a program by kill-nine.test.ts, which ends it at any moment: node endless-writer.ts FOLDER USER…
const [folder, ...userIds] = process.argv.slice(2)
if (folder === undefined) throw new Error('a data folder is needed')
// A small journal, so that the kill may come while accounts are saved and segments are removed.
const store = await openJsonFileStore({ folder, form: contractForm, segmentBytes: 8 * 1024 })
const writersPerUser = 3
await Promise.all(
  userIds.flatMap((userId) => Array.from({ length: writersPerUser }, () => writeEndlessly(store, userId))),
)
