import { once } from 'node:events'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Bench } from '../bench.ts'
import type { LoadJob, RunLoad } from '../load/load.ts'
import { readCpuSeconds } from '../machine/processes.ts'
import { builtCommand } from './server.ts'

/** The resources that a command used from its start to its end. */
interface CommandUsage {
  readonly seconds: number
  /** User and system time of all threads. */
  readonly cpuSeconds: number
  /** Peak of the resident memory. */
  readonly peakMb: number
}

const noteUsage = new URL('./note-usage.cjs', import.meta.url).pathname

/** Runs a command of the built command line to its end. @throws Error when it fails */
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

/** Creates the request of a job: a GET with the token in its header. */
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

/** Creates the request of a job: a form upload with the token in its header. */
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

/** Creates the headers of a form upload. */
export const formHeaders = (token: string): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/x-www-form-urlencoded',
})

/** Runs a job and returns the CPU time of the server per request, in microseconds, over all its threads. */
export const measureCpuPerRequest = async (load: RunLoad, pid: number, job: LoadJob): Promise<number> => {
  const before = await readCpuSeconds(pid)
  const { count } = await load(job)
  return ((await readCpuSeconds(pid)) - before) * (1e6 / count)
}

/** Measures the mean time of a download in ms, over as many downloads as make about 100 MB, at most 20. */
export const measureDownload = async (
  load: RunLoad,
  job: Pick<LoadJob, 'port' | 'method' | 'path' | 'headers'>,
  bytes: number,
): Promise<number> => {
  const count = Math.min(20, Math.max(1, Math.ceil(1e8 / bytes)))
  const { seconds } = await load({ ...job, connections: 1, count })
  return (seconds * 1000) / count
}

/** The response of a full sync in a file. */
interface ListingFile {
  readonly file: string
  readonly bytes: number
}

/** Downloads a full sync into a file of the row. */
export const saveListing = async (
  bench: Bench,
  account: { readonly port: number; readonly token: string },
): Promise<ListingFile> => {
  const file = join(await bench.createFolder(), 'listing.json')
  const job = getJob(account.port, account.token, '/v1/sync')
  await bench.load({ ...job, connections: 1, count: 1, saveTo: file })
  return { file, bytes: (await stat(file)).size }
}

/** Reads every `stride`-th id of the things in a listing, in its order. */
export const readIds = async ({ file }: ListingFile, stride: number): Promise<string[]> => {
  // As Latin-1: decoded as UTF-8, a listing of a million things exceeds the maximum length of a string.
  const text = (await readFile(file)).toString('latin1')
  const ids: string[] = []
  let index = 0
  for (const [, id] of text.matchAll(/"_id": ?"([A-Za-z0-9]+)"/g)) if (index++ % stride === 0 && id) ids.push(id)
  return ids
}
