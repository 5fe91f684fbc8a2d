import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The interface of the kernel for groups of processes with limits (cgroup): one tree, or one tree for each controller. */
export type GroupTrees =
  | { readonly version: 2; readonly root: string }
  | { readonly version: 1; readonly cpu: string; readonly memory: string }

/** The limits of a small machine. */
export interface MachineLimits {
  /** Maximum memory of each group, with the files that the kernel caches for it. */
  readonly memoryBytes: number
  /** Maximum share of one core, in percent. */
  readonly cpuPercent: number
  /** Whether all groups together have this share; otherwise each has it. */
  readonly isCoreShared: boolean
}

/** Thrown when this machine has no usable cgroup. The message says in one line what is missing. */
export class LimitsUnavailable extends Error {
  override readonly name = 'LimitsUnavailable'
}

/** A group of processes with a memory limit of its own. */
export interface LimitedGroup {
  /** The files to which a process writes its id to enter the group. */
  readonly entrances: readonly string[]
  /** The number of processes of the group that the kernel killed for lack of memory. */
  readonly readKills: () => number
  /** How long threads had to wait because the share of the core was used up, in seconds; shared with the share. */
  readonly readWaitingSeconds: () => number
  /** The maximum of the memory so far, with cached files; undefined before Linux 5.19 on version 2. */
  readonly readPeakBytes: () => number | undefined
}

/** The groups of one small machine. */
export interface LimitedMachine {
  readonly version: 1 | 2
  readonly openGroup: (name: string) => LimitedGroup
  /** Removes all groups. Their processes must have ended. */
  readonly close: () => void
}

/**
 * Finds the trees of cgroup in `mounts`, the text of `/proc/self/mounts`. `readControllers` reads the controllers of a
 * tree of version 2. @throws LimitsUnavailable when the controllers `cpu` and `memory` are missing
 */
export const findGroupTrees = (mounts: string, readControllers: (root: string) => string): GroupTrees => {
  const mounted = mounts.split('\n').map((line) => line.split(' '))
  const unified = mounted.find(([, , type]) => type === 'cgroup2')?.[1]
  if (unified !== undefined) {
    const controllers = readControllers(unified).trim().split(' ')
    if (controllers.includes('cpu') && controllers.includes('memory')) return { version: 2, root: unified }
  }
  const findTree = (controller: string): string | undefined =>
    mounted.find(([, , type, options]) => type === 'cgroup' && options?.split(',').includes(controller))?.[1]
  const [cpu, memory] = [findTree('cpu'), findTree('memory')]
  if (cpu !== undefined && memory !== undefined) return { version: 1, cpu, memory }
  throw new LimitsUnavailable('this machine has no cgroup with the controllers cpu and memory')
}

/** Reads the number that follows a name in a file of cgroup; 0 when the file has no such line. */
export const readCount = (text: string, name: string): number =>
  Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)

/** Length of a period in which processes use their share of the core; systemd has the same. */
const periodMicroseconds = 100_000

/** Writes a setting. @throws LimitsUnavailable when this process may not */
const writeSetting = (file: string, value: string | number): void => {
  try {
    writeFileSync(file, String(value))
  } catch (error) {
    const isForbidden =
      error instanceof Error && 'code' in error && ['EACCES', 'EPERM', 'EROFS'].includes(`${error.code}`)
    if (!isForbidden) throw error
    throw new LimitsUnavailable(`this process may not write ${file}: run the command as root`)
  }
}

/**
 * Opens the limits of a small machine in groups named after `name`.
 * @throws LimitsUnavailable when this process is not root, or the kernel has no cgroup
 */
export const openLimitedMachine = (name: string, limits: MachineLimits): LimitedMachine => {
  if (process.platform !== 'linux') throw new LimitsUnavailable('cgroup exists only on Linux')
  if (process.getuid?.() !== 0) throw new LimitsUnavailable('only root can limit processes: run the command as root')
  const trees = findGroupTrees(readFileSync('/proc/self/mounts', 'utf8'), (root) =>
    readFileSync(join(root, 'cgroup.controllers'), 'utf8'),
  )
  const folders: string[] = []
  const createFolder = (...path: [string, ...string[]]): string => {
    const folder = join(...path)
    mkdirSync(folder)
    folders.push(folder)
    return folder
  }
  const close = (): void => {
    for (const folder of folders.reverse()) rmdirSync(folder)
  }
  const quota = Math.round((limits.cpuPercent / 100) * periodMicroseconds)

  if (trees.version === 2) {
    for (const controller of ['+cpu', '+memory']) writeSetting(join(trees.root, 'cgroup.subtree_control'), controller)
    const machine = createFolder(trees.root, name)
    const limitCore = (folder: string) => writeSetting(join(folder, 'cpu.max'), `${quota} ${periodMicroseconds}`)
    for (const controller of ['+cpu', '+memory']) writeSetting(join(machine, 'cgroup.subtree_control'), controller)
    if (limits.isCoreShared) limitCore(machine)
    const openGroup = (groupName: string): LimitedGroup => {
      const folder = createFolder(machine, groupName)
      if (!limits.isCoreShared) limitCore(folder)
      const core = limits.isCoreShared ? machine : folder
      writeSetting(join(folder, 'memory.max'), limits.memoryBytes)
      const swap = join(folder, 'memory.swap.max')
      if (existsSync(swap)) writeSetting(swap, 0)
      const peak = join(folder, 'memory.peak')
      return {
        entrances: [join(folder, 'cgroup.procs')],
        readKills: () => readCount(readFileSync(join(folder, 'memory.events'), 'utf8'), 'oom_kill'),
        readWaitingSeconds: () => readCount(readFileSync(join(core, 'cpu.stat'), 'utf8'), 'throttled_usec') / 1e6,
        readPeakBytes: () => (existsSync(peak) ? Number(readFileSync(peak, 'utf8')) : undefined),
      }
    }
    return { version: 2, openGroup, close }
  }

  const openCore = (coreName: string): string => {
    const core = createFolder(trees.cpu, coreName)
    writeSetting(join(core, 'cpu.cfs_period_us'), periodMicroseconds)
    writeSetting(join(core, 'cpu.cfs_quota_us'), quota)
    return core
  }
  const shared = limits.isCoreShared ? openCore(name) : undefined
  const openGroup = (groupName: string): LimitedGroup => {
    const core = shared ?? openCore(`${name}-${groupName}`)
    const folder = createFolder(trees.memory, `${name}-${groupName}`)
    writeSetting(join(folder, 'memory.limit_in_bytes'), limits.memoryBytes)
    const withSwap = join(folder, 'memory.memsw.limit_in_bytes')
    if (existsSync(withSwap)) writeSetting(withSwap, limits.memoryBytes)
    return {
      entrances: [join(core, 'cgroup.procs'), join(folder, 'cgroup.procs')],
      readKills: () => readCount(readFileSync(join(folder, 'memory.oom_control'), 'utf8'), 'oom_kill'),
      readWaitingSeconds: () => readCount(readFileSync(join(core, 'cpu.stat'), 'utf8'), 'throttled_time') / 1e9,
      readPeakBytes: () => Number(readFileSync(join(folder, 'memory.max_usage_in_bytes'), 'utf8')),
    }
  }
  return { version: 1, openGroup, close }
}

/** Returns the command that enters a group and then becomes `command`; its process ID is the ID of the command. */
export const enterGroup = (
  group: LimitedGroup,
  command: string,
  args: readonly string[],
): readonly [file: string, args: readonly string[]] => {
  const enter = 'while [ "$1" != -- ]; do echo $$ > "$1" || exit 1; shift; done; shift; exec "$@"'
  return ['/bin/sh', ['-c', enter, 'sh', ...group.entrances, '--', command, ...args]]
}
