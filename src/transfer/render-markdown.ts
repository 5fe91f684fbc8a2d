import { Lexer, Marked, Parser, type Token, Tokenizer, type Tokens, type TokensList } from 'marked'
import { FieldError } from './fields.ts'
import { sanitizeHtml } from './html.ts'
import {
  maxBlockRepetitions,
  maxBlockWork,
  maxCellsPerCharacter,
  maxInlineCharacters,
  maxInlineMarks,
  maxMarkdownDepth,
} from './limits.ts'

// The time of marked grows with the square of its input, in some cases with the cube. So it gets pieces of blocks and
// of lines, each within limits. A list or table that was split is joined again.

// Small tables may have empty cells.
const minCellCharacters = 100

/** Aborts marked because of too deep nesting. `toHtml` converts it to a FieldError. */
class TooDeep extends Error {
  override readonly name = 'TooDeep'
}

let depth = 0
let work = 0
let maxWork = 0

/** Parses the blocks inside a block, within limits: marked parses them again for each surrounding block. */
const goDeeper = <Block extends Tokens.List | Tokens.Blockquote>(parse: () => Block | undefined): Block | undefined => {
  if (depth === maxMarkdownDepth) throw new TooDeep()
  depth += 1
  try {
    const block = parse()
    work += block?.raw.length ?? 0
    if (work > maxWork) throw new TooDeep()
    return block
  } finally {
    depth -= 1
  }
}

const { defaults: options } = new Marked({
  async: false,
  gfm: true,
  tokenizer: {
    list(source) {
      return goDeeper(() => Tokenizer.prototype.list.call(this, source))
    },
    blockquote(source) {
      return goDeeper(() => Tokenizer.prototype.blockquote.call(this, source))
    },
    // As on GitHub, each row gets as many cells as the head.
    table(source) {
      const [all = '', , marks = '', rows = ''] = this.rules.block.table.exec(source) ?? []
      const cells = marks.split('|').length * rows.split('\n').length
      return cells > maxCellsPerCharacter * (all.length + minCellCharacters) ? undefined : false
    },
  },
})

// A paragraph ends where a table begins. The first two lines of a table are enough to see this, but marked matches all
// of its rows, for each line.
const { gfm } = Lexer.rules.block
const tableBegin = gfm.table.source.replace(/^\^/u, '')
const tableRows = tableBegin.indexOf('(?:\\n((?:')
const rules = {
  other: new Lexer(options).options.tokenizer?.rules.other,
  inline: Lexer.rules.inline.gfm,
  block: {
    ...gfm,
    paragraph: new RegExp(gfm.paragraph.source.replace(tableBegin, () => `${tableBegin.slice(0, tableRows)}(?:\\n|$)`)),
  },
}

/** A piece of a Markdown text. `isCut` is true if its first block may have begun in the previous piece. */
interface Piece {
  readonly text: string
  readonly isCut: boolean
}

/**
 * Splits a text into pieces of at most `maxBlockWork` (characters times lines). It splits at the end of a block if
 * possible, or else before a line that is not indented. Only a single longer line is a longer piece.
 */
function* cutBlocks(text: string): Generator<Piece, void, undefined> {
  let begin = 0
  let isCut = false
  let lines = 0
  let blockEnd = { at: 0, lines: 0 }
  let lineEnd = { at: 0, lines: 0 }
  let isAfterBlank = false
  for (let at = 0, line = 0; at < text.length; line++) {
    const end = text.indexOf('\n', at) + 1 || text.length
    while (begin < at && (end - begin) * (line + 1 - lines) > maxBlockWork) {
      const found = [blockEnd, lineEnd, { at, lines: line }].find((cut) => cut.at > begin)
      if (found === undefined) break
      yield { text: text.slice(begin, found.at), isCut }
      isCut = found !== blockEnd
      begin = found.at
      lines = found.lines
    }
    const first = text[at] ?? ''
    if (/\S/u.test(first)) {
      lineEnd = { at, lines: line }
      // A block that continues after an empty line begins with one of these.
      if (isAfterBlank && !/[-*+>\d]/u.test(first)) blockEnd = lineEnd
    }
    isAfterBlank = end - at < maxBlankLine && text.slice(at, end).trim() === ''
    at = end
  }
  if (begin < text.length) yield { text: text.slice(begin), isCut }
}

const maxBlankLine = 100
// The maximum lengths of a table head, which is parsed again for each piece, and of a paragraph that is joined.
const maxTableHead = 4_000
const maxParagraph = 4 * maxInlineCharacters

/** Parses a text into the blocks of `lexer.tokens`. */
const lexBlocks = (lexer: Lexer, text: string): void => {
  const { tokens } = lexer
  // The last block as it was in its piece, and the end of a raw HTML block, which contains no Markdown.
  let last: Token | undefined
  let rawEnd: RegExp | undefined
  for (const piece of cutBlocks(text)) {
    const end = rawEnd === undefined ? 0 : findLineEnd(piece.text, rawEnd)
    if (end !== 0) {
      const html = piece.text.slice(0, end === -1 ? undefined : end)
      tokens.push({ type: 'html', block: true, pre: false, raw: html, text: html })
      last = undefined
    }
    const rest = end === -1 ? '' : piece.text.slice(end)
    if (rest === '') continue
    const head = findHead(last, piece.isCut)
    const blockIndex = tokens.length
    const isParagraph = piece.isCut && last?.type === 'paragraph' && last.raw.length < maxParagraph
    work = 0
    maxWork = maxBlockRepetitions * (head.length + rest.length)
    lexer.blockTokens(head + rest, tokens, isParagraph)
    const newest = tokens.findLast(({ type }) => type !== 'space')
    if ((piece.isCut || head !== '') && joinBlocks(tokens, blockIndex, last)) tokens.splice(blockIndex, 1)
    last = newest
    rawEnd = findRawEnd(newest)
    // marked has removed empty lines at its end.
    if (newest?.type === 'html' && rawEnd !== undefined)
      newest.text = newest.raw.trimEnd() + rest.slice(rest.trimEnd().length)
  }
}

/** Finds the end of the first line that contains a match. -1 if there is none. */
const findLineEnd = (text: string, wanted: RegExp): number => {
  const found = wanted.exec(text)
  return found === null ? -1 : text.indexOf('\n', found.index) + 1 || text.length
}

const rawBegins: readonly (readonly [begin: RegExp, end: RegExp])[] = [
  [/^ {0,3}<script/iu, /<\/script>/iu],
  [/^ {0,3}<pre/iu, /<\/pre>/iu],
  [/^ {0,3}<style/iu, /<\/style>/iu],
  [/^ {0,3}<textarea/iu, /<\/textarea>/iu],
  [/^ {0,3}<!--/u, /-->/u],
  [/^ {0,3}<\?/u, /\?>/u],
  [/^ {0,3}<!\[CDATA\[/u, /\]\]>/u],
]

const findRawEnd = (token: Token | undefined): RegExp | undefined => {
  if (token?.type !== 'html') return undefined
  const end = rawBegins.find(([begin]) => begin.test(token.raw))?.[1]
  return end?.test(token.raw) ? undefined : end
}

/** Finds the lines that show marked what the next piece continues: the head of a table, or the start of a fence. */
const findHead = (last: Token | undefined, isCut: boolean): string => {
  if (last?.type === 'table' && isCut) {
    const end = last.raw.indexOf('\n', last.raw.indexOf('\n') + 1) + 1
    return end > 0 && end <= maxTableHead ? last.raw.slice(0, end) : ''
  }
  if (last?.type !== 'code' || last.codeBlockStyle === 'indented') return ''
  const [begin = ''] = last.raw.split('\n', 1)
  const fence = /^ {0,3}(`+|~+)/u.exec(begin)?.[1] ?? ''
  const lastLine = last.raw.slice(Math.max(last.raw.trimEnd().lastIndexOf('\n'), begin.length)).trim()
  const isClosed = lastLine.startsWith(fence) && lastLine === fence.charAt(0).repeat(lastLine.length)
  return isClosed || fence === '' || begin.length > maxTableHead ? '' : `${begin}\n`
}

/** Joins the block at `blockIndex` with the previous block if both are parts of one block. Returns false if not. */
const joinBlocks = (tokens: TokensList, blockIndex: number, last: Token | undefined): boolean => {
  const token = tokens[blockIndex]
  const before = tokens.findLast(({ type }, index) => index < blockIndex && type !== 'space')
  if (isList(token) && isList(before) && readBullet(token) === readBullet(before)) {
    // A single empty line between entries makes all entries paragraphs.
    const isLoose = before.loose || token.loose || tokens[blockIndex - 1]?.type === 'space'
    if (isLoose && !token.loose) loosen(token)
    if (isLoose && !before.loose) loosen(before)
    for (const item of token.items) before.items.push(item)
    return true
  }
  if (isTable(token) && isTable(before) && token.header.length === before.header.length) {
    for (const row of token.rows) before.rows.push(row)
    return true
  }
  if (isQuote(token) && isQuote(before)) {
    for (const inner of token.tokens) before.tokens.push(inner)
    return true
  }
  if (isCode(token) && isCode(before) && token.codeBlockStyle === before.codeBlockStyle && last !== undefined) {
    before.text += `${last.raw.endsWith('\n') && isCode(last) && last.text.endsWith('\n') ? '' : '\n'}${token.text}`
    return true
  }
  return false
}

const isList = (token: Token | undefined): token is Tokens.List => token?.type === 'list'
const isTable = (token: Token | undefined): token is Tokens.Table => token?.type === 'table'
const isQuote = (token: Token | undefined): token is Tokens.Blockquote => token?.type === 'blockquote'
const isCode = (token: Token | undefined): token is Tokens.Code => token?.type === 'code'

/** Returns the bullet of a list, or the character after its numbers. */
const readBullet = ({ raw }: Tokens.List): string => /^ *(?:\d+)?(.)/u.exec(raw)?.[1] ?? ''

const loosen = (list: Tokens.List): void => {
  list.loose = true
  for (const item of list.items) {
    item.loose = true
    for (const token of item.tokens) if (token.type === 'text') token.type = 'paragraph'
  }
}

const mark = /[*_~`[\]<>!\\&]/u

/** Splits the text of a paragraph, heading or cell at a line end or a space, within the limits for marks. */
function* cutInline(text: string): Generator<string, void, undefined> {
  let begin = 0
  let marks = 0
  let lineEnd = 0
  let blank = 0
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at)
    if (sign === '\n') lineEnd = at + 1
    else if (sign === ' ') blank = at + 1
    else if (mark.test(sign)) marks++
    if (marks <= maxInlineMarks && at - begin < maxInlineCharacters) continue
    const middle = (begin + at) / 2
    const isPair = /[\uD800-\uDBFF]/u.test(sign)
    const cut = lineEnd > middle ? lineEnd : blank > middle ? blank : at + (isPair ? 2 : 1)
    yield text.slice(begin, cut)
    begin = cut
    marks = 0
    // Continue after the cut, so that the marks there count for the next part.
    at = cut - 1
  }
  if (begin < text.length || text === '') yield text.slice(begin)
}

const toHtml = (text: string): string => {
  const lexer = new Lexer(options)
  Object.assign(lexer.options.tokenizer ?? {}, { rules })
  try {
    lexBlocks(lexer, text.replace(/\r\n?/gu, '\n'))
    for (const { src, tokens } of lexer.inlineQueue) {
      // Unclosed raw HTML ends with its block.
      lexer.state.inRawBlock = false
      for (const part of cutInline(src)) lexer.inlineTokens(part, tokens)
    }
    return Parser.parse(lexer.tokens, options)
  } catch (error) {
    if (error instanceof RangeError || error instanceof TooDeep)
      throw new FieldError('the note has too many quotes or lists inside one another')
    throw error
  }
}

/** Renders Markdown to the html of a thing. @throws FieldError if quotes or lists are nested too deeply */
export const renderMarkdown = (text: string): string => {
  const html = toHtml(text)
  const clean = sanitizeHtml(html, (name, { type, checked }) =>
    name === 'input' && type === 'checkbox' ? (checked === undefined ? '☐' : '☑') : undefined,
  )
  // Line ends between blocks have no meaning.
  return clean.replace(/>\n+</gu, '><')
}
