import { type Behaviour, right } from '../server/behaviour.ts'
import type { ListingOf } from '../server/right-listings.ts'
import type { Exchange } from '../server/right-requests.ts'
import { findParameter } from '../server/right-requests.ts'
import type { Json, JsonObject, Listed } from '../server/world.ts'
import { answers, type Fault, fault, fromOf, without } from './fault.ts'

const { page, thingCount, listsDeleted, listsThing } = right

function paging(
  cut: <T>(list: readonly T[], skip: number, limit: number | undefined) => readonly T[],
): Partial<Behaviour> {
  return { page: cut }
}

function has({ parameters }: Exchange, name: string): boolean {
  return findParameter(parameters, name) !== undefined
}

function listed(
  edit: (list: readonly Listed[], of: ListingOf, kind: 'changed' | 'deleted') => readonly Listed[],
): Partial<Behaviour> {
  return { listed: (list, kind, of) => edit(list, of, kind) }
}

function withoutCount(applies: (answer: JsonObject, exchange: Exchange) => boolean): Partial<Behaviour> {
  return answers((answer, exchange) => (applies(answer, exchange) ? without(answer, 'thingCount') : answer))
}

function thingsOf({ things }: JsonObject): { changed?: readonly Json[]; deleted?: readonly Json[] } {
  return (things ?? {}) as object
}

/** Edges of pages, counts and deltas (interface 4.3, 8). */
export const listingEdgeFaults: readonly Fault[] = [
  fault(
    'limit-one-lists-none',
    'lists nothing for limit=1',
    paging((list, skip, limit) => (limit === 1 ? [] : page(list, skip, limit))),
  ),
  fault(
    'limit-of-all-lists-none',
    'lists nothing when limit is all there is',
    paging((list, skip, limit) => (limit === list.length ? [] : page(list, skip, limit))),
  ),
  fault(
    'limit-beyond-lists-none',
    'lists nothing when limit is more than there is',
    paging((list, skip, limit) =>
      limit !== undefined && limit > list.length && limit < 20 ? [] : page(list, skip, limit),
    ),
  ),
  fault(
    'skip-rounded-to-limit',
    'begins pages at multiples of limit',
    paging((list, skip, limit) => page(list, limit === undefined ? skip : Math.round(skip / limit) * limit, limit)),
  ),
  fault(
    'limit-one-repeats',
    'lists the first thing on each page of one',
    paging((list, skip, limit) => page(list, limit === 1 ? 0 : skip, limit)),
  ),
  fault(
    'skip-counts-pages',
    'takes skip for the number of a page when it is less than limit',
    paging((list, skip, limit) => page(list, limit !== undefined && skip < limit ? skip * limit : skip, limit)),
  ),
  fault('page-cursor-per-account', 'goes on with pages where the account was, whoever asks', {
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
  fault('page-list-of-last-asker', 'goes on with the pages of whoever asked last', {
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
      (_answer, exchange) => Number(findParameter(exchange.parameters, 'skip') ?? 0) > 0 && has(exchange, 'limit'),
    ),
  ),
  fault(
    'thing-count-missing-beyond-end',
    'gives no thingCount beyond the end',
    withoutCount((answer) => answer.things === undefined),
  ),
  fault(
    'thing-count-of-rest',
    'counts what is left after skip',
    answers((answer, { parameters }) =>
      'thingCount' in answer
        ? {
            ...answer,
            thingCount: Math.max(1, Number(answer.thingCount) - Number(findParameter(parameters, 'skip') ?? 0)),
          }
        : answer,
    ),
  ),
  fault(
    'pos-missing-on-pages',
    'gives pos with the first page only',
    answers((answer, { parameters }) =>
      Number(findParameter(parameters, 'skip') ?? 0) > 0 ? without(answer, 'pos') : answer,
    ),
  ),
  fault('thing-count-counts-changes', 'counts every change of a thing', {
    afterWrite: ({ memory }, { changed }) =>
      void memory.set('changes', Number(memory.get('changes') ?? 0) + changed.length),
    syncAnswer: (answer, { account }) =>
      thingsOf(answer).changed !== undefined && Number(account?.memory.get('changes') ?? 0) > 0
        ? { ...answer, thingCount: Number(answer.thingCount) + 1 }
        : answer,
  }),
  fault(
    'thing-count-without-archived',
    'does not count archived things',
    answers((answer) => {
      const archived = (thingsOf(answer).changed ?? []).filter((thing) => (thing as JsonObject).archived).length
      return 'thingCount' in answer ? { ...answer, thingCount: Number(answer.thingCount) - archived } : answer
    }),
  ),
  fault(
    'thing-count-of-post-missing',
    'gives no thingCount by POST',
    withoutCount((_answer, { method }) => method === 'POST'),
  ),
  fault(
    'thing-count-counts-tags',
    'counts tags in thingCount',
    answers((answer) =>
      'thingCount' in answer
        ? { ...answer, thingCount: Number(answer.thingCount) + Object.keys(answer.tags ?? {}).length }
        : answer,
    ),
  ),
  fault('thing-count-of-new-only', 'counts new things twice', {
    thingCount: (counts) => thingCount(counts) + (counts.deleted > 1 && counts.changed > 2 ? 1 : 0),
  }),
  fault(
    'count-lists-deleted-as-changed',
    'lists a deletion beside changes as a change',
    answers((answer) => {
      const { changed, deleted, ...rest } = thingsOf(answer) as { changed?: Json[]; deleted?: Json[] }
      return changed !== undefined && deleted !== undefined && deleted.length > 1
        ? { ...answer, things: { ...rest, changed: [...changed, { _id: deleted[0] }], deleted: deleted.slice(1) } }
        : answer
    }),
  ),
  fault(
    'thing-count-missing-for-deletions',
    'gives no thingCount for deletions alone',
    withoutCount((answer) => thingsOf(answer).changed === undefined),
  ),
  fault(
    'thing-count-missing-for-changes',
    'gives no thingCount for one change',
    withoutCount((answer) => thingsOf(answer).changed?.length === 1),
  ),
  fault(
    'deletions-alone-without-things',
    'lists deletions only beside changes',
    answers((answer) =>
      thingsOf(answer).changed === undefined && thingsOf(answer).deleted !== undefined
        ? without(answer, 'things')
        : answer,
    ),
  ),
  fault('delta-log-keeps-five', 'lists only the five latest changes', {
    listsThing: (thing, of) => listsThing(thing, of) && (of.full || thing.position > of.account.position - 5),
  }),
  fault('delta-of-old-positions-in-full', 'lists everything from positions that are ten changes old', {
    isFull: (from, account) => right.isFull(from, account) || Number(from) < account.position - 10,
  }),
  fault('position-of-change-forgotten', 'lists changes with things that were created after them only', {
    listsThing: (thing, of) =>
      listsThing(thing, of) && (of.full || thing.created === thing.position || thing.position <= of.from + 8),
  }),
  fault('deletion-forgotten-after-three', 'remembers two deletions', {
    listsDeleted: (thing, of) =>
      listsDeleted(thing, of) &&
      [...of.account.things.values()].filter((other) => other.deleted && other.position > thing.position).length < 2,
  }),
  fault('from-ignored-with-skip-id', 'ignores from beside skip_id', {
    parameters: (all) => (findParameter(all, 'skip_id') === undefined ? all : all.filter(([name]) => name !== 'from')),
  }),
  fault('from-ignored-with-limit', 'ignores from beside a limit', {
    parameters: (all) => (findParameter(all, 'limit') === undefined ? all : all.filter(([name]) => name !== 'from')),
  }),
  fault('upload-answer-lists-all', 'answers an upload with everything', {
    listsThing: (thing, of) => listsThing(thing, of) || (of.own.size > 0 && !thing.deleted && !of.own.has(thing.id)),
  }),
  fault(
    'upload-answer-lists-nothing',
    'answers a POST with skip with no changes',
    listed((list, { exchange }) => (exchange.method === 'POST' && has(exchange, 'skip') ? [] : list)),
  ),
]

/** The skip at which the account goes on, whoever asks. */
function cursor({ account }: Exchange, skip: number, limit: number): number {
  if (account === undefined || limit === 0) return skip
  const key = 'cursor'
  const next = skip === 0 ? 0 : Number(account.memory.get(key) ?? skip)
  account.memory.set(key, next + limit)
  return next
}
