import {
  ClientError,
  type ClientErrorCode,
  isClientError,
  type ReplicaReader,
  type ReplicaThing,
} from '../../client/src/index.ts'
import { foldText, readNoteText } from '../search/query.ts'

/** Many texts as one, which a browser clones and keeps at the cost of one. */
interface JoinedTexts {
  readonly joined: string
  /** Where each text ends. */
  readonly ends: Uint32Array<ArrayBuffer>
}

/** Joins texts. */
const joinTexts = (texts: readonly string[]): JoinedTexts => {
  const ends = new Uint32Array(texts.length)
  let end = 0
  for (const [place, text] of texts.entries()) {
    end += text.length
    ends[place] = end
  }
  return { joined: texts.join(''), ends }
}

/** The text at this place; longer ones are views of all of them. */
export const textAt = ({ joined, ends }: JoinedTexts, place: number): string =>
  joined.slice(place === 0 ? 0 : ends[place - 1], ends[place])

/** Many things as columns: a message between a worker and the page costs a tenth of what the things would. */
export interface ThingPart {
  readonly ids: JoinedTexts
  readonly titles: JoinedTexts
  readonly tags: JoinedTexts
  /** Empty where a thing has none. */
  readonly urls: JoinedTexts
  /** What is searched, folded. */
  readonly searched: JoinedTexts
  readonly dates: Float64Array<ArrayBuffer>
  readonly flags: Uint8Array<ArrayBuffer>
}

/** Bits of the states of a thing. */
export const flag = { archived: 1, pending: 2, todo: 4, done: 8, note: 16 } as const

type Flagged = Pick<ReplicaThing, 'archived' | 'todoStatus' | 'html' | 'isPending'>

/** The states of a thing as bits. */
export const flagsOf = ({ archived, isPending, todoStatus, html }: Flagged): number =>
  (archived ? flag.archived : 0) |
  (isPending ? flag.pending : 0) |
  (todoStatus === undefined ? 0 : flag.todo) |
  (todoStatus === true ? flag.done : 0) |
  (html === undefined ? 0 : flag.note)

/** What of a thing is searched. */
export const readSearched = ({
  title,
  tags,
  url = '',
  html,
}: Pick<ReplicaThing, 'title' | 'tags' | 'url' | 'html'>): string =>
  foldText(`${title}\n${tags}\n${url}\n${html === undefined ? '' : readNoteText(html)}`)

/** The columns of these things. */
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

/** The same things in one part, or in two: one letter beyond Latin-1 doubles what the engine takes for a whole text. */
export const createParts = (things: readonly ReplicaThing[]): readonly ThingPart[] => {
  const narrow = things.filter(isNarrow)
  const wide = things.filter((thing) => !isNarrow(thing))
  return [narrow, wide].filter(({ length }) => length > 0).map(createPart)
}

/** Few messages, and a page that draws between two of them. */
const thingsPerStep = 1_000

/** Everything that a replica shows. */
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

/** What a reading worker is told: first the name of the store, and then that one more part may be sent. */
export type ReadRequest = { readonly kind: 'read'; readonly store: string } | { readonly kind: 'next' }

/** What it answers; after `end` and `failure` there is nothing more. */
export type ReadResponse =
  | { readonly kind: 'part'; readonly part: ThingPart }
  | { readonly kind: 'end' }
  | { readonly kind: 'failure'; readonly message: string; readonly code?: ClientErrorCode }

/** Where a reading runs: a worker in a browser. */
interface ReadPort {
  readonly send: (asked: ReadRequest) => void
  readonly listen: (listener: (told: ReadResponse) => void) => void
  readonly stop: () => void
}

/** An error loses its code on its way out of a worker. */
export const toFailure = (error: unknown): ReadResponse => {
  const message = error instanceof Error ? error.message : String(error)
  return { kind: 'failure', message, ...(isClientError(error) ? { code: error.code } : {}) }
}

const toError = ({ message, code }: Extract<ReadResponse, { kind: 'failure' }>): Error =>
  code === undefined ? new Error(message) : new ClientError(code, message)

/** Parts that are made while others are taken in. */
const partsAhead = 3

/** The parts that come through a port. */
export async function* receiveParts({ send, listen, stop }: ReadPort, store: string): AsyncGenerator<ThingPart, void> {
  const arrived: ReadResponse[] = []
  let wake = () => {}
  listen((told) => {
    arrived.push(told)
    wake()
  })
  try {
    send({ kind: 'read', store })
    for (let ahead = 0; ahead < partsAhead; ahead++) send({ kind: 'next' })
    while (true) {
      const told = arrived.shift()
      if (told === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        continue
      }
      if (told.kind === 'failure') throw toError(told)
      if (told.kind === 'end') return
      send({ kind: 'next' })
      yield told.part
    }
  } finally {
    stop()
  }
}

/** What a list shows of a thing. */
export interface Row {
  /** Names the thing in the search, and stays the same when it gets its `_id`. */
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

/** Rows by id and number, with the counts of their tags. */
interface Rows {
  readonly put: (thing: ReplicaThing) => Row
  /** Gives the numbers of the things, in their order. */
  readonly putPart: (part: ThingPart) => Uint32Array<ArrayBuffer>
  /** Gives the number that is free now. */
  readonly remove: (id: string) => number | undefined
  /** Says that the thing with this id is known by another one now; false when that one is a row of its own. */
  readonly rename: (id: string, next: string) => boolean
  readonly findById: (id: string) => Row | undefined
  readonly findByNumber: (number: number) => Row | undefined
  readonly list: () => Iterable<Row>
  readonly count: () => number
  readonly tagCounts: () => ReadonlyMap<string, number>
}

/** The tags in a text of tags (interface 2.1). */
export const splitTags = (tags: string): readonly string[] => [...new Set(tags.split(' ').filter((tag) => tag !== ''))]

/** No rows yet. */
export const createRows = (): Rows => {
  const byNumber: (Row | undefined)[] = []
  const numbers = new Map<string, number>()
  const tagCounts = new Map<string, number>()
  // Most things carry the same few sets of tags; one copy of each saves a third of the memory.
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
    const number = numbers.get(id)
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
      Uint32Array.from(dates, (date, place) => {
        const id = textAt(ids, place)
        const url = textAt(urls, place)
        const flagged = flags[place] ?? 0
        return set({
          number: numbers.get(id) ?? byNumber.length,
          id,
          title: textAt(titles, place),
          tags: readTags(textAt(tags, place)),
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
      return true
    },
    findById,
    findByNumber: (number) => byNumber[number],
    list: () => byNumber.filter((row) => row !== undefined),
    count: () => numbers.size,
    tagCounts: () => tagCounts,
  }
}
