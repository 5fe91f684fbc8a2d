import { type Fields, FieldWrong, readFields } from './fields.ts'
import { type JsonItem, readJsonItems } from './json-items.ts'
import { type FoundThing, makeThing } from './make-thing.ts'
import type { ReadFormat, ReadItem } from './transfer.ts'
import { readDateText } from './unix-time.ts'

/** What one program's JSON looks like: a list of objects, at the top or under a name. */
export interface JsonList {
  readonly name: string
  /** The name of the list in the outermost object, where the file is not the list itself. */
  readonly listName?: string
  readonly guess: (head: string) => boolean
  readonly readOne: (fields: Fields) => FoundThing
}

/** The format of a program whose files are a list of JSON objects. */
export const makeJsonListFormat = ({ name, listName, guess, readOne }: JsonList): ReadFormat => {
  const toItem = (item: JsonItem): ReadItem | undefined => {
    const { line } = item
    if ('broken' in item) return { kind: 'problem', line, reason: item.broken }
    const { path, key, value } = item.piece
    const isInList = path.length === 0 ? typeof key === 'number' : path[0] === listName
    if (!isInList) return undefined
    try {
      return { kind: 'thing', line, thing: makeThing(readOne(readFields(value, `${listName ?? ''}[${key}]`))) }
    } catch (error) {
      if (error instanceof FieldWrong) return { kind: 'problem', line, reason: error.message }
      throw error
    }
  }
  return {
    name,
    extensions: ['json'],
    keepsRepetitions: false,
    guess,
    read: async function* (chunks) {
      for await (const item of readJsonItems(chunks, (path, key) => path.length === 0 && key === listName)) {
        const found = toItem(item)
        if (found !== undefined) yield found
      }
    },
  }
}

/** An address that must be there. @throws FieldWrong */
export const readUrl = (fields: Fields, name: string): string => fields.text(name) || fields.refuse(name, 'is missing')

/** A time as text (ISO 8601) in Unix seconds. @throws FieldWrong when it is no time */
export const readTime = (fields: Fields, name: string): number | undefined => {
  const text = fields.text(name)
  if (!text) return undefined
  const milliseconds = readDateText(text)
  return Number.isNaN(milliseconds) ? fields.refuse(name, `is no date: ${text.slice(0, 40)}`) : milliseconds / 1000
}
