import { isMap, isScalar, Lexer, parseDocument } from 'yaml'
import { FieldError } from './fields.ts'
import {
  maxFrontMatterAliases,
  maxFrontMatterCharacters,
  maxFrontMatterDepth,
  maxFrontMatterEntries,
} from './limits.ts'

/** A Markdown text, split into its front matter and the rest. */
export interface FrontMatter {
  readonly fields: ReadonlyMap<string, unknown>
  readonly body: string
  /** True if thingsync wrote the text. */
  readonly isThingsync: boolean
}

/**
 * Splits a text into its front matter, between lines of three hyphens, and its body. Without front matter all is the
 * body.
 * @throws FieldError if the front matter is invalid
 */
export const readFrontMatter = (text: string): FrontMatter => {
  const found = splitFrontMatter(text)
  if (found === undefined) return { fields: new Map(), body: text, isThingsync: false }
  const { yaml, texts } = takeLongTexts(found.yaml)
  const value = parseYaml(yaml)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new FieldError('the front matter has no names')
  const fields = new Map<string, unknown>(Object.entries(value))
  for (const [name, long] of texts) fields.set(name, long)
  const lower = new Map([...fields].map(([name, field]) => [name.toLowerCase(), field]))
  return { fields: lower, body: found.body, isThingsync: lower.get('thingsync') === 1 }
}

const splitFrontMatter = (text: string): { readonly yaml: string; readonly body: string } | undefined => {
  const begin = text.indexOf('\n') + 1
  if (begin === 0 || !isHyphens(text.slice(0, begin))) return undefined
  for (let at = begin; at < text.length; ) {
    const end = text.indexOf('\n', at) + 1 || text.length
    if (text.startsWith('---', at) && isHyphens(text.slice(at, end)))
      return { yaml: text.slice(begin, at), body: text.slice(end) }
    at = end
  }
  return undefined
}

const isHyphens = (line: string): boolean => line.startsWith('---') && line.slice(3).trim() === ''

// For a shorter text it is not worth the effort.
const minLongText = 1_000

/**
 * Removes the long texts from front matter, and returns them by name. thingsync writes a complete note as one quoted
 * text, which is both JSON and YAML; the rest is small.
 */
const takeLongTexts = (text: string): { readonly yaml: string; readonly texts: ReadonlyMap<string, string> } => {
  const texts = new Map<string, string>()
  if (text.length < minLongText) return { yaml: text, texts }
  const lines = text.split('\n').map((line) => {
    const name = line.length < minLongText ? undefined : /^([\w-]{1,100}): "/u.exec(line)?.[1]
    const value = name === undefined ? undefined : readJsonText(line.slice(name.length + 2).trim())
    if (name === undefined || value === undefined || texts.has(name)) return line
    texts.set(name, value)
    return `${name}: ""`
  })
  return { yaml: lines.join('\n'), texts }
}

const readJsonText = (json: string): string | undefined => {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'string' ? value : undefined
  } catch (error) {
    // Then the YAML parser reads it: YAML has more ways to write a text.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const parseYaml = (text: string): unknown => {
  checkSize(text)
  // With the core schema dates stay texts. Without stringKeys the parser would stringify nested keys again for each
  // level. uniqueKeys compares each key with each other; `checkNames` does not. prettyErrors describes all errors; one
  // is enough.
  const options = {
    schema: 'core',
    stringKeys: true,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'error',
  } as const
  const document = parseDocument(text, options)
  const [error] = document.errors
  if (error !== undefined) throw createYamlError(`${error.message} at ${describeLocation(text, error.pos[0])}`)
  checkNames(document.contents)
  try {
    return document.toJS({ maxAliasCount: maxFrontMatterAliases }) ?? {}
  } catch (thrown) {
    // The parser rejects aliases of aliases, which would fill the memory, with this error.
    if (thrown instanceof ReferenceError) throw createYamlError(thrown.message)
    throw thrown
  }
}

const createYamlError = (wrong: string) => new FieldError(`the front matter is not valid YAML: ${wrong}`)

const describeLocation = (text: string, offset: number): string => {
  const lines = text.slice(0, offset).split('\n')
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`
}

/** Checks that all names differ. @throws FieldError if a name is there twice */
const checkNames = (contents: unknown): void => {
  if (!isMap(contents)) return
  const names = new Set<string>()
  for (const { key } of contents.items) {
    const name = String(isScalar(key) ? key.value : key)
    if (names.has(name)) throw createYamlError(`it has the name ${name} twice`)
    names.add(name)
  }
}

// The lexer emits this token before the text of a scalar. It has other control tokens.
const scalarFollows = '\u001F'
const isEntry = (token: string): boolean => token > ' ' && !/^[\s#\uFEFF]/u.test(token)

/**
 * Checks the limits, because the parser's time grows with the square of these counts. @throws FieldError beyond a limit
 */
const checkSize = (text: string): void => {
  if (text.length > maxFrontMatterCharacters)
    throw new FieldError(
      `the front matter is longer than ${maxFrontMatterCharacters} characters; move long content below it`,
    )
  let tokens = 0
  let entries = 0
  let aliases = 0
  let brackets = 0
  let inLine = 0
  let isTextNext = false
  for (const token of new Lexer().lex(text)) {
    const isText = isTextNext
    isTextNext = token === scalarFollows
    if (isText) continue
    tokens++
    if (/^[\r\n]/u.test(token)) inLine = 0
    // A nested block is further to the right, or in the same line.
    else if (inLine === 0 && token.startsWith(' ')) inLine = token.length / 2
    else if (isEntry(token)) {
      entries++
      inLine++
      if (token === '{' || token === '[') brackets++
      else if ((token === '}' || token === ']') && brackets > 0) brackets--
      else if (/^[&*]/u.test(token)) aliases++
    }
    if (brackets > maxFrontMatterDepth || (brackets === 0 && inLine > 2 * maxFrontMatterDepth))
      throw new FieldError(`the front matter has more than ${maxFrontMatterDepth} lists or names inside one another`)
    if (entries > maxFrontMatterEntries || tokens > tokensPerEntry * maxFrontMatterEntries)
      throw new FieldError(
        `the front matter has more than ${maxFrontMatterEntries} entries; move long content below it`,
      )
    if (aliases > 2 * maxFrontMatterAliases)
      throw new FieldError(`the front matter has more than ${maxFrontMatterAliases} anchors or aliases`)
  }
}

// A name, a value, the tokens between them and the line end.
const tokensPerEntry = 8
