import { isMap, isScalar, Lexer, parseDocument } from 'yaml'
import { FieldError } from './fields.ts'
import {
  maxFrontMatterAliases,
  maxFrontMatterCharacters,
  maxFrontMatterDepth,
  maxFrontMatterEntries,
} from './limits.ts'

/** A Markdown text cut into its front matter and the rest. */
export interface FrontMatter {
  readonly fields: ReadonlyMap<string, unknown>
  readonly body: string
  /** True when thingsync has written it. */
  readonly isThingsync: boolean
}

/** The front matter of a text, between lines of three hyphens; without one all is the body. @throws FieldError */
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

// A short text is not worth it.
const minLongText = 1_000

/**
 * Front matter without its long texts, and these by name. thingsync writes a whole note as one quoted text, which is JSON
 * and YAML alike; what is left is small.
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
    // Then it is left to YAML, which has more ways to write a text.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const parseYaml = (text: string): unknown => {
  checkSize(text)
  // Dates stay texts. A name that is no text would be written as YAML again, for each name around it; names are compared
  // here, because the parser compares each with each; and it describes all errors, where one is shown.
  const options = {
    schema: 'core',
    stringKeys: true,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'error',
  } as const
  const document = parseDocument(text, options)
  const [error] = document.errors
  if (error !== undefined) throw createYamlError(`${error.message} at ${describePosition(text, error.pos[0])}`)
  checkNames(document.contents)
  try {
    return document.toJS({ maxAliasCount: maxFrontMatterAliases }) ?? {}
  } catch (thrown) {
    // So are aliases of aliases refused that would fill the memory.
    if (thrown instanceof ReferenceError) throw createYamlError(thrown.message)
    throw thrown
  }
}

const createYamlError = (wrong: string) => new FieldError(`the front matter is no YAML: ${wrong}`)

const describePosition = (text: string, place: number): string => {
  const lines = text.slice(0, place).split('\n')
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`
}

/** @throws FieldError when two names are the same */
const checkNames = (contents: unknown): void => {
  if (!isMap(contents)) return
  const names = new Set<string>()
  for (const { key } of contents.items) {
    const name = String(isScalar(key) ? key.value : key)
    if (names.has(name)) throw createYamlError(`it has the name ${name} twice`)
    names.add(name)
  }
}

// What the lexer writes before the text of a scalar; it has more marks of this kind.
const scalarFollows = '\u001F'
const isEntry = (token: string): boolean => token > ' ' && !/^[\s#\uFEFF]/u.test(token)

/** The time of the parser grows with the square of what is counted here. @throws FieldError */
const checkSize = (text: string): void => {
  if (text.length > maxFrontMatterCharacters)
    throw new FieldError(
      `the front matter is longer than ${maxFrontMatterCharacters} characters; move what is long below it`,
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
    // A block inside another one is further to the right, or in the same line.
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
        `the front matter has more than ${maxFrontMatterEntries} entries; move what is long below it`,
      )
    if (aliases > 2 * maxFrontMatterAliases)
      throw new FieldError(`the front matter has more than ${maxFrontMatterAliases} anchors or aliases`)
  }
}

// A name, a value, the marks between them and the line end.
const tokensPerEntry = 8
