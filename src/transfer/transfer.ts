import type { FieldName, FieldValue, OptionalField } from '../thing-table.ts'

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
  readonly keepsRepetitions: boolean
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
