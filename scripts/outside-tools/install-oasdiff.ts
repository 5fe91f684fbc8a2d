import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { runInstaller } from './run-installer.ts'
import { toolFolder } from './tool-folder.ts'

// 1.35 needs a module that the Go proxy does not hand out.
const version = 'v1.30.0'

/**
 * The path of oasdiff, which finds breaking changes between two OpenAPI documents. Built from the Go module proxy at its
 * first use, about a minute.
 * @throws ToolMissing without Go
 */
export const installOasdiff = (): string => {
  const folder = toolFolder('oasdiff', version)
  const program = join(folder, process.platform === 'win32' ? 'oasdiff.exe' : 'oasdiff')
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  runInstaller('go', ['install', `github.com/oasdiff/oasdiff@${version}`], {
    need: `install Go 1.26 or newer, or put oasdiff ${version} at ${program}`,
    env: { GOBIN: folder },
  })
  return program
}
