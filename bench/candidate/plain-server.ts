import type { ChildProcess } from 'node:child_process'
import { open, rm } from 'node:fs/promises'
import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench } from '../bench.ts'
import { builtCommand, waitUntilReady } from './server.ts'

/** A server that runs as a user starts it: without the probe and without options of Node. */
export interface PlainServer {
  readonly child: ChildProcess
  readonly port: number
  readonly pid: number
  /** Time from the spawn to the ready file; without a ready file to the first response. */
  readonly readyMs: number
  /** Time from the spawn to the first response with 200 on the path for health checks. */
  readonly healthyMs: number
}

/** How a server says that it accepts requests, and where its log goes. */
export interface PlainFiles {
  /** File for the standard output. */
  readonly logFile: string
  /** The file that the server writes with its base URL; or its port, where it writes none. */
  readonly ready: { readonly file: string } | { readonly port: number }
  readonly healthPath: string
}

/** Sends a GET and returns the status, 0 when no process listens. No `fetch`: its first call loads its client. */
const requestStatus = (port: number, path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path, agent: false }, (response) => {
      response.resume()
      response.on('error', reject)
      response.on('end', () => resolve(response.statusCode ?? 0))
    }).on('error', (error) => {
      if ('code' in error && error.code === 'ECONNREFUSED') resolve(0)
      else reject(error)
    })
  })

/** Waits until a process responds with 200. @throws Error when it ends, or responds with another status */
const waitUntilHealthy = async (child: ChildProcess, port: number, path: string): Promise<void> => {
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('the server did not start')
    const status = await requestStatus(port, path)
    if (status === 200) return
    if (status !== 0) throw new Error(`the response to GET ${path} has status ${status}`)
    await sleep(2)
  }
}

/** Starts a command on the measured core and waits for its ready file and its first response. */
export const startPlain = async (
  bench: Bench,
  command: string,
  args: readonly string[],
  { logFile, ready, healthPath }: PlainFiles,
): Promise<PlainServer> => {
  if ('file' in ready) await rm(ready.file, { force: true })
  const log = await open(logFile, 'a')
  const start = performance.now()
  const child = bench.children.start(command, args, {
    core: 'measured',
    stdio: ['ignore', log.fd, 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const port = 'file' in ready ? Number(new URL(await waitUntilReady(child, ready.file)).port) : ready.port
  const readyMs = performance.now() - start
  await waitUntilHealthy(child, port, healthPath)
  const healthyMs = performance.now() - start
  await log.close()
  return { child, port, pid: child.pid ?? 0, readyMs: 'file' in ready ? readyMs : healthyMs, healthyMs }
}

/** Starts the built server on a data folder: with the default settings, except for the port and `settings`. */
export const startCandidate = (
  bench: Bench,
  folder: string,
  settings: readonly string[] = [],
): Promise<PlainServer> => {
  const file = `${folder}.ready`
  const args = [builtCommand, 'serve', '--data', folder, '--port', '0', '--ready-file', file, ...settings]
  return startPlain(bench, process.execPath, args, {
    ...{ logFile: `${folder}.log`, ready: { file }, healthPath: '/healthz' },
  })
}
