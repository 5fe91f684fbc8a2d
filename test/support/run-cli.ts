import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { buildProgram } from './build-program.ts'

/** What a command left behind. */
export interface CliRun {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A process of the command line with what it has written so far. */
export interface CliProcess {
  readonly child: ChildProcess
  readonly stdout: () => string
  readonly stderr: () => string
  readonly ended: Promise<CliRun>
}

/** A server in a process of its own. */
export interface CliServer extends CliProcess {
  readonly baseUrl: string
  readonly readyFile: string
  readonly stop: (signal?: NodeJS.Signals) => Promise<CliRun>
}

const installed = process.env.THINGSYNC_TEST_PROGRAM

if (installed === undefined) await buildProgram()

/** The built command line, or the installed one that `THINGSYNC_TEST_PROGRAM` names (`npm run test:installed`). */
export const program = installed ?? fileURLToPath(new URL('../../dist/start.cjs', import.meta.url))

/** A fresh folder, removed when the test is finished. */
export const createTemporaryFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'thingsync-cli-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Starts the real command line; what still runs is killed when the test is finished. */
export const startCli = (args: readonly string[], environment: Readonly<Record<string, string>> = {}): CliProcess => {
  const env = { PATH: process.env.PATH ?? '', HOME: tmpdir(), ...environment }
  const child = spawn(process.execPath, [program, ...args], { env })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const ended = once(child, 'close').then(([exitCode]) => ({ exitCode, stdout, stderr }))
  return { child, stdout: () => stdout, stderr: () => stderr, ended }
}

/** Runs a command to its end; `input` is its standard input. */
export const runCli = (args: readonly string[], input = '', environment = {}): Promise<CliRun> => {
  const { child, ended } = startCli(args, environment)
  // A command that fails may end before it reads.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(input)
  return ended
}

/** Starts a server on a free port and waits until it accepts requests and the test has read its first lines. */
export const startCliServer = async (
  data: string,
  args: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<CliServer> => {
  const readyFile = join(await createTemporaryFolder(), 'ready.json')
  const started = startCli(['serve', '--data', data, '--port', '0', '--ready-file', readyFile, ...args], environment)
  const ready = await readWhenThere<{ base_url: string }>(readyFile, async () => {
    if (started.child.exitCode === null) return false
    throw new Error(`the server did not start: ${(await started.ended).stderr}`)
  })
  // The server writes this line before the file, but the test may read the pipe later than the file.
  if (!args.includes('--log-level')) {
    const isRunning = () => started.child.exitCode === null && started.child.signalCode === null
    while (isRunning() && !started.stdout().includes('listening on ')) await sleep(5)
  }
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    started.child.kill(signal)
    return started.ended
  }
  return { ...started, baseUrl: ready.base_url, readyFile, stop }
}

/** Waits for a file and gives the JSON in it; fails when it will not come any more. */
export const readWhenThere = async <T>(file: string, isEnded: () => boolean | Promise<boolean>): Promise<T> => {
  while (true) {
    const text = await readFile(file, 'utf8').catch(whenMissing)
    if (text !== '') return JSON.parse(text)
    if (await isEnded()) throw new Error(`${file} was not written`)
    await sleep(20)
  }
}

const whenMissing = (error: NodeJS.ErrnoException): string => {
  if (error.code === 'ENOENT') return ''
  throw error
}
