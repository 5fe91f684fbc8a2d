import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'

/** The core that a process is kept on: what is measured on the first, what loads it on the second. */
export type Core = 'measured' | 'load'

/** Starts processes and knows which of them still run. */
export interface Children {
  readonly start: (command: string, args: readonly string[], options: SpawnOptions & { core?: Core }) => ChildProcess
  /** Ends the processes that were started after `mark` (see `mark`), by their own ids, and waits until they are gone. */
  readonly endSince: (mark: number) => Promise<void>
  /** How many were started so far. */
  readonly mark: () => number
  /** Whether processes are kept on cores of their own. */
  readonly isPinned: boolean
}

const canPin = (): boolean => availableParallelism() >= 2 && spawnSync('taskset', ['-V']).status === 0

/** Processes of one bench. All are killed when this process ends, by whatever way but SIGKILL. */
export const createChildren = (): Children => {
  const started: ChildProcess[] = []
  const isPinned = canPin()

  const start: Children['start'] = (command, args, { core, ...options }) => {
    // taskset becomes the command, so the child's id is the command's own.
    const pinned = isPinned && core ? ['taskset', '-c', core === 'measured' ? '0' : '1', command] : [command]
    const [file = command, ...before] = pinned
    const child = spawn(file, [...before, ...args], options)
    started.push(child)
    return child
  }

  const endSince = async (mark: number): Promise<void> => {
    await Promise.all(started.slice(mark).map(endChild))
  }

  process.on('exit', () => {
    for (const child of started) if (isRunning(child)) child.kill('SIGKILL')
  })
  return { start, endSince, mark: () => started.length, isPinned }
}

const isRunning = (child: ChildProcess): boolean =>
  child.pid !== undefined && child.exitCode === null && child.signalCode === null

/** Kills a child and waits for its end; nothing when it has ended already. */
export const endChild = async (child: ChildProcess): Promise<void> => {
  if (!isRunning(child)) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
