import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { Client } from '../../src/store/postgres/driver.ts'
import { migrate } from '../../src/store/postgres/migrate.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Port on 127.0.0.1 of the PostgreSQL that all test files share. */
    readonly postgresPort: number
    /** Folder of its Unix socket. */
    readonly postgresFolder: string
  }
}

/** An empty database on the PostgreSQL of the tests. */
export interface TestDatabase {
  /** Its address, for `--store`. */
  readonly url: string
  /** The same by the Unix socket. */
  readonly socketUrl: string
  /** Ends whatever is still connected, and removes it. */
  readonly drop: () => Promise<void>
}

const urlOf = (name: string): string => `postgres://thingsync@127.0.0.1:${inject('postgresPort')}/${name}`

/** Runs work on a connection of its own. */
export const withConnection = async <T>(
  url: string,
  work: (connection: InstanceType<typeof Client>) => Promise<T>,
): Promise<T> => {
  const connection = new Client({ connectionString: url })
  await connection.connect()
  try {
    return await work(connection)
  } finally {
    await connection.end()
  }
}

/** Makes a database; with the schema of this program unless `isBare`. */
export const openTestDatabase = async ({ isBare = false } = {}): Promise<TestDatabase> => {
  const name = `t_${randomBytes(8).toString('hex')}`
  await withConnection(urlOf('postgres'), (connection) =>
    connection.query(`create database ${name} strategy file_copy`),
  )
  const url = urlOf(name)
  if (!isBare) await withConnection(url, (connection) => migrate(connection))
  const host = encodeURIComponent(inject('postgresFolder'))
  return {
    url,
    socketUrl: `postgres://thingsync@/${name}?host=${host}&port=${inject('postgresPort')}`,
    drop: async () => {
      await withConnection(urlOf('postgres'), (connection) =>
        connection.query(`drop database if exists ${name} with (force)`),
      )
    },
  }
}

/** Empties all tables of a database, which takes a tenth of the time of a new one. */
export const emptyDatabase = (url: string): Promise<void> =>
  withConnection(url, async (connection) => {
    const { rows } = await connection.query(
      `select relname as name from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
         and relname <> 'thingsync_schema'`,
    )
    await connection.query(rows.map(({ name }) => `delete from ${name}`).join('; '))
  })
