import { expect, onTestFinished, test } from 'vitest'
import { openTestDatabase, withConnection } from './open-database.ts'
import { openStores } from './open-stores.ts'

test('an outbox entry that is put again while it is released can be taken at once', async () => {
  const { url, drop } = await openTestDatabase()
  const [one, other] = await openStores(2, url)
  if (one === undefined || other === undefined) expect.unreachable()
  onTestFinished(async () => {
    await Promise.all([one.close(), other.close()])
    await drop()
  })
  await one.write('ann', 'phone', (draft) => draft.putOutboxEntry('hook', 1))
  const taken = await one.takeOutboxEntry(2)
  await one.write('ann', 'phone', (draft) => draft.deleteOutboxEntry('hook'))

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

  expect(await other.takeOutboxEntry(4)).toMatchObject({ userId: 'ann', key: 'hook', dueAt: 3 })
})

test('nothing is left of a deleted outbox entry when it is released', async () => {
  const { url, drop } = await openTestDatabase()
  const [store] = await openStores(1, url)
  if (store === undefined) expect.unreachable()
  onTestFinished(async () => {
    await store.close()
    await drop()
  })
  await store.write('ann', 'phone', (draft) => draft.putOutboxEntry('hook', 1))
  const taken = await store.takeOutboxEntry(2)
  await store.write('ann', 'phone', (draft) => draft.deleteOutboxEntry('hook'))

  await taken?.release()

  const { rowCount } = await withConnection(url, (connection) => connection.query('select 1 from delivery'))
  expect([taken?.key, rowCount]).toEqual(['hook', 0])
})
