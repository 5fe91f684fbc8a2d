import { expect, onTestFinished, test } from 'vitest'
import { openTestDatabase, withConnection } from './open-database.ts'
import { openStores } from './open-stores.ts'

test('an errand that is put anew in the moment in which it is given back can be had at once', async () => {
  const { url, drop } = await openTestDatabase()
  const [one, other] = await openStores(2, url)
  if (one === undefined || other === undefined) expect.unreachable()
  onTestFinished(async () => {
    await Promise.all([one.close(), other.close()])
    await drop()
  })
  await one.write('ann', 'phone', (draft) => draft.putErrand('hook', 1))
  const taken = await one.takeErrand(2)
  await one.write('ann', 'phone', (draft) => draft.deleteErrand('hook'))

  await withConnection(url, async (connection) => {
    await connection.query('begin')
    await connection.query('update delivery set due_at = 3, available_at = 3')
    const released = taken?.release()
    await expect
      .poll(async () => (await connection.query(`select 1 from pg_locks where not granted`)).rowCount, {
        timeout: 60_000,
      })
      .toBeGreaterThan(0)
    await connection.query('commit')
    await released
  })

  expect(await other.takeErrand(4)).toMatchObject({ userId: 'ann', key: 'hook', dueAt: 3 })
})

test('of an errand that was settled nothing is left when it is given back', async () => {
  const { url, drop } = await openTestDatabase()
  const [store] = await openStores(1, url)
  if (store === undefined) expect.unreachable()
  onTestFinished(async () => {
    await store.close()
    await drop()
  })
  await store.write('ann', 'phone', (draft) => draft.putErrand('hook', 1))
  const taken = await store.takeErrand(2)
  await store.write('ann', 'phone', (draft) => draft.deleteErrand('hook'))

  await taken?.release()

  const { rowCount } = await withConnection(url, (connection) => connection.query('select 1 from delivery'))
  expect([taken?.key, rowCount]).toEqual(['hook', 0])
})
