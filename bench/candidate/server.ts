import { type ChildProcess, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Children, endChild, nextMessage } from '../machine/processes.ts'

const inTree = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** The command line that users start, as it is built. */
export const builtCommand = inTree('dist/src/cli/start.cjs')

/** Builds the server from the tree, so that what is measured is what stands there. @throws when it does not compile */
export const buildServer = (): void => {
  const arguments_ = [inTree('node_modules/typescript/bin/tsc'), '-p', inTree('tsconfig.build.json')]
  execFileSync(process.execPath, arguments_, { stdio: 'inherit' })
  execFileSync(process.execPath, [inTree('scripts/copy-assets.mjs')], { cwd: inTree('.'), stdio: 'inherit' })
}

/** Builds the web app in the same way, for the rows that open it. @throws when it does not build */
export const buildWebApp = (): void => {
  const arguments_ = [inTree('node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn']
  execFileSync(process.execPath, arguments_, { cwd: inTree('web'), stdio: ['ignore', 'ignore', 'inherit'] })
}

/** The server under measurement, in a process of its own. */
export interface RunningServer {
  readonly port: number
  readonly pid: number
  /** Begins to watch the delay of the server's event loop, to the millisecond. */
  readonly startDelay: () => Promise<void>
  /** The longest delay since then. */
  readonly stopDelay: () => Promise<number>
  readonly collectGarbage: () => Promise<void>
  /** What JavaScript keeps, in MB. */
  readonly readHeap: () => Promise<number>
  /** Stops in order (SIGTERM). */
  readonly stop: () => Promise<void>
  /** `kill -9`. */
  readonly kill: () => Promise<void>
}

/** Where and how a server is started. */
export interface ServerOptions {
  readonly folder: string
  /** `warn` unless a row measures the log: at `info`, the default, each request writes a line. */
  readonly logLevel?: 'info' | 'warn'
  /** The most that the server's JavaScript may keep; Node's own choice unless given. */
  readonly heapMegabytes?: number
  /** Where webhooks may lead beside the public internet. */
  readonly deliveryAllow?: string
  /** 256 MB unless given; undefined leaves the server's own. */
  readonly maxBodyBytes?: number | undefined
  /** Address of a database that takes the place of the folder; the folder is only where the server says that it is ready. */
  readonly store?: string
  /** `measured` unless given; `any` is wherever the kernel puts it. */
  readonly core?: 'measured' | 'any'
  /** Whether it serves the web app, too; false unless given. */
  readonly servesWeb?: boolean
}

const probe = new URL('./probe.cjs', import.meta.url).pathname

/** Starts the built command line on a data folder and waits until it accepts requests. */
export const startServer = async (children: Children, options: ServerOptions): Promise<RunningServer> => {
  const { folder, logLevel = 'warn', heapMegabytes } = options
  const maxBodyBytes = 'maxBodyBytes' in options ? options.maxBodyBytes : 2 ** 28
  const readyFile = `${folder}.ready`
  await rm(readyFile, { force: true })
  const settings = ['--port', '0', '--no-first-run', '--log-level', logLevel]
  if (options.servesWeb !== true) settings.push('--no-web')
  if (options.deliveryAllow !== undefined) settings.push('--delivery-allow', options.deliveryAllow)
  if (maxBodyBytes !== undefined) settings.push('--max-body-bytes', String(maxBodyBytes))
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
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { ...process.env, NODE_ENV: 'production' },
    },
  )
  const baseUrl = await waitUntilReady(child, readyFile)
  const ask = async <T>(question: string): Promise<T> => {
    const response = nextMessage<T>(child)
    child.send(question)
    return response
  }
  return {
    port: Number(new URL(baseUrl).port),
    pid: child.pid ?? 0,
    startDelay: async () => {
      await ask('start delay')
    },
    stopDelay: async () => (await ask<{ maxDelayMs: number }>('stop delay')).maxDelayMs,
    collectGarbage: async () => {
      await ask('collect garbage')
    },
    readHeap: async () => (await ask<{ heapMb: number }>('read heap')).heapMb,
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
    kill: () => endChild(child),
  }
}

const waitUntilReady = async (child: ChildProcess, readyFile: string): Promise<string> => {
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
