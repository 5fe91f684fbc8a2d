import { setTimeout as wait } from 'node:timers/promises'
import { openPostgres } from '../../src/store/postgres/open-postgres.ts'
import { contractForm } from '../store/fixtures.ts'

// Run as a program by tellers.test.ts: node endless-teller.ts URL [COUNT]
// It tells for ever, or stays with its COUNTth errand until it is killed.
const [url, count] = process.argv.slice(2)
if (url === undefined) throw new Error('the address of a database is needed')
const store = await openPostgres({ url, form: contractForm, connections: 2 })
process.stdout.write('ready\n')
for (let begun = 0; ; ) {
  const taken = await store.takeOutboxEntry(Date.now())
  if (taken === undefined) {
    await wait(50)
    continue
  }
  process.stdout.write(`begin ${taken.key}\n`)
  begun += 1
  await wait(begun === Number(count) ? 1_000_000_000 : 20)
  await store.write(taken.userId, 'teller', (draft) => draft.deleteOutboxEntry(taken.key))
  await taken.release()
  process.stdout.write(`end ${taken.key}\n`)
}
