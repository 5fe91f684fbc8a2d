/**
 * Generates clients from the SDK document and from the wire document with the generators that people use, compiles them,
 * runs one first script with each against a live server, and writes the table into `docs/client-teams.md`.
 * `npm run sdk:matrix -- --only NAME,…` runs these rows and writes nothing; `--document sdk` or `wire` only that document,
 * `--document FILE` another one, in its place `sdk` unless `--as wire` is given.
 */
import { parseArgs } from 'node:util'
import { profilePath } from './sdk/write-profile.ts'
import type { DocumentKind } from './sdk-matrix/row.ts'
import { rows } from './sdk-matrix/rows.ts'
import { runRow } from './sdk-matrix/run-row.ts'

const paths: Record<DocumentKind, string> = { sdk: profilePath, wire: 'openapi.yaml' }

const { values } = parseArgs({
  options: { only: { type: 'string' }, document: { type: 'string' }, as: { type: 'string' } },
})
const asked = values.only?.split(',')
const kinds = (['sdk', 'wire'] as const).filter(
  (kind) => values.document === undefined || values.document === kind || (values.as ?? 'sdk') === kind,
)
for (const row of rows.filter(({ name }) => asked === undefined || asked.includes(name))) {
  for (const kind of kinds) {
    const document = values.document !== undefined && values.document !== kind ? values.document : paths[kind]
    const outcome = await runRow(row, kind, document)
    console.log(`${row.name}, ${kind}: ${outcome.reached}${outcome.why === undefined ? '' : `: ${outcome.why}`}`)
  }
}
