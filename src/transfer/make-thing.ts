import type { TransferThing } from './transfer.ts'

/** What a reader knows of a thing; what is undefined, null or `''` is not set. */
export interface FoundThing {
  readonly id?: string | undefined
  readonly title?: string | null | undefined
  readonly tags?: string | undefined
  readonly date?: number | undefined
  readonly url?: string | null | undefined
  readonly html?: string | undefined
  readonly archived?: boolean | undefined
  readonly todoStatus?: boolean | undefined
}

/** The thing that was found, without the characters that no thing can keep (contract, sync 11). */
export const makeThing = (found: FoundThing): TransferThing => ({
  ...(found.id ? { id: found.id } : {}),
  title: toKeepable(found.title ?? ''),
  tags: toKeepable(found.tags ?? ''),
  ...(found.date === undefined ? {} : { date: found.date }),
  ...(found.url ? { url: toKeepable(found.url) } : {}),
  ...(found.html ? { html: toKeepable(found.html) } : {}),
  archived: found.archived ?? false,
  ...(found.todoStatus === undefined ? {} : { todoStatus: found.todoStatus }),
})

const toKeepable = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '') : text).toWellFormed()
