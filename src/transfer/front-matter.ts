import { parse, YAMLParseError } from 'yaml'
import { FieldWrong } from './fields.ts'

/** A Markdown text cut into its front matter and the rest. */
export interface FrontMatter {
  readonly fields: ReadonlyMap<string, unknown>
  readonly body: string
  /** True when thingsync has written it. */
  readonly isOurs: boolean
}

/** The front matter of a text, between lines of three hyphens; without one all is the body. @throws FieldWrong */
export const readFrontMatter = (text: string): FrontMatter => {
  const found = /^---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/mu.exec(text)
  if (found === null || found.index !== 0) return { fields: new Map(), body: text, isOurs: false }
  const value = parseYaml(found[1] ?? '')
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new FieldWrong('the front matter has no names')
  const fields = new Map(Object.entries(value).map(([name, field]) => [name.toLowerCase(), field]))
  return { fields, body: text.slice(found[0].length), isOurs: fields.get('thingsync') === 1 }
}

const parseYaml = (text: string): unknown => {
  try {
    // Dates stay texts.
    return parse(text, { schema: 'core' }) ?? {}
  } catch (error) {
    // So are aliases of aliases refused that would fill the memory.
    if (error instanceof YAMLParseError || error instanceof ReferenceError)
      throw new FieldWrong(`the front matter is no YAML: ${error.message.split('\n')[0]}`)
    throw error
  }
}
