import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Blocked } from '../finding.ts'
import type { Restart } from '../restart.ts'

/** Longest time that the command may take, in milliseconds. */
const longestMs = 60_000

/** What of the command's own words is shown. */
const longestShown = 500

/** Why the command did not do its work; undefined when it ended well and in time. */
const waitForEnd = async (child: ChildProcess, signal: AbortSignal): Promise<string | undefined> => {
  const limit = new AbortController()
  const kill = (): void => void child.kill('SIGKILL')
  signal.addEventListener('abort', kill, { once: true })
  if (signal.aborted) kill()
  wait(longestMs, undefined, { signal: limit.signal }).then(kill, () => {})
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
      const trouble = await waitForEnd(child, signal)
      if (trouble === undefined) return
      const said = (await readFile(path, 'utf8')).trim().slice(-longestShown)
      throw new Blocked(`the command of --restart ${trouble}${said === '' ? '' : `: ${said}`}`)
    } finally {
      await output.close()
      await rm(folder, { recursive: true })
    }
  }
