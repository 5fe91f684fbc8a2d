import type { Clause } from '../../conformance/src/clauses/clause.ts'

/** Where the specification for implementers is kept. */
export const pagePath = 'docs/interface.md'

/** The address of a clause on the page. */
export const anchorOf = ({ id }: Pick<Clause, 'id'>): string => id.toLowerCase()

/**
 * The page with the text of every clause behind its anchor. A clause that has no line yet gets one at the end of its
 * section's statements; throws when the page has a line for a clause that does not exist, or two for one.
 */
export const fillStatements = (page: string, clauses: readonly Clause[]): string => {
  const byAnchor = new Map(clauses.map((clause) => [anchorOf(clause), clause]))
  const lines = page.split('\n').map((line) => {
    const anchor = anchorOfLine(line)
    if (anchor === undefined) return line
    const clause = byAnchor.get(anchor)
    if (clause === undefined)
      throw new Error(`${pagePath} has a line for ${anchor}, which is no clause or stands twice`)
    byAnchor.delete(anchor)
    return writeStatement(line, clause)
  })
  return [...byAnchor.values()].reduce(addLine, lines).join('\n')
}

// The last anchor of a line is the clause's; a decision of the contract may have one before it.
const statement = /^- (?:<a id="contract-[^"]*"><\/a>)?<a id="([ck]-[^"]+)"><\/a>/

const anchorOfLine = (line: string): string | undefined => line.match(statement)?.[1]

const writeStatement = (line: string, clause: Clause): string => {
  const [anchors = ''] = line.match(statement) ?? []
  const level = clause.level === 'must' ? '' : ', SHOULD'
  // What only full servers need is marked, so that whoever builds the core can pass over it.
  const mark = clause.id.startsWith('K-') ? '*Full:* ' : ''
  return `${anchors}${mark}${clause.text} <sub>[${clause.id}](#${anchorOf(clause)}), ${clause.basis}${level}</sub>`
}

/** Puts a clause behind the last statement of its section, or behind the section's heading if it has none. */
const addLine = (lines: readonly string[], clause: Clause): readonly string[] => {
  const start = lines.findIndex((line) => line.includes(`<a id="interface-${clause.section}"></a>`))
  if (start < 0) throw new Error(`${pagePath} has no section ${clause.section}, where ${clause.id} belongs`)
  const next = lines.findIndex((line, index) => index > start + 2 && /^#{2,3} \d/.test(line))
  const end = next < 0 ? lines.length : next
  const last = lines.slice(start, end).findLastIndex((line) => anchorOfLine(line) !== undefined)
  if (last < 0)
    throw new Error(`${pagePath} has no statement in section ${clause.section} yet; write a line for ${clause.id}`)
  const at = start + last + 1
  return [...lines.slice(0, at), writeStatement(`- <a id="${anchorOf(clause)}"></a>`, clause), ...lines.slice(at)]
}
