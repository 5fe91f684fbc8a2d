/**
 * Generates clients from the SDK document and from the wire document with the generators that people use, compiles them,
 * runs one first script with each against a live server, and writes the table into `docs/client-teams.md`.
 * `npm run sdk:matrix -- --only NAME,…` runs these rows and writes nothing. `--document FILE` tries another document, and
 * only that one: in place of the SDK document, or with `--as wire` of the wire document.
 */
import { parseArgs } from 'node:util'
import { CannotGenerate } from './sdk/cannot-generate.ts'
import { profilePath } from './sdk/write-profile.ts'
import type { DocumentKind } from './sdk-matrix/row.ts'
import { rows } from './sdk-matrix/rows.ts'
import { type Outcome, runRow } from './sdk-matrix/run-row.ts'
import { type Result, writeTable } from './sdk-matrix/table.ts'

const paths: Readonly<Record<DocumentKind, string>> = { sdk: profilePath, wire: 'openapi.yaml' }

/** Runs a row with one document and says what came of it. */
async function tryRow(row: (typeof rows)[number], kind: DocumentKind, document: string): Promise<Outcome> {
  const outcome = await runRow(row, kind, document)
  console.log(`${row.name}, ${kind}: ${outcome.reached}${outcome.why === undefined ? '' : `: ${outcome.why}`}`)
  return outcome
}

/** Runs the rows asked for with one document. */
async function tryDocument(asked: typeof rows, kind: DocumentKind, document: string): Promise<void> {
  for (const row of asked) await tryRow(row, kind, document)
}

/** Runs the rows asked for with both documents of the project. */
async function tryBoth(asked: typeof rows): Promise<Result[]> {
  const results: Result[] = []
  for (const row of asked) {
    const sdk = await tryRow(row, 'sdk', paths.sdk)
    results.push({ row, outcomes: { sdk, wire: await tryRow(row, 'wire', paths.wire) } })
  }
  return results
}

try {
  const { values } = parseArgs({
    options: { only: { type: 'string' }, document: { type: 'string' }, as: { type: 'string', default: 'sdk' } },
  })
  const names = values.only?.split(',') ?? rows.map(({ name }) => name)
  const unknown = names.filter((name) => !rows.some((row) => row.name === name))
  if (unknown.length > 0) {
    throw new CannotGenerate(`${unknown.join(', ')}: no row; there are ${rows.map(({ name }) => name).join(', ')}`)
  }
  const asked = rows.filter(({ name }) => names.includes(name))
  if (values.document !== undefined) {
    await tryDocument(asked, values.as === 'wire' ? 'wire' : 'sdk', values.document)
  } else {
    const results = await tryBoth(asked)
    if (values.only === undefined) writeTable(results)
  }
} catch (error) {
  if (!(error instanceof CannotGenerate)) throw error
  console.error(error.message)
  process.exitCode = 1
}
