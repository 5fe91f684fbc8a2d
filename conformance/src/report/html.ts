import type { Clause } from '../clauses/clause.ts'
import { findCauses } from './causes.ts'
import type { FinishedRun, ReportedResult } from './finished-run.ts'
import { renderCard } from './html-card.ts'
import { styleSheet } from './html-style.ts'
import { html, type Markup } from './markup.ts'
import { orderToMend } from './order.ts'
import { compareSections, groupBySection, titleOfSection } from './sections.ts'
import { statusWord } from './status-word.ts'

/** The report for a person with a browser: one file that loads nothing; verdict first, then section by section. */
export function renderHtml(run: FinishedRun, clauses: readonly Clause[]): string {
  const groups = groupBySection(run.results)
  const word = run.verdict.split(':')[0] ?? ''
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${word}: conformance of ${run.target}</title>
<style>${{ markup: styleSheet }}</style>
</head>
<body>
<a class="skip" href="#sections">Skip to the results by section</a>
<header>
<h1>Conformance of <span class="target">${run.target}</span></h1>
<p class="verdict verdict-${String(run.exitCode)}"><span aria-hidden="true">${verdictSign(run.exitCode)}</span> ${run.verdict}</p>
${renderFacts(run)}
</header>
<nav aria-label="Sections"><ul>
${groups.map(([section, results]) => renderJump(section, results))}
</ul></nav>
<main id="sections">
${renderToMend(run)}
${renderStale(run)}
${groups.map(([section, results]) => renderSection(section, results, run, clauses))}
</main>
<footer><p>${run.suite} ${run.version}, ${run.startedAt}. Repeat this run with <code>--seed ${run.seed}</code>. Exit code ${run.exitCode}.</p></footer>
</body>
</html>
`
  return page.markup
}

function verdictSign(exitCode: FinishedRun['exitCode']): string {
  return exitCode === 0 ? '✓' : exitCode === 1 ? '✗' : '?'
}

function renderFacts(run: FinishedRun): Markup {
  const { passed, failed, blocked, error, inapplicable, knownDeviations } = run.summary
  const facts: [string, string | number][] = [
    ['Passed', passed],
    ['Not kept, in all', failed],
    ['Blocked', blocked],
    ['Suite errors', error],
    ['Did not apply', inapplicable],
    ['Known deviations', knownDeviations],
    ['Profile', run.profile],
    ['Time', `${(run.ms / 1000).toFixed(1)} s`],
  ]
  return html`<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

function renderJump(section: string, results: readonly ReportedResult[]): Markup {
  const open = results.filter(isOpen).length
  const mark = open === 0 ? html`` : html` <strong>${open} to look at</strong>`
  return html`<li><a href="#section-${section}">${section} ${titleOfSection(section)}</a>${mark}</li>`
}

function renderStale(run: FinishedRun): Markup {
  if (run.staleDeviations.length === 0) return html``
  const rows = run.staleDeviations.map(({ id, reason }) => html`<li><code>${id}</code> ${reason}</li>`)
  return html`<aside><h2>Known deviations that are none any more</h2><p>These rules pass now: take them off the list.</p><ul>${rows}</ul></aside>`
}

/** What to mend as a list to work through, causes before what follows from them; each entry leads to its card. */
function renderToMend(run: FinishedRun): Markup {
  const open = run.results.filter((result) => isOpen(result) && decides(run, result) && isWrong(result))
  const { causes, rest } = findCauses(open)
  const failed = orderToMend(rest.filter(({ status }) => status === 'failed').toSorted(compareSections))
  if (causes.length + failed.length === 0) return html``
  const links = (results: readonly ReportedResult[]): Markup[] =>
    results.map((result) => html`<li><a href="#${result.id}">${result.id}</a> ${result.title}</li>`)
  const first = causes.map(
    ({ sentence, extent, results }) =>
      html`<li><strong>${sentence}</strong>: ${extent}
<details><summary>The rules</summary><ul>${links(results)}</ul></details></li>`,
  )
  return html`<section aria-labelledby="to-mend"><h2 id="to-mend">To mend</h2><ol class="to-mend">${[...first, ...links(failed)]}</ol></section>`
}

function isWrong({ status }: ReportedResult): boolean {
  return status === 'failed' || status === 'blocked'
}

function decides(run: FinishedRun, result: ReportedResult): boolean {
  return result.level === 'must' || run.level === 'should'
}

function renderSection(
  section: string,
  results: ReportedResult[],
  run: FinishedRun,
  clauses: readonly Clause[],
): Markup {
  const cards = results.filter((result) => result.status !== 'passed' && result.status !== 'inapplicable')
  const rest = results.filter((result) => !cards.includes(result))
  return html`<section aria-labelledby="section-${section}">
<h2 id="section-${section}">${section} ${titleOfSection(section)}</h2>
${cards.map((result) => renderCard(result, run.level, clauses))}
${rest.length === 0 ? html`` : renderTable(section, rest)}
</section>`
}

function renderTable(section: string, results: readonly ReportedResult[]): Markup {
  const rows = results.map(
    (result) => html`<tr class="${result.status}">
<td class="status"><span aria-hidden="true">${result.status === 'passed' ? '✓' : '–'}</span> ${statusWord(result)}</td>
<th scope="row">${result.id}</th><td>${result.title}${result.message === undefined ? html`` : html`<br><small>${result.message}</small>`}</td><td class="ms">${Math.round(result.ms)} ms</td></tr>`,
  )
  const kept = results.filter((result) => result.status === 'passed').length
  const rest = results.length - kept
  const summary = [kept === 0 ? '' : `${kept} kept`, rest === 0 ? '' : `${rest} did not apply`].filter(
    (part) => part !== '',
  )
  return html`<details class="kept"><summary>${summary.join(', ')}</summary>
<table><caption>Rules of section ${section} that need nothing</caption>
<thead><tr><th scope="col">Status</th><th scope="col">Rule</th><th scope="col">Requirement</th><th scope="col" class="ms">Time</th></tr></thead>
<tbody>${rows}</tbody></table></details>`
}

function isOpen(result: ReportedResult): boolean {
  return result.status !== 'passed' && result.status !== 'inapplicable' && result.knownDeviation === undefined
}
