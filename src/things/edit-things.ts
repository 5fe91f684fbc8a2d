import { ApiError } from '../api-error.ts'
import type { Environment } from '../environment.ts'
import { parseUrl } from '../parse-url.ts'
import type { Thing } from '../store/model.ts'
import type { Draft, TagCounts, View } from '../store/store.ts'
import { createBlankThing, mergeFields, type ThingFields } from './thing.ts'

/** The parameters of thing/add (contract, the other operations). */
export interface ThingToAdd extends ThingFields {
  readonly title: string
  /** True returns an existing thing with the same url instead of a second one. */
  readonly preventDuplicate?: boolean
}

/** A thing in the result of an operation, and whether it shows its `todoStatus`. */
export interface ThingResult {
  readonly thing: Thing
  readonly isTodo: boolean
}

const isWebUrl = (title: string): boolean => /^https?:\/\/\S+$/i.test(title) && parseUrl(title) !== undefined

/** Adds a thing. A title that is an absolute http(s) URL becomes the url of a thing without one. */
export const addThing = async (
  draft: Draft,
  { preventDuplicate = false, ...fields }: ThingToAdd,
  environment: Environment,
): Promise<ThingResult & { readonly isDuplicate: boolean }> => {
  const url = fields.url || (isWebUrl(fields.title) ? fields.title : undefined)
  const existing = preventDuplicate && url ? await draft.findThingByUrl(url) : undefined
  if (existing) return { thing: existing, isTodo: await draft.isTodo(existing), isDuplicate: true }

  const blank = createBlankThing(environment.newId(), environment.now())
  const thing = mergeFields(blank, url ? { ...fields, url } : fields)
  await draft.putThing(thing)
  return { thing, isTodo: await draft.isTodo(thing), isDuplicate: false }
}

/**
 * Changes the fields that are given; unlike in a sync upload an absent `archived` stays as it is (contract, the other
 * operations).
 * @throws ApiError `thingUnknown`
 */
export const changeThing = async (draft: Draft, id: string, fields: ThingFields): Promise<ThingResult> => {
  const thing = await draft.findThing(id)
  if (thing === undefined) throw new ApiError('thingUnknown')
  const changed = mergeFields(thing, fields)
  await draft.putThing(changed)
  return { thing: changed, isTodo: await draft.isTodo(changed) }
}

/**
 * Deletes a thing permanently (contract, the other operations).
 * @throws ApiError `thingUnknown`, also the second time
 */
export const deleteThing = async (draft: Draft, id: string): Promise<void> => {
  if (!(await draft.deleteThing(id))) throw new ApiError('thingUnknown')
}

const noTagCounts: TagCounts = {
  async *favorite() {},
  async *other() {},
}

/**
 * Counts the things of each tag, archived ones included (tags/get: contract, the other operations). It returns no
 * counts when `from` is the account's position, because then nothing has changed.
 */
export const countTags = async (view: View, from?: number): Promise<TagCounts> =>
  from === view.position ? noTagCounts : view.countTags()
