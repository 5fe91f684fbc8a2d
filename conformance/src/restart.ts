import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Blocked } from './result.ts'

/** Restarts the server under test. @throws Blocked when that did not work. */
export type Restart = (signal: AbortSignal) => Promise<void>

/** One rule that takes part in the restart. */
export interface Participant {
  /** Waits for the other rules, does the last step, and resolves when the server responds again. At most one call. */
  readonly take: (lastStep?: () => Promise<void>) => Promise<void>
  /** Ends the part of the rule, whether it called `take` or not. */
  readonly leave: () => void
}

interface Latch {
  readonly pass: () => void
  readonly opened: Promise<void>
}

/** Creates a latch that opens after `count` calls of `pass`. */
const createLatch = (count: number): Latch => {
  let missing = count
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const pass = (): void => {
    missing -= 1
    if (missing === 0) open()
  }
  return { pass, opened }
}

/** Lets rules share one restart with no request in flight. Each rule calls `join` once. */
export const gatherForRestart = (rules: number, restart: () => Promise<void>): { join: () => Participant } => {
  const [arrived, ready] = [createLatch(rules), createLatch(rules)]
  let taken = 0
  const restarted = ready.opened.then(() => (taken === 0 ? undefined : restart()))
  // The participants get the error.
  restarted.catch(() => {})
  return {
    join: () => {
      let left: (() => void)[] = [arrived.pass, ready.pass]
      const passNext = (): void => left.shift()?.()
      return {
        take: async (lastStep) => {
          taken += 1
          passNext()
          await arrived.opened
          try {
            await lastStep?.()
          } finally {
            passNext()
          }
          await restarted
        },
        leave: () => {
          const missed = left
          left = []
          for (const pass of missed) pass()
        },
      }
    },
  }
}

/** Longest time until the server responds again, in milliseconds. */
const maxStartMs = 60_000

/** Sends requests until the server responds. A proxy in front of it may respond with 502 to 504 meanwhile. */
export const waitUntilResponding = async (
  send: () => Promise<number | undefined>,
  signal: AbortSignal,
): Promise<void> => {
  const deadline = performance.now() + maxStartMs
  for (;;) {
    const status = await send()
    if (status !== undefined && (status < 502 || status > 504)) return
    if (signal.aborted || performance.now() > deadline) {
      throw new Blocked(`the server did not respond within ${maxStartMs / 1000} s after the restart`)
    }
    await wait(100)
  }
}

/** Longest time of the command, in milliseconds. */
const maxCommandMs = 60_000

/** Maximum length of the command's output in a message, in characters. */
const maxShownLength = 500

/** Waits for the command; resolves to the reason why it failed, or to undefined when it succeeded in time. */
const waitForEnd = async (child: ChildProcess, signal: AbortSignal): Promise<string | undefined> => {
  const limit = new AbortController()
  const kill = (): void => void child.kill('SIGKILL')
  signal.addEventListener('abort', kill, { once: true })
  if (signal.aborted) kill()
  wait(maxCommandMs, undefined, { signal: limit.signal }).then(kill, () => {})
  try {
    return await new Promise((resolve) => {
      child.once('error', (error) => resolve(`could not be started (${error.message})`))
      child.once('exit', (code, killer) => {
        const failed = killer === null ? `ended with ${code}` : 'did not end in time and was ended'
        resolve(code === 0 ? undefined : failed)
      })
    })
  } finally {
    limit.abort()
    signal.removeEventListener('abort', kill)
  }
}

/** The terminal of a user who can restart the server. */
export interface RestartTerminal {
  readonly say: (text: string) => void
  /** Resolves to true when the user presses Enter, to false when the input or the run ends before. */
  readonly waitForEnter: (signal: AbortSignal) => Promise<boolean>
}

/** Asks the user to restart the server, and waits until the user confirms it. */
export const restartManually =
  ({ say, waitForEnter }: RestartTerminal): Restart =>
  async (signal) => {
    say('\nRestart the server now. Press Enter when it has started again.\n')
    if (await waitForEnter(signal)) return
    throw new Blocked('the restart was not confirmed before the end of the run or of the input')
  }

/** Restarts the server with a shell command, which ends when the server is started again. */
export const restartBy =
  (command: string): Restart =>
  async (signal) => {
    const folder = await mkdtemp(join(tmpdir(), 'thingsync-restart-'))
    const path = join(folder, 'output')
    // A file instead of a pipe: the server that the command leaves running may write to it after the command has ended.
    const output = await open(path, 'w')
    try {
      const child = spawn(command, { shell: true, stdio: ['ignore', output.fd, output.fd] })
      const problem = await waitForEnd(child, signal)
      if (problem === undefined) return
      const shown = (await readFile(path, 'utf8')).trim().slice(-maxShownLength)
      throw new Blocked(`the command of --restart ${problem}${shown === '' ? '' : `: ${shown}`}`)
    } finally {
      await output.close()
      await rm(folder, { recursive: true })
    }
  }
