import { type FieldName, type FieldValue, optionalFields } from '../thing-table.ts'
import type { TransferThing } from './transfer.ts'

/** What a reader knows of a thing; what is undefined, null or `''` is not set. */
export type FoundThing = { readonly [Name in FieldName]?: FieldValue<Name> | null | undefined } & {
  readonly id?: string | undefined
}

/** The thing that was found, without the characters that no thing can keep (contract, sync 11). */
export const makeThing = (found: FoundThing): TransferThing => ({
  ...(found.id ? { id: found.id } : {}),
  title: toKeepable(found.title ?? ''),
  tags: toKeepable(found.tags ?? ''),
  ...(found.date == null ? {} : { date: found.date }),
  ...pickKeepable(found),
  archived: found.archived ?? false,
  ...(found.todoStatus == null ? {} : { todoStatus: found.todoStatus }),
})

const pickKeepable = (found: FoundThing): object =>
  Object.fromEntries(
    optionalFields.flatMap((name) => {
      const value: unknown = found[name]
      if (value === undefined || value === null || value === '') return []
      return [[name, typeof value === 'string' ? toKeepable(value) : value]]
    }),
  )

const toKeepable = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '') : text).toWellFormed()
