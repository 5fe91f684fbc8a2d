import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { installNfpm } from '../../scripts/outside-tools/install-tools.ts'
import { findTools } from './find-tools.ts'
import { installDebian } from './install-debian.ts'
import { run } from './run.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A release, another one of the same source, and the folder of a clean Debian. */
    readonly packages: { readonly release: string; readonly again: string; readonly debian: string }
  }
}

const project = fileURLToPath(new URL('../..', import.meta.url))

const createRelease = (output: string, env: Readonly<Record<string, string>>) =>
  run('sh', ['-c', 'umask "$UMASK"; exec npm run --silent release -- --dry-run --output "$OUTPUT"'], {
    cwd: project,
    env: { ...(process.env as Record<string, string>), OUTPUT: output, ...env },
  })

/** Makes what all tests of packages look at: a release, twice, on purpose not in the same circumstances. */
export const setup = async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  findTools()
  installNfpm()
  const folder = await mkdtemp(join(tmpdir(), 'thingsync-packages-'))
  const release = join(folder, 'release')
  const again = join(folder, 'made', 'again')
  const [, , debian] = await Promise.all([
    createRelease(release, { UMASK: '022', TZ: 'UTC', LC_ALL: 'C' }),
    createRelease(again, { UMASK: '077', TZ: 'Asia/Kolkata', LC_ALL: 'C.UTF-8' }),
    installDebian(),
  ])
  provide('packages', { release, again, debian })
  return () => rm(folder, { recursive: true, force: true })
}
