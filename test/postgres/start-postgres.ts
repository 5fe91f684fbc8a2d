import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '../../src/store/postgres/driver.ts'
import { findFreePort } from '../free-port.ts'
import { findPostgres, postgresMissing } from './find-postgres.ts'

/** A PostgreSQL of a test's own, on 127.0.0.1 and on a Unix socket in its folder. */
export interface TestPostgres {
  readonly port: number
  readonly folder: string
  /** Address of a database on it, `postgres` when left out. */
  readonly url: (database?: string) => string
  /** The same by the Unix socket. */
  readonly socketUrl: (database?: string) => string
  /** As `kill -9` of all of it; `start` recovers. */
  readonly kill: () => Promise<void>
  readonly start: () => Promise<void>
  /** Ends it and removes its folder. */
  readonly stop: () => Promise<void>
}

/** Lines for `postgresql.conf`. Not durable unless requested: a crash of the machine is not what is tested. */
export interface TestPostgresOptions {
  readonly isDurable?: boolean
  readonly settings?: Readonly<Record<string, string>>
  /** Begins as a copy of this server and follows it; it may lack writes that this server acknowledged. */
  readonly standbyOf?: Pick<TestPostgres, 'url'>
}

// PostgreSQL does not run as root; Debian and most others have this user.
const nobody = { uid: 65534, gid: 65534 }

/** Starts one in a temporary folder. @throws Error when the programs are missing or it does not start */
export const startPostgres = async ({
  isDurable = false,
  settings = {},
  standbyOf,
}: TestPostgresOptions = {}): Promise<TestPostgres> => {
  const programs = findPostgres()
  if (programs === undefined) throw new Error(postgresMissing)
  const user = process.getuid?.() === 0 ? nobody : undefined
  const folder = mkdtempSync(join(tmpdir(), 'thingsync-pg-'))
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const port = await findFreePort()
  const fill = (program: string, args: readonly string[]): void =>
    void execFileSync(join(programs, program), ['-D', data, ...args, ...(isDurable ? [] : ['--no-sync'])], {
      ...user,
      ...{ cwd: folder, stdio: 'pipe' },
    })
  if (standbyOf === undefined) fill('initdb', ['-U', 'thingsync', '-A', 'trust', '-E', 'UTF8', '--locale=C'])
  else fill('pg_basebackup', ['-d', standbyOf.url(), '-R', '-c', 'fast'])
  const lines = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: folder,
    fsync: isDurable ? 'on' : 'off',
    max_connections: '200',
    max_prepared_transactions: '0',
    ...settings,
  }
  appendFileSync(
    join(data, 'postgresql.conf'),
    Object.entries(lines)
      .map(([name, value]) => `${name} = '${value}'\n`)
      .join(''),
  )
  const access = join(data, 'pg_hba.conf')
  // For tests of passwords; everybody else needs none.
  writeFileSync(access, `host all with_password 127.0.0.1/32 scram-sha-256\n${readFileSync(access, 'utf8')}`)
  const url = (database = 'postgres') => `postgres://thingsync@127.0.0.1:${port}/${database}`
  const log = join(folder, 'log')
  let running: ChildProcess | undefined

  const responses = async (): Promise<boolean> => {
    const client = new Client({ connectionString: url(), connectionTimeoutMillis: 5_000 })
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.end()
      return true
    } catch {
      return false
    }
  }

  const start = async (): Promise<void> => {
    const child = spawn('/bin/sh', ['-c', 'exec "$0" "$@" >>log 2>&1', join(programs, 'postgres'), '-D', data], {
      ...user,
      cwd: folder,
      stdio: 'ignore',
    })
    running = child
    while (!(await responses())) {
      if (child.exitCode !== null) throw new Error(`PostgreSQL did not start:\n${readFileSync(log, 'utf8')}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const child = running
    running = undefined
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }

  await start()
  return {
    port,
    folder,
    url,
    socketUrl: (database = 'postgres') =>
      `postgres://thingsync@/${database}?host=${encodeURIComponent(folder)}&port=${port}`,
    // SIGQUIT is its own crash: it ends every process at once without a checkpoint, and leaves none behind that still
    // holds the shared memory, as -9 of the first one would.
    kill: () => end('SIGQUIT'),
    start,
    stop: async () => {
      await end('SIGINT')
      rmSync(folder, { recursive: true })
    },
  }
}
