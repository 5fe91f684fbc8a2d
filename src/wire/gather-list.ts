import { Refused } from '../refused.ts'
import type { Work } from '../slices.ts'
import type { Gatherer, Gathering } from './gatherer.ts'
import { allowsType, itemSchema, type JsonSchema, mostItems } from './json-schema.ts'
import { parseJson } from './parse-json.ts'
import { beginsArray, parseLongArray } from './parse-long-json.ts'
import { showName } from './show-name.ts'

/**
 * Gathers a list, in order of appearance: each field (`p`, `p[]` or `p[3]`, any number of each) holds an item or an
 * array of items. In text, items that may be strings are themselves, unless they begin as a JSON array, object or string
 * does or are `null`: those, and all other items, are JSON text. The item that is one more than the schema allows is refused (`tooManyItems`), before those that
 * follow it are looked at.
 */
export const gatherList = (parameter: string, schema: JsonSchema, { spelling, meter }: Gathering): Gatherer => {
  const itemsAreText = allowsType(itemSchema(schema) ?? {}, 'string')
  const limit = mostItems(schema)
  const list: unknown[] = []

  const nextItem = () => `${parameter}[${list.length}]`

  const read = (text: string): unknown => {
    // Ids hold none of these: taken as they are, they would name nothing, and a deletion would be lost without a word.
    if (itemsAreText && !beginsJson.test(text)) return text
    meter().check(text, nextItem())
    return parseJson(text, nextItem())
  }

  function* readLong(text: Buffer): Work<unknown> {
    if (!beginsArray(text)) return read(text.toString())
    yield* meter().checkLong(text, nextItem(), 'between items')
    const items = yield* parseLongArray(text)
    if (items !== undefined) return items
    throw new Refused('parameterInvalid', { parameter: nextItem(), reason: 'is not valid JSON' })
  }

  const push = (item: unknown): void => {
    if (list.length >= limit) {
      throw new Refused('tooManyItems', { parameter, reason: `has more than ${limit} items` })
    }
    list.push(item)
  }

  const checkSuffix = (suffix: string): void => {
    if (/^(?:\[\d*\])?$/.test(suffix)) return
    const reason = `must be written ${parameter}, ${parameter}[] or ${parameter}[0]`
    throw new Refused('parameterInvalid', { parameter: parameter + showName(suffix), reason })
  }
  const addGiven = (suffix: string, given: unknown): void => {
    // The whole parameter is null; in a list of several it would be an item.
    if (given === null && suffix === '') return
    if (!Array.isArray(given)) push(given)
    else for (const item of given) push(item)
  }

  return {
    add: (suffix, value) => {
      checkSuffix(suffix)
      addGiven(suffix, spelling === 'text' && typeof value === 'string' ? read(value) : value)
    },
    *addLong(suffix, text) {
      checkSuffix(suffix)
      addGiven(suffix, yield* readLong(text))
    },
    result: () => list,
  }
}

const beginsJson = /^[ \t\r\n]*(?:[[{"]|null[ \t\r\n]*$)/
