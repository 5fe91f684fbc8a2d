/*
 * Import and export: readers and writers of file formats (JSON, bookmarks, CSV, Markdown, exports of other programs).
 * They work on streams of text and hold one item at a time. They know no store, no account, no files and no HTTP; the
 * server, the command line and the web app share them. `limits.ts` bounds their work, so that no file can stall them.
 * This file defines the formats; start with `formats.ts`, the table of all formats.
 */
import { type FieldName, type FieldValue, type OptionalField, optionalFields } from '../thing-table.ts'

/** Settings of a tag (interface 2.2). */
export interface TransferTagSettings {
  readonly favorite: boolean
  readonly color: string | false
  readonly todo: 'strike' | 'dont-strike' | false
}

/** An imported or exported thing, with the fields of the interface (2.1) that files of programs can have. */
export type TransferThing = { readonly [Name in OptionalField]?: FieldValue<Name> } & {
  readonly [Name in Exclude<FieldName, OptionalField | 'date' | 'todoStatus'>]: FieldValue<Name>
} & {
  /** The id of the exported thing: in our JSON, and in our other formats if the thing has no URL. */
  readonly id?: string
  /** Unix time of creation in seconds; absent if the file has none. */
  readonly date?: number
  /** Present if the thing is a to-do: true if it is done. The settings of one of its tags then make it a to-do. */
  readonly todoStatus?: boolean
}

/** An item that a reader finds, in the order of the file. `line` is counted from 1. */
export type ReadItem =
  | { readonly kind: 'thing'; readonly line: number; readonly thing: TransferThing }
  /** Settings of a tag, before the first thing that needs them. Existing settings of an account stay. */
  | { readonly kind: 'tag'; readonly line: number; readonly name: string; readonly settings: TransferTagSettings }
  /** Something that could not be read. The reason is a sentence for the user, and names the field. */
  | { readonly kind: 'problem'; readonly line: number; readonly reason: string }
  /** What the previous thing has lost, as a sentence for the user. */
  | { readonly kind: 'remark'; readonly line: number; readonly reason: string }

/** Text in chunks, cut anywhere; may begin with a byte order mark. */
export type TextChunks = AsyncIterable<string>

/** A format that can be read. A reader holds one item at a time and throws only what `chunks` throws. */
export interface ReadFormat {
  /** The value of the option `--format`. */
  readonly name: string
  /** File name extensions without the dot; the first is the usual one. */
  readonly extensions: readonly string[]
  /** True if things with the same URL are different things. Otherwise the second one is a repetition. */
  readonly allowsDuplicates: boolean
  /** Guesses from a file's first few thousand characters and its name if it has this format. */
  readonly guess: (head: string, fileName: string) => boolean
  readonly read: (chunks: TextChunks) => AsyncGenerator<ReadItem, void, undefined>
}

/** The content of an export: a complete account, or a part of it. */
export interface TransferContent {
  /** Settings of tags that differ from the defaults. */
  readonly tags: ReadonlyMap<string, TransferTagSettings>
  readonly things: AsyncIterable<TransferThing>
}

/** A format that can be written, in chunks of text. */
export interface WriteFormat {
  readonly name: string
  readonly extension: string
  readonly mediaType: string
  readonly write: (content: TransferContent) => AsyncGenerator<string, void, undefined>
}

/** The values that a reader found for a thing. Undefined, null and `''` mean that the field is not set. */
export type FoundThing = { readonly [Name in FieldName]?: FieldValue<Name> | null | undefined } & {
  readonly id?: string | undefined
}

/** Creates a thing from the found values. Removes the characters that no thing can have (contract, sync 11). */
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

/**
 * Joins names of tags to the text of a thing. White space inside a name, which other programs allow, becomes a hyphen.
 */
export const joinTags = (names: Iterable<string>): string => {
  const tags = new Set<string>()
  for (const name of names) {
    const tag = name.trim().replace(/\s+/gu, '-')
    if (tag !== '') tags.add(tag)
  }
  return [...tags].join(' ')
}

/** Splits the text of a thing's tags. Returns each tag once, in order. */
export const splitTags = (tags: string): string[] => [...new Set(tags.split(' '))].filter((tag) => tag !== '')

/** The tag for items that another program marks as "to read" or "unread". */
export const toreadTag = 'toread'

/** Converts the items of a reader to the content of a writer. @throws Error if there is a problem or a remark */
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
  throw new Error(item.kind === 'tag' ? 'a tag came after the things' : `line ${item.line}: ${item.reason}`)
}
