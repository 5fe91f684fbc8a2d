import { readFileSync, writeFileSync } from 'node:fs'
import type { DocumentKind, Row } from './rows.ts'
import type { Outcome } from './run-row.ts'

/** The outcomes of a row, one for each document. */
export type Result = { row: Row; outcomes: Readonly<Record<DocumentKind, Outcome>> }

const page = 'docs/client-teams.md'
const begin = '<!-- matrix: written by npm run sdk:matrix -->'
const end = '<!-- end of matrix -->'

const words: Readonly<Record<Outcome['reached'], string>> = {
  everything: 'yes',
  'first script': 'not at high positions',
  compiled: 'compiles',
  generated: 'generates',
  nothing: 'no',
}
const names: Readonly<Record<DocumentKind, string>> = { sdk: 'SDK document', wire: 'wire document' }

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
const escapeCell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')

function explainOutcomes({ sdk, wire }: Result['outcomes']): string {
  if (sdk.why === wire.why) return sdk.why ?? ''
  return [
    sdk.why === undefined ? '' : `${names.sdk}: ${sdk.why}`,
    wire.why === undefined ? '' : `${names.wire}: ${wire.why}`,
  ]
    .filter((text) => text !== '')
    .join('; ')
}

const count = (results: readonly Result[], kind: DocumentKind): number =>
  results.filter(({ outcomes }) => outcomes[kind].reached === 'everything').length

/** Renders the table of results, with a row for each generator, and a sentence with the totals. */
export function renderTable(results: readonly Result[]): string {
  const rows = results.map(({ row, outcomes }) =>
    line([
      row.run === undefined ? row.generator : `[${row.generator}](../sdk/first-scripts/${row.name})`,
      row.version,
      row.language,
      words[outcomes.sdk.reached],
      words[outcomes.wire.reached],
      escapeCell(explainOutcomes(outcomes)),
    ]),
  )
  return [
    line(['generator', 'version', 'language', names.sdk, names.wire, 'why not']),
    line(['---', '---', '---', '---', '---', '---']),
    ...rows,
    '',
    `Of ${results.length} generators ${count(results, 'sdk')} run the whole script from the SDK document and ${count(results, 'wire')} from the wire document.`,
  ].join('\n')
}

/** Returns the text of the page with the table between its marks. @throws Error when the page has no marks */
export function putTable(text: string, table: string): string {
  const from = text.indexOf(begin)
  const to = text.indexOf(end)
  if (from < 0 || to < from) throw new Error(`${page} has no place for the matrix (${begin} … ${end})`)
  return `${text.slice(0, from)}${begin}\n\n${table}\n\n${text.slice(to)}`
}

/** Writes the table into `docs/client-teams.md`. */
export function writeTable(results: readonly Result[]): void {
  writeFileSync(page, putTable(readFileSync(page, 'utf8'), renderTable(results)))
}
