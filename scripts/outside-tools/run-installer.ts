import { spawnSync } from 'node:child_process'
import { ToolMissing } from './tool-folder.ts'

/**
 * Runs a step of an installation and waits for its end.
 * @throws ToolMissing when the command is not on this machine, or when it fails, with its last lines
 */
export const runInstaller = (
  command: string,
  args: readonly string[],
  { need, env = {} }: { readonly need: string; readonly env?: Readonly<Record<string, string>> },
): void => {
  const { error, status, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  if (error !== undefined) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new ToolMissing(`${command} is not on this machine; ${need}`)
  }
  if (status !== 0) {
    const lastLines = `${stdout}${stderr}`.trim().split('\n').slice(-5).join('\n')
    throw new ToolMissing(`${command} ${args.join(' ')} failed; ${need}\n${lastLines}`)
  }
}
