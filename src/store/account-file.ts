import type { AccountDocument } from './account-document.ts'
import type { TextForm } from './durable-json-file.ts'
import { DamagedFile, decodeSealed, encodeSealed } from './sealed-json.ts'
import { isFlag, isListOf, isNumber, isObjectOf, isOneOf, isOptional, isPosition, isText, type Shape } from './shape.ts'

const format = 'thingsync account'
const version = 1

const isThing = isObjectOf({
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

const isTag = isObjectOf({
  name: isText,
  position: isPosition,
  settings: isObjectOf({
    favorite: isFlag,
    color: (value) => value === false || isText(value),
    todo: isOneOf(false, 'strike', 'dont-strike'),
  }),
})

const isPresent: Shape = (value) => value !== undefined

const isDocumentShape = isObjectOf({
  userId: isText,
  position: isPosition,
  things: isListOf(isThing),
  tombstones: isListOf(isObjectOf({ id: isText, position: isPosition, createdPosition: isPosition })),
  tags: isListOf(isTag),
  records: isListOf(isObjectOf({ kind: isText, group: isText, key: isText, value: isPresent })),
})

const isAccountDocument = (value: unknown): value is AccountDocument & { readonly userId: string } =>
  isDocumentShape(value)

const isAscending = (items: readonly { readonly position: number }[], last: number): boolean =>
  items.every(({ position }, index) => position <= last && position > (items[index - 1]?.position ?? 0))

const hasDistinct = (keys: readonly string[]): boolean => new Set(keys).size === keys.length

/** `accounts/…/<user id>.json`: one account. The id in the file must be the one that was asked for. */
export const accountForm = (userId: string): TextForm<AccountDocument> => ({
  encode: ({ position, things, tombstones, tags, records }) =>
    encodeSealed({ format, version, userId, position }, { things, tombstones, tags, records }),
  decode: (text) => {
    const value: unknown = decodeSealed(text, { format, version })
    if (!isAccountDocument(value)) throw new DamagedFile('a thing, tombstone, tag or record in it is not complete')
    if (value.userId !== userId) throw new DamagedFile(`it is the account of "${value.userId}"`)
    const { position, things, tombstones, tags, records } = value
    if (![things, tombstones, tags].every((items) => isAscending(items, position)))
      throw new DamagedFile('its positions do not ascend')
    if (!hasDistinct([...things, ...tombstones].map(({ id }) => id)) || !hasDistinct(tags.map(({ name }) => name)))
      throw new DamagedFile('it holds an id or a tag twice')
    return { position, things, tombstones, tags, records }
  },
})
