import type { Environment } from '../environment.ts'
import type { TagSettings, Thing } from '../store/model.ts'
import type { Draft } from '../store/store.ts'
import { pickOptionalFields } from '../thing-table.ts'
import { splitTags } from './thing.ts'
import { defaultTagSettings } from './upload.ts'

/** A thing from a file of an import. */
export interface ThingToImport extends Omit<Thing, 'id' | 'date' | 'todoStatus'> {
  /** The id that it has in the file. */
  readonly id?: string
  readonly date?: number
  /** Present when it is a todo. */
  readonly todoStatus?: boolean
}

/** An item of a file of an import. */
export type ItemToImport =
  | { readonly kind: 'thing'; readonly thing: ThingToImport }
  | { readonly kind: 'tag'; readonly name: string; readonly settings: TagSettings }

/** The options of `importItems`. */
export interface ImportOptions {
  /** A tag for all imported things. */
  readonly tag?: string | undefined
  /** True counts only, and changes nothing. */
  readonly isDryRun: boolean
  /** True treats things of the file with the same URL as different things. */
  readonly allowsDuplicates: boolean
  /** The account's position when this file was first imported. Things after it may come from the file. */
  readonly firstImportPosition: number
  /** Derives an id from a text: equal ids for equal texts only. */
  readonly nameId: (text: string) => string
  readonly environment: Environment
}

/** The result of importing items. */
export interface ImportCounts {
  readonly added: number
  readonly alreadyThere: number
}

/** The tag for a todo that has no tag of todos. */
const todoTag = 'todo'

/**
 * Adds the items that the account does not have. An existing thing has the same id or the same URL. A thing without a
 * URL is recognized by its title and date, or without a date by its title and note, even when it was edited here. Thus
 * a file can be imported again, whole or after an interrupted import. Existing things and tag settings are not changed.
 */
export const importItems = async (
  draft: Draft,
  items: readonly ItemToImport[],
  options: ImportOptions,
): Promise<ImportCounts> => {
  const things = items.flatMap((item) => (item.kind === 'thing' ? [item.thing] : []))
  // Searches all before it adds the first, because a search of things that the same write added is linear.
  const isNew = await findNew(draft, things, options)
  const added = things.filter((_, index) => isNew[index])
  if (!options.isDryRun) {
    for (const item of items) if (item.kind === 'tag') await putMissingTag(draft, item.name, item.settings)
    for (const thing of added) await putThing(draft, thing, options)
  }
  return { added: added.length, alreadyThere: things.length - added.length }
}

const findNew = async (draft: Draft, things: readonly ThingToImport[], options: ImportOptions): Promise<boolean[]> => {
  const seen = new Set<string>()
  const isNew: boolean[] = []
  for (const thing of things) {
    const id = findId(thing, options)
    const key = id === undefined || (thing.url && !options.allowsDuplicates) ? `url ${thing.url}` : `id ${id}`
    isNew.push(!seen.has(key) && !(await hasThing(draft, thing, id, options)))
    seen.add(key)
  }
  return isNew
}

const hasThing = async (draft: Draft, { url }: ThingToImport, id: string | undefined, options: ImportOptions) => {
  if (id !== undefined && (await draft.findThing(id)) !== undefined) return true
  const sameUrl = url ? await draft.findThingByUrl(url) : undefined
  if (sameUrl === undefined) return false
  return !options.allowsDuplicates || id === undefined || sameUrl.createdPosition <= options.firstImportPosition
}

/** Finds the id that identifies a thing; undefined when only its URL does. */
const findId = ({ id, url, title, date, html }: ThingToImport, { nameId }: ImportOptions): string | undefined => {
  if (id !== undefined) return /^[0-9A-Za-z]{1,64}$/u.test(id) ? id : nameId(JSON.stringify(['id', id]))
  if (url) return undefined
  return nameId(JSON.stringify(date === undefined ? ['note', title, html] : ['dated', title, date]))
}

const putThing = async (draft: Draft, given: ThingToImport, options: ImportOptions): Promise<void> => {
  const { environment } = options
  const { title, date, archived } = given
  await draft.putThing({
    id: findId(given, options) ?? environment.newId(),
    title,
    tags: await findTags(draft, given, options.tag),
    date: date ?? Math.floor(environment.now() / 1000),
    ...pickOptionalFields(given),
    archived,
    todoStatus: given.todoStatus ?? false,
  } satisfies Thing)
}

const findTags = async (
  draft: Draft,
  { tags, todoStatus }: ThingToImport,
  tag: string | undefined,
): Promise<string> => {
  const names = splitTags(tags)
  const missing = tag === undefined || names.includes(tag) ? [] : [tag]
  if (todoStatus !== undefined && !(await isTodo(draft, [...names, ...missing]))) {
    if (!names.includes(todoTag)) missing.push(todoTag)
    const settings = (await draft.findTag(todoTag)) ?? defaultTagSettings
    await draft.putTag(todoTag, { ...settings, todo: 'strike' })
  }
  if (missing.length === 0) return tags
  return tags === '' ? missing.join(' ') : `${tags} ${missing.join(' ')}`
}

const isTodo = async (draft: Draft, names: readonly string[]): Promise<boolean> => {
  for (const name of names) if (((await draft.findTag(name)) ?? defaultTagSettings).todo !== false) return true
  return false
}

const putMissingTag = async (draft: Draft, name: string, settings: TagSettings): Promise<void> => {
  if ((await draft.findTag(name)) === undefined) await draft.putTag(name, settings)
}
