import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The text of an OpenAPI document in one file, as Redocly writes it: with its references, or (`resolved`) without any. */
export const bundleDocument = (source: string, kind: 'bundled.yaml' | 'resolved.json'): string => {
  const folder = mkdtempSync(join(tmpdir(), 'thingsync-bundle-'))
  const output = join(folder, kind)
  try {
    const redocly = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js')
    const flags = kind === 'resolved.json' ? ['--dereferenced'] : []
    execFileSync(process.execPath, [redocly, 'bundle', source, ...flags, '--output', output], { stdio: 'pipe' })
    return readFileSync(output, 'utf8')
  } finally {
    rmSync(folder, { recursive: true })
  }
}
