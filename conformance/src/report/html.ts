import type { Exchange, Level } from '../result.ts'
import type { Requirement } from '../rule.ts'
import { compareSections, groupBySection, titleOfSection } from '../specification.ts'
import { findCauses, orderForFixing } from './causes.ts'
import { visible } from './paint.ts'
import { collectFailureParts, type FinishedRun, type ReportedResult, statusWord } from './reported-result.ts'

/** HTML that is safe to write: all text in it is escaped. */
interface Markup {
  readonly markup: string
}

/** A value in a gap of `html`: text is escaped, markup is not, the elements of a list are joined. */
type Gap = string | number | Markup | readonly Markup[]

/** Template tag that creates Markup. */
function html(parts: TemplateStringsArray, ...gaps: readonly Gap[]): Markup {
  return { markup: parts.map((part, index) => part + fill(gaps[index] ?? '')).join('') }
}

function fill(gap: Gap): string {
  if (typeof gap === 'string' || typeof gap === 'number') return escapeText(String(gap))
  return 'markup' in gap ? gap.markup : gap.map((each) => each.markup).join('\n')
}

function escapeText(text: string): string {
  return visible(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

/** The style of the HTML report: light and dark, from 320 px up, and print without the folded exchanges. */
const styleSheet = `
:root { --back: #fff; --text: #1b1f24; --quiet: #57606a; --line: #d0d7de; --plane: #f6f8fa; --good: #116329; --bad: #a40e26; --doubt: #7d4e00; --link: #0550ae; }
@media (prefers-color-scheme: dark) {
  :root { --back: #0d1117; --text: #e6edf3; --quiet: #9ea7b3; --line: #3d444d; --plane: #161b22; --good: #56d364; --bad: #ff8a80; --doubt: #e3b341; --link: #79b8ff; }
}
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 64rem; padding: 1rem 1.25rem 3rem; background: var(--back); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
a { color: var(--link) }
.skip { position: absolute; left: -100vw }
.skip:focus { position: static }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px }
h1 { font-size: 1.25rem; font-weight: 600; margin: .5rem 0 }
h2 { font-size: 1.2rem; margin: 2.5rem 0 .75rem; padding-bottom: .25rem; border-bottom: 1px solid var(--line) }
h3 { font-size: 1rem; margin: 0 0 .75rem }
.target { font-weight: 400 }
.verdict { margin: .75rem 0; padding: .75rem 1rem; font-size: 1.35rem; font-weight: 600; line-height: 1.3; border-left: .4rem solid; background: var(--plane); color: var(--doubt) }
.verdict-0 { color: var(--good) }
.verdict-1 { color: var(--bad) }
.facts { display: flex; flex-wrap: wrap; gap: .5rem 1.75rem; margin: 1rem 0 }
.facts dt { color: var(--quiet); font-size: .85rem }
.facts dd { margin: 0; font-size: 1.15rem; font-variant-numeric: tabular-nums }
nav ul { display: flex; flex-wrap: wrap; gap: .35rem 1.25rem; margin: 0; padding: .6rem 0; list-style: none; border-block: 1px solid var(--line); font-size: .92rem }
nav strong { color: var(--bad); font-weight: 600 }
.card { margin: 0 0 1rem; padding: 1rem; border: 1px solid var(--line); border-left: .4rem solid var(--doubt); border-radius: .25rem }
.card.failed.decides { border-left-color: var(--bad) }
.badge { margin-right: .25rem; padding: .1rem .45rem; border: 1px solid currentColor; border-radius: .25rem; color: var(--doubt); font-size: .82rem; font-weight: 600 }
.failed.decides .badge { color: var(--bad) }
.card dl { display: grid; grid-template-columns: 7rem minmax(0, 1fr); gap: .5rem 1rem; margin: 0 }
.card dt { color: var(--quiet) }
.card dd { margin: 0; min-width: 0 }
.text { white-space: pre-wrap }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .88em }
pre { margin: 0 0 .5rem; padding: .6rem .75rem; overflow-x: auto; max-height: 24rem; background: var(--plane); border: 1px solid var(--line); border-radius: .25rem; white-space: pre-wrap }
.to-fix { padding-left: 1.75rem }
.to-fix a { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .88em; font-weight: 600 }
details { margin-top: .75rem }
summary { cursor: pointer; color: var(--link); padding: .35rem 0 }
details ol { padding-left: 1.5rem }
details p { margin: .5rem 0 .25rem; color: var(--quiet) }
aside { margin: 1.5rem 0; padding: .1rem 1rem .5rem; border-left: .4rem solid var(--doubt); background: var(--plane) }
aside h2 { margin: 1rem 0 .5rem; border: 0 }
table { width: 100%; border-collapse: collapse; font-size: .95rem }
caption { text-align: left; color: var(--quiet); padding: .25rem 0; font-size: .85rem }
th, td { padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top }
thead th { color: var(--quiet); font-weight: 400; font-size: .85rem }
tbody th { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .85rem; font-weight: 600; white-space: nowrap }
.status { white-space: nowrap; color: var(--quiet) }
.passed .status { color: var(--good) }
.ms { white-space: nowrap; text-align: right; padding-right: 0; color: var(--quiet); font-variant-numeric: tabular-nums }
footer { margin-top: 3rem; color: var(--quiet); font-size: .9rem }
@media (max-width: 40rem) {
  .facts { display: grid; grid-template-columns: repeat(3, 1fr) }
  .verdict { font-size: 1.15rem }
  .card dl { display: block }
  .card dt { margin-top: .6rem; font-size: .85rem }
  thead { position: absolute; left: -100vw }
  tr { display: grid; grid-template-columns: 1fr auto; gap: 0 .75rem; padding: .5rem 0; border-bottom: 1px solid var(--line) }
  tbody th, tbody td { padding: 0; border: 0 }
  tbody th { grid-row: 1; white-space: normal }
  tbody .status { grid-row: 1; grid-column: 2 }
  tbody td:nth-child(3) { grid-column: 1 / -1 }
  .ms { display: none }
}
@media print {
  :root { --back: #fff; --text: #000; --quiet: #444; --line: #999; --plane: #fff; --good: #0a4d1c; --bad: #8a0c20; --doubt: #5c3a00; --link: #000; }
  body { max-width: none; padding: 0; font-size: 10pt }
  nav, .skip { display: none }
  pre { max-height: none; overflow: visible }
  .card, tr { break-inside: avoid }
  h2, h3 { break-after: avoid }
  .exchanges { display: none }
}
`

/** Renders one rule that failed or was blocked: the four parts that help to fix it, and the exchanges, folded. */
function renderCard(result: ReportedResult, level: Level, requirements: readonly Requirement[]): Markup {
  const parts = collectFailureParts(result, requirements)
  const decides = result.expectedFailure === undefined && (result.level === 'must' || level === 'should')
  const specified = parts.requirements.map((requirement) => html`<br>${markNames(requirement)}`)
  return html`<article class="card ${result.status} ${decides ? 'decides' : 'aside'}" aria-labelledby="${result.id}">
<h3 id="${result.id}"><span class="badge">${statusWord(result)}</span> <code>${result.id}</code> ${result.title}</h3>
<dl>
${row('Rule', html`${parts.source}${specified}`)}
${row('Read', html`<code>${parts.read}</code>`)}
${result.expectedFailure === undefined ? html`` : row('Expected because', html`${result.expectedFailure}`)}
${textRow(result.status === 'failed' ? 'Finding' : 'Reason', parts.message)}
${textRow('Expected', parts.expected)}
${textRow('Actual', parts.actual)}
${textRow('Exchange', parts.exchange)}
${parts.story === undefined ? html`` : row('Story', renderCode(parts.story, `Story of ${result.id}`))}
${parts.curl === undefined ? html`` : row('Repeat', renderCode(parts.curl, `Command that repeats ${result.id}`))}
</dl>
${renderExchanges(result)}
</article>`
}

/** Renders names between backticks, as requirements have them, as code. */
function markNames(text: string): Markup[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
}

function row(name: string, value: Markup): Markup {
  return html`<dt>${name}</dt><dd>${value}</dd>`
}

function textRow(name: string, text: string | undefined): Markup {
  return text === undefined ? html`` : row(name, html`<span class="text">${text}</span>`)
}

/** Renders code whose long lines scroll; it takes the focus, so that the keyboard can scroll it. */
function renderCode(text: string, label: string): Markup {
  return html`<pre tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre>`
}

function renderExchanges(result: ReportedResult): Markup {
  const exchanges = result.exchanges ?? []
  if (exchanges.length === 0) return html``
  const items = exchanges.map(
    (exchange, index) => html`<li>${renderExchange(exchange, `${result.id}, exchange ${index + 1}`)}</li>`,
  )
  return html`<details class="exchanges"><summary>${exchanges.length} request${exchanges.length === 1 ? '' : 's'} of this rule, oldest first</summary><ol>${items}</ol></details>`
}

function renderExchange(exchange: Exchange, label: string): Markup {
  const requestLines = [
    `${exchange.method} ${exchange.url}`,
    ...headerLines(exchange.requestHeaders),
    '',
    exchange.requestBody ?? '',
  ]
  const responseLines = [
    `${exchange.status ?? 'no response'}`,
    ...headerLines(exchange.responseHeaders ?? {}),
    '',
    exchange.responseBody ?? '',
  ]
  return html`<p>${exchange.who}, ${Math.round(exchange.ms)} ms</p>
${renderCode(requestLines.join('\n').trimEnd(), `${label}, request`)}
${renderCode(responseLines.join('\n').trimEnd(), `${label}, response`)}`
}

function headerLines(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
}

/** Renders the report for a browser: one file that loads nothing; verdict first, then section by section. */
export function renderHtml(run: FinishedRun, requirements: readonly Requirement[]): string {
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
${renderToFix(run)}
${renderStale(run)}
${groups.map(([section, results]) => renderSection(section, results, run, requirements))}
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
  const { passed, failed, blocked, error, skipped, expectedFailures } = run.summary
  const facts: [string, string | number][] = [
    ['Passed', passed],
    ['Failed, in all', failed],
    ['Blocked', blocked],
    ['Suite errors', error],
    ['Skipped', skipped],
    ['Expected failures', expectedFailures],
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
  if (run.staleExpectedFailures.length === 0) return html``
  const rows = run.staleExpectedFailures.map(({ id, reason }) => html`<li><code>${id}</code> ${reason}</li>`)
  return html`<aside><h2>Expected failures that passed</h2><p>Remove these rules from the list.</p><ul>${rows}</ul></aside>`
}

/** Renders what to fix as a list, causes before what follows from them; each entry leads to its card. */
function renderToFix(run: FinishedRun): Markup {
  const open = run.results.filter((result) => isOpen(result) && decides(run, result) && isWrong(result))
  const { causes, rest } = findCauses(open)
  const failed = orderForFixing(rest.filter(({ status }) => status === 'failed').toSorted(compareSections))
  if (causes.length + failed.length === 0) return html``
  const links = (results: readonly ReportedResult[]): Markup[] =>
    results.map((result) => html`<li><a href="#${result.id}">${result.id}</a> ${result.title}</li>`)
  const first = causes.map(
    ({ sentence, extent, results }) =>
      html`<li><strong>${sentence}</strong>: ${extent}
<details><summary>The rules</summary><ul>${links(results)}</ul></details></li>`,
  )
  return html`<section aria-labelledby="to-fix"><h2 id="to-fix">To fix</h2><ol class="to-fix">${[...first, ...links(failed)]}</ol></section>`
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
  requirements: readonly Requirement[],
): Markup {
  const cards = results.filter((result) => result.status !== 'passed' && result.status !== 'skipped')
  const rest = results.filter((result) => !cards.includes(result))
  return html`<section aria-labelledby="section-${section}">
<h2 id="section-${section}">${section} ${titleOfSection(section)}</h2>
${cards.map((result) => renderCard(result, run.level, requirements))}
${rest.length === 0 ? html`` : renderTable(section, rest)}
</section>`
}

function renderTable(section: string, results: readonly ReportedResult[]): Markup {
  const rows = results.map(
    (result) => html`<tr class="${result.status}">
<td class="status"><span aria-hidden="true">${result.status === 'passed' ? '✓' : '–'}</span> ${statusWord(result)}</td>
<th scope="row">${result.id}</th><td>${result.title}${result.message === undefined ? html`` : html`<br><small>${result.message}</small>`}</td><td class="ms">${Math.round(result.ms)} ms</td></tr>`,
  )
  const passed = results.filter((result) => result.status === 'passed').length
  const rest = results.length - passed
  const summary = [passed === 0 ? '' : `${passed} passed`, rest === 0 ? '' : `${rest} skipped`].filter(
    (part) => part !== '',
  )
  return html`<details class="passed-or-skipped"><summary>${summary.join(', ')}</summary>
<table><caption>Rules of section ${section} that need no fix</caption>
<thead><tr><th scope="col">Status</th><th scope="col">Rule</th><th scope="col">Requirement</th><th scope="col" class="ms">Time</th></tr></thead>
<tbody>${rows}</tbody></table></details>`
}

function isOpen(result: ReportedResult): boolean {
  return result.status !== 'passed' && result.status !== 'skipped' && result.expectedFailure === undefined
}
