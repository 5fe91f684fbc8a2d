import { setTimeout as wait } from 'node:timers/promises'
import { openPostgres } from '../../src/store/postgres/open-postgres.ts'
import { type Store, StoreError } from '../../src/store/store.ts'
import { contractForm, createThing } from '../store/fixtures.ts'

/** Writes to an account without end, one new thing at a time, and prints each write that resolved as `position id`. */
const writeEndlessly = async (store: Store, name: string): Promise<never> => {
  for (let turn = 0; ; turn += 1) {
    const id = `${name}-${turn}`
    try {
      const position = await store.write('ann', name, async (draft) => {
        const count = Number((await draft.findRecord('count', '', '')) ?? 0) + 1
        await draft.putRecord('count', '', '', count)
        await draft.putThing(createThing(id))
        return draft.position()
      })
      process.stdout.write(`${position} ${id}\n`)
    } catch (error) {
      // A busy machine may be too slow for the database's patience; a client goes on with something else.
      if (!(error instanceof StoreError)) throw error
      await wait(100)
    }
  }
}

// Run as a program by kills.test.ts, which ends it at any moment: node endless-client.ts URL NAME…
const [url, ...names] = process.argv.slice(2)
if (url === undefined) throw new Error('the URL of a database is needed')
const store = await openPostgres({ url, form: contractForm, connections: 4 })
await Promise.all(names.map((name) => writeEndlessly(store, name)))
