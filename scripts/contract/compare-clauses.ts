import type { Finding } from './finding.ts'

/** A promise that the document makes in words, as in `x-clauses`. */
export interface ContractClause {
  readonly id: string
  readonly level: string
  readonly text: string
}

/** What became of the promises that are made in words, which no tool for OpenAPI reads. Their wording is not judged. */
export const compareClauses = (
  before: readonly ContractClause[],
  after: readonly ContractClause[],
): readonly Finding[] => {
  const now = new Map(after.map((clause) => [clause.id, clause]))
  const known = new Set(before.map(({ id }) => id))
  const lost = before.flatMap(({ id, level, text }) => {
    const clause = now.get(id)
    if (clause === undefined) {
      return [{ id: 'clause-removed', level: 3, text: `the clause ${id} was removed, which said "${text}"` }]
    }
    if (level !== 'must' || clause.level === 'must') return []
    return [{ id: 'clause-weakened', level: 3, text: `the clause ${id} is no longer a MUST: "${text}"` }]
  })
  const added = after
    .filter(({ id }) => !known.has(id))
    .map(({ id, text }) => ({ id: 'clause-added', level: 1, text: `added the clause ${id}: "${text}"` }))
  return [...lost, ...added]
}
