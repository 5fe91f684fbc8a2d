import { readFileSync, writeFileSync } from 'node:fs'
import type { StepResult } from './run-scenario.ts'

/**
 * What became of the scenario in one language: with JSON bodies against our server, with forms against a server of
 * forms only.
 */
export type LanguageResult = { language: string; versions: string; json: StepResult[]; form: StepResult[] }

const page = 'docs/sdk.md'
const begin = '<!-- results: written by npm run sdk:test -->'
const end = '<!-- end of results -->'

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
const mark = (step: StepResult | undefined): string => (step?.wrong.length === 0 ? 'yes' : 'no')

/** The table of results: a row for each step, a column for each language, JSON and forms in each cell. */
export function renderResults(results: readonly LanguageResult[]): string {
  const steps = results[0]?.json ?? []
  const lines = steps.map((step, index) =>
    row([step.name, ...results.map(({ json, form }) => `${mark(json[index])}, ${mark(form[index])}`)]),
  )
  return [
    'Each cell: with JSON bodies against our server, with forms against a server that takes forms only.',
    '',
    row(['step', ...results.map(({ language }) => language)]),
    row(['---', ...results.map(() => '---')]),
    ...lines,
    '',
    `Run with ${results.map(({ language, versions }) => `${language}: ${versions}`).join('; ')}.`,
  ].join('\n')
}

/** Puts the table between the marks in `docs/sdk.md`. */
export function writeResults(results: readonly LanguageResult[]): void {
  const text = readFileSync(page, 'utf8')
  const from = text.indexOf(begin)
  const to = text.indexOf(end)
  if (from < 0 || to < from) throw new Error(`${page} has no place for the results (${begin} … ${end})`)
  writeFileSync(page, `${text.slice(0, from)}${begin}\n\n${renderResults(results)}\n\n${text.slice(to)}`)
}
