import type { Environment } from '../environment.ts'
import type { TagSettings, Thing } from '../store/model.ts'
import type { Draft } from '../store/store.ts'
import { pickOptionalFields } from '../thing-table.ts'
import { splitTags } from './thing.ts'
import { defaultTagSettings } from './upload.ts'

/** A thing that comes from a file. */
export interface ThingToImport extends Omit<Thing, 'id' | 'date' | 'todoStatus'> {
  /** The id that it had where it comes from. */
  readonly id?: string
  readonly date?: number
  /** Present when it is a todo. */
  readonly todoStatus?: boolean
}

/** What one file of an import holds, in its order. */
export type ItemToImport =
  | { readonly kind: 'thing'; readonly thing: ThingToImport }
  | { readonly kind: 'tag'; readonly name: string; readonly settings: TagSettings }

/** How an import is done. */
export interface ImportOptions {
  /** A tag that everything is given. */
  readonly tag?: string | undefined
  /** Says what would happen; nothing is changed. */
  readonly isDryRun: boolean
  /** Several things with one address in the file are different things. */
  readonly allowsDuplicates: boolean
  /** The account's position when this file was first imported: what is younger may have come from it. */
  readonly firstImportPosition: number
  /** An id for a text: always the same, and of no other text. */
  readonly nameId: (text: string) => string
  readonly environment: Environment
}

/** What became of some items. */
export interface ImportCounts {
  readonly added: number
  readonly alreadyThere: number
}

/** The tag that a todo is given which has none that makes it one. */
const todoTag = 'todo'

/**
 * Adds what is not there yet. There is what has the same id, or the same address; what has no address is known again by
 * its title and date, or without a date by its title and note, also when it was edited here. So a file can be imported
 * again, whole or after an import that was cut off. Nothing that is there is changed, settings of tags neither.
 */
export const importItems = async (
  draft: Draft,
  items: readonly ItemToImport[],
  rules: ImportOptions,
): Promise<ImportCounts> => {
  const things = items.flatMap((item) => (item.kind === 'thing' ? [item.thing] : []))
  // All are looked for before the first is added: what a write has added is looked through one by one.
  const isNew = await findNew(draft, things, rules)
  const added = things.filter((_, index) => isNew[index])
  if (!rules.isDryRun) {
    for (const item of items) if (item.kind === 'tag') await putMissingTag(draft, item.name, item.settings)
    for (const thing of added) await putThing(draft, thing, rules)
  }
  return { added: added.length, alreadyThere: things.length - added.length }
}

const findNew = async (draft: Draft, things: readonly ThingToImport[], rules: ImportOptions): Promise<boolean[]> => {
  const seen = new Set<string>()
  const isNew: boolean[] = []
  for (const thing of things) {
    const id = findId(thing, rules)
    const key = id === undefined || (thing.url && !rules.allowsDuplicates) ? `url ${thing.url}` : `id ${id}`
    isNew.push(!seen.has(key) && !(await isThere(draft, thing, id, rules)))
    seen.add(key)
  }
  return isNew
}

const isThere = async (draft: Draft, { url }: ThingToImport, id: string | undefined, rules: ImportOptions) => {
  if (id !== undefined && (await draft.findThing(id)) !== undefined) return true
  const alike = url ? await draft.findThingByUrl(url) : undefined
  if (alike === undefined) return false
  return !rules.allowsDuplicates || id === undefined || alike.createdPosition <= rules.firstImportPosition
}

/** What it is known by beside its address; undefined when that is all. */
const findId = ({ id, url, title, date, html }: ThingToImport, { nameId }: ImportOptions): string | undefined => {
  if (id !== undefined) return /^[0-9A-Za-z]{1,64}$/u.test(id) ? id : nameId(JSON.stringify(['id', id]))
  if (url) return undefined
  return nameId(JSON.stringify(date === undefined ? ['note', title, html] : ['dated', title, date]))
}

const putThing = async (draft: Draft, given: ThingToImport, rules: ImportOptions): Promise<void> => {
  const { environment } = rules
  const { title, date, archived } = given
  await draft.putThing({
    id: findId(given, rules) ?? environment.newId(),
    title,
    tags: await findTags(draft, given, rules.tag),
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
