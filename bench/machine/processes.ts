import { type ChildProcess, execFileSync, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { statfsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, release, tmpdir, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'

/** The core that a process is pinned to: the measured process on the first, the load generator on the second. */
export type Core = 'measured' | 'load'

/** Starts processes and tracks which of them still run. */
export interface Children {
  /** Starts a command; `core` pins it to a core. */
  readonly start: (command: string, args: readonly string[], options: SpawnOptions & { core?: Core }) => ChildProcess
  /** Kills the processes that started after `mark` (a result of `mark()`), by their ids, and waits for their end. */
  readonly endSince: (mark: number) => Promise<void>
  /** Returns the number of processes started so far. */
  readonly mark: () => number
  /** Whether `start` pins processes to cores. */
  readonly isPinned: boolean
}

const canPin = (): boolean => availableParallelism() >= 2 && spawnSync('taskset', ['-V']).status === 0

/** Creates the processes of one bench. They are killed when this process ends, except by SIGKILL. */
export const createChildren = (): Children => {
  const started: ChildProcess[] = []
  const isPinned = canPin()

  const start: Children['start'] = (command, args, { core, ...options }) => {
    // taskset replaces itself with the command, so the child's id is the id of the command.
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

/** Kills a child and waits for its end. Does nothing when the child has ended. */
export const endChild = async (child: ChildProcess): Promise<void> => {
  if (!isRunning(child)) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** Starts a TypeScript file of the bench as a process with an IPC channel. `file` is relative to `bench/`. */
export const startScript = (children: Children, file: string, args: readonly string[], core: Core): ChildProcess =>
  children.start(
    process.execPath,
    ['--expose-gc', '--import', 'tsx', fileURLToPath(new URL(`../${file}`, import.meta.url)), ...args],
    { core, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
  )

/** Waits for the next message of a process. @throws Error when the process ends first */
export const nextMessage = async <T>(child: ChildProcess): Promise<T> => {
  // The abort removes the other listener; otherwise a process with many messages collects listeners.
  const settled = new AbortController()
  const message = once(child, 'message', { signal: settled.signal }).then(([value]) => value as T)
  const end = once(child, 'exit', { signal: settled.signal }).then(([code, signal]) => {
    throw new Error(`a process ended before it sent a message (${signal ?? code})`)
  })
  try {
    return await Promise.race([message, end])
  } finally {
    settled.abort()
    await Promise.allSettled([message, end])
  }
}

/** Memory of a process, in MB of a million bytes. */
export interface Memory {
  readonly residentMb: number
  /** The part of `residentMb` that only this process has: heap, stacks, buffers. */
  readonly anonymousMb: number
  /** The part of `residentMb` that maps files, such as the program of Node; the kernel can drop and read it again. */
  readonly fileMb: number
  /** The maximum since the last `resetPeak`. */
  readonly peakMb: number
}

// The kernel's USER_HZ, which is 100 on every Linux that Node runs on.
const ticksPerSecond = 100

/** Reads the CPU time of a process in seconds: all threads, user and system. The kernel counts in steps of 10 ms. */
export const readCpuSeconds = async (pid: number): Promise<number> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The name in brackets can contain spaces, so fields count from the closing bracket.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/** Reads the current and the peak resident memory of a process. @throws Error on systems other than Linux */
export const readMemory = async (pid: number): Promise<Memory> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return {
    residentMb: readKilobytes(status, 'VmRSS'),
    anonymousMb: readKilobytes(status, 'RssAnon'),
    fileMb: readKilobytes(status, 'RssFile'),
    peakMb: readKilobytes(status, 'VmHWM'),
  }
}

/** Resets the peak of the resident memory of a process to its current value. */
export const resetPeak = (pid: number): Promise<void> => writeFile(`/proc/${pid}/clear_refs`, '5')

const readKilobytes = (status: string, name: string): number => {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)
  if (!found) throw new Error(`/proc has no ${name}: figures of memory need Linux`)
  return (Number(found[1]) * 1024) / 1e6
}

/** The machine and the commit of a measurement. */
export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGib: number
  readonly system: string
  /** File system of the temporary folder, which holds the data folders. */
  readonly disk: string
  readonly node: string
  /** Commit of the tree, with `+` when there are uncommitted changes. */
  readonly commit: string
}

/** Describes this machine and the commit of the tree. */
export const describeMachine = (): Machine => ({
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: availableParallelism(),
  memoryGib: Math.round(totalmem() / 2 ** 30),
  system: `${process.platform} ${release()}`,
  disk: nameFileSystem(statfsSync(tmpdir()).type),
  node: process.version,
  commit: `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain', '--', 'src', 'generated') === '' ? '' : '+'}`,
})

const fileSystems = new Map([
  [0xef53, 'ext4'],
  [0x58465342, 'xfs'],
  [0x9123683e, 'btrfs'],
  [0x794c7630, 'overlayfs'],
  [0x01021994, 'tmpfs'],
])

const nameFileSystem = (type: number): string => fileSystems.get(type) ?? `type 0x${type.toString(16)}`

/** Reads the load average of the last minute. A value above the number of cores means other load on the machine. */
export const readLoad = (): number => Math.round((loadavg()[0] ?? 0) * 10) / 10

const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim()
