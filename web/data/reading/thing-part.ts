import type { ReplicaThing } from '../../../client/src/index.ts'
import { foldText, readNoteText } from '../fold-text.ts'
import { type JoinedTexts, joinTexts } from './joined-texts.ts'

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
export const createPart = (things: readonly ReplicaThing[]): ThingPart => ({
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
