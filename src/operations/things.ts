import type { Thing, ThingAddition, ThingChange } from '../../generated/types.ts'
import type { Handlers } from '../api/handlers.ts'
import type { Environment } from '../environment.ts'
import type { JsonRun, Store, TagEntry } from '../store/store.ts'
import {
  addThing,
  changeThing,
  countTags,
  deleteThing,
  type ThingResult,
  type ThingToAdd,
} from '../things/edit-things.ts'
import { thingForm } from '../things/thing.ts'
import { forgetNamedUpload } from '../things/upload.ts'
import { type RawJson, rawJson, rawJsonWithComma, renderPieces } from '../wire/render-json.ts'
import { createOwnerSlots } from '../wire/send.ts'

/** thing/add, thing/change and thing/delete (interface 4.1; contract, the other operations). */
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

/** things/get (interface 4.1; contract, the other operations). */
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
 * tags/get (interface 4.1; contract, the other operations). To count ten thousand tags takes many milliseconds, and requests
 * that come together would be worked on in one go: of those of one user, one is in each turn of the event loop.
 */
export const tagsOperations = (store: Store): Pick<Handlers, 'getTags'> => {
  const turns = createOwnerSlots(1)
  return {
    getTags: async ({ parameters: { from }, session }) => {
      await turns.acquire(session.userId)
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
        setImmediate(() => turns.release(session.userId))
      }
    },
  }
}

/** What a store lists, for the answer to hold as it is. Not a generator: each that a large listing passes costs. */
export const renderRuns = (runs: AsyncIterable<JsonRun>): AsyncIterable<RawJson> => ({
  [Symbol.asyncIterator]() {
    const source = runs[Symbol.asyncIterator]()
    let mark = rawJson
    return {
      next: async () => {
        const { value, done } = await source.next()
        if (done === true) return { value: undefined, done: true }
        const run = mark((value as JsonRun).json)
        mark = rawJsonWithComma
        return { value: run, done: false }
      },
      return: async () => {
        await source.return?.()
        return { value: undefined, done: true }
      },
    }
  },
})

/** Tags with their settings as a store lists them, for the answer to hold as one map; undefined without any. */
export const renderTags = (tags: AsyncIterable<readonly TagEntry[]>) => renderPieces(tags)
