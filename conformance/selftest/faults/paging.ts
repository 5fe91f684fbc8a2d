import { createRandom } from '../../src/random.ts'
import { type Behaviour, right } from '../server/behaviour.ts'
import { findParameter } from '../server/right-requests.ts'
import type { Json, Session } from '../server/world.ts'
import { type Fault, fault, makeFaults, postWithout } from './fault.ts'

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
  ...makeFaults(
    paging,
    ['skip-ignored', 'ignores skip', (list, _skip, limit) => page(list, 0, limit)],
    ['limit-ignored', 'ignores limit', (list, skip) => page(list, skip, undefined)],
    ['limit-one-more', 'lists one more than limit', (list, skip, limit) => page(list, skip, plus(limit, 1))],
    ['skip-one-less', 'skips one less than skip', (list, skip, limit) => page(list, Math.max(0, skip - 1), limit)],
    ['limit-before-skip', 'limits before it skips', (list, skip, limit) => list.slice(0, limit).slice(skip)],
    [
      'skip-beyond-starts-again',
      'starts again when skip is beyond the end',
      (list, skip, limit) => page(list, skip < list.length ? skip : 0, limit),
    ],
    [
      'skip-beyond-last-page',
      'gives the last page again when skip is beyond the end',
      (list, skip, limit) =>
        page(list, skip >= list.length && limit !== undefined ? Math.max(0, list.length - limit) : skip, limit),
    ],
  ),
  fault('page-pos-ahead', 'counts each further page as a position', {
    keepsPages: false,
    position: (account, _session, { exchange }) =>
      account.position + (Number(findParameter(exchange.parameters, 'skip') ?? 0) > 0 ? 1 : 0),
  }),
  fault('last-page-pos-ahead', 'gives the next position with the last page', {
    keepsPages: false,
    position: (account, _session, { exchange }) =>
      account.position + (Number(findParameter(exchange.parameters, 'skip') ?? 0) > 3 ? 1 : 0),
  }),
  fault('paged-things-not-again', 'lists no thing again to a session that was given it by pages', givenByPages()),
  ...makeFaults(
    paging,
    [
      'page-order-random',
      'puts each page in another order',
      (list, skip, limit) => page(limit === undefined ? list : shuffled(list), skip, limit),
    ],
    [
      'page-size-capped',
      'lists at most ten on a page',
      (list, skip, limit) => page(list, skip, limit && Math.min(limit, 10)),
    ],
    [
      'page-last-missing',
      'lists nothing on a last page that is not full',
      (list, skip, limit = 0) => (skip > 0 && list.length - skip < limit ? [] : page(list, skip, limit || undefined)),
    ],
  ),
  fault('thing-count-of-page', 'counts only the page in thingCount', {
    thingCount: ({ created, page: count }) => created + count,
  }),
  fault('paged-deleted-lost', 'lists no deletions in pages', {
    listed: (list, kind, { exchange }) =>
      kind === 'deleted' && findParameter(exchange.parameters, 'limit') !== undefined ? [] : list,
  }),
  fault('post-skip-ignored', 'ignores skip in a POST', postWithout('skip')),
  fault('post-limit-ignored', 'ignores limit in a POST', postWithout('limit')),
]
