// Checks the documents for users against the rules of contributing/glossary.md and CONTRIBUTING.md, and all links.
// `npx tsx scripts/check-documents.ts [PAGE…]` prints a table and the findings, of all pages or of the named ones; it
// exits 1 when a page is beyond a limit. test/scripts/check-documents.test.ts shows each rule, and test/glossary.test.ts
// holds every text file to the words of the glossary.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lexer, type Token, type Tokens, walkTokens } from 'marked'

/** A Markdown file of the repository; the path begins at the root. */
export interface Page {
  readonly path: string
  readonly text: string
}

/** A place in a page that breaks a rule. */
export interface Finding {
  readonly path: string
  /** The line on which the block begins; 0 for the whole page. */
  readonly line: number
  readonly rule: Rule
  readonly text: string
}

export type Rule =
  | 'long sentence'
  | 'long cell'
  | 'glossary'
  | 'heading'
  | 'doubled word'
  | 'person without a noun'
  | 'long page'
  | 'dead link'
  | 'link out of the package'

/** The bounds of the English of a page. */
const maxSentenceWords = 25
const maxCellWords = 15
const maxPageWords = 1500
const maxReadmeLines = 120
/** The maximum share of sentences with more than `maxSentenceWords` words, of all pages together. */
const maxLongShare = 0.05
/** Shorter units, such as the name of a program in a list, are no sentences. */
const minSentenceWords = 4

/** The numbers of one page. */
export interface PageReport {
  readonly path: string
  /** Words outside code blocks. */
  readonly words: number
  readonly sentences: number
  readonly longSentences: number
  readonly findings: readonly Finding[]
}

/** A piece of prose: a heading, a paragraph, a list item without the lists inside it, or a table cell. */
interface Block {
  readonly kind: 'heading' | 'text' | 'cell'
  readonly line: number
  readonly text: string
}

// A code span counts as one word without punctuation: its characters are moved to a private area of Unicode.
const hideCode = (code: string): string =>
  [...code].map((character) => String.fromCodePoint(0xe000 + ((character.codePointAt(0) ?? 0) % 0x1900))).join('')
const showCode = (text: string): string =>
  text.replace(/[\ue000-\uf8ff]+/gu, (code) =>
    [...code].map((character) => String.fromCodePoint((character.codePointAt(0) ?? 0) - 0xe000)).join(''),
  )

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&quot;': '"',
  '&#39;': "'",
}

/** Renders inline tokens as plain text, without pictures and without `<sub>`, which holds the ids of requirements. */
const renderInline = (tokens: readonly Token[]): string => {
  let isSmall = false
  let text = ''
  for (const token of tokens) {
    if (token.type === 'html') isSmall = /^<sub>/iu.test(token.raw) || (isSmall && !/^<\/sub>/iu.test(token.raw))
    else if (isSmall || token.type === 'image') continue
    else if (token.type === 'codespan') text += hideCode(token.text)
    else if (token.type === 'br') text += ' '
    else if ('tokens' in token && token.tokens !== undefined) text += renderInline(token.tokens)
    else if ('text' in token) text += token.text.replace(/&(?:lt|gt|amp|quot|#39);/gu, (name: string) => entities[name])
  }
  return text.replace(/\s+/gu, ' ').trim()
}

/** Collects the prose of tokens. The line of a block inside a list, a quote or a table is searched by its source. */
const collectBlocks = (tokens: readonly Token[], firstLine: number): readonly Block[] => {
  let line = firstLine
  return tokens.flatMap((token): readonly Block[] => {
    const at = line
    line += token.raw.split('\n').length - 1
    switch (token.type) {
      case 'heading':
        return [{ kind: 'heading', line: at, text: renderInline(token.tokens ?? []) }]
      case 'paragraph':
      case 'text':
        return [{ kind: 'text', line: at, text: renderInline(token.tokens ?? [token]) }]
      case 'blockquote':
        return collectBlocks(token.tokens ?? [], at)
      case 'list': {
        let itemLine = at
        return (token as Tokens.List).items.flatMap((item) => {
          const blocks = collectBlocks(item.tokens, itemLine)
          itemLine += item.raw.split('\n').length - 1
          return blocks
        })
      }
      case 'table':
        return [(token as Tokens.Table).header, ...(token as Tokens.Table).rows].flatMap((row, index) =>
          row.map((cell) => ({
            kind: 'cell' as const,
            line: index === 0 ? at : at + index + 1,
            text: renderInline(cell.tokens),
          })),
        )
      default:
        return []
    }
  })
}

const countWords = (text: string): number =>
  text.split(/\s+/u).filter((word) => /[\p{L}\p{N}\ue000-\uf8ff]/u.test(word)).length

const abbreviation = /(?:^|[\s(])(?:e\.g|i\.e|vs|cf|approx|ca|no|fig|sect?|mr|mrs|dr)\.$/iu

/** Splits prose into sentences. A full stop in a number, a URL, a code span or an abbreviation ends none. */
export const splitSentences = (text: string): readonly string[] => {
  const sentences: string[] = []
  let start = 0
  for (const match of text.matchAll(/[.!?]["”’)\]]*\s+(?=["“‘([]*[\p{Lu}\p{N}\ue000-\uf8ff])/gu)) {
    if (abbreviation.test(text.slice(start, match.index + 1))) continue
    const end = match.index + match[0].length
    sentences.push(text.slice(start, end).trim())
    start = end
  }
  return [...sentences, text.slice(start).trim()].filter((sentence) => sentence !== '')
}

/** "Who" after these words, or at the beginning, has no noun. */
const withoutNoun =
  /(?:^|[;:.(–—]\s*|\b(?:and|or|but|than|to|for|by|of|from|with|on|in|at|as|that|is|are|be|says?|tells?|knows?|sees?|shows?|decides?|chooses?|controls?|limits?|asks?)\s+)who\b/iu
const vaguePersons = /\b(?:whoever|somebody|nobody|everybody)\b/iu

/** Words that contributing/glossary.md replaces, as patterns, and the word to write. */
const replaced: readonly (readonly [pattern: string, write: string])[] = [
  ['answer(?:s|ed|ing|able)?', 'response'],
  ['(?:base|web|redirect) address(?:es)?', 'URL'],
  ['strangers?', 'unauthenticated client'],
  ['judg(?:e|es|ed|ing|ment|ments)', 'check'],
  ['mend(?:s|ed|ing)?', 'fix'],
  ['not kept|did not apply', 'failed, skipped'],
  ['clauses?', 'requirement'],
  ['refus(?:al|als|e|ed|es|ing)', 'error'],
  ['known deviations?', 'expected failures'],
  ['full listings?', 'full sync'],
  ['deltas?', 'incremental sync'],
  ['web flow', 'authorization code flow'],
  ['public apps?', 'public client'],
  ['whoever|somebody', 'user, administrator'],
  ['errands?', 'outbox entry'],
  ['tellers?', 'dispatcher'],
  ['seats?|lanes?|doors?', 'slot, limiter, queue'],
  ['(?:keeps?|kept) aside', 'quarantine'],
  ['way back|desk|deeds?|world|haste', 'rollback detection, environment, priority'],
  ['since whenever|never set back', 'monotonic clock'],
  ['anew|for ever|of before', 'again, permanently, previous'],
  ['peers?', 'comparison server'],
  ['trials?', 'fixture, fake'],
]

const patterns = replaced.map(([pattern, write]) => ({
  pattern: new RegExp(`(?<![\\p{L}\\p{N}_])(?:${pattern})(?![\\p{L}\\p{N}_])`, 'giu'),
  write,
}))

/** Uses that stay: the path, the words, and why they are right there. */
export const allowedUses: readonly { readonly path: RegExp; readonly words: RegExp; readonly why: string }[] = [
  { path: /^src\/http\//, words: /peers?/i, why: 'the other end of a TCP connection (RFC 9293)' },
  { path: /^test\/postgres\/patroni\//, words: /peer/, why: 'a way to sign in to PostgreSQL' },
  { path: /^conformance\/src\/(?:report\/causes|result)\.ts$/, words: /refused/, why: 'ECONNREFUSED' },
  { path: /^web\/data\/add-line\.ts$/, words: /world/, why: 'a top-level domain' },
  { path: /^src\/mcp\/tools\.ts$/, words: /^World$/, why: 'openWorldHint of the Model Context Protocol' },
]

/** A word that the glossary replaces, where a text uses it. */
export interface ReplacedWord {
  /** Counts from 1. */
  readonly line: number
  readonly word: string
  /** The word or words to write instead. */
  readonly write: string
}

/** Separates the words of names: `findTokenById` becomes `find Token By Id`. */
const splitNames = (text: string): string =>
  text.replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')

/** Finds the words that the glossary replaces, in sentences and inside names, allowed uses included. */
export const findReplacedWords = (text: string): readonly ReplacedWord[] => {
  const words = splitNames(text)
  // Most texts have none of these words: one look at the whole text is faster than one at each line.
  const present = patterns.filter(({ pattern }) => words.search(pattern) >= 0)
  if (present.length === 0) return []
  return words
    .split('\n')
    .flatMap((content, index) =>
      present.flatMap(({ pattern, write }) =>
        [...content.matchAll(pattern)].map(([word]) => ({ line: index + 1, word, write })),
      ),
    )
}

/** Returns true where a use of a replaced word stays. */
export const isAllowedUse = (path: string, word: string): boolean =>
  allowedUses.some((each) => each.path.test(path) && each.words.test(word))

const quote = (text: string): string => {
  const shown = showCode(text)
  return shown.length > 160 ? `${shown.slice(0, 157)}…` : shown
}

/** Finds what breaks the rules for English in a page, except links. */
export const checkLanguage = ({ path, text }: Page): PageReport => {
  const blocks = collectBlocks(lexer(text), 1)
  const findings: Finding[] = findReplacedWords(text)
    .filter(({ word }) => !isAllowedUse(path, word))
    .map(({ line, word, write }) => ({ path, line, rule: 'glossary', text: `"${word}"; write: ${write}` }))
  const add = (rule: Rule, line: number, found: string) => findings.push({ path, line, rule, text: quote(found) })
  let sentences = 0
  let longSentences = 0
  for (const { kind, line, text: prose } of blocks) {
    if (kind === 'heading' && /^(?:What|When|Where|Who)\b/iu.test(prose)) add('heading', line, prose)
    if (kind === 'cell' && !path.startsWith('docs/reference/') && countWords(prose) > maxCellWords) {
      add('long cell', line, `${countWords(prose)} words: ${prose}`)
    }
    for (const [found] of prose.matchAll(/(?<![\p{L}\p{N}-])(\p{L}+)\s+\1(?![\p{L}\p{N}-])/giu)) {
      add('doubled word', line, found)
    }
    for (const sentence of splitSentences(prose)) {
      const isQuestion = sentence.endsWith('?')
      if (vaguePersons.test(sentence) || (!isQuestion && withoutNoun.test(sentence))) {
        add('person without a noun', line, sentence)
      }
      const words = countWords(sentence)
      if (kind !== 'text' || words < minSentenceWords) continue
      sentences += 1
      if (words <= maxSentenceWords) continue
      longSentences += 1
      add('long sentence', line, `${words} words: ${sentence}`)
    }
  }
  const words = blocks.reduce((sum, block) => sum + countWords(block.text), 0)
  const lines = text.trimEnd().split('\n').length
  if (isUserPage(path) && words > maxPageWords)
    add('long page', 0, `${words} words, at most ${maxPageWords} are allowed`)
  if (path === 'README.md' && lines > maxReadmeLines) {
    add('long page', 0, `${lines} lines, at most ${maxReadmeLines} are allowed`)
  }
  return { path, words, sentences, longSentences, findings }
}

/** Pages of any length: the specification, and what `npm run generate` writes. */
const longPages = new Set(
  ['protocol', 'configuration', 'command-line', 'requirements'].map((name) => `docs/reference/${name}.md`),
)
const isUserPage = (path: string): boolean => path.startsWith('docs/') && !longPages.has(path)

interface Link {
  readonly target: string
  readonly line: number
}

/** Finds the links and pictures of a page, also those in HTML. */
const listLinks = (text: string): readonly Link[] => {
  const links: Link[] = []
  let offset = 0
  for (const block of lexer(text)) {
    const line = text.slice(0, offset).split('\n').length
    offset += block.raw.length
    walkTokens([block], (token) => {
      if (token.type === 'link' || token.type === 'image') links.push({ target: token.href, line })
      if (token.type !== 'html') return
      for (const [, target = ''] of token.raw.matchAll(/\b(?:href|src|srcset)="([^"]+)"/gu))
        links.push({ target, line })
    })
  }
  return links.filter(({ target }) => !/^[a-z][a-z+.-]*:/iu.test(target))
}

/** Finds the anchors of a page: its headings, as GitHub names them, and the ids in its HTML. */
const listAnchors = (text: string): ReadonlySet<string> => {
  const anchors = new Set([...text.matchAll(/<[a-z]+ [^>]*\b(?:id|name)="([^"]+)"/gu)].map(([, id = '']) => id))
  const seen = new Map<string, number>()
  walkTokens(lexer(text), (token) => {
    if (token.type !== 'heading') return
    const name = showCode(renderInline(token.tokens ?? []))
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-')
    const count = seen.get(name) ?? 0
    seen.set(name, count + 1)
    anchors.add(count === 0 ? name : `${name}-${count}`)
  })
  return anchors
}

/** Resolves a link of a page to a path from the root and an anchor. */
const resolveLink = (path: string, target: string): { readonly file: string; readonly anchor: string } => {
  const [name = '', anchor = ''] = target.split('#', 2)
  const decoded = decodeURI(name.split('?', 1)[0] ?? '')
  const file = decoded === '' ? path : normalize(join(dirname(path), decoded)).replace(/\/$/u, '')
  return { file, anchor: decodeURIComponent(anchor) }
}

/** Finds links to files that are missing, and to headings that a page does not have. */
export const checkLinks = (pages: readonly Page[], isThere: (path: string) => boolean): readonly Finding[] => {
  const texts = new Map(pages.map(({ path, text }) => [path, text]))
  const anchors = new Map<string, ReadonlySet<string>>()
  const hasAnchor = (file: string, anchor: string): boolean => {
    const text = texts.get(file)
    if (text === undefined) return true
    const known = anchors.get(file) ?? listAnchors(text)
    anchors.set(file, known)
    return known.has(anchor)
  }
  return pages.flatMap(({ path, text }) =>
    listLinks(text)
      .filter(({ target }) => {
        const { file, anchor } = resolveLink(path, target)
        return file.startsWith('..') || !isThere(file) || (anchor !== '' && !hasAnchor(file, anchor))
      })
      .map(({ target, line }): Finding => ({ path, line, rule: 'dead link', text: target })),
  )
}

/** An npm package: its folder, and the files that it ships, as paths from the root. */
export interface Package {
  readonly folder: string
  readonly files: readonly string[]
}

/**
 * Finds links of the pages of a package to files that the package does not ship. Pictures need not be there: a page shows
 * their text without them.
 */
export const checkPackageLinks = (pages: readonly Page[], { files }: Package): readonly Finding[] => {
  const shipped = new Set(files)
  const isShipped = (file: string): boolean => shipped.has(file) || files.some((each) => each.startsWith(`${file}/`))
  return pages
    .filter(({ path }) => shipped.has(path))
    .flatMap(({ path, text }) =>
      listLinks(text)
        .filter(({ target }) => !target.endsWith('.png') && !isShipped(resolveLink(path, target).file))
        .map(({ target, line }): Finding => ({ path, line, rule: 'link out of the package', text: target })),
    )
}

/** Returns the share of long sentences of all pages. */
const countShare = (reports: readonly Pick<PageReport, 'sentences' | 'longSentences'>[]): number => {
  const sum = (key: 'sentences' | 'longSentences') => reports.reduce((total, report) => total + report[key], 0)
  return sum('sentences') === 0 ? 0 : sum('longSentences') / sum('sentences')
}

/** Returns a line for each limit that the pages pass. Long sentences have a share; every other rule allows nothing. */
export const findExcess = (reports: readonly PageReport[], links: readonly Finding[]): readonly string[] => {
  const share = countShare(reports)
  const counts = new Map<Rule, number>()
  for (const { rule } of [...reports.flatMap(({ findings }) => findings), ...links]) {
    if (rule !== 'long sentence') counts.set(rule, (counts.get(rule) ?? 0) + 1)
  }
  return [
    ...(share > maxLongShare
      ? [`long sentence: ${formatShare(share)} of all, at most ${formatShare(maxLongShare)}`]
      : []),
    ...[...counts].map(([rule, count]) => `${rule}: ${count}, at most 0`),
  ]
}

const formatShare = (share: number): string => `${(share * 100).toFixed(1)} %`

/** Returns true for a document for users, which the rules for English hold. */
const isDocument = (path: string): boolean =>
  /^(?:README|SECURITY|conformance\/README|docs\/.+)\.md$/u.test(path) && !path.startsWith('docs/contract/')

const root = fileURLToPath(new URL('..', import.meta.url))

/** Reads all Markdown files of the work tree. */
const readPages = (): readonly Page[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => path !== '' && existsSync(join(root, path)))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

/** Asks npm which files the package in a folder would ship. */
const readPackage = (folder: string): Package => {
  const cwd = join(root, folder)
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--silent']
  const [packed] = JSON.parse(execFileSync('npm', args, { cwd, encoding: 'utf8' }))
  const files = packed.files.map(({ path }: { readonly path: string }) => relative(root, join(cwd, path)))
  return { folder, files }
}

const formatTable = (reports: readonly PageReport[]): readonly string[] => {
  const rules = ['long cell', 'glossary', 'heading', 'doubled word', 'person without a noun'] as const
  const count = (report: PageReport, rule: Rule) => report.findings.filter((finding) => finding.rule === rule).length
  const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
  return [
    row(['page', 'words', 'sentences', `over ${maxSentenceWords} words`, 'share', ...rules]),
    row(Array(5 + rules.length).fill('---')),
    ...reports.map((report) =>
      row([
        report.path,
        report.words,
        report.sentences,
        report.longSentences,
        formatShare(countShare([report])),
        ...rules.map((rule) => count(report, rule)),
      ]),
    ),
  ]
}

const main = (wanted: readonly string[]): void => {
  const isWanted = (path: string) => wanted.length === 0 || wanted.includes(path)
  const pages = readPages()
  const reports = pages.filter(({ path }) => isDocument(path) && isWanted(path)).map(checkLanguage)
  const isThere = (path: string) => existsSync(join(root, path))
  const links = [
    ...checkLinks(pages, isThere),
    ...['', 'client', 'conformance'].flatMap((folder) => checkPackageLinks(pages, readPackage(folder))),
  ].filter(({ path }) => isWanted(path))
  const excess = findExcess(reports, links)
  console.log(formatTable(reports).join('\n'))
  for (const { path, line, rule, text } of [...reports.flatMap(({ findings }) => findings), ...links]) {
    console.log(`${path}:${line}: ${rule}: ${text}`)
  }
  console.log(`long sentences: ${formatShare(countShare(reports))} of all`)
  for (const line of excess) console.log(`beyond the limit: ${line}`)
  if (excess.length > 0) process.exitCode = 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2))
