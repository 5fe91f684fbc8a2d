import { parseUrl } from '../parse-url.ts'
import type { Thing } from '../store/model.ts'
import type { Draft } from '../store/store.ts'
import type { World } from '../world.ts'
import { blankThing, mergeFields, type ThingFields } from './thing-fields.ts'

/** What thing/add is given (contract, the other operations). */
export interface ThingToAdd extends ThingFields {
  readonly title: string
  /** True: a thing with the same url is answered instead of a second one. */
  readonly preventDuplicate?: boolean
}

/** A thing as an operation answers it, and whether it shows its `todoStatus`. */
export interface AnsweredThing {
  readonly thing: Thing
  readonly isTodo: boolean
}

const isWebAddress = (title: string): boolean => /^https?:\/\/\S+$/i.test(title) && parseUrl(title) !== undefined

/** Adds a thing; a title that is an absolute http(s) address becomes its url when it has none. */
export const addThing = async (
  draft: Draft,
  { preventDuplicate = false, ...fields }: ThingToAdd,
  world: World,
): Promise<AnsweredThing & { readonly isDuplicate: boolean }> => {
  const url = fields.url || (isWebAddress(fields.title) ? fields.title : undefined)
  const existing = preventDuplicate && url ? await draft.findThingByUrl(url) : undefined
  if (existing) return { thing: existing, isTodo: await draft.isTodo(existing), isDuplicate: true }

  const blank = blankThing(world.newId(), world.now())
  const thing = mergeFields(blank, url ? { ...fields, url } : fields)
  await draft.putThing(thing)
  return { thing, isTodo: await draft.isTodo(thing), isDuplicate: false }
}
