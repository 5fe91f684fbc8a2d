import { join } from 'node:path'
import { runCommand } from './run-command.ts'

/** Builds a clean copy of the project and packs what npm publishes; gives the name of the server's package. */
export const buildPackages = (source: string, output: string): string => {
  runCommand('npm', ['run', '--silent', 'build'], { cwd: source })
  // npm packs the modes that files have, which the umask of whoever checked out and built has made. Those of the installed
  // packages are links to the project's own.
  const ours = ['.', '-path', './node_modules', '-prune', '-o', '!', '-type', 'l']
  runCommand('find', [...ours, '-exec', 'chmod', 'u=rwX,go=rX', '{}', '+'], { cwd: source })
  // The scripts of the packages would build once more.
  const pack = (...more: string[]) =>
    runCommand('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', output, ...more], { cwd: source })
  pack('--workspace', 'client')
  pack('--workspace', 'conformance')
  return join(output, pack().trim())
}
