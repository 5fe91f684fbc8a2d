import type { ClientRequirement } from '../conformance/src/requirements/clients.ts'
import type { Requirement } from '../conformance/src/rule.ts'
import { groupBySection, titleOfSection } from '../conformance/src/specification.ts'

/** Path of the specification for implementers. */
export const pagePath = 'docs/reference/protocol.md'

/** Path of the table of all requirements. */
export const tablePath = 'docs/reference/requirements.md'

/** Returns the anchor of a requirement on the page. */
const anchorOf = ({ id }: Pick<Requirement, 'id'>): string => id.toLowerCase()

/**
 * Writes the text of every requirement behind its anchor on the page. A requirement without a line gets one at the end
 * of its section's requirements.
 * @throws Error when the page has a line for an unknown requirement, two lines for one, or no section for one
 */
export const fillStatements = (page: string, requirements: readonly Requirement[]): string => {
  const byAnchor = new Map(requirements.map((requirement) => [anchorOf(requirement), requirement]))
  const lines = page.split('\n').map((line) => {
    const anchor = anchorOfLine(line)
    if (anchor === undefined) return line
    const requirement = byAnchor.get(anchor)
    if (requirement === undefined)
      throw new Error(`${pagePath} has a line for ${anchor}, which is no requirement or has two lines`)
    byAnchor.delete(anchor)
    return writeStatement(line, requirement)
  })
  return [...byAnchor.values()].reduce(addLine, lines).join('\n')
}

// The last anchor of a line belongs to the requirement; the contract can have an anchor before it.
const statement = /^- (?:<a id="contract-[^"]*"><\/a>)?<a id="([ckd]-[^"]+)"><\/a>/

const anchorOfLine = (line: string): string | undefined => line.match(statement)?.[1]

const writeStatement = (line: string, requirement: Requirement): string => {
  const [anchors = ''] = line.match(statement) ?? []
  const level = requirement.level === 'must' ? '' : ', SHOULD'
  // The mark of the full profile: an implementer of the core can skip such requirements.
  const mark = requirement.id.startsWith('K-') ? '*Full:* ' : ''
  if ('follows' in requirement) {
    const { id, section, text, follows } = requirement as ClientRequirement
    const source = `[${section}](#interface-${section}): "${follows}"`
    return `${anchors}${text} <sub>[${id}](#${anchorOf({ id })})${level}; ${source}</sub>`
  }
  return `${anchors}${mark}${requirement.text} <sub>[${requirement.id}](#${anchorOf(requirement)}), ${requirement.basis}${level}</sub>`
}

/** Returns the part of the page that a requirement for clients belongs to: its section in the chapter "Clients". */
const clientAnchorOf = ({ section }: Requirement): string => `clients-${section}`

/** Inserts a requirement after the last requirement of its section. @throws Error when the section has none */
const addLine = (lines: readonly string[], requirement: Requirement): readonly string[] => {
  if (requirement.id.startsWith('D-')) return addClientLine(lines, requirement)
  const start = lines.findIndex((line) => line.includes(`<a id="interface-${requirement.section}"></a>`))
  if (start < 0) throw new Error(`${pagePath} has no section ${requirement.section}, where ${requirement.id} belongs`)
  const next = lines.findIndex((line, index) => index > start + 2 && /^#{2,3} \d/.test(line))
  const end = next < 0 ? lines.length : next
  const last = lines.slice(start, end).findLastIndex((line) => anchorOfLine(line) !== undefined)
  if (last < 0)
    throw new Error(
      `${pagePath} has no requirement in section ${requirement.section} yet; write a line for ${requirement.id}`,
    )
  const at = start + last + 1
  return [
    ...lines.slice(0, at),
    writeStatement(`- <a id="${anchorOf(requirement)}"></a>`, requirement),
    ...lines.slice(at),
  ]
}

const addClientLine = (lines: readonly string[], requirement: Requirement): readonly string[] => {
  const start = lines.findIndex((line) => line.includes(`<a id="${clientAnchorOf(requirement)}"></a>`))
  if (start < 0)
    throw new Error(`${pagePath} has no anchor ${clientAnchorOf(requirement)}, where ${requirement.id} belongs`)
  const next = lines.findIndex(
    (line, index) => index > start + 2 && /^(?:<a id="(?:clients|interface|security)|#)/.test(line),
  )
  const last = lines.slice(start, next).findLastIndex((line) => anchorOfLine(line) !== undefined)
  const at = last < 0 ? next - 1 : start + last + 1
  const line = writeStatement(`- <a id="${anchorOf(requirement)}"></a>`, requirement)
  return [...lines.slice(0, at), ...(last < 0 ? ['', line] : [line]), ...lines.slice(at)]
}

const tableIntroduction = `# Requirements

This page lists all requirements in one table for each section: first for servers, then [for clients](#clients). It is for
developers who write a server or a client, or read a report of the conformance suite. Each ID links to the place in [the protocol](protocol.md) that explains the
requirement. This command shows a requirement and the rules that check it:

\`\`\`sh
npx thingsync-conformance explain C-4.3-5
\`\`\`

IDs that begin with \`C-\` bind every server. IDs that begin with \`K-\` bind servers that also implement the extensions of
this project. [The protocol](protocol.md#appendix-a) explains the bases.

\`npm run generate\` writes this page from \`conformance/src/requirements/\`.
`

/** Writes the tables of the requirements for clients, each with the sentence of the interface that it follows from. */
const writeClientTables = (requirements: readonly ClientRequirement[]): string =>
  '\n<a id="clients"></a>\n\n## Clients\n\nIDs that begin with `D-` bind clients. The last column is the sentence of the interface that the requirement follows from.\n' +
  groupBySection(requirements)
    .map(([section, group]) => {
      const rows = group.map(({ id, level, text, follows }) => {
        const cells = [`[${id}](protocol.md#${anchorOf({ id })})`, level.toUpperCase(), text, follows]
        return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`
      })
      return `\n### Clients: ${section} ${titleOfSection(section)}\n\n| ID | level | requirement | follows from |\n| --- | --- | --- | --- |\n${rows.join('')}`
    })
    .join('')

/**
 * Writes the page with all requirements: for each section of the interface a table with ID, level, basis and text, then
 * the tables of the requirements for clients.
 */
export const writeTable = (requirements: readonly Requirement[], clients: readonly ClientRequirement[] = []): string =>
  `${writeServerTables(requirements)}${clients.length === 0 ? '' : writeClientTables(clients)}`

const writeServerTables = (requirements: readonly Requirement[]): string =>
  tableIntroduction +
  groupBySection(requirements)
    .map(([section, group]) => {
      const rows = group.map(
        ({ id, level, basis, text }) =>
          `| [${id}](protocol.md#${anchorOf({ id })}) | ${level.toUpperCase()} | ${basis} | ${text.replaceAll('|', '\\|')} |\n`,
      )
      return `\n## ${section}${section.includes('.') ? '' : '.'} ${titleOfSection(section)}\n\n| ID | level | basis | requirement |\n| --- | --- | --- | --- |\n${rows.join('')}`
    })
    .join('')

/** A reference to the specification in a text: `said` is its wording, `anchor` its anchor on the page. */
interface Reference {
  readonly said: string
  readonly anchor: string
}

/**
 * Finds every "interface 4.3", "interface 4.3, rules 1 and 2", "section 5.3" and "contract, sync 8" in a text, also
 * when a comment breaks a line between the words.
 */
export const findReferences = (text: string): readonly Reference[] => {
  const line = text.replace(/\s*\n\s*(?:\*(?!\/)|\/\/\/?|#|>)?\s*/g, ' ')
  return [...findInterface(line), ...findContract(line)]
}

const section = String.raw`\d(?:\.\d+)?`
const interfaceWords = new RegExp(
  String.raw`(?<!RFC \d+(?:\]\([^)]*\))?,? )\b(?:interface|section) (${section})(?: and (${section}))?(?:, rules? (\d)(?: (and|to) (\d))?)?(?![\d%])`,
  'gi',
)

const findInterface = (text: string): readonly Reference[] =>
  [...text.matchAll(interfaceWords)].flatMap(([said, first = '', second, rule, link, last]) => {
    const sections = second === undefined ? [first] : [first, second]
    const parts =
      rule === undefined ? sections : numbersFrom(rule, link, last).map((number) => `${first}-rule-${number}`)
    return parts.map((part) => ({ said, anchor: `interface-${part}` }))
  })

// In brackets, in quotes or after another reference any topic counts; elsewhere in prose only the known topics.
const contractWords =
  /(?:(?<=[("]|[;:] )contract, [^).;:"]+|\bcontract, (?:sync|token|errors|requests|delivery)\b(?: \d+(?: (?:and|to) \d+)?)?)/g

const findContract = (text: string): readonly Reference[] =>
  [...text.matchAll(contractWords)].flatMap(([found]) => {
    const said = found.trim()
    const topics = said.slice('contract, '.length).split(/, | and (?=[a-z])/)
    return topics.flatMap((topic) => {
      const [, name = topic, first, link, last] = topic.match(/^(.*?) (\d+)(?: (and|to) (\d+))?$/) ?? []
      const slug = name.trim().toLowerCase().replaceAll(' ', '-')
      const parts = first === undefined ? [slug] : numbersFrom(first, link, last).map((number) => `${slug}-${number}`)
      return parts.map((part) => ({ said, anchor: `contract-${part}` }))
    })
  })

/** Expands `1`, `1 and 3` or `1 to 3` to numbers. */
const numbersFrom = (first: string, link: string | undefined, last: string | undefined): readonly number[] => {
  if (last === undefined) return [Number(first)]
  if (link === 'and') return [Number(first), Number(last)]
  return Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => Number(first) + index)
}
