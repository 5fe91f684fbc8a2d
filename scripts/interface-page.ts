import type { Requirement } from '../conformance/src/rule.ts'

/** Where the specification for implementers is kept. */
export const pagePath = 'docs/interface.md'

/** The address of a clause on the page. */
const anchorOf = ({ id }: Pick<Requirement, 'id'>): string => id.toLowerCase()

/**
 * The page with the text of every clause behind its anchor. A clause that has no line yet gets one at the end of its
 * section's statements; throws when the page has a line for a clause that does not exist, or two for one.
 */
export const fillStatements = (page: string, requirements: readonly Requirement[]): string => {
  const byAnchor = new Map(requirements.map((requirement) => [anchorOf(requirement), requirement]))
  const lines = page.split('\n').map((line) => {
    const anchor = anchorOfLine(line)
    if (anchor === undefined) return line
    const requirement = byAnchor.get(anchor)
    if (requirement === undefined)
      throw new Error(`${pagePath} has a line for ${anchor}, which is no clause or stands twice`)
    byAnchor.delete(anchor)
    return writeStatement(line, requirement)
  })
  return [...byAnchor.values()].reduce(addLine, lines).join('\n')
}

// The last anchor of a line is the clause's; a decision of the contract may have one before it.
const statement = /^- (?:<a id="contract-[^"]*"><\/a>)?<a id="([ck]-[^"]+)"><\/a>/

const anchorOfLine = (line: string): string | undefined => line.match(statement)?.[1]

const writeStatement = (line: string, requirement: Requirement): string => {
  const [anchors = ''] = line.match(statement) ?? []
  const level = requirement.level === 'must' ? '' : ', SHOULD'
  // What only full servers need is marked, so that whoever builds the core can pass over it.
  const mark = requirement.id.startsWith('K-') ? '*Full:* ' : ''
  return `${anchors}${mark}${requirement.text} <sub>[${requirement.id}](#${anchorOf(requirement)}), ${requirement.basis}${level}</sub>`
}

/** Puts a clause behind the last statement of its section, or behind the section's heading if it has none. */
const addLine = (lines: readonly string[], requirement: Requirement): readonly string[] => {
  const start = lines.findIndex((line) => line.includes(`<a id="interface-${requirement.section}"></a>`))
  if (start < 0) throw new Error(`${pagePath} has no section ${requirement.section}, where ${requirement.id} belongs`)
  const next = lines.findIndex((line, index) => index > start + 2 && /^#{2,3} \d/.test(line))
  const end = next < 0 ? lines.length : next
  const last = lines.slice(start, end).findLastIndex((line) => anchorOfLine(line) !== undefined)
  if (last < 0)
    throw new Error(
      `${pagePath} has no statement in section ${requirement.section} yet; write a line for ${requirement.id}`,
    )
  const at = start + last + 1
  return [
    ...lines.slice(0, at),
    writeStatement(`- <a id="${anchorOf(requirement)}"></a>`, requirement),
    ...lines.slice(at),
  ]
}

/** A place of the specification that a text names, as it is said and as the address on the page. */
interface Reference {
  readonly said: string
  readonly anchor: string
}

/**
 * Every "interface 4.3", "interface 4.3, rules 1 and 2", "section 5.3" and "contract, sync 8" of a text, also when a line
 * of a comment ends between their words.
 */
export const findReferences = (text: string): readonly Reference[] => {
  const line = text.replace(/\s*\n\s*(?:\*(?!\/)|\/\/\/?|#|>)?\s*/g, ' ')
  return [...findInterface(line), ...findContract(line)]
}

const section = String.raw`\d(?:\.\d+)?`
const interfaceWords = new RegExp(
  String.raw`(?<!RFC \d+ )\b(?:interface|section) (${section})(?: and (${section}))?(?:, rules? (\d)(?: (and|to) (\d))?)?(?![\d%])`,
  'gi',
)

const findInterface = (text: string): readonly Reference[] =>
  [...text.matchAll(interfaceWords)].flatMap(([said, first = '', second, rule, link, last]) => {
    const sections = second === undefined ? [first] : [first, second]
    const places =
      rule === undefined ? sections : numbersFrom(rule, link, last).map((number) => `${first}-rule-${number}`)
    return places.map((place) => ({ said, anchor: `interface-${place}` }))
  })

// In brackets, quotes or after another reference anything counts; elsewhere in prose only what is surely meant so.
const contractWords =
  /(?:(?<=[("]|[;:] )contract, [^).;:"]+|\bcontract, (?:sync|token|errors|requests|delivery)\b(?: \d+(?: (?:and|to) \d+)?)?)/g

const findContract = (text: string): readonly Reference[] =>
  [...text.matchAll(contractWords)].flatMap(([found]) => {
    const said = found.trim()
    const topics = said.slice('contract, '.length).split(/, | and (?=[a-z])/)
    return topics.flatMap((topic) => {
      const [, name = topic, first, link, last] = topic.match(/^(.*?) (\d+)(?: (and|to) (\d+))?$/) ?? []
      const slug = name.trim().toLowerCase().replaceAll(' ', '-')
      const places = first === undefined ? [slug] : numbersFrom(first, link, last).map((number) => `${slug}-${number}`)
      return places.map((place) => ({ said, anchor: `contract-${place}` }))
    })
  })

/** `1`, `1 and 3` or `1 to 3` as numbers. */
const numbersFrom = (first: string, link: string | undefined, last: string | undefined): readonly number[] => {
  if (last === undefined) return [Number(first)]
  if (link === 'and') return [Number(first), Number(last)]
  return Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => Number(first) + index)
}
