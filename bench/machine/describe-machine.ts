import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os'

/** What the figures were measured on. */
export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGib: number
  readonly system: string
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
  node: process.version,
  commit: `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain', '--', 'src', 'generated') === '' ? '' : '+'}`,
})

/** Load average of the last minute: above the number of cores, others are at work here. */
export const readLoad = (): number => Math.round((loadavg()[0] ?? 0) * 10) / 10

const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim()
