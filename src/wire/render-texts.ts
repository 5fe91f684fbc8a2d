import { runInSlices, type Work } from '../slices.ts'
import { type RawJson, rawJson } from './render-json.ts'

/** More texts than these are rendered in slices. */
const mostAtOnce = 256

/** How many are rendered between two possible interruptions: each costs. */
const textsAtOnce = 32

/** Texts by name as a JSON object, or as JSON when they are many: an object of thousands costs more than its text. */
export const renderTexts = async (texts: ReadonlyMap<string, string>): Promise<Record<string, string> | RawJson> =>
  texts.size > mostAtOnce ? rawJson(await runInSlices(renderMany(texts))) : Object.fromEntries(texts)

function* renderMany(texts: ReadonlyMap<string, string>): Work<string> {
  let json = ''
  let count = 0
  for (const [name, text] of texts) {
    json += `${count === 0 ? '{' : ','}${JSON.stringify(name)}:${JSON.stringify(text)}`
    count += 1
    if (count % textsAtOnce === 0) yield
  }
  return `${json}}`
}
