import type { Clause } from '../clauses/clause.ts'
import type { Basis } from '../levels.ts'
import { addressOfRule } from '../specification.ts'
import type { ReportedResult } from './finished-run.ts'

/** What a person needs to mend a rule that was not kept: every report prints these parts in this order. */
export interface FailureParts {
  /** `interface 4.3, stated there` */
  readonly source: string
  /** The clauses, each `id: text`. */
  readonly clauses: readonly string[]
  /** Where to read more: `interface.md#c-4.3-5` */
  readonly read: string
  /** Why it failed or could not be judged; absent when `expected` and `actual` say it. */
  readonly message?: string
  readonly expected?: string
  readonly actual?: string
  readonly curl?: string
}

const basisWords: Readonly<Record<Basis, string>> = {
  given: 'stated there',
  derived: 'follows from it: without this, clients lose or repeat things',
  decided: "decided in this project's contract, where the interface is silent",
}

/** Collects the parts of one result. */
export function collectFailureParts(result: ReportedResult, clauses: readonly Clause[]): FailureParts {
  const texts = new Map(clauses.map((clause) => [clause.id, clause.text]))
  const isSaidByParts = result.expected !== undefined && result.actual !== undefined
  return {
    source: describeSource(result),
    clauses: result.clauses.map((id) => `${id}: ${texts.get(id) ?? '(text not in this package)'}`),
    read: addressOfRule(result),
    ...(result.message === undefined || isSaidByParts ? {} : { message: result.message }),
    ...(result.expected === undefined ? {} : { expected: result.expected }),
    ...(result.actual === undefined ? {} : { actual: result.actual.replace(/ came$/, '') }),
    ...(result.curl === undefined ? {} : { curl: result.curl }),
  }
}

/** Where a rule comes from, in words. */
export function describeSource(rule: { readonly section: string; readonly basis: Basis }): string {
  return `interface ${rule.section}, ${basisWords[rule.basis]}`
}
