import { type Behaviour, right } from '../server/behaviour.ts'
import type { ListingOf } from '../server/right-listings.ts'
import type { Exchange } from '../server/right-requests.ts'
import { findParameter } from '../server/right-requests.ts'
import type { Json, JsonObject, Listed } from '../server/world.ts'
import { answers, type Fault, fromOf, without } from './fault.ts'

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
  {
    id: 'limit-one-lists-none',
    title: 'lists nothing for limit=1',
    behaviour: paging((list, skip, limit) => (limit === 1 ? [] : page(list, skip, limit))),
  },
  {
    id: 'limit-of-all-lists-none',
    title: 'lists nothing when limit is all there is',
    behaviour: paging((list, skip, limit) => (limit === list.length ? [] : page(list, skip, limit))),
  },
  {
    id: 'limit-beyond-lists-none',
    title: 'lists nothing when limit is more than there is',
    behaviour: paging((list, skip, limit) =>
      limit !== undefined && limit > list.length && limit < 20 ? [] : page(list, skip, limit),
    ),
  },
  {
    id: 'skip-rounded-to-limit',
    title: 'begins pages at multiples of limit',
    behaviour: paging((list, skip, limit) =>
      page(list, limit === undefined ? skip : Math.round(skip / limit) * limit, limit),
    ),
  },
  {
    id: 'limit-one-repeats',
    title: 'lists the first thing on each page of one',
    behaviour: paging((list, skip, limit) => page(list, limit === 1 ? 0 : skip, limit)),
  },
  {
    id: 'skip-counts-pages',
    title: 'takes skip for the number of a page when it is less than limit',
    behaviour: paging((list, skip, limit) =>
      page(list, limit !== undefined && skip < limit ? skip * limit : skip, limit),
    ),
  },
  {
    id: 'page-cursor-per-account',
    title: 'goes on with pages where the account was, whoever asks',
    behaviour: {
      delay: async (exchange) => {
        const { parameters } = exchange
        const limit = Number(findParameter(parameters, 'limit') ?? 0)
        exchange.parameters = parameters.map(
          ([name, value]) => [name, name === 'skip' ? cursor(exchange, Number(value), limit) : value] as const,
        )
      },
    },
  },
  {
    id: 'page-limit-remembered',
    title: 'remembers the first limit of a position for all devices',
    behaviour: {
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
    },
  },
  {
    id: 'page-list-of-last-asker',
    title: 'goes on with the pages of whoever asked last',
    behaviour: {
      listed: (list, kind, { account, exchange }) => {
        const skip = Number(findParameter(exchange.parameters, 'skip') ?? 0)
        if (skip === 0) account.memory.set(`pages ${kind}`, list)
        return skip === 0 ? list : ((account.memory.get(`pages ${kind}`) as readonly Listed[] | undefined) ?? list)
      },
      keepsPages: false,
    },
  },
  {
    id: 'thing-count-missing-on-later-pages',
    title: 'gives thingCount with the first page only',
    behaviour: withoutCount(
      (_answer, exchange) => Number(findParameter(exchange.parameters, 'skip') ?? 0) > 0 && has(exchange, 'limit'),
    ),
  },
  {
    id: 'thing-count-missing-beyond-end',
    title: 'gives no thingCount beyond the end',
    behaviour: withoutCount((answer) => answer.things === undefined),
  },
  {
    id: 'thing-count-of-rest',
    title: 'counts what is left after skip',
    behaviour: answers((answer, { parameters }) =>
      'thingCount' in answer
        ? {
            ...answer,
            thingCount: Math.max(1, Number(answer.thingCount) - Number(findParameter(parameters, 'skip') ?? 0)),
          }
        : answer,
    ),
  },
  {
    id: 'pos-missing-on-pages',
    title: 'gives pos with the first page only',
    behaviour: answers((answer, { parameters }) =>
      Number(findParameter(parameters, 'skip') ?? 0) > 0 ? without(answer, 'pos') : answer,
    ),
  },
  {
    id: 'thing-count-counts-changes',
    title: 'counts every change of a thing',
    behaviour: {
      afterWrite: ({ memory }, { changed }) =>
        void memory.set('changes', Number(memory.get('changes') ?? 0) + changed.length),
      syncAnswer: (answer, { account }) =>
        thingsOf(answer).changed !== undefined && Number(account?.memory.get('changes') ?? 0) > 0
          ? { ...answer, thingCount: Number(answer.thingCount) + 1 }
          : answer,
    },
  },
  {
    id: 'thing-count-without-archived',
    title: 'does not count archived things',
    behaviour: answers((answer) => {
      const archived = (thingsOf(answer).changed ?? []).filter((thing) => (thing as JsonObject).archived).length
      return 'thingCount' in answer ? { ...answer, thingCount: Number(answer.thingCount) - archived } : answer
    }),
  },
  {
    id: 'thing-count-of-post-missing',
    title: 'gives no thingCount by POST',
    behaviour: withoutCount((_answer, { method }) => method === 'POST'),
  },
  {
    id: 'thing-count-counts-tags',
    title: 'counts tags in thingCount',
    behaviour: answers((answer) =>
      'thingCount' in answer
        ? { ...answer, thingCount: Number(answer.thingCount) + Object.keys(answer.tags ?? {}).length }
        : answer,
    ),
  },
  {
    id: 'thing-count-of-new-only',
    title: 'counts new things twice',
    behaviour: { thingCount: (counts) => thingCount(counts) + (counts.deleted > 1 && counts.changed > 2 ? 1 : 0) },
  },
  {
    id: 'count-lists-deleted-as-changed',
    title: 'lists a deletion beside changes as a change',
    behaviour: answers((answer) => {
      const { changed, deleted, ...rest } = thingsOf(answer) as { changed?: Json[]; deleted?: Json[] }
      return changed !== undefined && deleted !== undefined && deleted.length > 1
        ? { ...answer, things: { ...rest, changed: [...changed, { _id: deleted[0] }], deleted: deleted.slice(1) } }
        : answer
    }),
  },
  {
    id: 'thing-count-missing-for-deletions',
    title: 'gives no thingCount for deletions alone',
    behaviour: withoutCount((answer) => thingsOf(answer).changed === undefined),
  },
  {
    id: 'thing-count-missing-for-changes',
    title: 'gives no thingCount for one change',
    behaviour: withoutCount((answer) => thingsOf(answer).changed?.length === 1),
  },
  {
    id: 'deletions-alone-without-things',
    title: 'lists deletions only beside changes',
    behaviour: answers((answer) =>
      thingsOf(answer).changed === undefined && thingsOf(answer).deleted !== undefined
        ? without(answer, 'things')
        : answer,
    ),
  },
  {
    id: 'delta-log-keeps-five',
    title: 'lists only the five latest changes',
    behaviour: {
      listsThing: (thing, of) => listsThing(thing, of) && (of.full || thing.position > of.account.position - 5),
    },
  },
  {
    id: 'delta-of-old-positions-in-full',
    title: 'lists everything from positions that are ten changes old',
    behaviour: { isFull: (from, account) => right.isFull(from, account) || Number(from) < account.position - 10 },
  },
  {
    id: 'position-of-change-forgotten',
    title: 'lists changes with things that were created after them only',
    behaviour: {
      listsThing: (thing, of) =>
        listsThing(thing, of) && (of.full || thing.created === thing.position || thing.position <= of.from + 8),
    },
  },
  {
    id: 'deletion-forgotten-after-three',
    title: 'remembers two deletions',
    behaviour: {
      listsDeleted: (thing, of) =>
        listsDeleted(thing, of) &&
        [...of.account.things.values()].filter((other) => other.deleted && other.position > thing.position).length < 2,
    },
  },
  {
    id: 'from-ignored-with-skip-id',
    title: 'ignores from beside skip_id',
    behaviour: {
      parameters: (all) =>
        findParameter(all, 'skip_id') === undefined ? all : all.filter(([name]) => name !== 'from'),
    },
  },
  {
    id: 'from-ignored-with-limit',
    title: 'ignores from beside a limit',
    behaviour: {
      parameters: (all) => (findParameter(all, 'limit') === undefined ? all : all.filter(([name]) => name !== 'from')),
    },
  },
  {
    id: 'upload-answer-lists-all',
    title: 'answers an upload with everything',
    behaviour: {
      listsThing: (thing, of) => listsThing(thing, of) || (of.own.size > 0 && !thing.deleted && !of.own.has(thing.id)),
    },
  },
  {
    id: 'upload-answer-lists-nothing',
    title: 'answers a POST with skip with no changes',
    behaviour: listed((list, { exchange }) => (exchange.method === 'POST' && has(exchange, 'skip') ? [] : list)),
  },
]

/** The skip at which the account goes on, whoever asks. */
function cursor({ account }: Exchange, skip: number, limit: number): number {
  if (account === undefined || limit === 0) return skip
  const key = 'cursor'
  const next = skip === 0 ? 0 : Number(account.memory.get(key) ?? skip)
  account.memory.set(key, next + limit)
  return next
}
