import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** How a document is bundled: with its references, or without any. */
export type BundleKind = 'bundled.yaml' | 'resolved.json'

/** The text of an OpenAPI document in one file, as Redocly writes it: with its references, or (`resolved`) without any. */
export const bundleText = (text: string, kind: BundleKind): string => {
  const folder = mkdtempSync(join(tmpdir(), 'thingsync-bundle-'))
  const source = join(folder, 'openapi.yaml')
  const output = join(folder, kind)
  try {
    writeFileSync(source, text)
    const redocly = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js')
    const flags = kind === 'resolved.json' ? ['--dereferenced'] : []
    execFileSync(process.execPath, [redocly, 'bundle', source, ...flags, '--output', output], { stdio: 'pipe' })
    return readFileSync(output, 'utf8')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The same of a document in a file. */
export const bundleDocument = (source: string, kind: BundleKind): string =>
  bundleText(readFileSync(source, 'utf8'), kind)
