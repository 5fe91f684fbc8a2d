import type { JsonRun } from '../store/store.ts'
import { type RawJson, rawJson } from '../wire/render-json.ts'

/** What a store lists, for the answer to hold as it is. */
export async function* showRuns(runs: AsyncIterable<JsonRun>): AsyncGenerator<RawJson> {
  for await (const { json } of runs) yield rawJson(json)
}
