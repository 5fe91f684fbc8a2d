/**
 * Generates clients from the SDK document and from the wire document with widely used generators, compiles them, runs a
 * first script with each against a live server, and writes the table into `contributing/sdk-generation.md`.
 * `npm run sdk:matrix -- --only NAME,…` runs only these rows. `--document FILE` runs only this document, instead of the
 * SDK document or, with `--as wire`, of the wire document. The script writes the table when all of its cells are known.
 */
import { parseArgs } from 'node:util'
import { CannotGenerate, prepareGenerator } from './sdk/make-sdks.ts'
import { profilePath } from './sdk/profile.ts'
import type { DocumentKind, Row } from './sdk-matrix/rows.ts'
import { rows } from './sdk-matrix/rows.ts'
import {
  findOutcome,
  type MatrixServers,
  openMatrixServers,
  type Result,
  runRow,
  storeOutcome,
  writeTable,
} from './sdk-matrix/run-row.ts'

const documents: Readonly<Record<DocumentKind, string>> = { sdk: profilePath, wire: 'openapi.yaml' }

function findRows(only: string | undefined): readonly Row[] {
  const names = only?.split(',') ?? rows.map(({ name }) => name)
  const unknown = names.filter((name) => !rows.some((row) => row.name === name))
  if (unknown.length > 0) {
    throw new CannotGenerate(`${unknown.join(', ')}: no row; there are ${rows.map(({ name }) => name).join(', ')}`)
  }
  return rows.filter(({ name }) => names.includes(name))
}

async function tryRow(row: Row, kind: DocumentKind, document: string, servers: MatrixServers): Promise<void> {
  const outcome = await runRow(row, kind, document, servers)
  storeOutcome(row, kind, document, outcome)
  console.log(`${row.name}, ${kind}: ${outcome.reached}${outcome.why === undefined ? '' : `: ${outcome.why}`}`)
}

/** Collects the results, and the names of the rows that have no result for the current document and script. */
function collectResults(): { results: Result[]; missing: string[] } {
  const found = rows.map((row) => ({
    row,
    sdk: findOutcome(row, 'sdk', documents.sdk),
    wire: findOutcome(row, 'wire', documents.wire),
  }))
  return {
    results: found.flatMap(({ row, sdk, wire }) => (sdk && wire ? [{ row, outcomes: { sdk, wire } }] : [])),
    missing: found.flatMap(({ row, sdk, wire }) => (sdk && wire ? [] : [row.name])),
  }
}

try {
  const { values } = parseArgs({
    options: { only: { type: 'string' }, document: { type: 'string' }, as: { type: 'string' } },
  })
  const kinds = (['sdk', 'wire'] as const).filter((kind) =>
    values.document === undefined ? values.as === undefined || values.as === kind : (values.as ?? 'sdk') === kind,
  )
  if (values.as !== undefined && values.as !== 'sdk' && values.as !== 'wire') {
    throw new CannotGenerate(`--as ${values.as}: there are sdk and wire`)
  }
  const selected = findRows(values.only)
  if (selected.some(({ generator }) => generator.startsWith('openapi-generator '))) await prepareGenerator(undefined)
  const servers = await openMatrixServers()
  try {
    for (const row of selected) {
      for (const kind of kinds) await tryRow(row, kind, values.document ?? documents[kind], servers)
    }
  } finally {
    await servers.close()
  }
  const { results, missing } = collectResults()
  if (missing.length === 0) writeTable(results)
  else console.log(`the table waits for ${missing.join(', ')}: npm run sdk:matrix -- --only ${missing.join(',')}`)
} catch (error) {
  if (!(error instanceof CannotGenerate)) throw error
  console.error(error.message)
  process.exitCode = 1
}
