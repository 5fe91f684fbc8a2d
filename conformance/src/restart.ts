import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Blocked } from './result.ts'

/** How the server under test is started again; rejects when that did not work. */
export type Restart = (signal: AbortSignal) => Promise<void>

/** One rule's part in the restart. */
export interface Participant {
  /** Waits until every rule is here, does the last step, and comes back when the server does. At most once. */
  readonly take: (lastStep?: () => Promise<void>) => Promise<void>
  /** The rule has ended, whether it came here or not. */
  readonly leave: () => void
}

interface Gate {
  readonly pass: () => void
  readonly opened: Promise<void>
}

/** A gate that opens when so many have passed. */
const createGate = (count: number): Gate => {
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

/** Lets rules share one restart: no request is under way in the middle of it. `join` is called once for each rule. */
export const gatherForRestart = (rules: number, restart: () => Promise<void>): { join: () => Participant } => {
  const [here, ready] = [createGate(rules), createGate(rules)]
  let taken = 0
  const restarted = ready.opened.then(() => (taken === 0 ? undefined : restart()))
  // Told to those who take part.
  restarted.catch(() => {})
  return {
    join: () => {
      let left: (() => void)[] = [here.pass, ready.pass]
      const passNext = (): void => left.shift()?.()
      return {
        take: async (lastStep) => {
          taken += 1
          passNext()
          await here.opened
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

/** Longest time until the server answers again, in milliseconds. */
const maxStartMs = 60_000

/** Asks until the server answers; what stands before it may say meanwhile that it is away. */
export const waitUntilResponding = async (
  ask: () => Promise<number | undefined>,
  signal: AbortSignal,
): Promise<void> => {
  const deadline = performance.now() + maxStartMs
  for (;;) {
    const status = await ask()
    if (status !== undefined && (status < 502 || status > 504)) return
    if (signal.aborted || performance.now() > deadline) {
      throw new Blocked(`the server did not answer within ${maxStartMs / 1000} s after the restart`)
    }
    await wait(100)
  }
}

/** Longest time that the command may take, in milliseconds. */
const maxMs = 60_000

/** What of the command's own words is shown. */
const maxShownLength = 500

/** Why the command did not do its work; undefined when it ended well and in time. */
const waitForEnd = async (child: ChildProcess, signal: AbortSignal): Promise<string | undefined> => {
  const limit = new AbortController()
  const kill = (): void => void child.kill('SIGKILL')
  signal.addEventListener('abort', kill, { once: true })
  if (signal.aborted) kill()
  wait(maxMs, undefined, { signal: limit.signal }).then(kill, () => {})
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

/** Restarts the server by a command of the shell, which ends once the server is started again. */
export const restartBy =
  (command: string): Restart =>
  async (signal) => {
    const folder = await mkdtemp(join(tmpdir(), 'thingsync-restart-'))
    const path = join(folder, 'output')
    // A file and no pipe: the server that the command leaves running goes on writing to it, whoever has ended.
    const output = await open(path, 'w')
    try {
      const child = spawn(command, { shell: true, stdio: ['ignore', output.fd, output.fd] })
      const problem = await waitForEnd(child, signal)
      if (problem === undefined) return
      const said = (await readFile(path, 'utf8')).trim().slice(-maxShownLength)
      throw new Blocked(`the command of --restart ${problem}${said === '' ? '' : `: ${said}`}`)
    } finally {
      await output.close()
      await rm(folder, { recursive: true })
    }
  }
