import type { ThingForm } from '../store.ts'
import type { KeptThing } from './kept-thing.ts'
import { sameBytes } from './same-bytes.ts'

/** Reads texts of kept things of which many have the same, without making each of them anew. */
export interface KeptTexts {
  readonly writerOf: (thing: KeptThing) => string
  readonly tagsOf: (thing: KeptThing) => readonly string[]
}

const mostRemembered = 4096

/** Nothing is remembered yet. */
export const createKeptTexts = (form: ThingForm): KeptTexts => {
  const tagsByText = new Map<string, readonly string[]>()
  let writer = ''
  let writerJson = Buffer.alloc(0)

  const readText = (bytes: Buffer, start: number, end: number): string => JSON.parse(bytes.toString('utf8', start, end))

  const writerOf = ({ bytes, writerStart, writerEnd }: KeptThing): string => {
    const length = writerEnd - writerStart
    if (length !== writerJson.length || !sameBytes(bytes, writerStart, writerJson, 0, length)) {
      writerJson = Buffer.from(bytes.subarray(writerStart, writerEnd))
      writer = readText(bytes, writerStart, writerEnd)
    }
    return writer
  }

  const tagsOf = ({ bytes, tagsStart, tagsEnd }: KeptThing): readonly string[] => {
    // Not decoded: as a key any text will do that no other bytes have.
    const key = bytes.toString('latin1', tagsStart, tagsEnd)
    const remembered = tagsByText.get(key)
    if (remembered !== undefined) return remembered
    if (tagsByText.size === mostRemembered) tagsByText.clear()
    const tags = form.tagsOf({ tags: readText(bytes, tagsStart, tagsEnd) })
    tagsByText.set(key, tags)
    return tags
  }

  return { writerOf, tagsOf }
}
