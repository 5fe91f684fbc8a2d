import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { inspectDatabase, readTotals } from '../../src/store/postgres/inspect/inspect-database.ts'
import type { Store } from '../../src/store/store.ts'
import { listChanges } from '../../src/things/list-changes.ts'
import { createThing } from '../store/fixtures.ts'
import { openCuttingProxy } from './cutting-proxy.ts'
import { withConnection } from './open-database.ts'
import { openStores } from './open-stores.ts'
import { startPostgres } from './start-postgres.ts'

/** Asks a database until it says yes. */
const waitFor = async (url: string, question: string): Promise<void> => {
  await withConnection(url, async (connection) => {
    for (;;) {
      const { rows } = await connection.query<{ readonly yes: boolean }>(question)
      if (rows[0]?.yes === true) return
      await wait(50)
    }
  })
}

/** A primary, a standby that follows it without being waited for, and stores that reach whichever is the primary. */
const openPair = async () => {
  const primary = await startPostgres()
  onTestFinished(primary.stop)
  const standby = await startPostgres({ standbyOf: primary })
  onTestFinished(standby.stop)
  let current = primary
  const proxy = await openCuttingProxy(() => current.port)
  onTestFinished(proxy.close)
  const stores = await openStores(2, `postgres://thingsync@127.0.0.1:${proxy.port}/postgres`)
  onTestFinished(async () => {
    await Promise.all(stores.map(({ close }) => close()))
  })
  return {
    stores,
    /** The standby has all that was written so far, and nothing that is written from now on. */
    leaveStandbyBehind: async () => {
      const { rows } = await withConnection(primary.url(), (connection) =>
        connection.query<{ readonly at: string }>('select pg_current_wal_lsn()::text as at'),
      )
      await waitFor(standby.url(), `select pg_last_wal_replay_lsn() >= '${rows[0]?.at}'::pg_lsn as yes`)
      await withConnection(standby.url(), async (connection) => {
        await connection.query(`alter system set primary_conninfo = ''`)
        await connection.query('select pg_reload_conf()')
      })
      await waitFor(standby.url(), 'select not exists (select from pg_stat_wal_receiver) as yes')
    },
    /** The primary ended, and the standby takes over with what it has. */
    failOver: async () => {
      await primary.kill()
      await withConnection(standby.url(), (connection) => connection.query('select pg_promote()'))
      current = standby
      proxy.cut()
    },
  }
}

const put = (store: Store, userId: string, id: string): Promise<number> =>
  store.write(userId, 'phone', async (draft) => {
    await draft.putThing(createThing(id))
    return draft.position()
  })

/** The response to a client of a position, through each of the stores. */
const listFrom = (stores: readonly Store[], userId: string, from: number) =>
  Promise.all(
    stores.map(async (store) => {
      const { listing, position } = await listChanges(store, { userId, session: 'laptop', from })
      const ids: string[] = []
      for await (const { json } of listing.changed())
        ids.push(...[...String(json).matchAll(/"_id":"([^"]*)"/g)].map(([, id = '']) => id))
      return { ids, position }
    }),
  )

test('after failover to a standby that lacks acknowledged writes, no client misses a change', async () => {
  const { stores, leaveStandbyBehind, failOver } = await openPair()
  const [one, other] = stores as [Store, Store]
  await put(one, 'ann', 'kept')
  await leaveStandbyBehind()
  expect([await put(one, 'ann', 'lost-1'), await put(other, 'ann', 'lost-2')]).toEqual([2, 3])
  expect(await put(other, 'bob', 'lost')).toBe(1)
  await listFrom(stores, 'ann', 0)
  await listFrom(stores, 'bob', 0)

  await failOver()
  const before = await listFrom(stores, 'ann', 2)
  const positions = [
    await put(other, 'ann', 'new-1'),
    await put(other, 'ann', 'new-2'),
    await put(other, 'ann', 'new-3'),
  ]
  const [first = 0, second = 0, last = 0] = positions
  await put(other, 'bob', 'new')

  // Until the next write, the account is where it was when it was last copied.
  expect(before).toEqual(stores.map(() => ({ ids: ['kept'], position: 1 })))
  expect(first).toBeGreaterThan(1_000_000)
  expect([second, last]).toEqual([first + 1, first + 2])
  const all = stores.map(() => ({ ids: ['kept', 'new-1', 'new-2', 'new-3'], position: last }))
  expect(await listFrom(stores, 'ann', 3)).toEqual(all)
  expect(await listFrom(stores, 'ann', 2)).toEqual(all)
  // A client that knew nothing of what is lost is listed what is new.
  const news = stores.map(() => ({ ids: ['new-1', 'new-2', 'new-3'], position: last }))
  expect(await listFrom(stores, 'ann', 1)).toEqual(news)
  expect((await listFrom(stores, 'bob', 1)).map(({ ids }) => ids)).toEqual([['new'], ['new']])
})

test('a store does not read from a standby: its data may be older than acknowledged writes', async () => {
  const primary = await startPostgres()
  onTestFinished(primary.stop)
  const [store] = await openStores(1, primary.url())
  await put(store as Store, 'ann', 'kept')
  await store?.close()
  const standby = await startPostgres({ standbyOf: primary })
  onTestFinished(standby.stop)

  const [behind] = await openStores(1, standby.url())
  onTestFinished(async () => behind?.close())

  await expect(behind?.read('ann')).rejects.toThrow('recovery is in progress')
  await expect(behind?.check()).rejects.toThrow('it is a standby')
  // A check reads for hours; on a standby it puts no load on the primary.
  expect(await inspectDatabase(standby.url())).toMatchObject({ checked: 9 })
  expect(await readTotals(standby.url())).toMatchObject({ accounts: 1, things: 1 })
})
