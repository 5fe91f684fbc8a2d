import { randomUUID } from 'node:crypto'
import { type Behaviour, right } from '../server/behaviour.ts'
import type { Account, Json, JsonObject } from '../server/world.ts'
import { type Fault, fault, without } from './fault.ts'

const { newId, newMap } = right

/** A field of a new thing that the server does not read. */
function newWithout(field: string): Partial<Behaviour> {
  return { submittedThing: (thing, kind) => (kind === 'new_thing' ? without(thing, field) : thing) }
}

function mapped(edit: (entries: readonly (readonly [Json, Json])[]) => Json): Partial<Behaviour> {
  return { newMap: (ids) => edit([...ids]) }
}

function nextNumber({ memory }: Account): number {
  const number = Number(memory.get('ids') ?? 1000) + 1
  memory.set('ids', number)
  return number
}

function object(entries: readonly (readonly [Json, Json])[]): JsonObject {
  return Object.fromEntries(entries)
}

/** Faults in creating things and in what an upload answers (interface 2.1, 4.3, rules 3 and 5). */
export const creationFaults: readonly Fault[] = [
  fault(
    'new-map-is-array',
    'gives the new ids as an array',
    mapped((ids) => ids.map(([, id]) => id)),
  ),
  fault(
    'new-map-first-only',
    'gives only the first new id',
    mapped((ids) => object(ids.slice(0, 1))),
  ),
  fault(
    'new-map-swapped',
    'gives the new ids in the wrong order',
    mapped((ids) => object(ids.map(([localId], index) => [localId, ids.at(-1 - index)?.[1]]))),
  ),
  fault(
    'new-map-number-ids-lost',
    'gives no id for a local_id that is a number',
    mapped((ids) => object(ids.filter(([localId]) => !/^\d+$/.test(String(localId))))),
  ),
  fault('new-map-without-upload', 'gives an empty things.new when nothing was created', {
    things: (things) => (Object.keys(things).length === 0 ? undefined : { new: {}, ...things }),
  }),
  fault('new-map-of-listings', 'gives an empty things.new with what a GET lists', {
    things: (things, { exchange }) => {
      if (Object.keys(things).length === 0) return undefined
      return exchange.method === 'GET' ? { new: {}, ...things } : things
    },
  }),
  ...(['changed_thing', 'deleted_thing', 'tag'] as const).map(
    (name): Fault =>
      fault(
        { changed_thing: 'new-map-of-changes', deleted_thing: 'new-map-of-deletions', tag: 'new-map-of-tags' }[name],
        `gives things.new for ${name}, too`,
        {
          things: (things, { exchange }) => {
            const isMeant = exchange.parameters.some(([given]) => given.startsWith(name))
            return isMeant ? { new: {}, ...things } : Object.keys(things).length === 0 ? undefined : things
          },
        },
      ),
  ),
  fault(
    'new-map-absent',
    'never tells the new ids',
    mapped(() => undefined),
  ),
  fault(
    'new-map-numbers',
    'gives running numbers for the new ids',
    mapped((ids) => object(ids.map(([localId], index) => [localId, index]))),
  ),
  fault(
    'new-id-not-listed',
    'tells another id than it lists',
    mapped((ids) => object(ids.map(([localId, id]) => [localId, `${id}x`]))),
  ),
  fault('new-id-number', 'gives ids that are numbers', { newId: nextNumber }),
  fault('new-id-with-dashes', 'gives ids with dashes', { newId: () => randomUUID() }),
  fault('new-ids-shared', 'gives all new things of one request the same id', {
    newId: (account) => `at${account.position}in${account.username}`,
  }),
  fault('id-reused-after-deletion', 'gives a new thing the id of a deleted one', {
    newId: (account, world) =>
      [...account.things.values()].findLast(({ deleted }) => deleted)?.id ?? newId(account, world),
  }),
  fault('new-title-lost', 'names every new thing the same', {
    submittedThing: (thing, kind) => (kind === 'new_thing' && thing.title ? { ...thing, title: 'untitled' } : thing),
  }),
  fault('new-tags-dropped', 'ignores the tags of a new thing', newWithout('tags')),
  fault('new-date-ignored', 'ignores the date of a new thing', newWithout('date')),
  fault('new-url-dropped', 'ignores the url of a new thing', newWithout('url')),
  fault('new-html-dropped', 'ignores the html of a new thing', newWithout('html')),
  fault('new-archived-ignored', 'ignores archived in a new thing', newWithout('archived')),
  fault('new-todo-status-ignored', 'ignores todoStatus in a new thing', newWithout('todoStatus')),
  fault('upload-twice-applied', 'creates each new thing twice', {
    applied: (upload) => ({
      ...upload,
      created: upload.created.flatMap((thing) => [{ ...thing, id: `${thing.id}b` }, thing]),
    }),
  }),
  fault('shared-local-id-lost', 'takes two new things with one local_id and keeps neither', {
    overlooks: ['local-id-shared'],
    applied: (upload) => {
      const all = upload.created.map(({ localId }) => localId)
      const isAlone = (localId: Json): boolean => all.filter((other) => other === localId).length === 1
      return { ...upload, created: upload.created.filter(({ localId }) => isAlone(localId)) }
    },
  }),
  fault('local-id-prototype-lost', 'loses local ids that JavaScript objects inherit', {
    newMap: (ids) => newMap(new Map([...ids].filter(([localId]) => !(String(localId) in {})))),
  }),
  fault('local-id-ascii-only', 'replaces what is not ASCII in local ids', {
    keepLocalId: (localId) => String(localId).replace(/[^ -~]/g, '?'),
  }),
]
