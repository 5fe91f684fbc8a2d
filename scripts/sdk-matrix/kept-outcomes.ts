import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DocumentKind, Row } from './row.ts'
import type { Outcome } from './run-row.ts'
import { workFolder } from './work-folder.ts'

/** What an outcome holds for: the document, the row and its first script, byte for byte. */
function identify(row: Row, document: string): string {
  const hash = createHash('sha256').update(readFileSync(document))
  hash.update(JSON.stringify({ ...row, generate: row.generate('document') }))
  if (row.run === undefined) return hash.digest('hex')
  const folder = join('sdk/first-scripts', row.name)
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  for (const path of files.map((entry) => join(entry.parentPath, entry.name)).sort()) hash.update(readFileSync(path))
  return hash.digest('hex')
}

// Named by what it holds for, so that a trial with another document takes nothing away.
const findFile = (row: Row, kind: DocumentKind, document: string): string =>
  workFolder(join('outcomes', `${row.name}-${kind}-${identify(row, document).slice(0, 16)}.json`))

/** Keeps what became of a row, so that a row can be run again alone. */
export function keepOutcome(row: Row, kind: DocumentKind, document: string, outcome: Outcome): void {
  const path = findFile(row, kind, document)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify(outcome))
}

/** What became of a row with exactly this document and this script; undefined when it was not run since they changed. */
export function findOutcome(row: Row, kind: DocumentKind, document: string): Outcome | undefined {
  const path = findFile(row, kind, document)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}
