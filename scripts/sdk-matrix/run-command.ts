import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Command } from './row.ts'

/** What a command printed on both outputs and how it ended. */
export type Ran = { succeeded: boolean; output: string; errors: string }

const limitMilliseconds = 20 * 60_000

/** Runs a command to its end, in a folder; programs of the folder's own `node_modules` are found first. */
export async function runCommand(
  [program = '', ...args]: Command,
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const path = `${folder}/node_modules/.bin:${process.env.PATH ?? ''}`
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, PATH: path, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: limitMilliseconds,
  })
  const outputs = Promise.all([text(child.stdout), text(child.stderr)])
  try {
    const [code] = await once(child, 'close')
    const [output, errors] = await outputs
    return { succeeded: code === 0, output, errors }
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'ENOENT') throw error
    return { succeeded: false, output: '', errors: `${program} is not on this machine` }
  }
}
