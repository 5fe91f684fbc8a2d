import {
  ClientError,
  type ClientErrorCode,
  isClientError,
  type ReplicaReader,
  type ReplicaThing,
} from '../../client/src/index.ts'
import { foldText, readNoteText } from '../search/query.ts'

/** Many texts joined into one string, which the browser clones and stores at the cost of one string. */
interface JoinedTexts {
  readonly joined: string
  /** The end offset of each text. */
  readonly ends: Uint32Array<ArrayBuffer>
}

/** Joins texts into one string with offsets. */
const joinTexts = (texts: readonly string[]): JoinedTexts => {
  const ends = new Uint32Array(texts.length)
  let end = 0
  for (const [index, text] of texts.entries()) {
    end += text.length
    ends[index] = end
  }
  return { joined: texts.join(''), ends }
}

/** Returns the text at this index. A long text shares the memory of the joined string. */
export const textAt = ({ joined, ends }: JoinedTexts, index: number): string =>
  joined.slice(index === 0 ? 0 : ends[index - 1], ends[index])

/** Many items as columns: cheaper than objects in a message between a worker and the page. */
export interface ThingPart {
  readonly ids: JoinedTexts
  readonly titles: JoinedTexts
  readonly tags: JoinedTexts
  /** The URLs; empty for an item without a URL. */
  readonly urls: JoinedTexts
  /** The searched text of each item, folded. */
  readonly searched: JoinedTexts
  /** Unix time in seconds. */
  readonly dates: Float64Array<ArrayBuffer>
  /** The states of each item, as bits of `flag`. */
  readonly flags: Uint8Array<ArrayBuffer>
}

/** The bits for the states of an item. */
export const flag = { archived: 1, pending: 2, todo: 4, done: 8, note: 16 } as const

type Flagged = Pick<ReplicaThing, 'archived' | 'todoStatus' | 'html' | 'isPending'>

/** Encodes the states of an item as bits of `flag`. */
export const flagsOf = ({ archived, isPending, todoStatus, html }: Flagged): number =>
  (archived ? flag.archived : 0) |
  (isPending ? flag.pending : 0) |
  (todoStatus === undefined ? 0 : flag.todo) |
  (todoStatus === true ? flag.done : 0) |
  (html === undefined ? 0 : flag.note)

/** Returns the searched text of an item, folded: title, tags, URL and the text of the note. */
export const readSearched = ({
  title,
  tags,
  url = '',
  html,
}: Pick<ReplicaThing, 'title' | 'tags' | 'url' | 'html'>): string =>
  foldText(`${title}\n${tags}\n${url}\n${html === undefined ? '' : readNoteText(html)}`)

/** Converts items to columns. */
const createPart = (things: readonly ReplicaThing[]): ThingPart => ({
  ids: joinTexts(things.map(({ id }) => id)),
  titles: joinTexts(things.map(({ title }) => title)),
  tags: joinTexts(things.map(({ tags }) => tags)),
  urls: joinTexts(things.map(({ url = '' }) => url)),
  searched: joinTexts(things.map(readSearched)),
  dates: Float64Array.from(things, ({ date }) => date),
  flags: Uint8Array.from(things, flagsOf),
})

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of Latin-1 is meant
const isNarrow = ({ title, tags, html = '' }: ReplicaThing) => /^[\u0000-\u00ff]*$/u.test(`${title}${tags}${html}`)

/**
 * Converts items to one part, or two: JavaScript engines store a string with one letter beyond Latin-1 in twice the
 * memory.
 */
export const createParts = (things: readonly ReplicaThing[]): readonly ThingPart[] => {
  const narrow = things.filter(isNarrow)
  const wide = things.filter((thing) => !isNarrow(thing))
  return [narrow, wide].filter(({ length }) => length > 0).map(createPart)
}

/** Large enough for few messages, small enough that the page paints between two of them. */
const thingsPerStep = 1_000

/** Reads all items of a replica as parts. */
export async function* readParts(reader: Pick<ReplicaReader, 'listThingParts'>): AsyncGenerator<ThingPart, void> {
  let gathered: ReplicaThing[] = []
  for await (const things of reader.listThingParts()) {
    gathered.push(...things)
    if (gathered.length < thingsPerStep) continue
    yield* createParts(gathered)
    gathered = []
  }
  yield* createParts(gathered)
}

/** A message to the reading worker: first `read` with the name of the store, then `next` for each further part. */
export type ReadRequest = { readonly kind: 'read'; readonly store: string } | { readonly kind: 'next' }

/** A message of the reading worker; `end` or `failure` is the last. */
export type ReadResponse =
  | { readonly kind: 'part'; readonly part: ThingPart }
  | { readonly kind: 'end' }
  | { readonly kind: 'failure'; readonly message: string; readonly code?: ClientErrorCode }

/** The connection to the reading worker. */
interface ReadPort {
  readonly send: (request: ReadRequest) => void
  readonly listen: (listener: (response: ReadResponse) => void) => void
  readonly stop: () => void
}

/** Converts an error to a message, because an error loses its code when a worker sends it. */
export const toFailure = (error: unknown): ReadResponse => {
  const message = error instanceof Error ? error.message : String(error)
  return { kind: 'failure', message, ...(isClientError(error) ? { code: error.code } : {}) }
}

const toError = ({ message, code }: Extract<ReadResponse, { kind: 'failure' }>): Error =>
  code === undefined ? new Error(message) : new ClientError(code, message)

/** The number of parts that the worker prepares while the page processes others. */
const partsAhead = 3

/**
 * Receives the parts of the store of this name through a port, and stops the port at the end.
 * @throws ClientError or Error if the reading fails
 */
export async function* receiveParts({ send, listen, stop }: ReadPort, store: string): AsyncGenerator<ThingPart, void> {
  const arrived: ReadResponse[] = []
  let resume = () => {}
  listen((response) => {
    arrived.push(response)
    resume()
  })
  try {
    send({ kind: 'read', store })
    for (let ahead = 0; ahead < partsAhead; ahead++) send({ kind: 'next' })
    while (true) {
      const response = arrived.shift()
      if (response === undefined) {
        await new Promise<void>((resolve) => {
          resume = resolve
        })
        continue
      }
      if (response.kind === 'failure') throw toError(response)
      if (response.kind === 'end') return
      send({ kind: 'next' })
      yield response.part
    }
  } finally {
    stop()
  }
}

/** An item as lists show it. */
export interface Row {
  /** Identifies the item in the search; unchanged when the item gets its `_id`. */
  readonly number: number
  readonly id: string
  readonly title: string
  readonly tags: readonly string[]
  readonly date: number
  readonly url?: string
  readonly archived: boolean
  readonly todoStatus?: boolean
  readonly hasNote: boolean
  readonly isPending: boolean
}

/** The rows by ID and by number, with the counts of their tags. */
interface Rows {
  readonly put: (thing: ReplicaThing) => Row
  /** Returns the numbers of the items, in the order of the part. */
  readonly putPart: (part: ThingPart) => Uint32Array<ArrayBuffer>
  /** Removes a row and returns its number; undefined for an unknown ID. */
  readonly remove: (id: string) => number | undefined
  /** Replaces the ID of a row; false if the row is unknown or another row has the next ID. */
  readonly rename: (id: string, next: string) => boolean
  /** Also finds a renamed row by its previous ID. */
  readonly findById: (id: string) => Row | undefined
  readonly findByNumber: (number: number) => Row | undefined
  readonly list: () => Iterable<Row>
  readonly count: () => number
  readonly tagCounts: () => ReadonlyMap<string, number>
}

/** Splits space-separated tags (interface 2.1); returns each tag once. */
export const splitTags = (tags: string): readonly string[] => [...new Set(tags.split(' ').filter((tag) => tag !== ''))]

/** Creates an empty table of rows. */
export const createRows = (): Rows => {
  const byNumber: (Row | undefined)[] = []
  const numbers = new Map<string, number>()
  /** The next IDs of renamed rows: a view may still have the previous one. */
  const nextIds = new Map<string, string>()
  const tagCounts = new Map<string, number>()
  // Most items have the same few sets of tags, so sharing the sets saves much memory.
  const tagSets = new Map<string, readonly string[]>()

  const count = (row: Row | undefined, step: 1 | -1) => {
    for (const tag of row?.tags ?? []) {
      const next = (tagCounts.get(tag) ?? 0) + step
      if (next === 0) tagCounts.delete(tag)
      else tagCounts.set(tag, next)
    }
  }
  const readTags = (text: string): readonly string[] => {
    const tags = tagSets.get(text) ?? splitTags(text)
    tagSets.set(text, tags)
    return tags
  }
  const findById = (id: string) => {
    const number = numbers.get(id) ?? numbers.get(nextIds.get(id) ?? id)
    return number === undefined ? undefined : byNumber[number]
  }
  const set = (row: Row): Row => {
    count(byNumber[row.number], -1)
    numbers.set(row.id, row.number)
    byNumber[row.number] = row
    count(row, 1)
    return row
  }
  return {
    put: ({ id, title, tags, date, url, html, archived, todoStatus, isPending }) =>
      set({
        number: numbers.get(id) ?? byNumber.length,
        id,
        title,
        tags: readTags(tags),
        date,
        archived,
        hasNote: html !== undefined,
        isPending,
        ...(url === undefined ? {} : { url }),
        ...(todoStatus === undefined ? {} : { todoStatus }),
      }),
    putPart: ({ ids, titles, tags, urls, dates, flags }) =>
      Uint32Array.from(dates, (date, index) => {
        const id = textAt(ids, index)
        const url = textAt(urls, index)
        const flagged = flags[index] ?? 0
        return set({
          number: numbers.get(id) ?? byNumber.length,
          id,
          title: textAt(titles, index),
          tags: readTags(textAt(tags, index)),
          date,
          archived: (flagged & flag.archived) !== 0,
          hasNote: (flagged & flag.note) !== 0,
          isPending: (flagged & flag.pending) !== 0,
          ...(url === '' ? {} : { url }),
          ...((flagged & flag.todo) === 0 ? {} : { todoStatus: (flagged & flag.done) !== 0 }),
        }).number
      }),
    remove: (id) => {
      const number = numbers.get(id)
      if (number === undefined) return undefined
      count(byNumber[number], -1)
      numbers.delete(id)
      byNumber[number] = undefined
      return number
    },
    rename: (id, next) => {
      const number = numbers.get(id)
      if (number === undefined || numbers.has(next)) return false
      numbers.delete(id)
      numbers.set(next, number)
      nextIds.set(id, next)
      return true
    },
    findById,
    findByNumber: (number) => byNumber[number],
    list: () => byNumber.filter((row) => row !== undefined),
    count: () => numbers.size,
    tagCounts: () => tagCounts,
  }
}
