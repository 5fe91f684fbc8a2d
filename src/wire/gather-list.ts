import { Refused } from '../refused.ts'
import type { Gatherer, Spelling } from './gatherer.ts'
import { allowsType, type JsonSchema } from './json-schema.ts'
import { parseJson } from './parse-json.ts'
import { showName } from './show-name.ts'

/**
 * Gathers a list, in order of appearance: each field (`p`, `p[]` or `p[3]`, any number of each) holds an item or an
 * array of items. In text, items that may be strings are themselves, or a JSON array that begins with `[`; all other
 * items are JSON text.
 */
export const gatherList = (parameter: string, items: JsonSchema, spelling: Spelling): Gatherer => {
  const itemsAreText = allowsType(items, 'string')
  const list: unknown[] = []

  const read = (text: string): unknown => {
    if (!itemsAreText) return parseJson(text, `${parameter}[${list.length}]`)
    return text.startsWith('[') ? (findArray(text) ?? text) : text
  }

  return {
    add: (suffix, value) => {
      if (!/^(?:\[\d*\])?$/.test(suffix)) {
        const reason = `must be written ${parameter}, ${parameter}[] or ${parameter}[0]`
        throw new Refused('parameterInvalid', { parameter: parameter + showName(suffix), reason })
      }
      const given = spelling === 'text' && typeof value === 'string' ? read(value) : value
      // The whole parameter is null; in a list of several it would be an item.
      if (given === null && suffix === '') return
      if (!Array.isArray(given)) list.push(given)
      // Not push(...given): a call takes only so many arguments.
      else for (const item of given) list.push(item)
    },
    result: () => list,
  }
}

const findArray = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
