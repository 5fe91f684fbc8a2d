import { once } from 'node:events'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Bench } from '../bench.ts'
import type { LoadJob, RunLoad } from '../load/load.ts'
import { readCpuSeconds } from '../machine/processes.ts'
import { builtCommand } from './server.ts'

/** What a command took from its start to its end. */
interface CommandUsage {
  readonly seconds: number
  /** User and system, all threads. */
  readonly cpuSeconds: number
  /** Resident memory at its peak. */
  readonly peakMb: number
}

const noteUsage = new URL('./note-usage.cjs', import.meta.url).pathname

/** Runs a command of the built command line to its end. @throws when it fails */
export const runCommand = async (bench: Bench, args: readonly string[]): Promise<CommandUsage> => {
  const file = join(await bench.createFolder(), 'usage.json')
  const start = performance.now()
  const child = bench.children.start(process.execPath, ['--require', noteUsage, builtCommand, ...args], {
    core: 'measured',
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production', THINGSYNC_BENCH_USAGE: file },
  })
  const [code] = await once(child, 'exit')
  const seconds = (performance.now() - start) / 1000
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}`)
  return { seconds, ...(JSON.parse(await readFile(file, 'utf8')) as Omit<CommandUsage, 'seconds'>) }
}

/** A GET with the token in its header. */
export const getJob = (
  port: number,
  token: string,
  path: string,
): Pick<LoadJob, 'port' | 'method' | 'path' | 'headers'> => ({
  port,
  method: 'GET',
  path,
  headers: { authorization: `Bearer ${token}` },
})

/** A form upload with the token in its header. */
export const postForm = (
  port: number,
  token: string,
  path: string,
  body: string,
): Pick<LoadJob, 'port' | 'method' | 'path' | 'headers' | 'body'> => ({
  port,
  method: 'POST',
  path,
  headers: formHeaders(token),
  body,
})

/** Headers of a form upload. */
export const formHeaders = (token: string): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/x-www-form-urlencoded',
})

/** CPU time of the server per request of a job, all its threads, in microseconds. */
export const measureCpuPerRequest = async (load: RunLoad, pid: number, job: LoadJob): Promise<number> => {
  const before = await readCpuSeconds(pid)
  const { count } = await load(job)
  return ((await readCpuSeconds(pid)) - before) * (1e6 / count)
}

/** Time of one download, in ms: the mean of as many as move about 100 MB, at most 20. */
export const measureDownload = async (
  load: RunLoad,
  job: Pick<LoadJob, 'port' | 'method' | 'path' | 'headers'>,
  bytes: number,
): Promise<number> => {
  const count = Math.min(20, Math.max(1, Math.ceil(1e8 / bytes)))
  const { seconds } = await load({ ...job, connections: 1, count })
  return (seconds * 1000) / count
}

/** The full listing of an account, as it came over HTTP. */
interface ListingFile {
  readonly file: string
  readonly bytes: number
}

/** Downloads a full listing into a file of the row. */
export const saveListing = async (
  bench: Bench,
  account: { readonly port: number; readonly token: string },
): Promise<ListingFile> => {
  const file = join(await bench.createFolder(), 'listing.json')
  const job = getJob(account.port, account.token, '/v1/sync')
  await bench.load({ ...job, connections: 1, count: 1, saveTo: file })
  return { file, bytes: (await stat(file)).size }
}

/** The ids of its things, in its order: every `stride`-th. */
export const readIds = async ({ file }: ListingFile, stride: number): Promise<string[]> => {
  // As latin1: a listing of a million things is longer than the longest string when every byte is looked at as UTF-8.
  const text = (await readFile(file)).toString('latin1')
  const ids: string[] = []
  let index = 0
  for (const [, id] of text.matchAll(/"_id": ?"([A-Za-z0-9]+)"/g)) if (index++ % stride === 0 && id) ids.push(id)
  return ids
}
