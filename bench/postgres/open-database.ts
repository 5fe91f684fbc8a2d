import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findPostgres, postgresMissing } from '../../test/postgres/find-postgres.ts'
import { startPostgres } from '../../test/postgres/start-postgres.ts'
import type { Bench, FilledFolder } from '../bench.ts'
import { runCommand } from '../candidate/measure.ts'
import type { RunningServer } from '../candidate/server.ts'
import { nextMessage, readCpuSeconds } from '../machine/processes.ts'
import { RowUnavailable } from '../row.ts'

/** A PostgreSQL server of a row, reached by its Unix socket. */
export interface BenchDatabase {
  /** Returns the URL of a database that `create` has created. */
  readonly url: (name: string) => string
  /** Creates an empty database and returns its URL. */
  readonly create: (name: string) => string
  /** Reads the CPU time of all its processes since the start, in seconds. */
  readonly readCpuSeconds: () => Promise<number>
  /** Runs SQL in a database and returns the unaligned output of `psql`. */
  readonly runSql: (name: string, sql: string) => string
  readonly version: string
}

/** The settings that differ from the defaults of PostgreSQL. The notes of the rows list them. */
const settings = { shared_buffers: '1GB', max_wal_size: '4GB' }

/** The note of a row about durability and settings of PostgreSQL. */
export const describeSettings = `PostgreSQL is durable (fsync, synchronous_commit), reached by its Unix socket; set: ${Object.entries(
  settings,
)
  .map(([name, value]) => `${name} ${value}`)
  .join(', ')}; the rest is default`

const readChildren = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )

const readCpuIfRunning = async (pid: number): Promise<number> => {
  try {
    return await readCpuSeconds(pid)
  } catch (error) {
    // A process of the database that has ended after the listing.
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return 0
    throw error
  }
}

/** Starts a durable PostgreSQL, which the bench stops after the row. @throws RowUnavailable when it is not installed */
export const openBenchDatabase = async (bench: Bench): Promise<BenchDatabase> => {
  const programs = findPostgres()
  if (programs === undefined) throw new RowUnavailable(postgresMissing)
  const postgres = await startPostgres({ isDurable: true, settings })
  const pid = Number(readFileSync(join(postgres.folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0])
  // An interrupted run ends at once: it must not leave the database behind.
  const killAtExit = (): void => {
    process.kill(pid, 'SIGQUIT')
    rmSync(postgres.folder, { recursive: true, force: true })
  }
  process.on('exit', killAtExit)
  bench.atEnd(async () => {
    process.off('exit', killAtExit)
    await postgres.stop()
  })
  const runSql = (name: string, sql: string): string =>
    execFileSync(
      join(programs, 'psql'),
      ['-XqAt', '-v', 'ON_ERROR_STOP=1', '-h', postgres.folder, '-p', String(postgres.port), '-U', 'thingsync', name],
      { input: sql, encoding: 'utf8', stdio: ['pipe', 'pipe', 'inherit'] },
    ).trim()
  return {
    url: postgres.socketUrl,
    create: (name) => {
      runSql('postgres', `create database ${name}`)
      return postgres.socketUrl(name)
    },
    readCpuSeconds: async () => {
      const used = await Promise.all([pid, ...readChildren(pid)].map(readCpuIfRunning))
      return used.reduce((sum, seconds) => sum + seconds, 0)
    },
    runSql,
    version: runSql('postgres', 'show server_version').split(' ')[0] ?? '',
  }
}

/** The same things in a data folder and in a database, each on its own server. */
interface BothStores {
  readonly folder: RunningServer
  readonly database: RunningServer
  readonly postgres: BenchDatabase
  /** URL of the database. */
  readonly url: string
  /** Starts another server on the database. */
  readonly startAnother: () => Promise<RunningServer>
}

/** Copies a folder into a database, as an administrator does, and starts a server on each. */
export const openBoth = async (bench: Bench, { folder }: Pick<FilledFolder, 'folder'>): Promise<BothStores> => {
  const postgres = await openBenchDatabase(bench)
  const url = postgres.create('things')
  bench.say('copying the folder into the database')
  await runCommand(bench, ['copy', folder, url])
  // The pending writes of the copy must not count in the measurement.
  postgres.runSql('things', 'vacuum analyze; checkpoint')
  const startAnother = async () =>
    bench.start({ folder: join(await bench.createFolder(), 'none'), store: url, core: 'any' })
  return {
    folder: await bench.start({ folder, core: 'any' }),
    database: await startAnother(),
    postgres,
    url,
    startAnother,
  }
}

/** Starts a baseline: bare Koa that runs one statement on a database for each request and responds with a constant. */
export const startOneStatement = async (
  { children }: Bench,
  url: string,
  statement: string,
  response: object,
): Promise<{ readonly port: number; readonly pid: number }> => {
  const script = fileURLToPath(new URL('../baselines.ts', import.meta.url))
  const child = children.start(
    process.execPath,
    ['--import', 'tsx', script, 'one-statement', url, JSON.stringify(response), statement],
    {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { ...process.env, NODE_ENV: 'production' },
    },
  )
  return { port: await nextMessage<number>(child), pid: child.pid ?? 0 }
}
