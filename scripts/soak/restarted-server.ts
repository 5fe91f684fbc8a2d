import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** The real server in a process of its own, which is killed and started again on the same folder and port. */
export interface RestartedServer {
  /** Ends in `/v1/`; stays the same. */
  readonly baseUrl: string
  /** `kill -9`, and a new process; resolves when it accepts requests. */
  readonly killAndRestart: () => Promise<void>
  /** Resident memory in bytes; undefined while no server runs. */
  readonly readMemory: () => Promise<number | undefined>
  /** Stops in order. @throws when the server does not end well */
  readonly stop: () => Promise<void>
  /** Ends a server that may still run, whatever state it is in. */
  readonly abandon: () => void
}

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))

const readReady = async (path: string): Promise<string | undefined> => {
  try {
    const text = await readFile(path, 'utf8')
    return text === '' ? undefined : (JSON.parse(text) as { base_url: string }).base_url
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Garbage is collected when so many MB are used, so that what is plotted is what is held; a server that leaks ends. */
const maxHeapMb = 128

/** Starts the server on a data folder. */
export const startRestartedServer = async (folder: string): Promise<RestartedServer> => {
  const readyFile = `${folder}.ready`
  let child: ChildProcess | undefined

  const start = async (port: string): Promise<string> => {
    await rm(readyFile, { force: true })
    const options = [
      '--data',
      folder,
      '--port',
      port,
      '--ready-file',
      readyFile,
      '--no-first-run',
      '--log-level',
      'warn',
    ]
    const node = [`--max-old-space-size=${maxHeapMb}`, '--max-semi-space-size=4', '--import', 'tsx']
    const started = spawn(process.execPath, [...node, main, 'serve', ...options], {
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    let baseUrl: string | undefined
    while (baseUrl === undefined) {
      if (started.exitCode !== null) throw new Error(`the server ended with ${started.exitCode} while it started`)
      await sleep(20)
      baseUrl = await readReady(readyFile)
    }
    child = started
    return baseUrl
  }

  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    const ending = child
    child = undefined
    if (ending === undefined) throw new Error('no server runs')
    const exited = once(ending, 'exit')
    ending.kill(signal)
    const [code] = (await exited) as [number | null]
    return code
  }

  const baseUrl = await start('0')
  return {
    baseUrl,
    killAndRestart: async () => {
      await end('SIGKILL')
      await start(new URL(baseUrl).port)
    },
    readMemory: async () => {
      if (child === undefined) return undefined
      try {
        const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${child.pid}/status`, 'utf8')) ?? []
        return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
      } catch (error) {
        // It was killed in between.
        if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))
          return undefined
        throw error
      }
    },
    stop: async () => {
      const code = await end('SIGTERM')
      await rm(readyFile, { force: true })
      if (code !== 0) throw new Error(`the server ended with ${code}`)
    },
    abandon: () => void child?.kill('SIGKILL'),
  }
}
