import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

/** What a command printed to its standard output; throws with all that it printed when it fails. */
export const run = async (
  command: string,
  args: readonly string[],
  { cwd, env, input = '' }: { cwd?: string; env?: Readonly<Record<string, string>>; input?: string } = {},
): Promise<string> => {
  const child = spawn(command, args, {
    ...(cwd === undefined ? {} : { cwd }),
    env: env ?? process.env,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  // A command that fails may end before it reads.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  if (status === 0) return stdout
  throw new Error(`${command} ${args.join(' ').slice(0, 2000)}\nended with ${status}:\n${stdout}${stderr}`)
}
