import { expect, onTestFinished, test } from 'vitest'
import { createPositionJumps } from '../../src/store/postgres/accounts/position-jumps.ts'
import { openDatabase } from '../../src/store/postgres/database.ts'
import { sweepDatabase } from '../../src/store/postgres/open-postgres-store.ts'
import { openTestDatabase, withConnection } from './open-database.ts'

test('what cannot be swept now holds up nothing that is swept after it', async () => {
  const { url, drop } = await openTestDatabase()
  onTestFinished(drop)
  const database = openDatabase({ url, timeoutMilliseconds: 6000 })
  const reasons: unknown[] = []
  const log = { warn: (details: object) => void reasons.push(details), error: () => undefined }

  await withConnection(url, async (connection) => {
    await connection.query(
      `insert into kept_write (id, made_at) values (gen_random_uuid(), now() - interval '1 day');
       insert into slot_holder (id, ends_at) values ('gone', now() - interval '1 day')`,
    )
    await connection.query('begin; lock table open_listing in access exclusive mode')
    await sweepDatabase({ database, jumps: createPositionJumps(database, Date.now), now: Date.now, log })
    await connection.query('rollback')
    const { rows } = await connection.query(
      `select (select count(*) from kept_write)::int + (select count(*) from slot_holder)::int as left,
         (select count(*) from incarnation)::int as noted`,
    )

    expect(rows).toEqual([{ left: 0, noted: 1 }])
  })
  await database.close()
  expect(reasons).toEqual([{ reason: 'database: canceling statement due to lock timeout (55P03)' }])
})
