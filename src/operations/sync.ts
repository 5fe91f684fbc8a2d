import type { SyncRequest, SyncResponse, TagSettingsChange, ThingCreate, ThingUpdate } from '../../generated/types.ts'
import type { Call, Handlers } from '../api/handlers.ts'
import type { Environment } from '../environment.ts'
import type { Listener } from '../live/listeners.ts'
import type { Live } from '../live/live.ts'
import type { Session } from '../store/registry/registry.ts'
import { type Listing, type Store, StoreError, type View } from '../store/store.ts'
import { type Changes, type ChangesQuery, listChanges } from '../things/list-changes.ts'
import type { ChangedThing, NewThing, Upload } from '../things/upload.ts'
import { applyUpload, forgetConfirmedUploads, hasConfirmedUploads } from '../things/upload.ts'
import type { Streamable } from '../wire/render-json.ts'
import { renderMap } from '../wire/render-json.ts'
import { renderRuns, renderTags } from './things.ts'

/**
 * Creates sync by GET and POST (interface 4.3), with long polling and server-sent events (contract, delivery: live).
 */
export const syncOperations = (
  store: Store,
  environment: Environment,
  live: Live,
): Pick<Handlers, 'getSync' | 'postSync' | 'streamEvents'> => ({
  getSync: async (call) => {
    const { parameters, session } = call
    const { from = 0, skip = 0, wait } = parameters
    // A later page belongs to a listing that has begun, so it does not wait.
    const waits = wait !== undefined && skip === 0
    if (waits) await live.waitForChange(toListener(call), from, wait)
    return { status: 200, body: await listOnly(store, toQuery(parameters, session), waits ? undefined : session) }
  },
  postSync: async ({ parameters, session }) => {
    const query = toQuery(parameters, session)
    if (!hasUpload(parameters)) return { status: 200, body: await listOnly(store, query, session) }
    const upload = toUpload(parameters)
    const outcome = await store.write(session.userId, session.id, (draft) =>
      applyUpload(draft, upload, session.id, environment),
    )
    return { status: 200, body: await showChanges(await listChanges(store, query, outcome)) }
  },
  streamEvents: async (call) => ({ status: 200, events: await live.openEvents(toListener(call)) }),
})

const toListener = ({ session, accessToken = '', presence }: Call<'getSync' | 'streamEvents'>): Listener => ({
  session,
  accessToken,
  presence,
})

/** Lists changes without an upload. `found` is the session, unless it was read before a long wait. */
const listOnly = async (store: Store, query: ChangesQuery, found?: Session): Promise<Streamable<SyncResponse>> => {
  const view = await store.read(query.userId, found)
  await forgetConfirmed(store, query, view)
  return showChanges(await listChanges(store, query, undefined, view))
}

/** Forgets confirmed uploads: a session that sends a later `from` has received the responses to its earlier uploads. */
const forgetConfirmed = async (
  store: Store,
  { userId, session, from = 0 }: ChangesQuery,
  view: View,
): Promise<void> => {
  if (from === 0 || !(await hasConfirmedUploads(view, session, from))) return
  try {
    await store.write(userId, session, async (draft) => void (await forgetConfirmedUploads(draft, session, from)))
  } catch (error) {
    // Reading must work on a full disk. The next `from` of the session tries again.
    if (!(error instanceof StoreError)) throw error
  }
}

const toQuery = ({ from, skip, limit, skip_id }: SyncRequest, session: Session): ChangesQuery => ({
  userId: session.userId,
  session: session.id,
  from: from ?? undefined,
  skip: skip ?? undefined,
  limit: limit ?? undefined,
  skipIds: skip_id ?? undefined,
})

const toUpload = (request: SyncRequest): Upload => ({
  newThings: mapEach(request.new_thing ?? [], toNewThing),
  changedThings: mapEach(request.changed_thing ?? [], toChangedThing),
  deletedThings: request.deleted_thing ?? [],
  tags: new Map<string, TagSettingsChange>(Object.entries(request.tag ?? {})),
  ...(request.from == null ? {} : { from: request.from }),
})

const toNewThing = (fields: ThingCreate): NewThing => ({ localId: fields.local_id, fields })

const toChangedThing = (fields: ThingUpdate): ChangedThing => ({ id: fields._id, fields })

const hasUpload = ({ new_thing, changed_thing, deleted_thing, tag }: SyncRequest): boolean =>
  [new_thing, changed_thing, deleted_thing, Object.keys(tag ?? {})].some((part) => (part?.length ?? 0) > 0)

/** Maps items lazily, because an upload may have very many. */
const mapEach = <From, To>(items: readonly From[], map: (item: From) => To): Iterable<To> => ({
  [Symbol.iterator]: () => mapItems(items, map),
})

function* mapItems<From, To>(items: readonly From[], map: (item: From) => To): Generator<To> {
  for (const item of items) yield map(item)
}

/** Renders the response of sync; empty parts are absent (interface 4.3, response). */
const showChanges = async (changes: Changes): Promise<Streamable<SyncResponse>> => {
  const { position, thingCount, assigned, listing, missingIds } = changes
  const tags = await renderTags(changes.tags)
  if (thingCount === 0 && tags === undefined) return { pos: position }
  const hasDeleted = listing.pageDeletedCount + missingIds.length > 0
  const things = {
    ...(assigned.size > 0 ? { new: renderMap(assigned) } : {}),
    ...(listing.pageChangedCount > 0 ? { changed: renderRuns(listing.changed()) } : {}),
    ...(hasDeleted ? { deleted: joinDeleted(listing, missingIds) } : {}),
  }
  return {
    pos: position,
    ...(thingCount > 0 ? { thingCount } : {}),
    ...(tags === undefined ? {} : { tags }),
    ...(Object.keys(things).length > 0 ? { things } : {}),
  }
}

async function* joinDeleted(listing: Listing, missingIds: readonly string[]): AsyncGenerator<string> {
  yield* listing.deleted()
  yield* missingIds
}
