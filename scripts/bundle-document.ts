import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The form of a bundled document: with its references, or with all references resolved. */
export type BundleKind = 'bundled.yaml' | 'resolved.json'

/** Bundles the text of an OpenAPI document with Redocly. @throws Error when Redocly fails */
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

/** Bundles a document in a file, as `bundleText` does. */
export const bundleDocument = (source: string, kind: BundleKind): string =>
  bundleText(readFileSync(source, 'utf8'), kind)
