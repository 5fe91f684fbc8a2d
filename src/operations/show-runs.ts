import type { JsonRun, TagEntry } from '../store/store.ts'
import { type RawJson, rawJson, rawJsonBehind } from '../wire/render-json.ts'
import { renderPieces } from '../wire/render-map.ts'

/** What a store lists, for the answer to hold as it is. Not a generator: each that a large listing passes costs. */
export const showRuns = (runs: AsyncIterable<JsonRun>): AsyncIterable<RawJson> => ({
  [Symbol.asyncIterator]() {
    const source = runs[Symbol.asyncIterator]()
    let mark = rawJson
    return {
      next: async () => {
        const { value, done } = await source.next()
        if (done === true) return { value: undefined, done: true }
        const run = mark((value as JsonRun).json)
        mark = rawJsonBehind
        return { value: run, done: false }
      },
      return: async () => {
        await source.return?.()
        return { value: undefined, done: true }
      },
    }
  },
})

/** Tags with their settings as a store lists them, for the answer to hold as one map; undefined without any. */
export const showTags = (tags: AsyncIterable<readonly TagEntry[]>) => renderPieces(tags)
