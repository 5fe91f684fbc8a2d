import { runInSlices, type Work } from '../slices.ts'
import { type RawJson, rawJson } from './render-json.ts'

/** More values than these are rendered in slices. */
const mostAtOnce = 256

/** How many are rendered between two possible interruptions: each costs. */
const valuesAtOnce = 32

/** Values by name as a JSON object, or as JSON when they are many: an object of thousands costs more than its text. */
export const renderMap = async <Value extends string | number>(
  values: ReadonlyMap<string, Value>,
): Promise<Record<string, Value> | RawJson> =>
  values.size > mostAtOnce ? rawJson(await runInSlices(renderMany(values))) : Object.fromEntries(values)

function* renderMany(values: ReadonlyMap<string, string | number>): Work<string> {
  let json = ''
  let count = 0
  for (const [name, value] of values) {
    json += `${count === 0 ? '{' : ','}${JSON.stringify(name)}:${JSON.stringify(value)}`
    count += 1
    if (count % valuesAtOnce === 0) yield
  }
  return `${json}}`
}
