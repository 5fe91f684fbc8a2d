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
  const titled = new Map<string, string[]>()
  for (const { id, url, title, date, hasNote } of rows) {
    ids.add(id)
    if (url) {
      addresses.set(url, (addresses.get(url) ?? 0) + 1)
      continue
    }
    dated.add(`${date} ${title}`)
    const alike = titled.get(title)
    if (alike === undefined) titled.set(title, [hasNote ? id : ''])
    else alike.push(hasNote ? id : '')
  }
  // Read once for each title: a file may have as many things with one title as the account.
  const notes = new Map<string, Promise<Set<string>>>()
  const seen = new Set<string>()
  /** True from the second time on. */
  const isSeen = (key: string): boolean => seen.size === seen.add(key).size

  const isAddressThere = (url: string, keepsRepetitions: boolean): boolean => {
    const left = addresses.get(url) ?? 0
    if (!keepsRepetitions) return isSeen(`url ${url}`) || left > 0
    addresses.set(url, Math.max(0, left - 1))
    return left > 0
  }
  const readNotes = async (title: string): Promise<Set<string>> => {
    const found = new Set<string>()
    for (const id of titled.get(title) ?? []) found.add((id && (await readNote(id))) || '')
    return found
  }
  const isNoteThere = async (title: string, html: string): Promise<boolean> => {
    const known = notes.get(title) ?? readNotes(title)
    notes.set(title, known)
    return (await known).has(html)
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
