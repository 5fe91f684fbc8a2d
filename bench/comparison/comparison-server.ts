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

/** A request of the comparison, in the interface of the server that it is for. */
export type ComparedRequest = Pick<LoadJob, 'port' | 'method' | 'path' | 'headers' | 'body'>

/** The requests to a running server with 10,000 items, of which ten changed last. */
export interface RunningComparison {
  /** Adds one item; `{n}` in it makes each item different. */
  readonly add: ComparedRequest
  /** Lists all items. */
  readonly download: ComparedRequest
  /** Lists the last ten changes. */
  readonly incrementalSync: ComparedRequest
}

/** A comparison server: another server that synchronizes items, or at least stores them. */
export interface ComparisonServer {
  readonly name: string
  /** What the server does for durability before it responds to a change. */
  readonly durability: string
  /** Number of clients that it can serve at once. */
  readonly clients: number
  /** Installs it if the bench does so, and returns its version. @throws RowUnavailable when it cannot be installed */
  readonly install: (say: (progress: string) => void) => Promise<string>
  /** Starts and fills it, after `install`. @throws RowUnavailable when it does not start */
  readonly start: (bench: Bench) => Promise<RunningComparison>
}

/** Number of items on every server. */
export const comparisonItems = 10_000

/** Waits until a server responds. @throws RowUnavailable when it ends, or does not respond within 60 s */
export const waitForComparison = async (name: string, child: ChildProcess, url: string): Promise<void> => {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (child.exitCode !== null || child.signalCode !== null) throw new RowUnavailable(`${name} ended while it started`)
    try {
      await (await fetch(url)).arrayBuffer()
      return
    } catch (error) {
      // fetch throws a TypeError while no process listens.
      if (!(error instanceof TypeError)) throw error
    }
    await sleep(100)
  }
  throw new RowUnavailable(`${name} was started but did not respond`)
}

/** Sends one request of the preparation and returns the body of the response. @throws Error for any status but 2xx */
export const prepare = async (url: string, init: RequestInit): Promise<string> => {
  const response = await fetch(url, init)
  const text = await response.text()
  if (!response.ok)
    throw new Error(`the response to ${init.method} ${new URL(url).pathname} has status ${response.status}`)
  return text
}

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'thingsync-bench')

/** One exact version of an npm package. */
interface ComparisonPackage {
  readonly name: string
  readonly version: string
}

/** Returns the folder of a package: in the user's cache, outside the tree. */
export const findComparisonFolder = ({ name, version }: ComparisonPackage): string => join(cache, `${name}-${version}`)

/**
 * Installs a package into its folder unless the folder exists, and returns its version.
 * @throws RowUnavailable when npm cannot install it
 */
export const installComparison = async (
  comparison: ComparisonPackage,
  say: (progress: string) => void,
): Promise<string> => {
  const folder = findComparisonFolder(comparison)
  if (existsSync(folder)) return comparison.version
  say(`npm installs ${comparison.name} ${comparison.version} into ${folder}`)
  // A rename at the end, so that an interrupted installation never looks complete.
  const partial = `${folder}.${process.pid}`
  await mkdir(partial, { recursive: true })
  await writeFile(join(partial, 'package.json'), '{"private": true}\n')
  const args = ['install', '--no-audit', '--no-fund', `${comparison.name}@${comparison.version}`]
  try {
    await promisify(execFile)('npm', args, { cwd: partial, maxBuffer: 2 ** 26 })
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    const reason = error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error)
    throw new RowUnavailable(`npm could not install ${comparison.name} ${comparison.version}: ${reason}`)
  }
  await rename(partial, folder)
  return comparison.version
}

/** Changes ten things of an account on our server, and returns the requests to it. */
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
    incrementalSync: { port, method: 'GET', path: `/v1/sync?from=${from}`, headers },
  }
}

/** Starts our server with as many items as a comparison server has. */
export const startThingsync = async (bench: Bench): Promise<RunningComparison> => {
  const { port, token } = await bench.openAccount(comparisonItems)
  return describeThingsync(port, token)
}
