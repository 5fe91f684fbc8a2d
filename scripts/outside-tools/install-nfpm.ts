import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { runInstaller } from './run-installer.ts'
import { toolFolder } from './tool-folder.ts'

// Later ones need modules that the Go proxy does not hand out.
const version = 'v2.43.0'

/**
 * The path of nfpm, which makes .deb and .rpm packages. Built from the Go module proxy at its first use, about a minute.
 * @throws ToolMissing without Go
 */
export const installNfpm = (): string => {
  const folder = toolFolder('nfpm', version)
  const program = join(folder, 'nfpm')
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  runInstaller('go', ['install', `github.com/goreleaser/nfpm/v2/cmd/nfpm@${version}`], {
    need: `install Go 1.24 or newer, or put nfpm ${version} at ${program}`,
    env: { GOBIN: folder },
  })
  return program
}
