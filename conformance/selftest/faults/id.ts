import { right } from '../server/behaviour.ts'
import type { Account, Json, Thing } from '../server/world.ts'
import { type Fault, fault } from './fault.ts'
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
  fault('ids-of-digits-as-numbers', 'gives the _id of a thing as a number when it is of digits', {
    ...counting,
    thing: (thing, isTodo, of) => ({ ...(right.thing(thing, isTodo, of) as object), _id: digits(thing.id) }),
  }),
  fault('deleted-ids-of-digits-as-numbers', 'gives deleted ids as numbers when they are of digits', {
    ...counting,
    listed: (list, kind) => (kind === 'deleted' ? list.map(({ id, json }) => ({ id, json: digits(json) })) : list),
  }),
  fault('new-map-ids-as-numbers', 'gives new ids as numbers when they are of digits', {
    ...counting,
    newMap: (ids) => Object.fromEntries([...ids].map(([localId, id]) => [localId, digits(id)])),
  }),
  fault('skip-id-beginning-matches', 'leaves out things whose ids begin like skip_id', {
    isSkipped: (id, ids) => ids.some((given) => begins(String(id), given)),
  }),
  fault('skip-id-pattern-matches', 'takes skip_id for a pattern', {
    isSkipped: (id, ids) => ids.some((given) => given === id || isLike(String(id), given)),
  }),
  fault('skip-id-contained-matches', 'leaves out things whose ids stand in skip_id', {
    isSkipped: (id, ids) => ids.some((given) => given.includes(String(id))),
  }),
  fault('deletion-of-beginning-matches', 'deletes a thing whose id begins so', { findToDelete: findLike(begins) }),
  fault('deletion-of-pattern-matches', 'takes deleted_thing for a pattern', { findToDelete: findLike(isLike) }),
  fault('change-of-beginning-matches', 'changes a thing whose id begins so', {
    findToChange: findLike(begins),
    onUnknownChange: () => {},
  }),
]
