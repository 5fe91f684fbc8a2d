import { createRandom } from '../../src/random.ts'
import { type Behaviour, right } from '../server/behaviour.ts'
import { findParameter } from '../server/right-requests.ts'
import type { Json, Session } from '../server/world.ts'
import { type Fault, postWithout } from './fault.ts'

const { page } = right

const random = createRandom('shuffled pages')

function shuffled<T>(list: readonly T[]): readonly T[] {
  return list
    .map((value) => ({ value, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ value }) => value)
}

function paging(
  cut: <T>(list: readonly T[], skip: number, limit: number | undefined) => readonly T[],
): Partial<Behaviour> {
  return { page: cut }
}

function plus(limit: number | undefined, more: number): number | undefined {
  return limit === undefined ? undefined : limit + more
}

/** What a session was given by pages is never listed to it again, though it changes. */
function givenByPages(): Partial<Behaviour> {
  const given = new WeakMap<Session, Set<Json>>()
  return {
    listed: (list, kind, { session, exchange }) => {
      const known = given.get(session) ?? new Set()
      if (kind === 'deleted') return list
      if (findParameter(exchange.parameters, 'limit') === undefined) return list.filter(({ id }) => !known.has(id))
      given.set(session, new Set([...known, ...list.map(({ id }) => id)]))
      return list
    },
  }
}

/** Faults of skip and limit (interface 4.3, 8). */
export const pagingFaults: readonly Fault[] = [
  { id: 'skip-ignored', title: 'ignores skip', behaviour: paging((list, _skip, limit) => page(list, 0, limit)) },
  { id: 'limit-ignored', title: 'ignores limit', behaviour: paging((list, skip) => page(list, skip, undefined)) },
  {
    id: 'limit-one-more',
    title: 'lists one more than limit',
    behaviour: paging((list, skip, limit) => page(list, skip, plus(limit, 1))),
  },
  {
    id: 'skip-one-less',
    title: 'skips one less than skip',
    behaviour: paging((list, skip, limit) => page(list, Math.max(0, skip - 1), limit)),
  },
  {
    id: 'limit-before-skip',
    title: 'limits before it skips',
    behaviour: paging((list, skip, limit) => list.slice(0, limit).slice(skip)),
  },
  {
    id: 'skip-beyond-starts-again',
    title: 'starts again when skip is beyond the end',
    behaviour: paging((list, skip, limit) => page(list, skip < list.length ? skip : 0, limit)),
  },
  {
    id: 'skip-beyond-last-page',
    title: 'gives the last page again when skip is beyond the end',
    behaviour: paging((list, skip, limit) =>
      page(list, skip >= list.length && limit !== undefined ? Math.max(0, list.length - limit) : skip, limit),
    ),
  },
  {
    id: 'page-pos-ahead',
    title: 'counts each further page as a position',
    behaviour: {
      keepsPages: false,
      position: (account, _session, { exchange }) =>
        account.position + (Number(findParameter(exchange.parameters, 'skip') ?? 0) > 0 ? 1 : 0),
    },
  },
  {
    id: 'last-page-pos-ahead',
    title: 'gives the next position with the last page',
    behaviour: {
      keepsPages: false,
      position: (account, _session, { exchange }) =>
        account.position + (Number(findParameter(exchange.parameters, 'skip') ?? 0) > 3 ? 1 : 0),
    },
  },
  {
    id: 'paged-things-not-again',
    title: 'lists no thing again to a session that was given it by pages',
    behaviour: givenByPages(),
  },
  {
    id: 'page-order-random',
    title: 'puts each page in another order',
    behaviour: paging((list, skip, limit) => page(limit === undefined ? list : shuffled(list), skip, limit)),
  },
  {
    id: 'page-size-capped',
    title: 'lists at most ten on a page',
    behaviour: paging((list, skip, limit) => page(list, skip, limit && Math.min(limit, 10))),
  },
  {
    id: 'page-last-missing',
    title: 'lists nothing on a last page that is not full',
    behaviour: paging((list, skip, limit = 0) =>
      skip > 0 && list.length - skip < limit ? [] : page(list, skip, limit || undefined),
    ),
  },
  {
    id: 'thing-count-of-page',
    title: 'counts only the page in thingCount',
    behaviour: { thingCount: ({ created, page: count }) => created + count },
  },
  {
    id: 'paged-deleted-lost',
    title: 'lists no deletions in pages',
    behaviour: {
      listed: (list, kind, { exchange }) =>
        kind === 'deleted' && findParameter(exchange.parameters, 'limit') !== undefined ? [] : list,
    },
  },
  { id: 'post-skip-ignored', title: 'ignores skip in a POST', behaviour: postWithout('skip') },
  { id: 'post-limit-ignored', title: 'ignores limit in a POST', behaviour: postWithout('limit') },
]
