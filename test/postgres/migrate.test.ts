import { expect, onTestFinished, test } from 'vitest'
import { checkSchema, migrate, readMigrations, readSchemaState } from '../../src/store/postgres/migrate.ts'
import { StoreError } from '../../src/store/store.ts'
import { openTestDatabase, withConnection } from './open-database.ts'

const openBare = async (): Promise<string> => {
  const { url, drop } = await openTestDatabase({ isBare: true })
  onTestFinished(drop)
  return url
}

const countTables = async (url: string): Promise<number> => {
  const { rows } = await withConnection(url, (connection) =>
    connection.query(`select count(*)::int as count from pg_class where relnamespace = 'public'::regnamespace`),
  )
  return rows[0].count
}

test('a dry run says what would be done, and does nothing', async () => {
  const url = await openBare()

  const planned = await withConnection(url, (connection) => migrate(connection, { isDryRun: true }))

  expect(planned.map(({ version, name }) => ({ version, name }))).toEqual([{ version: 1, name: 'begin' }])
  expect(await countTables(url)).toBe(0)
})

test('processes that migrate at the same time do it once', async () => {
  const url = await openBare()

  const applied = await Promise.all([1, 2, 3, 4].map(() => withConnection(url, (connection) => migrate(connection))))

  expect(applied.map(({ length }) => length).sort()).toEqual([0, 0, 0, 1])
})

test('a migration that fails leaves the schema as it was', async () => {
  const url = await openBare()
  const known = await readMigrations()
  const wrong = {
    version: known.length + 1,
    name: 'wrong',
    serves: 1,
    sql: 'create table extra (id text); select 1 / 0',
  }

  await withConnection(url, (connection) => migrate(connection, { migrations: known }))
  const before = await countTables(url)

  await expect(
    withConnection(url, (connection) => migrate(connection, { migrations: [...known, wrong] })),
  ).rejects.toThrow('division by zero')
  expect(await countTables(url)).toBe(before)
  expect(await withConnection(url, readSchemaState)).toEqual({ version: known.length, serves: 1 })
})

test('an earlier program works beside a later one until the schema no longer serves it', async () => {
  const url = await openBare()
  const known = await readMigrations()
  const next = known.length + 1
  const second = { version: next, name: 'more', serves: 1, sql: 'create table more (id text)' }
  const third = { version: next + 1, name: 'less', serves: next + 1, sql: 'drop table more' }

  await withConnection(url, (connection) => migrate(connection, { migrations: [...known, second] }))
  const served = await withConnection(url, readSchemaState)
  await withConnection(url, (connection) => migrate(connection, { migrations: [...known, second, third] }))
  const unserved = await withConnection(url, readSchemaState)

  expect(() => checkSchema(served, known)).not.toThrow()
  expect(() => checkSchema(unserved, known)).toThrow(StoreError)
  expect(() => checkSchema(unserved, known)).toThrow(
    `the database has schema ${next + 1}, and this program knows ${known.length}`,
  )
  await expect(withConnection(url, (connection) => migrate(connection))).rejects.toThrow('later version of thingsync')
})

test('what sign-ins look up is found in items, whatever their texts hold', async () => {
  const url = await openBare()
  const item = { hash: 'h', userId: 'u"\0', clientId: 'c', redirectUri: '"userId":"other","expiresAt":9', expiresAt: 5 }

  const rows = await withConnection(url, async (connection) => {
    await migrate(connection)
    await connection.query('insert into code (hash, item) values ($1, $2)', ['hash', JSON.stringify(item)])
    return (await connection.query('select account, client_id, expires_at from code')).rows
  })

  expect(rows).toEqual([{ account: JSON.stringify(item.userId), client_id: '"c"', expires_at: 5 }])
})

test('a schema that lacks something is rejected with what to do', async () => {
  const known = await readMigrations()

  expect(() => checkSchema({ version: 0, serves: 0 }, known)).toThrow('run thingsync migrate')
})
