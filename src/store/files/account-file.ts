import { type AccountDocument, emptyAccount } from '../account/account-document.ts'
import type { StoredRecord, StoredTag, Tombstone } from '../change.ts'
import type { StoredThing } from '../store.ts'
import type { TextForm } from './durable-json-file.ts'
import { DamagedFile, decodeSealed, sealJson, toJson } from './sealed-json.ts'
import { isFlag, isListOf, isNumber, isObjectOf, isOneOf, isOptional, isPosition, isText, type Shape } from './shape.ts'
import type { Snapshot } from './snapshot.ts'

const format = 'thingsync account'
const version = 1

/** What a thing looks like in a file. */
export const isThing = isObjectOf({
  id: isText,
  title: isText,
  tags: isText,
  date: isNumber,
  url: isOptional(isText),
  html: isOptional(isText),
  archived: isFlag,
  todoStatus: isFlag,
  position: isPosition,
  createdPosition: isPosition,
  writer: isText,
  othersPosition: isPosition,
})

/** What the settings of a tag look like in a file. */
export const isTag = isObjectOf({
  name: isText,
  position: isPosition,
  settings: isObjectOf({
    favorite: isFlag,
    color: (value) => value === false || isText(value),
    todo: isOneOf(false, 'strike', 'dont-strike'),
  }),
})

/** What an errand of an account looks like in a file. */
export const isErrand = isObjectOf({ key: isText, dueAt: isNumber })

const isPresent: Shape = (value) => value !== undefined

/** What a tombstone looks like in a file. */
export const isTombstone = isObjectOf({ id: isText, position: isPosition, createdPosition: isPosition })

/** What a record looks like in a file. */
export const isRecord = isObjectOf({ kind: isText, group: isText, key: isText, value: isPresent })

const isDocumentShape = isObjectOf({
  userId: isText,
  position: isPosition,
  // Data folders without a journal had none.
  write: isOptional(isPosition),
  things: isListOf(isThing),
  tombstones: isListOf(isTombstone),
  tags: isListOf(isTag),
  records: isListOf(isRecord),
})

interface WrittenAccount {
  readonly userId: string
  readonly position: number
  readonly write?: number
  readonly things: readonly StoredThing[]
  readonly tombstones: readonly Tombstone[]
  readonly tags: readonly StoredTag[]
  readonly records: readonly StoredRecord[]
}

const isWrittenAccount = (value: unknown): value is WrittenAccount => isDocumentShape(value)

const isAscending = (items: readonly { readonly position: number }[], last: number): boolean =>
  items.every(({ position }, index) => position <= last && position > (items[index - 1]?.position ?? 0))

const hasDistinct = (keys: readonly string[]): boolean => new Set(keys).size === keys.length

/** The first line of an account's file. */
export const showAccountHead = (userId: string, { position, write }: AccountHead): string =>
  `${JSON.stringify({ format, version, userId, position, write }).slice(0, -1)},`

/** What the first line of an account's file says beside whose it is. */
export interface AccountHead {
  readonly position: number
  readonly write: number
}

/** `accounts/…/<user id>.json`: one account. The id in the file must be the one that was asked for. */
export const accountForm = (userId: string): TextForm<Snapshot<AccountDocument>> => ({
  encode: ({ write, document: { position, things, thingsJson, tombstones, tags, records } }) =>
    // Tags say how things are shown, so whoever reads line by line is to know them first.
    sealJson(
      { format, version, userId, position, write },
      {
        tags: toJson(tags),
        things: thingsJson ?? toJson(things),
        tombstones: toJson(tombstones),
        records: toJson(records),
      },
    ),
  decode: (text) => {
    const value: unknown = decodeSealed(text, { format, version })
    if (!isWrittenAccount(value)) throw new DamagedFile('a thing, tombstone, tag or record in it is not complete')
    if (value.userId !== userId) throw new DamagedFile(`it is the account of "${value.userId}"`)
    const { position, write = 0, things, tombstones, tags, records } = value
    if (![things, tombstones, tags].every((items) => isAscending(items, position)))
      throw new DamagedFile('its positions do not ascend')
    if (!hasDistinct([...things, ...tombstones].map(({ id }) => id)) || !hasDistinct(tags.map(({ name }) => name)))
      throw new DamagedFile('it holds an id or a tag twice')
    return { write, document: { position, things, tombstones, tags, records } }
  },
})

/** An account without a file. */
export const emptyAccountSnapshot: Snapshot<AccountDocument> = { write: 0, document: emptyAccount }
