import type { RunningExchange } from './behaviour.ts'
import type { ListingOf as StateListing } from './right-listings.ts'
import type { Reply } from './right-requests.ts'
import { findParameter } from './right-requests.ts'
import type { Upload } from './right-uploads.ts'
import { hasUpload, readIds, readUpload } from './upload.ts'
import { countParameter, readNumber, refuse } from './values.ts'
import type { Json, JsonObject, Listing, Session } from './world.ts'
import { applyUpload, type Written } from './write.ts'

/** What is listed, of a server with its behaviour. */
interface ListingOf extends StateListing {
  readonly exchange: RunningExchange
}

/** Everything that changed, in returned form and in the order of the last change. */
async function makeListing(of: ListingOf, gone: ReadonlySet<string>): Promise<Listing> {
  const { account, exchange, session } = of
  const { behaviour } = exchange.world
  const tags = behaviour.tagsOf(account, exchange.world)
  const things = [...account.things.values()]
  const changed = things
    .filter((thing) => behaviour.listsThing(thing, of))
    .sort(behaviour.order)
    .map((thing) => ({ id: thing.id, json: behaviour.thing(thing, behaviour.isTodo(thing, tags), of) }))
  const deleted = things
    .filter((thing) => behaviour.listsDeleted(thing, of))
    .sort(behaviour.order)
    .map(({ id }) => id)
  const listedTags = [...tags].filter(([name, tag]) => behaviour.listsTag(name, tag, of))
  const settings = new Map(listedTags.map(([name, tag]) => [name, behaviour.tag(tag.settings)]))
  const ids = [...new Set<Json>([...deleted, ...gone])].map((id) => ({ id, json: id }))
  if (behaviour.betweenListAndPosition !== undefined) await behaviour.betweenListAndPosition(account)
  return {
    position: behaviour.position(account, session, of) as number,
    changed: behaviour.listed(changed, 'changed', of),
    deleted: behaviour.listed(ids, 'deleted', of),
    tags: settings,
  }
}

/** The snapshot that a page belongs to: a new one for the first page, the kept one for the others. */
async function findListing(of: ListingOf, written: Written, skip: number, limit: number | undefined): Promise<Listing> {
  const kept = of.exchange.world.behaviour.keepsPages ? of.session.pages.get(of.from) : undefined
  if (skip > 0 && kept !== undefined) return kept
  const listing = await makeListing(of, written.gone)
  if (skip === 0 && limit !== undefined) of.session.pages.set(of.from, listing)
  return listing
}

/** The lists of one page: changed things, then deleted ids. */
function cutPage(
  of: ListingOf,
  listing: Listing,
  skip: number,
  limit: number | undefined,
): { changed: readonly Json[]; deleted: readonly Json[] } {
  const { page, deletedFirst } = of.exchange.world.behaviour
  const changed = listing.changed.map(({ json }) => ({ kind: 'changed' as const, json }))
  const deleted = listing.deleted.map(({ json }) => ({ kind: 'deleted' as const, json }))
  const all = page(deletedFirst ? [...deleted, ...changed] : [...changed, ...deleted], skip, limit)
  const only = (kind: string): readonly Json[] => all.filter((entry) => entry.kind === kind).map(({ json }) => json)
  return { changed: only('changed'), deleted: only('deleted') }
}

function withoutSkipped(of: ListingOf, listing: Listing, skipIds: readonly string[]): Listing {
  const { isSkipped } = of.exchange.world.behaviour
  return {
    ...listing,
    changed: listing.changed.filter(({ id }) => !isSkipped(id, skipIds, 'changed')),
    deleted: listing.deleted.filter(({ id }) => !isSkipped(id, skipIds, 'deleted')),
  }
}

/** Where uploads without a from are noted; only faults look there. */
const withoutFrom = -1

/** Forgets the answers to uploads that the session has seen (contract, sync 7). */
function forgetSeen(
  { world }: RunningExchange,
  { uploads }: Session,
  from: number,
  { changed, deleted }: Upload,
): void {
  const { forgets } = world.behaviour
  for (const earlier of uploads.keys()) if (earlier < from && forgets.includes('from')) uploads.delete(earlier)
  const named = new Set<Json>([...changed.map(({ id }) => id), ...deleted])
  for (const remembered of forgets.includes('id') ? uploads.values() : []) {
    for (const [localId, { id }] of remembered) if (named.has(id)) remembered.delete(localId)
  }
}

/** sync (interface 4.3; contract, sync). */
export async function answerSync(exchange: RunningExchange): Promise<Reply> {
  const { world, account, session } = exchange
  const { behaviour } = world
  if (account === undefined || session === undefined) throw new Error('sync needs a session')
  const given = readNumber(world, findParameter(exchange.parameters, 'from'), 'from')
  const [skip = 0, limit] = [countParameter(exchange, 'skip'), countParameter(exchange, 'limit')]
  const skipIds = readIds(exchange, 'skip_id')
  const isPost = exchange.method === 'POST'
  if (!isPost && hasUpload(exchange)) refuse(world, 'upload-in-get', 'uploads are sent by POST')
  const remembered = behaviour.rememberedUploads(session, given, world)
  const noUpload = { created: [], changed: [], deleted: [], tags: new Map() }
  const upload = isPost || world.behaviour.anyMethod ? readUpload(exchange, remembered) : noUpload

  const full = behaviour.isFull(given, account)
  const from = behaviour.since(full ? 0 : (given ?? 0), session, account)
  const written = await applyUpload(world, account, session, upload, from)
  const key = given ?? withoutFrom
  forgetSeen(exchange, session, key, upload)
  const ids = upload.created.map(({ localId, id, given }) => [String(localId), { id, given }] as const)
  if (ids.length > 0) session.uploads.set(key, new Map([...(session.uploads.get(key) ?? []), ...ids]))

  const { own, ownTags, sharedTags } = written
  const of: ListingOf = { account, session, from, full, own, ownTags, sharedTags, exchange }
  const whole = await findListing(of, written, skip, limit)
  const listing = withoutSkipped(of, whole, skipIds)
  const page = cutPage(of, listing, skip, limit)
  const counts = {
    created: written.newIds.size,
    changed: listing.changed.length,
    deleted: listing.deleted.length,
    page: page.changed.length + page.deleted.length,
    skipped: whole.changed.length + whole.deleted.length - listing.changed.length - listing.deleted.length,
  }
  const thingCount = behaviour.thingCount(counts)
  const tags = new Map([...listing.tags, ...submittedTags(of)])
  const things: JsonObject = {
    ...(written.newIds.size === 0 ? {} : { new: behaviour.newMap(written.newIds) }),
    ...(page.changed.length === 0 ? {} : { changed: page.changed }),
    ...(page.deleted.length === 0 ? {} : { deleted: page.deleted }),
  }
  const answer = {
    pos: listing.position,
    ...(thingCount === 0 ? {} : { thingCount }),
    tags: behaviour.tags(tags),
    things: behaviour.things(things, of),
  }
  return { status: 200, headers: {}, body: behaviour.syncAnswer(answer, exchange) }
}

/** The settings that the request itself changed; a kept page does not hold them. */
function submittedTags({ account, exchange, ownTags }: ListingOf): readonly (readonly [string, Json])[] {
  const { behaviour } = exchange.world
  const tags = behaviour.tagsOf(account, exchange.world)
  return [...ownTags].flatMap((name) => {
    const tag = behaviour.answersOwnTags ? tags.get(name) : undefined
    return tag === undefined ? [] : [[name, behaviour.tag(tag.settings)] as const]
  })
}
