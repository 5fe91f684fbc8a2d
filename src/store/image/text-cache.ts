import type { EncodedThing } from '../record/encoded-thing.ts'
import { passBytes } from '../record/json-bytes.ts'
import type { ThingForm } from '../store.ts'
import { hashBytes } from './hash-bytes.ts'

/** Reads texts in the steps of things, of which many have the same, without making each of them anew. */
export interface TextCache {
  readonly writerOf: (thing: EncodedThing) => string
  readonly tagsOf: (thing: EncodedThing) => readonly string[]
}

/** Tags that were read, and the JSON text that they stand in. */
interface RememberedTags {
  readonly json: Buffer
  readonly tags: readonly string[]
}

/** How many are remembered at most, each at the place that its hash has; a later one takes it over. */
const places = 4096

/** Nothing is remembered yet. */
export const createTextCache = (form: ThingForm): TextCache => {
  const remembered = new Map<number, RememberedTags>()
  let writer = ''
  let writerJson = Buffer.alloc(0)

  const readText = (bytes: Buffer, start: number, end: number): string => JSON.parse(bytes.toString('utf8', start, end))

  const writerOf = ({ bytes, writerStart, writerEnd }: EncodedThing): string => {
    if (passBytes(bytes, writerStart, writerJson) !== writerEnd) {
      writerJson = Buffer.from(bytes.subarray(writerStart, writerEnd))
      writer = readText(bytes, writerStart, writerEnd)
    }
    return writer
  }

  const tagsOf = ({ bytes, tagsStart, tagsEnd }: EncodedThing): readonly string[] => {
    const place = hashBytes(bytes, tagsStart, tagsEnd) & (places - 1)
    const found = remembered.get(place)
    if (found !== undefined && passBytes(bytes, tagsStart, found.json) === tagsEnd) return found.tags
    const tags = form.tagsOf({ tags: readText(bytes, tagsStart, tagsEnd) })
    remembered.set(place, { json: Buffer.from(bytes.subarray(tagsStart, tagsEnd)), tags })
    return tags
  }

  return { writerOf, tagsOf }
}
