import { join } from 'node:path'
import { installNfpm } from '../outside-tools/install-nfpm.ts'
import type { Platform } from './platforms.ts'
import { runCommand } from './run-command.ts'
import type { Source } from './source.ts'

/**
 * Makes the `.deb` and the `.rpm` of a staged program. `folder` holds it as `program`, and `packaging` beside it.
 * @throws ToolMissing without nfpm and Go
 */
export const packSystemPackages = (
  folder: string,
  output: string,
  { platform, source }: { platform: Platform; source: Source },
): void => {
  const nfpm = installNfpm()
  // nfpm takes all its times from the last.
  const env = { ARCH: platform.arch, VERSION: source.version, SOURCE_DATE_EPOCH: String(source.epoch) }
  for (const kind of ['deb', 'rpm']) {
    const args = ['package', '--config', join(folder, 'packaging/nfpm.yaml'), '--packager', kind, '--target', output]
    runCommand(nfpm, args, { cwd: folder, env })
  }
}
