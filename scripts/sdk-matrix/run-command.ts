import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Command } from './row.ts'

/** What a command printed on both outputs and how it ended. */
export type Ran = { succeeded: boolean; output: string; errors: string }

const limitMinutes = 20

/** Runs a command to its end, in a folder; programs of the folder's own `node_modules` are found first. */
export async function runCommand(
  [program = '', ...args]: Command,
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const path = `${folder}/node_modules/.bin:${process.env.PATH ?? ''}`
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, PATH: path, PWD: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Not `timeout`, whose timer goes on when a program is not there.
    signal: AbortSignal.timeout(limitMinutes * 60_000),
  })
  const outputs = Promise.all([text(child.stdout), text(child.stderr)])
  try {
    const [code] = await once(child, 'close')
    const [output, errors] = await outputs
    return { succeeded: code === 0, output, errors }
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error
    const failed = { succeeded: false, output: '' }
    if (error.code === 'ENOENT') return { ...failed, errors: `${program} is not on this machine` }
    if (error.code === 'ABORT_ERR') return { ...failed, errors: `${program} took more than ${limitMinutes} minutes` }
    throw error
  }
}
