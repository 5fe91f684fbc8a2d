import { type FieldName, type FieldValue, type OptionalField, optionalFields } from '../thing-table.ts'

/** Settings of a tag (interface 2.2). */
export interface TransferTagSettings {
  readonly favorite: boolean
  readonly color: string | false
  readonly todo: 'strike' | 'dont-strike' | false
}

/** A thing on its way in or out, in the interface's words (2.1); what no program can say of a thing is not here. */
export type TransferThing = { readonly [Name in OptionalField]?: FieldValue<Name> } & {
  readonly [Name in Exclude<FieldName, OptionalField | 'date' | 'todoStatus'>]: FieldValue<Name>
} & {
  /** The id that it had in a thingsync: in our JSON, and in our other formats where it has no address. */
  readonly id?: string
  /** Unix time of creation in seconds; absent when the file does not say. */
  readonly date?: number
  /** Present when it is a todo: whether it is done. It then has a tag whose settings say so. */
  readonly todoStatus?: boolean
}

/** What a reader finds, in the order of the file. `line` is counted from 1; where a file is one line, all are in it. */
export type ReadItem =
  | { readonly kind: 'thing'; readonly line: number; readonly thing: TransferThing }
  /** Settings of a tag, before the first thing that needs them; what an account has set already stays. */
  | { readonly kind: 'tag'; readonly line: number; readonly name: string; readonly settings: TransferTagSettings }
  /** Something that could not be read, and why, as a sentence for the person whose file it is; it names the field. */
  | { readonly kind: 'problem'; readonly line: number; readonly reason: string }
  /** What a thing that was read has lost, as a sentence for the same person. */
  | { readonly kind: 'remark'; readonly line: number; readonly reason: string }

/** Text in pieces, cut anywhere, the byte order mark not yet removed. */
export type TextChunks = AsyncIterable<string>

/** A format that can be read. Readers hold one item at a time and throw only what `chunks` throws. */
export interface ReadFormat {
  /** The name of the option `--format`. */
  readonly name: string
  /** How its files end, without the dot; the first is the usual one. */
  readonly extensions: readonly string[]
  /** True when several things with one address are different things; otherwise the second is a repetition. */
  readonly allowsDuplicates: boolean
  /** Whether a file looks like this format, from its first characters (a few thousand) and its name. */
  readonly guess: (head: string, fileName: string) => boolean
  readonly read: (chunks: TextChunks) => AsyncGenerator<ReadItem, void, undefined>
}

/** What is written: everything of an account, or a part of it. */
export interface TransferContent {
  /** Settings of tags that are not as if never set. */
  readonly tags: ReadonlyMap<string, TransferTagSettings>
  readonly things: AsyncIterable<TransferThing>
}

/** A format that can be written, in pieces of text. */
export interface WriteFormat {
  readonly name: string
  readonly extension: string
  readonly mediaType: string
  readonly write: (content: TransferContent) => AsyncGenerator<string, void, undefined>
}

/** What a reader knows of a thing; what is undefined, null or `''` is not set. */
export type FoundThing = { readonly [Name in FieldName]?: FieldValue<Name> | null | undefined } & {
  readonly id?: string | undefined
}

/** The thing that was found, without the characters that no thing can keep (contract, sync 11). */
export const createTransferThing = (found: FoundThing): TransferThing => ({
  ...(found.id ? { id: found.id } : {}),
  title: toStorable(found.title ?? ''),
  tags: toStorable(found.tags ?? ''),
  ...(found.date == null ? {} : { date: found.date }),
  ...pickStorable(found),
  archived: found.archived ?? false,
  ...(found.todoStatus == null ? {} : { todoStatus: found.todoStatus }),
})

const pickStorable = (found: FoundThing): object =>
  Object.fromEntries(
    optionalFields.flatMap((name) => {
      const value: unknown = found[name]
      if (value === undefined || value === null || value === '') return []
      return [[name, typeof value === 'string' ? toStorable(value) : value]]
    }),
  )

const toStorable = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '') : text).toWellFormed()

/** Names of tags as the text that a thing has: what other programs allow inside a name, blanks, becomes a hyphen. */
export const joinTags = (names: Iterable<string>): string => {
  const tags = new Set<string>()
  for (const name of names) {
    const tag = name.trim().replace(/\s+/gu, '-')
    if (tag !== '') tags.add(tag)
  }
  return [...tags].join(' ')
}

/** The tags of a text of tags, each once, in their order. */
export const splitTags = (tags: string): string[] => [...new Set(tags.split(' '))].filter((tag) => tag !== '')

/** The tag of what another program keeps as "to read" or "unread". */
export const toreadTag = 'toread'

/** What a reader of a file without problems gives, as a writer takes it. @throws Error when there is a problem */
export const gatherContent = async (items: AsyncGenerator<ReadItem, void, undefined>): Promise<TransferContent> => {
  const tags = new Map<string, TransferTagSettings>()
  let next = await items.next()
  while (!next.done && next.value.kind === 'tag') {
    tags.set(next.value.name, next.value.settings)
    next = await items.next()
  }
  return { tags, things: listThings(next.done ? undefined : next.value, items) }
}

async function* listThings(
  first: ReadItem | undefined,
  rest: AsyncGenerator<ReadItem, void, undefined>,
): AsyncGenerator<TransferThing, void, undefined> {
  if (first !== undefined) yield thingOf(first)
  for await (const item of rest) yield thingOf(item)
}

const thingOf = (item: ReadItem): TransferThing => {
  if (item.kind === 'thing') return item.thing
  throw new Error(item.kind === 'tag' ? 'a tag came behind the things' : `line ${item.line}: ${item.reason}`)
}
