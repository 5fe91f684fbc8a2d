import { type ChildProcess, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile, rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Children, endChild, nextMessage } from '../machine/processes.ts'

const inTree = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** Path of the built command line. */
export const builtCommand = inTree('dist/start.cjs')

/** Builds the server from the tree, so that the bench measures the current sources. @throws Error when rolldown fails */
export const buildServer = (): void => {
  execFileSync(process.execPath, [inTree('scripts/build.mjs'), 'bundle'], { stdio: 'inherit' })
}

/** Builds the web app from the tree, for the rows that open it. @throws Error when vite fails */
export const buildWebApp = (): void => {
  const arguments_ = [inTree('node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn']
  execFileSync(process.execPath, arguments_, { cwd: inTree('web'), stdio: ['ignore', 'ignore', 'inherit'] })
}

/** The measured server in its own process. */
export interface RunningServer {
  readonly port: number
  readonly pid: number
  /** Starts the measurement of the event loop delay, with a resolution of 1 ms. */
  readonly startDelay: () => Promise<void>
  /** Stops the measurement and returns the maximum delay in ms. */
  readonly stopDelay: () => Promise<number>
  readonly collectGarbage: () => Promise<void>
  /** Reads the used JavaScript heap in MB. */
  readonly readHeap: () => Promise<number>
  /** Shuts the server down (SIGTERM). */
  readonly stop: () => Promise<void>
  /** `kill -9`. */
  readonly kill: () => Promise<void>
}

/** The options of a server. */
export interface ServerOptions {
  readonly folder: string
  /** `warn` unless given: at `info`, the server's own default, each request writes a line. */
  readonly logLevel?: 'info' | 'warn'
  /** File for the standard output, to which the server writes its log; it is discarded unless given. */
  readonly logFile?: string
  /** Maximum JavaScript heap; Node's default unless given. */
  readonly heapMegabytes?: number
  /** Addresses beside the public internet to which the server may deliver webhooks. */
  readonly deliveryAllow?: string
  /** 256 MB unless given; undefined means the server's own default. */
  readonly maxBodyBytes?: number | undefined
  /** URL of a database that replaces the folder. The folder then only names the ready file. */
  readonly store?: string
  /** `measured` unless given; `any` leaves the choice of cores to the kernel. */
  readonly core?: 'measured' | 'any'
  /** Whether the server serves the web app; false unless given. */
  readonly servesWeb?: boolean
}

const probe = new URL('./probe.cjs', import.meta.url).pathname

/**
 * Starts the built command line on a data folder and waits until it accepts requests.
 * @throws Error when the server ends before that
 */
export const startServer = async (children: Children, options: ServerOptions): Promise<RunningServer> => {
  const { folder, logLevel = 'warn', heapMegabytes } = options
  const maxBodyBytes = 'maxBodyBytes' in options ? options.maxBodyBytes : 2 ** 28
  const readyFile = `${folder}.ready`
  await rm(readyFile, { force: true })
  const settings = ['--port', '0', '--no-first-run', '--log-level', logLevel]
  if (options.servesWeb !== true) settings.push('--no-web')
  if (options.deliveryAllow !== undefined) settings.push('--delivery-allow', options.deliveryAllow)
  if (maxBodyBytes !== undefined) settings.push('--max-body-bytes', String(maxBodyBytes))
  const log = options.logFile === undefined ? undefined : await open(options.logFile, 'a')
  const child = children.start(
    process.execPath,
    [
      '--expose-gc',
      ...(heapMegabytes === undefined ? [] : [`--max-old-space-size=${heapMegabytes}`]),
      '--require',
      probe,
      builtCommand,
      'serve',
      ...(options.store === undefined ? ['--data', folder] : ['--store', options.store]),
      '--ready-file',
      readyFile,
      ...settings,
    ],
    {
      ...(options.core === 'any' ? {} : { core: 'measured' as const }),
      stdio: ['ignore', log?.fd ?? 'ignore', 'inherit', 'ipc'],
      env: { ...process.env, NODE_ENV: 'production' },
    },
  )
  await log?.close()
  const baseUrl = await waitUntilReady(child, readyFile)
  const request = async <T>(question: string): Promise<T> => {
    const response = nextMessage<T>(child)
    child.send(question)
    return response
  }
  return {
    port: Number(new URL(baseUrl).port),
    pid: child.pid ?? 0,
    startDelay: async () => {
      await request('start delay')
    },
    stopDelay: async () => (await request<{ maxDelayMs: number }>('stop delay')).maxDelayMs,
    collectGarbage: async () => {
      await request('collect garbage')
    },
    readHeap: async () => (await request<{ heapMb: number }>('read heap')).heapMb,
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
    kill: () => endChild(child),
  }
}

/**
 * Waits until a process has written its ready file, and returns the base URL in the file.
 * @throws Error when the process ends before that
 */
export const waitUntilReady = async (child: ChildProcess, readyFile: string): Promise<string> => {
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('the server did not start')
    try {
      return (JSON.parse(await readFile(readyFile, 'utf8')) as { base_url: string }).base_url
    } catch (error) {
      const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
      if (!isMissing) throw error
    }
    await sleep(2)
  }
}
