import { openJsonFileStore } from '../../../src/store/json-file-store.ts'
import { contractForm } from '../fixtures.ts'
import { addUser, countUsers, deliverOnce, readCounted, writeOnce } from './counted-writes.ts'
import { createEndedFiles, type KillPoint } from './ended-files.ts'

/** The order for one run of the writer. */
export interface WriterOrder extends KillPoint {
  readonly folder: string
  readonly userIds: readonly string[]
  /** An account of this run alone, which is removed when it was written to. */
  readonly removedId: string
  /** Accounts that are read when the store was opened. */
  readonly readIds: readonly string[]
  readonly writesPerUser: number
  readonly segmentBytes: number
  /** Marks what this run writes. */
  readonly run: string
}

/** One event of the writer, printed as a line of JSON. */
export type WriterLine =
  | { readonly found: string; readonly count: number; readonly position: number; readonly attempts: readonly string[] }
  | { readonly foundUsers: number }
  | { readonly repaired: string }
  | { readonly damaged: string }
  | { readonly wrote: string; readonly count: number; readonly position: number; readonly attempt: string }
  | { readonly addedUser: number }
  | { readonly removing: string }
  | { readonly removed: string }
  | { readonly ended: true }

const print = (line: WriterLine): void => void process.stdout.write(`${JSON.stringify(line)}\n`)

const orderText = process.argv[2]
if (orderText === undefined) throw new Error('an order is needed')
const order = JSON.parse(orderText) as WriterOrder

const store = await openJsonFileStore({
  folder: order.folder,
  form: contractForm,
  files: createEndedFiles(order),
  segmentBytes: order.segmentBytes,
  log: {
    warn: (_details: object, message: string) => print({ repaired: message }),
    error: (_details: object, message: string) => print({ damaged: message }),
  },
})
for (const userId of order.readIds) print({ found: userId, ...(await readCounted(store, userId)) })
print({ foundUsers: await countUsers(store) })

const write = async (userId: string, number: number): Promise<void> => {
  const attempt = `${order.run}.${number}`
  print({ wrote: userId, attempt, ...(await writeOnce(store, userId, attempt)) })
}

const work = async (userId: string): Promise<void> => {
  for (let number = 0; number < order.writesPerUser; number += 2)
    await Promise.all([write(userId, number), write(userId, number + 1)])
}

const remove = async (): Promise<void> => {
  await work(order.removedId)
  print({ removing: order.removedId })
  await store.removeAccount(order.removedId)
  print({ removed: order.removedId })
}

const register = async (): Promise<void> => {
  for (let number = 0; number < 2; number += 1) print({ addedUser: await addUser(store) })
}

const deliverAll = async (): Promise<void> => {
  for (let number = 0; number < order.writesPerUser; number += 1) await deliverOnce(store)
}

await Promise.all([...order.userIds.map(work), remove(), register(), deliverAll()])
await store.close()
print({ ended: true })
