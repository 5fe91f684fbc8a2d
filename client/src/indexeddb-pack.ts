/** One record of many entries, before it is given its number. */
export interface Pack {
  readonly keys: readonly string[]
  /** The values as JSON in UTF-8: half of what the engine would keep of a text with letters beyond Latin-1. */
  readonly value: Uint8Array<ArrayBuffer>
}

const entriesPerPack = 100
// Browsers keep records beyond 64 KB in files of their own, each with a write and a read that cost more than a pack.
const charactersPerPack = 30_000

/** Divides entries into packs, in their order; the values of an entry have a JSON. */
export const fillPacks = (entries: readonly (readonly [key: string, value: unknown])[]): readonly Pack[] => {
  const encoder = new TextEncoder()
  const packs: Pack[] = []
  let keys: string[] = []
  let texts: string[] = []
  let characters = 0
  const close = () => {
    if (keys.length > 0) packs.push({ keys, value: encoder.encode(`[${texts.join(',')}]`) })
    keys = []
    texts = []
    characters = 0
  }
  for (const [key, value] of entries) {
    const text = JSON.stringify(value)
    if (keys.length === entriesPerPack || characters + text.length > charactersPerPack) close()
    keys.push(key)
    texts.push(text)
    characters += text.length
  }
  close()
  return packs
}

/** The values of a pack as it was stored. */
export const readPack = (stored: Uint8Array): unknown[] => JSON.parse(new TextDecoder().decode(stored))
