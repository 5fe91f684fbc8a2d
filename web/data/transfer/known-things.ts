import type { TransferThing } from '../../../src/transfer/transfer.ts'
import type { Row } from '../rows.ts'

/** What tells whether things of a file are there already. */
export interface KnownThings {
  /**
   * To be asked of each thing once, in the order of the file. There is what has the same id, or the same address; what has no
   * address is known again by its title and date, or without a date by its title and note. So a file can be imported again,
   * also after an import that was stopped, and adds what is missing only.
   */
  readonly isThere: (thing: TransferThing, keepsRepetitions: boolean) => Promise<boolean>
}

/** The things of an account before an import; `readNote` gives the note of the thing with this id. */
export const createKnownThings = (
  rows: Iterable<Row>,
  readNote: (id: string) => Promise<string | undefined>,
): KnownThings => {
  const ids = new Set<string>()
  /** How many things have an address: of several in the file so many are there. */
  const addresses = new Map<string, number>()
  const dated = new Set<string>()
  /** Things without an address by their title: their ids, or '' for one without a note. */
  const titled = new Map<string, string[]>()
  /** The notes of those of a title, once they were read. */
  const notes = new Map<string, Promise<ReadonlySet<string>>>()
  for (const { id, url, title, date, hasNote } of rows) {
    ids.add(id)
    if (url) {
      addresses.set(url, (addresses.get(url) ?? 0) + 1)
      continue
    }
    dated.add(`${date} ${title}`)
    const alike = titled.get(title) ?? []
    alike.push(hasNote ? id : '')
    titled.set(title, alike)
  }
  const seen = new Set<string>()
  /** True from the second time on. */
  const isSeen = (key: string): boolean => seen.size === seen.add(key).size

  const isAddressThere = (url: string, keepsRepetitions: boolean): boolean => {
    const left = addresses.get(url) ?? 0
    if (!keepsRepetitions) return isSeen(`url ${url}`) || left > 0
    addresses.set(url, Math.max(0, left - 1))
    return left > 0
  }
  const readNotes = async (title: string): Promise<ReadonlySet<string>> => {
    const found = new Set<string>()
    for (const id of titled.get(title) ?? []) found.add((id && (await readNote(id))) || '')
    return found
  }
  /** Ten thousand notes without a title in the file and in the account are ten thousand readings, not a hundred million. */
  const isNoteThere = async (title: string, html: string): Promise<boolean> => {
    const read = notes.get(title) ?? readNotes(title)
    notes.set(title, read)
    return (await read).has(html)
  }
  return {
    isThere: async ({ id, url, title, date, html = '' }, keepsRepetitions) => {
      const isRepeated = id !== undefined && isSeen(`id ${id}`)
      if (isRepeated || (id !== undefined && ids.has(id))) return true
      if (url) return isAddressThere(url, keepsRepetitions)
      if (date !== undefined) return isSeen(`dated ${date} ${title}`) || dated.has(`${date} ${title}`)
      return isSeen(`note ${JSON.stringify([title, html])}`) || isNoteThere(title, html)
    },
  }
}
