import { right } from '../server/behaviour.ts'
import type { Account, Json, Thing } from '../server/world.ts'
import type { Fault } from './fault.ts'
import { begins, counting } from './twin.ts'

function digits(json: Json): Json {
  return typeof json === 'string' && /^\d{1,15}$/.test(json) ? Number(json) : json
}

function findLike(
  matches: (id: string, given: string) => boolean,
): (account: Account, given: string) => Thing | undefined {
  return ({ things }, given) =>
    [...things.values()].find(({ id, deleted }) => !deleted && (id === given || matches(String(id), given)))
}

function likePattern(pattern: string): RegExp {
  return new RegExp(`^${pattern.replace(/[%*]/g, '.*').replace(/[_?]/g, '.')}$`)
}

function isLike(id: string, given: string): boolean {
  return /[%*_?]/.test(given) && likePattern(given).test(id)
}

/** Ids that are read or written as something else (interface 2.1). */
export const idFaults: readonly Fault[] = [
  {
    id: 'ids-of-digits-as-numbers',
    title: 'gives the _id of a thing as a number when it is of digits',
    behaviour: {
      ...counting,
      thing: (thing, isTodo, of) => ({ ...(right.thing(thing, isTodo, of) as object), _id: digits(thing.id) }),
    },
  },
  {
    id: 'deleted-ids-of-digits-as-numbers',
    title: 'gives deleted ids as numbers when they are of digits',
    behaviour: {
      ...counting,
      listed: (list, kind) => (kind === 'deleted' ? list.map(({ id, json }) => ({ id, json: digits(json) })) : list),
    },
  },
  {
    id: 'new-map-ids-as-numbers',
    title: 'gives new ids as numbers when they are of digits',
    behaviour: {
      ...counting,
      newMap: (ids) => Object.fromEntries([...ids].map(([localId, id]) => [localId, digits(id)])),
    },
  },
  {
    id: 'skip-id-beginning-matches',
    title: 'leaves out things whose ids begin like skip_id',
    behaviour: { isSkipped: (id, ids) => ids.some((given) => begins(String(id), given)) },
  },
  {
    id: 'skip-id-pattern-matches',
    title: 'takes skip_id for a pattern',
    behaviour: { isSkipped: (id, ids) => ids.some((given) => given === id || isLike(String(id), given)) },
  },
  {
    id: 'skip-id-contained-matches',
    title: 'leaves out things whose ids stand in skip_id',
    behaviour: { isSkipped: (id, ids) => ids.some((given) => given.includes(String(id))) },
  },
  {
    id: 'deletion-of-beginning-matches',
    title: 'deletes a thing whose id begins so',
    behaviour: { findToDelete: findLike(begins) },
  },
  {
    id: 'deletion-of-pattern-matches',
    title: 'takes deleted_thing for a pattern',
    behaviour: { findToDelete: findLike(isLike) },
  },
  {
    id: 'change-of-beginning-matches',
    title: 'changes a thing whose id begins so',
    behaviour: { findToChange: findLike(begins), onUnknownChange: () => {} },
  },
]
