import { execFileSync } from 'node:child_process'
import { statfsSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, release, tmpdir, totalmem } from 'node:os'

/** What the figures were measured on. */
export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGib: number
  readonly system: string
  /** File system of the temporary folder, where the data folders are. */
  readonly disk: string
  readonly node: string
  /** Commit of the tree, with `+` when there were uncommitted changes. */
  readonly commit: string
}

/** This machine, and the tree that is measured. */
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

/** Load average of the last minute: above the number of cores, others are at work here. */
export const readLoad = (): number => Math.round((loadavg()[0] ?? 0) * 10) / 10

const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim()
