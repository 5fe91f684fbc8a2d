import { spawnSync } from 'node:child_process'

/** Why a release cannot be made: one sentence, for the one who runs the command. */
export class ReleaseFailed extends Error {}

/**
 * What the command wrote to its standard output.
 * @throws ReleaseFailed when it is not on this machine, or fails, with its last lines
 */
export const runCommand = (
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>>; readonly input?: string },
): string => {
  const { cwd, env = {}, input } = options
  const { error, status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    maxBuffer: 2 ** 28,
    ...(input === undefined ? {} : { input }),
  })
  if (error !== undefined) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new ReleaseFailed(`${command} is not on this machine`)
  }
  if (status === 0) return stdout
  const lastLines = `${stdout}${stderr}`.trim().split('\n').slice(-15).join('\n')
  throw new ReleaseFailed(`${command} ${args.join(' ')} failed:\n${lastLines}`)
}
