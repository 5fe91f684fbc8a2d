import { type ChildProcess, execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Bench } from '../bench.ts'
import { changeThings, createThings, listIds, readPosition } from '../candidate/accounts.ts'
import { formHeaders } from '../candidate/measure.ts'
import type { LoadJob } from '../load/load.ts'
import { RowUnavailable } from '../row.ts'

/** What is asked of ours and of a peer's server, in the words of each. */
export type Ask = Pick<LoadJob, 'port' | 'method' | 'path' | 'headers' | 'body'>

/** A server with 10,000 items of which ten were changed last. */
export interface RunningComparison {
  /** Adds one item; `{n}` in it makes each one different. */
  readonly add: Ask
  readonly download: Ask
  /** Lists what the ten last changes were. */
  readonly delta: Ask
}

/** Another server that keeps items in step, or at least keeps them. */
export interface ComparisonServer {
  readonly name: string
  /** What an answered change has gone through when it is answered. */
  readonly durability: string
  /** How many clients it can serve at once. */
  readonly clients: number
  /** Installs it, where that is the bench's to do; tells its version. @throws RowUnavailable when it cannot be had */
  readonly install: (say: (progress: string) => void) => Promise<string>
  /** Starts one, filled, after `install`. @throws RowUnavailable when it does not start */
  readonly start: (bench: Bench) => Promise<RunningComparison>
}

/** How many items every server holds. */
export const comparisonItems = 10_000

/** Waits until a server answers anything. @throws RowUnavailable when it ends, or has not answered after 60 s */
export const waitForComparison = async (name: string, child: ChildProcess, url: string): Promise<void> => {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (child.exitCode !== null || child.signalCode !== null) throw new RowUnavailable(`${name} ended while it started`)
    try {
      await (await fetch(url)).arrayBuffer()
      return
    } catch (error) {
      // What fetch throws while nobody listens.
      if (!(error instanceof TypeError)) throw error
    }
    await sleep(100)
  }
  throw new RowUnavailable(`${name} was started but did not answer`)
}

/** Sends one request of the preparation. @throws when it is not answered with 2xx */
export const prepare = async (url: string, init: RequestInit): Promise<string> => {
  const response = await fetch(url, init)
  const text = await response.text()
  if (!response.ok) throw new Error(`${init.method} ${new URL(url).pathname} was answered with ${response.status}`)
  return text
}

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'thingsync-bench')

/** One exact version of a package of npm. */
interface ComparisonPackage {
  readonly name: string
  readonly version: string
}

/** Where a package is installed: in the user's cache, outside the tree. */
export const findComparisonFolder = ({ name, version }: ComparisonPackage): string => join(cache, `${name}-${version}`)

/**
 * Installs a package into its folder, unless it is there already; tells its version.
 * @throws RowUnavailable when npm cannot
 */
export const installComparison = async (
  comparison: ComparisonPackage,
  say: (progress: string) => void,
): Promise<string> => {
  const folder = findComparisonFolder(comparison)
  if (existsSync(folder)) return comparison.version
  say(`npm installs ${comparison.name} ${comparison.version} into ${folder}`)
  // Installed aside and then renamed, so that an installation that was broken off is never taken for a whole one.
  const aside = `${folder}.${process.pid}`
  await mkdir(aside, { recursive: true })
  await writeFile(join(aside, 'package.json'), '{"private": true}\n')
  const args = ['install', '--no-audit', '--no-fund', `${comparison.name}@${comparison.version}`]
  try {
    await promisify(execFile)('npm', args, { cwd: aside, maxBuffer: 2 ** 26 })
  } catch (error) {
    await rm(aside, { recursive: true, force: true })
    const reason = error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error)
    throw new RowUnavailable(`npm could not install ${comparison.name} ${comparison.version}: ${reason}`)
  }
  await rename(aside, folder)
  return comparison.version
}

/** What is asked of our server, in an account of which ten things are changed now. Each answered change is on the disk. */
export const describeThingsync = async (port: number, token: string): Promise<RunningComparison> => {
  const ids = await listIds(port, token, { skip: 0, limit: 10 })
  const from = await readPosition(port, token)
  await changeThings(port, token, ids)
  const headers = formHeaders(token)
  const [thing] = createThings(7, 1)
  const { url = '', tags = '', html = '' } = thing ?? {}
  const body = `title=item+{n}&${new URLSearchParams({ url, tags, html })}`
  return {
    add: { port, method: 'POST', path: '/v1/thing/add', headers, body },
    download: { port, method: 'GET', path: '/v1/sync', headers },
    delta: { port, method: 'GET', path: `/v1/sync?from=${from}`, headers },
  }
}

/** Our server with what a peer's holds. */
export const startThingsync = async (bench: Bench): Promise<RunningComparison> => {
  const { port, token } = await bench.openAccount(comparisonItems)
  return describeThingsync(port, token)
}
