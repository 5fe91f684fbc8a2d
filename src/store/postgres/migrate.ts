import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findPackageFile, readVersion } from '../../environment.ts'
import { StoreError } from '../store.ts'
import { type Connection, DatabaseError } from './driver.ts'

/** A migration from one schema version to the next. */
export interface Migration {
  /** The schema version that it creates. */
  readonly version: number
  readonly name: string
  readonly sql: string
  /**
   * The lowest schema version that a program must know to work on this one. The first line of the file says it
   * (`-- serves programs that know schema 1`). During a rolling upgrade older and newer programs work side by side.
   */
  readonly serves: number
}

const fileName = /^(\d{3})-(.+)\.sql$/
const firstLine = /^-- serves programs that know schema (\d+)\n/

/** Reads the migrations that this program knows, in order. @throws Error if a file of the folder is invalid */
export const readMigrations = async (
  folder = findPackageFile('src/store/postgres/schema'),
): Promise<readonly Migration[]> => {
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

// An arbitrary number that no other program uses on this database. It means "thingsync's schema".
const lockKey = 7_410_215_883

const duplicateTable = '42P07'

const schemaTable = `create table if not exists thingsync_schema (
  version integer primary key,
  serves integer not null,
  name text not null,
  program text not null,
  applied_at timestamptz not null default now()
)`

/** The schema of a database: the last migration, and the lowest version that a program must know. Both 0 if empty. */
export interface SchemaState {
  readonly version: number
  readonly serves: number
}

/** Reads the schema state of a database. */
export const readSchemaState = async (connection: Connection): Promise<SchemaState> => {
  const { rows: tables } = await connection.query(`select to_regclass('thingsync_schema') is not null as "exists"`)
  if (!tables[0].exists) return { version: 0, serves: 0 }
  const { rows } = await connection.query(
    'select coalesce(max(version), 0) as version, coalesce(max(serves), 0) as serves from thingsync_schema',
  )
  return rows[0]
}

/**
 * Checks that this program can work on a schema.
 * @throws StoreError that says what to do
 */
export const checkSchema = ({ version, serves }: SchemaState, known: readonly Migration[]): void => {
  if (serves > known.length)
    throw new StoreError(
      `the database has schema ${version}, and this program knows ${known.length}: it was created by a later version of thingsync; use that version`,
    )
  if (version === 0)
    throw new StoreError('the database has no tables of thingsync: run thingsync migrate, or start a server on it')
  if (version < known.length)
    throw new StoreError(
      `the database has schema ${version}, and this program needs ${known.length}: run thingsync migrate`,
    )
}

/** Options of a migration. */
export interface MigrateOptions {
  /** Runs the migrations and rolls them back. */
  readonly isDryRun?: boolean
  /** Default: the migrations of this program. */
  readonly migrations?: readonly Migration[]
}

/**
 * Migrates a database to the schema of this program, in one transaction and one process at a time (an advisory lock).
 * It migrates forward only. Returns the applied migrations.
 * @throws StoreError if a later version created the schema, or if the database contains other tables
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
    // If the connection itself failed, the rollback fails too, and there is nothing to roll back.
    await connection.query('rollback').catch(() => undefined)
    if (error instanceof DatabaseError && error.code === duplicateTable)
      throw new StoreError(`the database contains tables of another program (${error.message}): use an empty one`)
    throw error
  }
}
