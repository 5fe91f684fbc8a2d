import type { Thing, ThingAddition, ThingChange } from '../../generated/types.ts'
import type { Handlers } from '../api/handlers.ts'
import { ApiError } from '../api-error.ts'
import type { Environment } from '../environment.ts'
import type { PreviewLink } from '../preview/link-previews.ts'
import type { JsonRun, Store, TagEntry } from '../store/store.ts'
import {
  addThing,
  changeThing,
  countTags,
  deleteThing,
  type ThingResult,
  type ThingToAdd,
  thingForm,
} from '../things/thing.ts'
import { forgetNamedUpload } from '../things/upload.ts'
import { type RawJson, rawJson, rawJsonWithComma, renderPieces } from '../wire/render-json.ts'
import { createOwnerSlots } from '../wire/send.ts'

/** Creates the operations thing/add, thing/change and thing/delete (interface 4.1; contract, the other operations). */
export const thingOperations = (
  store: Store,
  environment: Environment,
): Pick<Handlers, 'addThing' | 'changeThing' | 'deleteThing'> => ({
  addThing: async ({ parameters, session }) => {
    const toAdd = toThingToAdd(parameters)
    const added = await store.write(session.userId, session.id, (draft) => addThing(draft, toAdd, environment))
    return { status: 200, body: { ...showThing(added), ...(added.isDuplicate ? { duplicate: true } : {}) } }
  },
  changeThing: async ({ parameters, session }) => {
    const { _id: id, ...fields }: ThingChange = parameters
    const changed = await store.write(session.userId, session.id, async (draft) => {
      await forgetNamedUpload(draft, session.id, id)
      return changeThing(draft, id, fields)
    })
    return { status: 200, body: showThing(changed) }
  },
  deleteThing: async ({ parameters: { _id: id }, session }) => {
    await store.write(session.userId, session.id, async (draft) => {
      await forgetNamedUpload(draft, session.id, id)
      await deleteThing(draft, id)
    })
    return { status: 200, body: { deleted_thing: id } }
  },
})

const toThingToAdd = ({ prevent_duplicate: preventDuplicate, ...fields }: ThingAddition): ThingToAdd => ({
  ...fields,
  preventDuplicate: preventDuplicate ?? false,
})

const showThing = ({ thing, isTodo }: ThingResult): Thing => JSON.parse(thingForm.showThing(thing, isTodo))

/** Creates the operation things/get (interface 4.1; contract, the other operations). */
export const thingsOperations = (store: Store): Pick<Handlers, 'getThings'> => ({
  getThings: async ({ parameters: { archived, tag, skip, limit }, session }) => {
    const view = await store.read(session.userId, session)
    const listing = await view.list({
      after: 0,
      ...(archived === 'include' ? {} : { archived: /^(true|1)$/i.test(archived ?? 'false') }),
      ...(tag === undefined ? {} : { tag }),
      ...(skip === undefined ? {} : { skip }),
      ...(limit === undefined ? {} : { limit }),
    })
    return { status: 200, body: renderRuns(listing.changed()) }
  },
})

/**
 * Creates the operation tags/get (interface 4.1; contract, the other operations). Counting ten thousand tags takes many
 * milliseconds, and simultaneous requests would run without a break. Therefore each turn of the event loop runs one
 * request of a user.
 */
export const tagsOperations = (store: Store): Pick<Handlers, 'getTags'> => {
  const slots = createOwnerSlots(1)
  return {
    getTags: async ({ parameters: { from }, session }) => {
      await slots.acquire(session.userId)
      try {
        const view = await store.read(session.userId, session)
        const { favorite, other } = await countTags(view, from)
        const body = {
          pos: view.position,
          favorite: (await renderPieces(favorite())) ?? {},
          other: (await renderPieces(other())) ?? {},
        }
        return { status: 200, body }
      } finally {
        setImmediate(() => slots.release(session.userId))
      }
    },
  }
}

/** Renders the listing of a store unchanged. Not a generator: each generator slows a large listing down. */
export const renderRuns = (runs: AsyncIterable<JsonRun>): AsyncIterable<RawJson> => ({
  [Symbol.asyncIterator]() {
    const source = runs[Symbol.asyncIterator]()
    let markRaw = rawJson
    return {
      next: async () => {
        const { value, done } = await source.next()
        if (done === true) return { value: undefined, done: true }
        const run = markRaw((value as JsonRun).json)
        markRaw = rawJsonWithComma
        return { value: run, done: false }
      },
      return: async () => {
        await source.return?.()
        return { value: undefined, done: true }
      },
    }
  },
})

/** Renders a store's tags and their settings as a map; undefined without tags. */
export const renderTags = (tags: AsyncIterable<readonly TagEntry[]>) => renderPieces(tags)

/**
 * Creates the operation link/preview (contract, the other operations), which stores nothing. `loadPreviews` is undefined
 * on a server without link previews.
 */
export const linkOperations = (
  loadPreviews: (() => Promise<PreviewLink>) | undefined,
): Pick<Handlers, 'previewLink'> => ({
  previewLink: async ({ parameters: { url }, session }) => {
    if (loadPreviews === undefined) throw new ApiError('previewOff')
    const previewLink = await loadPreviews()
    const { title, description, canonicalUrl, siteName } = await previewLink(session.userId, url)
    const body = {
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(canonicalUrl !== undefined && { canonical_url: canonicalUrl }),
      ...(siteName !== undefined && { site_name: siteName }),
    }
    return { status: 200, body }
  },
})
