import { setTimeout as wait } from 'node:timers/promises'
import { openPostgres } from '../../src/store/postgres/open-postgres.ts'
import { contractForm } from '../store/fixtures.ts'

// Run as a program by dispatchers.test.ts: node endless-dispatcher.ts URL [COUNT]
// It delivers without end, or keeps its COUNTth outbox entry until it is killed.
const [url, count] = process.argv.slice(2)
if (url === undefined) throw new Error('the URL of a database is needed')
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
  await store.write(taken.userId, 'dispatcher', (draft) => draft.deleteOutboxEntry(taken.key))
  await taken.release()
  process.stdout.write(`end ${taken.key}\n`)
}
