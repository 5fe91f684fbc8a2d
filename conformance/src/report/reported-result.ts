import type { Basis, Exchange, Level, RuleResult, RunReport, Summary } from '../result.ts'
import type { Requirement } from '../rule.ts'
import { anchorOfRule } from '../specification.ts'

/** A rule that the owner of the server expects to fail, and why. */
export interface ExpectedFailure {
  readonly id: string
  readonly reason: string
}

/** A result as reported: with the owner's reason, when the failure is expected. */
export interface ReportedResult extends RuleResult {
  readonly expectedFailure?: string
}

/** Counts as reported. An expected failure counts by its status, and not under `mustFailed` or `mustBlocked`. */
export interface ReportedSummary extends Summary {
  /** Number of rules that failed, or were blocked, as the owner expected. */
  readonly expectedFailures: number
}

/** A run with its verdict, as every report prints it. */
export interface FinishedRun extends RunReport {
  /** The level that decides: MUST rules alone, or SHOULD rules as well. */
  readonly level: Level
  readonly summary: ReportedSummary
  readonly results: readonly ReportedResult[]
  /** Expected failures whose rule passed: remove them from the list. */
  readonly staleExpectedFailures: readonly ExpectedFailure[]
}

/** Returns the status of a result as a word for the reader. */
export function statusWord(result: ReportedResult): string {
  if (result.expectedFailure !== undefined) return 'expected failure'
  if (result.status === 'error') return 'error of the suite'
  return result.status
}

/** The parts of a report on one failure; every report prints them in this order. */
interface FailureParts {
  /** `protocol 4.3, stated there` */
  readonly source: string
  /** The requirements, each `id: text`. */
  readonly requirements: readonly string[]
  /** Where to read more: `protocol.md#c-4.3-5` */
  readonly read: string
  /** Why it failed or was blocked; absent when `expected` and `actual` say it. */
  readonly message?: string
  readonly expected?: string
  readonly actual?: string
  /** For a client: the exchange that shows the fault, in two lines. */
  readonly exchange?: string
  /** For a client: what happened, one event a line; before it the steps of a random history. */
  readonly story?: string
  readonly curl?: string
}

const basisWords: Readonly<Record<Basis, string>> = {
  specified: 'specified there',
  implied: 'follows from it',
  extension: 'an extension of this project, not part of the interface',
}

/** Leaves out the verb that the sentence of a finding has after a value: below `actual`, the value is enough. */
export const shortenActual = (actual: string): string => actual.replace(/ came$/, '')

/** Collects the parts of one result. */
export function collectFailureParts(result: ReportedResult, requirements: readonly Requirement[]): FailureParts {
  const texts = new Map(requirements.map((requirement) => [requirement.id, requirement.text]))
  const isSaidByParts = result.expected !== undefined && result.actual !== undefined
  return {
    source: describeSource(result),
    requirements: result.requirements.map((id) => `${id}: ${texts.get(id) ?? '(text not in this package)'}`),
    read: anchorOfRule(result),
    ...(result.message === undefined || isSaidByParts ? {} : { message: result.message }),
    ...(result.expected === undefined ? {} : { expected: result.expected }),
    ...(result.actual === undefined ? {} : { actual: shortenActual(result.actual) }),
    ...(result.exchange === undefined ? {} : { exchange: describeExchange(result.exchange) }),
    ...(result.story === undefined ? {} : { story: result.story }),
    ...(result.curl === undefined ? {} : { curl: result.curl }),
  }
}

/** Describes where a rule comes from; why it is needed only where no requirement says that. */
export function describeSource({
  section,
  basis,
  requirements,
}: {
  readonly section: string
  readonly basis: Basis
  readonly requirements: readonly string[]
}): string {
  const isOnlySource = basis === 'implied' && requirements.length === 0
  return `protocol ${section}, ${basisWords[basis]}${isOnlySource ? ': without this, clients lose or repeat things' : ''}`
}

const maxExchangeLine = 500

/** Describes an exchange in two lines: the request with its decoded parameters, and what came. */
export function describeExchange({
  method,
  url,
  requestHeaders,
  requestBody = '',
  status,
  responseHeaders = {},
  responseBody,
}: Exchange): string {
  const [path = '', query = ''] = url.split('?')
  const isForm = requestHeaders['content-type']?.startsWith('application/x-www-form-urlencoded') === true
  const parameters = [...new URLSearchParams(query), ...(isForm ? new URLSearchParams(requestBody) : [])]
  const body = isForm || requestBody === '' ? [] : [requestBody]
  const sent = [`${method} ${path}`, ...parameters.map(([name, value]) => `${name}=${value}`), ...body].join('  ')
  // The headers that a client has to act on.
  const headers = ['location', 'retry-after'].flatMap((name) =>
    responseHeaders[name] === undefined ? [] : [`(${name}: ${responseHeaders[name]})`],
  )
  const came = [...(status === undefined ? [] : [String(status)]), ...headers, responseBody ?? 'no response'].join(' ')
  const cut = (text: string): string => (text.length > maxExchangeLine ? `${text.slice(0, maxExchangeLine)}…` : text)
  return `${cut(sent)}\n→ ${cut(came)}`
}
