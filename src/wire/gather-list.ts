import { Refused } from '../refused.ts'
import { runWhole, type Work } from '../slices.ts'
import type { JsonMeter } from './check-json.ts'
import { type Gatherer, type Gathering, textOf } from './gatherer.ts'
import { allowsType, itemSchema, type JsonSchema, mostItems } from './json-schema.ts'
import { beginsArray, beginsObject, parseArray, parseJson, readLongObject } from './parse-json.ts'
import { showName } from './show-name.ts'

/**
 * Gathers a list, in order of appearance: each field (`p`, `p[]` or `p[3]`, any number of each) holds an item or an
 * array of items. In text, items that may be strings are themselves, unless they begin as a JSON array, object or
 * string does or are `null`: those, and all other items, are JSON text. The item that is one more than the schema
 * allows is refused (`tooManyItems`), before those that follow it are looked at.
 */
export const gatherList = (parameter: string, schema: JsonSchema, { spelling, meter }: Gathering): Gatherer => {
  const itemsAreText = allowsType(itemSchema(schema) ?? {}, 'string')
  const limit = mostItems(schema)
  const list: unknown[] = []

  const nextItem = () => `${parameter}[${list.length}]`

  const readItem = (text: string): unknown => {
    // Ids hold none of these: taken as they are, they would name nothing, and a deletion would be lost without a word.
    if (itemsAreText && !beginsJson.test(text)) return text
    runWhole(meter().check(text, nextItem(), 'nowhere'))
    return parseJson(text, nextItem())
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

  function* addLong(bytes: Buffer): Work<void> {
    push(yield* readLongObject(bytes, nextItem(), meter()))
  }

  return {
    add: (suffix, value) => {
      checkSuffix(suffix)
      if (spelling === 'text' && beginsArray(value))
        return addItems(value, { meter: meter(), parameter: nextItem(), push })
      if (spelling === 'text' && Buffer.isBuffer(value) && beginsObject(value)) return addLong(value)
      const text = textOf(value)
      const given = spelling === 'text' && typeof text === 'string' ? readItem(text) : text
      // The whole parameter is null; in a list of several it would be an item.
      if (given === null && suffix === '') return undefined
      if (!Array.isArray(given)) push(given)
      else for (const item of given) push(item)
      return undefined
    },
    result: () => list,
  }
}

/** What is to be done with the items of an array. */
interface Adding {
  readonly meter: JsonMeter
  /** The name of the first item. */
  readonly parameter: string
  readonly push: (item: unknown) => void
}

function* addItems(text: string | Buffer, { meter, parameter, push }: Adding): Work<void> {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  yield* meter.check(bytes, parameter, 'between items')
  const items = yield* parseArray(bytes)
  if (items === undefined) throw new Refused('parameterInvalid', { parameter, reason: 'is not valid JSON' })
  for (const item of items) push(item)
}

const beginsJson = /^[ \t\r\n]*(?:[[{"]|null[ \t\r\n]*$)/
