import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Bench } from '../bench.ts'
import { builtCommand } from './build-server.ts'

/** What a command took from its start to its end. */
export interface CommandUsage {
  readonly seconds: number
  /** User and system, all threads. */
  readonly cpuSeconds: number
  /** Resident memory at its peak. */
  readonly peakMb: number
}

const noteUsage = new URL('./note-usage.cjs', import.meta.url).pathname

/** Runs a command of the built command line to its end. @throws when it fails */
export const runCommand = async (bench: Bench, args: readonly string[]): Promise<CommandUsage> => {
  const file = join(await bench.makeFolder(), 'usage.json')
  const start = performance.now()
  const child = bench.children.start(process.execPath, ['--require', noteUsage, builtCommand, ...args], {
    core: 'measured',
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production', THINGSYNC_BENCH_USAGE: file },
  })
  const [code] = await once(child, 'exit')
  const seconds = (performance.now() - start) / 1000
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}`)
  return { seconds, ...(JSON.parse(await readFile(file, 'utf8')) as Omit<CommandUsage, 'seconds'>) }
}
