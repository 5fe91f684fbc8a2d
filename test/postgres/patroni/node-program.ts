import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

// PostgreSQL does not run as root; Debian and most others have this user.
const nobody = { uid: 65534, gid: 65534 }

/** The user that programs run as. */
export const programUser = process.getuid?.() === 0 ? nobody : undefined

/** Makes a folder of that user. */
export const createUserFolder = (folder: string): string => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (programUser !== undefined) chownSync(folder, programUser.uid, programUser.gid)
  return folder
}

/** A program that runs in a folder, where it writes its `log`. */
export interface RunningProgram {
  /** As `kill -9`. */
  readonly kill: () => Promise<void>
}

/** Starts one; it hears of nothing that happens to this process. */
export const startProgram = (folder: string, program: string, args: readonly string[]): RunningProgram => {
  const child: ChildProcess = spawn('/bin/sh', ['-c', 'exec "$0" "$@" >>log 2>&1', program, ...args], {
    ...programUser,
    ...{ cwd: folder, stdio: 'ignore', detached: true },
  })
  return {
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Crashes the PostgreSQL of a data folder, if it runs. */
export const crashPostgres = (data: string): void => {
  try {
    const [pid = ''] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
    process.kill(Number(pid), 'SIGQUIT')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'ESRCH') throw error
  }
}
