import { inspect } from 'node:util'
import { type Behavior, type Exchange, findParameter, type ListingOf, rightServer } from '../../src/model/behavior.ts'
import {
  type Account,
  ApiError,
  type Json,
  type JsonObject,
  type Listed,
  type Session,
  type Thing,
} from '../../src/model/state.ts'
import {
  type Fault,
  fault,
  firstState,
  fromOf,
  hold,
  postWithout,
  replies,
  responses,
  things,
  visit,
  without,
} from './fault.ts'

/** Faults of full syncs (interface 4.3, rule 1). */
export const fullSyncListingFaults: readonly Fault[] = [
  fault('full-omits-archived', 'leaves archived things out of full syncs', {
    listsThing: (thing, of) => rightServer.listsThing(thing, of) && !(of.full && thing.fields.archived),
  }),
  fault('full-omits-others', 'lists in full only what the same session created', {
    listsThing: (thing, of) => rightServer.listsThing(thing, of) && !(of.full && thing.author !== of.session),
  }),
  fault('full-lists-twice', 'lists each thing twice in full', {
    listed: (list, kind, { full }) => (full && kind === 'changed' ? [...list, ...list] : list),
  }),
  fault(
    'full-first-state',
    'lists things in full as they were created',
    things((json, thing, of) => (of?.full ? firstState(json, thing) : json)),
  ),
  fault('full-keeps-deleted', 'lists deleted things in full as living', {
    listsThing: (thing, of) => rightServer.listsThing(thing, of) || (of.full && !of.own.has(thing.id)),
  }),
  fault('full-from-zero-empty', 'lists nothing when from is 0', {
    listed: (list, _kind, { exchange }) => (fromOf(exchange) === '0' ? [] : list),
  }),
  fault('full-from-omitted-empty', 'lists nothing when from is omitted', {
    listed: (list, _kind, { exchange }) => (fromOf(exchange) === undefined ? [] : list),
  }),
  fault('full-tags-absent', 'lists no tag settings in full', {
    listsTag: (name, tag, of) => rightServer.listsTag(name, tag, of) && !of.full,
  }),
  fault('full-tags-no-favorites', 'leaves plain favorites out of full syncs', {
    listsTag: (name, tag, of) =>
      rightServer.listsTag(name, tag, of) && !(of.full && !tag.settings.color && !tag.settings.todo),
  }),
  fault('full-tags-no-todo', 'leaves todo tags out of full syncs', {
    listsTag: (name, tag, of) =>
      rightServer.listsTag(name, tag, of) && !(of.full && !tag.settings.color && !tag.settings.favorite),
  }),
  fault('full-capped-at-100', 'lists at most 100 things in full', {
    listed: (list, _kind, { full }) => (full ? list.slice(0, 100) : list),
  }),
  fault(
    'full-changed-is-map',
    'lists things as a map by id',
    responses((response) => {
      const { changed, ...rest } = (response.things ?? {}) as { changed?: readonly { _id: string }[] }
      const byId = changed && Object.fromEntries(changed.map((thing) => [thing._id, thing]))
      return byId ? { ...response, things: { ...rest, changed: byId } } : response
    }),
  ),
  fault(
    'full-pos-missing',
    'gives no pos with a full sync',
    responses((response, exchange) => (Number(fromOf(exchange) ?? 0) === 0 ? without(response, 'pos') : response)),
  ),
  fault(
    'full-list-is-array',
    'responds to sync with the bare list of things',
    responses((response) => ((response.things ?? {}) as JsonObject).changed ?? []),
  ),
  fault('sync-get-rejected', 'rejects sync by GET', {
    delay: async ({ path, method }) => {
      if (path === 'sync' && method === 'GET') throw new ApiError('method-wrong', 'use POST')
    },
  }),
  fault('sync-post-rejected', 'rejects sync by POST', {
    delay: async ({ path, method }) => {
      if (path === 'sync' && method === 'POST') throw new ApiError('method-wrong', 'use GET')
    },
  }),
  fault(
    'sync-not-json',
    'responds to sync with something that only looks like JSON',
    replies('sync', 'success', (body) => inspect(body, { depth: 9 })),
  ),
]

/** Whether the request changes the thing. */
function isChangedBy({ parameters }: Exchange, { id }: Thing): boolean {
  return parameters.some(([name, value]) => name.startsWith('changed_thing') && JSON.stringify(value).includes(`${id}`))
}

function withoutLists(response: JsonObject): boolean {
  return response.things === undefined
}

/** Faults of incremental syncs (interface 4.3, rule 2). */
export const incrementalSyncFaults: readonly Fault[] = [
  fault('incremental-lists-all', 'ignores from', { isFull: () => true }),
  fault('incremental-lists-all-and-deleted', 'ignores from, and lists in full syncs what was ever deleted', {
    isFull: () => true,
    listsDeleted: ({ deleted }) => deleted,
  }),
  fault('incremental-lists-twice', 'lists each changed thing twice', {
    listed: (list, kind, { full }) => (!full && kind === 'changed' ? [...list, ...list] : list),
  }),
  fault(
    'incremental-first-state',
    'lists changed things as they were created',
    things((json, thing, of) => (of?.full ? json : firstState(json, thing))),
  ),
  fault('incremental-omits-changed', 'lists only new things after a position', {
    listsThing: (thing, of) => rightServer.listsThing(thing, of) && (of.full || thing.created > of.from),
  }),
  fault('incremental-omits-created', 'lists only old things after a position', {
    listsThing: (thing, of) => rightServer.listsThing(thing, of) && (of.full || thing.created <= of.from),
  }),
  fault('incremental-omits-deleted', 'never lists deletions', { listsDeleted: () => false }),
  fault('incremental-omits-archived', 'never lists archived things after a position', {
    listsThing: (thing, of) => rightServer.listsThing(thing, of) && (of.full || !thing.fields.archived),
  }),
  fault('incremental-own-session-only', 'lists after a position only what the same session created', {
    listsThing: (thing, of) => rightServer.listsThing(thing, of) && (of.full || thing.author === of.session),
  }),
  fault('incremental-repeats-boundary', 'lists the change at the position itself again', {
    listsThing: (thing, of) => rightServer.listsThing(thing, { ...of, from: of.from - 1 }),
    listsDeleted: (thing, of) => rightServer.listsDeleted(thing, { ...of, from: of.from - 1 }),
  }),
  fault('incremental-repeats-last-change', 'lists the thing that changed at the position itself again', {
    listsThing: (thing, of) => rightServer.listsThing(thing, { ...of, from: of.from - 1 }),
  }),
  fault('incremental-repeats-last-deletion', 'lists the deletion at the position itself again', {
    listsDeleted: (thing, of) => rightServer.listsDeleted(thing, { ...of, from: of.from - 1 }),
  }),
  fault('incremental-skips-one', 'skips the first change after the position', {
    since: (from) => (from === 0 ? 0 : from + 1),
  }),
  fault(
    'incremental-empty-things',
    'gives empty things when nothing changed',
    responses((response) => (withoutLists(response) && !response.tags ? { ...response, things: {} } : response)),
  ),
  fault(
    'incremental-empty-thing-count',
    'gives a thingCount of 0 when nothing changed',
    responses((response) => (withoutLists(response) && !response.tags ? { thingCount: 0, ...response } : response)),
  ),
  fault(
    'incremental-empty-tags',
    'gives empty tags when no tag settings changed',
    responses((response, exchange) => ({ ...response, tags: response.tags ?? (fromOf(exchange) ? {} : undefined) })),
  ),
  fault(
    'incremental-tags-alone-things',
    'gives empty things when only tag settings changed',
    responses((response) => (response.tags ? { ...response, things: response.things ?? {} } : response)),
  ),
  fault(
    'incremental-tags-alone-thing-count',
    'counts changed tag settings in thingCount',
    responses((response) =>
      response.tags ? { thingCount: Object.keys(response.tags).length, ...response } : response,
    ),
  ),
  fault('incremental-omits-tags', 'never lists changed tag settings', {
    listsTag: (name, tag, of) => rightServer.listsTag(name, tag, of) && of.full,
  }),
  fault('incremental-repeats-tags', 'lists all tag settings in every incremental sync', { listsTag: () => true }),
  fault('incremental-deleted-also-changed', 'also lists a deleted thing as changed', {
    listsThing: (thing, of) => rightServer.listsThing(thing, of) || rightServer.listsDeleted(thing, of),
  }),
  fault('incremental-deleted-twice', 'lists each deletion twice', {
    listed: (list, kind) => (kind === 'deleted' ? [...list, ...list] : list),
  }),
  fault(
    'incremental-deleted-as-objects',
    'lists deletions as objects',
    responses((response) => {
      const { deleted } = (response.things ?? {}) as { deleted?: readonly Json[] }
      const objects = deleted?.map((id) => ({ _id: id }))
      return objects ? { ...response, things: { ...(response.things as JsonObject), deleted: objects } } : response
    }),
  ),
  fault('incremental-consumed-by-first-reader', 'lists each change for the first reader only', {
    since: (from, _session, { memory, position }) => {
      const notified = Number(memory.get('listed') ?? 0)
      memory.set('listed', position)
      return Math.max(from, notified)
    },
  }),
  fault('incremental-session-cursor', 'remembers what a session has seen and ignores an older from', {
    since: (from, { memory }, { position }) => {
      const notified = Number(memory.get('listed') ?? 0)
      memory.set('listed', position)
      return Math.max(from, notified)
    },
  }),
  fault('incremental-log-keeps-ten', 'lists only the ten latest changes', {
    listsThing: (thing, of) =>
      rightServer.listsThing(thing, of) && (of.full || thing.position > of.account.position - 10),
  }),
  fault('tombstone-forgotten-after-next-write', 'forgets a deletion at the next write', {
    afterWrite: ({ things: all }, _upload, before) => {
      for (const { id, deleted, position } of all.values()) if (deleted && position <= before) all.delete(id)
    },
  }),
  fault('tombstone-told-once', 'forgets a deletion after it listed it once', {
    listsDeleted: (thing, of) => {
      const lists = rightServer.listsDeleted(thing, of) && !of.account.memory.has(`listed ${thing.id}`)
      if (lists) of.account.memory.set(`listed ${thing.id}`, true)
      return lists
    },
  }),
  fault('post-from-ignored', 'ignores from in a POST', postWithout('from')),
  fault('upload-hides-others', 'lists no changes of other clients in the response to an upload', {
    listed: (list, _kind, { own }) => (own.size > 0 ? [] : list),
  }),
  fault('hideown', 'leaves what the request changes out of an incremental sync, also if others changed it since', {
    listsThing: (thing, of) => rightServer.listsThing(thing, of) && (of.full || !isChangedBy(of.exchange, thing)),
  }),
  fault('fullhide', 'leaves what the request changes out of a full sync, also what others made', {
    listsThing: (thing, of) => rightServer.listsThing(thing, of) && !(of.full && isChangedBy(of.exchange, thing)),
  }),
  fault('change-takes-no-position', 'gives changes no position of their own', { moves: ['new', 'deletion', 'tag'] }),
  fault('deletion-takes-no-position', 'gives deletions no position of their own', { moves: ['new', 'change', 'tag'] }),
  fault('tag-takes-no-position', 'gives changed tag settings no position of their own', {
    moves: ['new', 'change', 'deletion'],
  }),
]

function paging(
  cut: <T>(list: readonly T[], skip: number, limit: number | undefined) => readonly T[],
): Partial<Behavior> {
  return { page: cut }
}

function has({ parameters }: Exchange, name: string): boolean {
  return findParameter(parameters, name) !== undefined
}

function listed(
  edit: (list: readonly Listed[], of: ListingOf, kind: 'changed' | 'deleted') => readonly Listed[],
): Partial<Behavior> {
  return { listed: (list, kind, of) => edit(list, of, kind) }
}

function withoutCount(applies: (response: JsonObject, exchange: Exchange) => boolean): Partial<Behavior> {
  return responses((response, exchange) => (applies(response, exchange) ? without(response, 'thingCount') : response))
}

function thingsOf({ things }: JsonObject): { changed?: readonly Json[]; deleted?: readonly Json[] } {
  return (things ?? {}) as object
}

/** Faults at the edges of pages, counts and incremental syncs (interface 4.3, 8). */
export const listingEdgeFaults: readonly Fault[] = [
  fault(
    'limit-one-lists-none',
    'lists nothing for limit=1',
    paging((list, skip, limit) => (limit === 1 ? [] : rightServer.page(list, skip, limit))),
  ),
  fault(
    'limit-of-all-lists-none',
    'lists nothing when limit is all there is',
    paging((list, skip, limit) => (limit === list.length ? [] : rightServer.page(list, skip, limit))),
  ),
  fault(
    'limit-beyond-lists-none',
    'lists nothing when limit is more than there is',
    paging((list, skip, limit) =>
      limit !== undefined && limit > list.length && limit < 20 ? [] : rightServer.page(list, skip, limit),
    ),
  ),
  fault(
    'skip-rounded-to-limit',
    'begins pages at multiples of limit',
    paging((list, skip, limit) =>
      rightServer.page(list, limit === undefined ? skip : Math.round(skip / limit) * limit, limit),
    ),
  ),
  fault(
    'limit-one-repeats',
    'lists the first thing on each page of one',
    paging((list, skip, limit) => rightServer.page(list, limit === 1 ? 0 : skip, limit)),
  ),
  fault(
    'skip-counts-pages',
    'takes skip for the number of a page when it is less than limit',
    paging((list, skip, limit) =>
      rightServer.page(list, limit !== undefined && skip < limit ? skip * limit : skip, limit),
    ),
  ),
  fault('page-cursor-per-account', 'goes on with pages where the account was, for every session', {
    delay: async (exchange) => {
      const { parameters } = exchange
      const limit = Number(findParameter(parameters, 'limit') ?? 0)
      exchange.parameters = parameters.map(
        ([name, value]) => [name, name === 'skip' ? cursor(exchange, Number(value), limit) : value] as const,
      )
    },
  }),
  fault('page-limit-remembered', 'remembers the first limit of a position for all devices', {
    delay: async (exchange) => {
      const { account, parameters } = exchange
      const limit = findParameter(parameters, 'limit')
      if (account === undefined || limit === undefined || !has(exchange, 'skip')) return
      const key = `limit ${fromOf(exchange)}`
      account.memory.set(key, account.memory.get(key) ?? limit)
      exchange.parameters = parameters.map(
        ([name, value]) => [name, name === 'limit' ? account.memory.get(key) : value] as const,
      )
    },
  }),
  fault('page-list-of-last-asker', 'goes on with the pages of the session that asked last', {
    listed: (list, kind, { account, exchange }) => {
      const skip = Number(findParameter(exchange.parameters, 'skip') ?? 0)
      if (skip === 0) account.memory.set(`pages ${kind}`, list)
      return skip === 0 ? list : ((account.memory.get(`pages ${kind}`) as readonly Listed[] | undefined) ?? list)
    },
    keepsPages: false,
  }),
  fault(
    'thing-count-missing-on-later-pages',
    'gives thingCount with the first page only',
    withoutCount(
      (_response, exchange) => Number(findParameter(exchange.parameters, 'skip') ?? 0) > 0 && has(exchange, 'limit'),
    ),
  ),
  fault(
    'thing-count-missing-beyond-end',
    'gives no thingCount beyond the end',
    withoutCount((response) => response.things === undefined),
  ),
  fault(
    'thing-count-of-rest',
    'counts what is left after skip',
    responses((response, { parameters }) =>
      'thingCount' in response
        ? {
            ...response,
            thingCount: Math.max(1, Number(response.thingCount) - Number(findParameter(parameters, 'skip') ?? 0)),
          }
        : response,
    ),
  ),
  fault(
    'pos-missing-on-pages',
    'gives pos with the first page only',
    responses((response, { parameters }) =>
      Number(findParameter(parameters, 'skip') ?? 0) > 0 ? without(response, 'pos') : response,
    ),
  ),
  fault('thing-count-counts-changes', 'counts every change of a thing', {
    afterWrite: ({ memory }, { changed }) =>
      void memory.set('changes', Number(memory.get('changes') ?? 0) + changed.length),
    syncResponse: (response, { account }) =>
      thingsOf(response).changed !== undefined && Number(account?.memory.get('changes') ?? 0) > 0
        ? { ...response, thingCount: Number(response.thingCount) + 1 }
        : response,
  }),
  fault(
    'thing-count-without-archived',
    'does not count archived things',
    responses((response) => {
      const archived = (thingsOf(response).changed ?? []).filter((thing) => (thing as JsonObject).archived).length
      return 'thingCount' in response ? { ...response, thingCount: Number(response.thingCount) - archived } : response
    }),
  ),
  fault(
    'thing-count-of-post-missing',
    'gives no thingCount by POST',
    withoutCount((_response, { method }) => method === 'POST'),
  ),
  fault(
    'thing-count-counts-tags',
    'counts tags in thingCount',
    responses((response) =>
      'thingCount' in response
        ? { ...response, thingCount: Number(response.thingCount) + Object.keys(response.tags ?? {}).length }
        : response,
    ),
  ),
  fault('thing-count-of-new-only', 'counts new things twice', {
    thingCount: (counts) => rightServer.thingCount(counts) + (counts.deleted > 1 && counts.changed > 2 ? 1 : 0),
  }),
  fault(
    'count-lists-deleted-as-changed',
    'lists a deletion beside changes as a change',
    responses((response) => {
      const { changed, deleted, ...rest } = thingsOf(response) as { changed?: Json[]; deleted?: Json[] }
      return changed !== undefined && deleted !== undefined && deleted.length > 1
        ? { ...response, things: { ...rest, changed: [...changed, { _id: deleted[0] }], deleted: deleted.slice(1) } }
        : response
    }),
  ),
  fault(
    'thing-count-missing-for-deletions',
    'gives no thingCount for deletions alone',
    withoutCount((response) => thingsOf(response).changed === undefined),
  ),
  fault(
    'thing-count-missing-for-changes',
    'gives no thingCount for one change',
    withoutCount((response) => thingsOf(response).changed?.length === 1),
  ),
  fault(
    'deletions-alone-without-things',
    'lists deletions only beside changes',
    responses((response) =>
      thingsOf(response).changed === undefined && thingsOf(response).deleted !== undefined
        ? without(response, 'things')
        : response,
    ),
  ),
  fault('incremental-log-keeps-five', 'lists only the five latest changes', {
    listsThing: (thing, of) =>
      rightServer.listsThing(thing, of) && (of.full || thing.position > of.account.position - 5),
  }),
  fault('incremental-of-old-positions-in-full', 'lists everything from positions that are ten changes old', {
    isFull: (from, account) => rightServer.isFull(from, account) || Number(from) < account.position - 10,
  }),
  fault('position-of-change-forgotten', 'lists changes with things that were created after them only', {
    listsThing: (thing, of) =>
      rightServer.listsThing(thing, of) &&
      (of.full || thing.created === thing.position || thing.position <= of.from + 8),
  }),
  fault('deletion-forgotten-after-three', 'remembers two deletions', {
    listsDeleted: (thing, of) =>
      rightServer.listsDeleted(thing, of) &&
      [...of.account.things.values()].filter((other) => other.deleted && other.position > thing.position).length < 2,
  }),
  fault('from-ignored-with-skip-id', 'ignores from beside skip_id', {
    parameters: (all) => (findParameter(all, 'skip_id') === undefined ? all : all.filter(([name]) => name !== 'from')),
  }),
  fault('from-ignored-with-limit', 'ignores from beside a limit', {
    parameters: (all) => (findParameter(all, 'limit') === undefined ? all : all.filter(([name]) => name !== 'from')),
  }),
  fault('upload-response-lists-all', 'responds to an upload with everything', {
    listsThing: (thing, of) =>
      rightServer.listsThing(thing, of) || (of.own.size > 0 && !thing.deleted && !of.own.has(thing.id)),
  }),
  fault(
    'upload-response-lists-nothing',
    'responds to a POST with skip with no changes',
    listed((list, { exchange }) => (exchange.method === 'POST' && has(exchange, 'skip') ? [] : list)),
  ),
]

/** Returns the `skip` at which the account continues, for any session. */
function cursor({ account }: Exchange, skip: number, limit: number): number {
  if (account === undefined || limit === 0) return skip
  const key = 'cursor'
  const next = skip === 0 ? 0 : Number(account.memory.get(key) ?? skip)
  account.memory.set(key, next + limit)
  return next
}

/** The changes of one second. A clock that counts changes works the same on every machine. */
const changesInSecond = 40

/** Returns one position for all changes of one second. */
function secondOf({ memory }: Account): number {
  return 1_000_000 + Math.floor(Number(memory.get('changes') ?? 0) / changesInSecond)
}

function nextSecond(account: Account): number {
  account.memory.set('changes', Number(account.memory.get('changes') ?? 0) + 1)
  account.position = secondOf(account)
  return account.position
}

/** Takes the position first, and makes the work visible later. */
const slowCommit: Behavior['commit'] = async (account, work) => {
  const taken = rightServer.nextPosition(account)
  await hold(account.memory, 'listing')
  work(() => taken)
}

function living({ things }: Account): readonly number[] {
  return [...things.values()].flatMap((thing) => (thing.deleted ? [] : [thing.position]))
}

function offset({ memory }: Session): number {
  if (!memory.has('offset')) memory.set('offset', 1e12 - Math.floor(performance.now() * 1000))
  return Number(memory.get('offset'))
}

/** Faults of `pos` (interface 2.3, 4.3). */
export const positionFaults: readonly Fault[] = [
  fault(
    'pos-missing-on-empty',
    'gives no pos when nothing changed',
    responses((response) => (response.things || response.tags ? response : without(response, 'pos'))),
  ),
  fault(
    'pos-text',
    'gives pos as text',
    responses((response) => ({ ...response, pos: `${response.pos}` })),
  ),
  fault('pos-zero-always', 'gives 0 for pos', { position: () => 0 }),
  fault('pos-from-living-things', 'takes pos from the living things, so that a deletion moves it back', {
    position: (account) => Math.max(0, ...living(account)),
  }),
  fault('pos-thing-count', 'gives the number of things for pos', { position: (account) => living(account).length }),
  fault('pos-ahead', 'gives a pos that the next change will have', {
    position: (account) => account.position + 1,
    isFull: (from) => from === undefined || from === 0,
  }),
  fault('upload-returns-old-pos', 'responds to an upload with the old pos', {
    position: (account, session, of) => (of.own.size > 0 ? of.from : rightServer.position(account, session, of)),
  }),
  fault('pos-second-granularity', 'takes the clock in whole seconds for positions', {
    nextPosition: nextSecond,
    position: secondOf,
  }),
  fault('pos-before-slow-commit', 'takes the position before a slow commit', {
    commit: slowCommit,
    position: (account, session, of) => {
      visit(account.memory, 'listing')
      return rightServer.position(account, session, of)
    },
  }),
  fault('pos-read-after-slow-listing', 'reads pos only after a slow listing', {
    betweenListAndPosition: async ({ memory }) => void (await hold(memory, 'write')),
    afterWrite: ({ memory }) => void visit(memory, 'write'),
  }),
  fault('pos-per-session', 'gives positions that only the same session can use', {
    position: (account, session) => account.position + offset(session),
    since: (from, session) => Math.max(0, from - offset(session)),
    isFull: (from) => from === undefined || from === 0,
  }),
  fault(
    'pos-missing-after-deletion',
    'gives no pos with the response to a deletion',
    responses((response, { body }) =>
      body.some(([name]) => name === 'deleted_thing') ? without(response, 'pos') : response,
    ),
  ),
  fault(
    'pos-of-change-from-the-future',
    'gives with the response to a change the pos of the next one',
    responses((response, { body }) =>
      body.some(([name]) => name === 'changed_thing') ? { ...response, pos: Number(response.pos) + 1 } : response,
    ),
  ),
]
