import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readVersion } from '../../environment.ts'
import { StoreError } from '../store.ts'
import { type Connection, DatabaseError } from './driver.ts'

/** A step from one schema to the next. */
export interface Migration {
  /** The schema that it makes. */
  readonly version: number
  readonly name: string
  readonly sql: string
  /**
   * The lowest schema that a program must know to work on this one, as the first line of the file says
   * (`-- serves programs that know schema 1`): while servers are replaced one by one, earlier and later ones work side
   * by side.
   */
  readonly serves: number
}

const fileName = /^(\d{3})-(.+)\.sql$/
const firstLine = /^-- serves programs that know schema (\d+)\n/

/** Reads the migrations that this program knows, in order. @throws Error when a file of them is wrong */
export const readMigrations = async (folder = join(import.meta.dirname, 'schema')): Promise<readonly Migration[]> => {
  const names = (await readdir(folder)).sort()
  return Promise.all(
    names.map(async (file, index) => {
      const [, digits, name] = fileName.exec(file) ?? []
      const sql = await readFile(join(folder, file), 'utf8')
      const serves = Number(firstLine.exec(sql)?.[1])
      const version = index + 1
      if (name === undefined || Number(digits) !== version) throw new Error(`${file} is not migration ${version}`)
      if (!(serves >= 1 && serves <= version)) throw new Error(`${file} does not say which programs it serves`)
      return { version, name, sql, serves }
    }),
  )
}

// Any number that nobody else uses on this database; it means "thingsync's schema".
const lockKey = 7_410_215_883

const duplicateTable = '42P07'

const schemaTable = `create table if not exists thingsync_schema (
  version integer primary key,
  serves integer not null,
  name text not null,
  program text not null,
  applied_at timestamptz not null default now()
)`

/** What the schema of a database is: the last migration, and the lowest one that a program must know; 0 of an empty one. */
export interface SchemaState {
  readonly version: number
  readonly serves: number
}

/** Which schema a database has. */
export const readSchemaState = async (connection: Connection): Promise<SchemaState> => {
  const { rows: tables } = await connection.query(`select to_regclass('thingsync_schema') is not null as is_there`)
  if (!tables[0].is_there) return { version: 0, serves: 0 }
  const { rows } = await connection.query(
    'select coalesce(max(version), 0) as version, coalesce(max(serves), 0) as serves from thingsync_schema',
  )
  return rows[0]
}

/**
 * Checks that this program can work on a schema.
 * @throws StoreFailed with what to do
 */
export const checkSchema = ({ version, serves }: SchemaState, known: readonly Migration[]): void => {
  if (serves > known.length)
    throw new StoreError(
      `the database has schema ${version}, and this program knows ${known.length}: it was made by a later version of thingsync; use that one`,
    )
  if (version === 0)
    throw new StoreError('the database has no tables of thingsync: run thingsync migrate, or start a server on it')
  if (version < known.length)
    throw new StoreError(
      `the database has schema ${version}, and this program needs ${known.length}: run thingsync migrate`,
    )
}

/** What to do with the schema of a database. */
export interface MigrateOptions {
  /** Tries the migrations, and takes them back. */
  readonly isDryRun?: boolean
  /** The migrations of this program when left out. */
  readonly migrations?: readonly Migration[]
}

/**
 * Brings the schema of a database to that of this program, in one transaction, one process at a time (an advisory lock);
 * forward only. Gives the migrations that were applied.
 * @throws StoreFailed when the database was made by a later version
 */
export const migrate = async (
  connection: Connection,
  { isDryRun = false, migrations }: MigrateOptions = {},
): Promise<readonly Migration[]> => {
  const known = migrations ?? (await readMigrations())
  await connection.query('begin')
  try {
    await connection.query('select pg_advisory_xact_lock($1)', [lockKey])
    const state = await readSchemaState(connection)
    const missing = known.slice(state.version)
    if (missing.length === 0) checkSchema(state, known)
    if (state.version === 0) await connection.query(schemaTable)
    for (const { version, serves, name, sql } of missing) {
      await connection.query(sql)
      await connection.query('insert into thingsync_schema (version, serves, name, program) values ($1, $2, $3, $4)', [
        version,
        serves,
        name,
        readVersion(),
      ])
    }
    await connection.query(isDryRun ? 'rollback' : 'commit')
    return missing
  } catch (error) {
    // The connection may be what failed; then there is nothing to take back.
    await connection.query('rollback').catch(() => undefined)
    if (error instanceof DatabaseError && error.code === duplicateTable)
      throw new StoreError(`the database holds tables of something else (${error.message}): use an empty one`)
    throw error
  }
}
