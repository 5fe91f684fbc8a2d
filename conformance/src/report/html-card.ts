import type { Clause } from '../clauses/clause.ts'
import type { Level } from '../levels.ts'
import type { Exchange } from '../result.ts'
import { collectFailureParts } from './failure.ts'
import type { ReportedResult } from './finished-run.ts'
import { html, type Markup } from './markup.ts'
import { statusWord } from './status-word.ts'

/** One rule that was not kept or not judged: the four things that mend it, and the exchanges behind it, folded. */
export function renderCard(result: ReportedResult, level: Level, clauses: readonly Clause[]): Markup {
  const parts = collectFailureParts(result, clauses)
  const decides = result.knownDeviation === undefined && (result.level === 'must' || level === 'should')
  const stated = parts.clauses.map((clause) => html`<br>${markNames(clause)}`)
  return html`<article class="card ${result.status} ${decides ? 'decides' : 'aside'}" aria-labelledby="${result.id}">
<h3 id="${result.id}"><span class="badge">${statusWord(result)}</span> <code>${result.id}</code> ${result.title}</h3>
<dl>
${row('Rule', html`${parts.source}${stated}`)}
${row('Read', html`<code>${parts.read}</code>`)}
${result.knownDeviation === undefined ? html`` : row('Known because', html`${result.knownDeviation}`)}
${textRow(result.status === 'failed' ? 'Finding' : 'Reason', parts.message)}
${textRow('Expected', parts.expected)}
${textRow('Came', parts.actual)}
${parts.curl === undefined ? html`` : row('Repeat', renderCode(parts.curl, `Command that repeats ${result.id}`))}
</dl>
${renderExchanges(result)}
</article>`
}

/** Names between backticks, as clauses have them, as code. */
function markNames(text: string): Markup[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
}

function row(name: string, value: Markup): Markup {
  return html`<dt>${name}</dt><dd>${value}</dd>`
}

function textRow(name: string, text: string | undefined): Markup {
  return text === undefined ? html`` : row(name, html`<span class="text">${text}</span>`)
}

/** Long lines scroll; the focus makes that reachable by keyboard. */
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
  const asked = [
    `${exchange.method} ${exchange.url}`,
    ...headerLines(exchange.requestHeaders),
    '',
    exchange.requestBody ?? '',
  ]
  const answered = [
    `${exchange.status ?? 'no answer'}`,
    ...headerLines(exchange.responseHeaders ?? {}),
    '',
    exchange.responseBody ?? '',
  ]
  return html`<p>${exchange.who}, ${Math.round(exchange.ms)} ms</p>
${renderCode(asked.join('\n').trimEnd(), `${label}, request`)}
${renderCode(answered.join('\n').trimEnd(), `${label}, answer`)}`
}

function headerLines(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
}
