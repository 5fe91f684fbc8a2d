import { randomUUID } from 'node:crypto'
import { type Behaviour, right } from '../server/behaviour.ts'
import type { Account, Json, JsonObject } from '../server/world.ts'
import { type Fault, without } from './fault.ts'

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
  {
    id: 'new-map-is-array',
    title: 'gives the new ids as an array',
    behaviour: mapped((ids) => ids.map(([, id]) => id)),
  },
  {
    id: 'new-map-first-only',
    title: 'gives only the first new id',
    behaviour: mapped((ids) => object(ids.slice(0, 1))),
  },
  {
    id: 'new-map-swapped',
    title: 'gives the new ids in the wrong order',
    behaviour: mapped((ids) => object(ids.map(([localId], index) => [localId, ids.at(-1 - index)?.[1]]))),
  },
  {
    id: 'new-map-number-ids-lost',
    title: 'gives no id for a local_id that is a number',
    behaviour: mapped((ids) => object(ids.filter(([localId]) => !/^\d+$/.test(String(localId))))),
  },
  {
    id: 'new-map-without-upload',
    title: 'gives an empty things.new when nothing was created',
    behaviour: { things: (things) => (Object.keys(things).length === 0 ? undefined : { new: {}, ...things }) },
  },
  {
    id: 'new-map-of-listings',
    title: 'gives an empty things.new with what a GET lists',
    behaviour: {
      things: (things, { exchange }) => {
        if (Object.keys(things).length === 0) return undefined
        return exchange.method === 'GET' ? { new: {}, ...things } : things
      },
    },
  },
  ...(['changed_thing', 'deleted_thing', 'tag'] as const).map(
    (name): Fault => ({
      id: { changed_thing: 'new-map-of-changes', deleted_thing: 'new-map-of-deletions', tag: 'new-map-of-tags' }[name],
      title: `gives things.new for ${name}, too`,
      behaviour: {
        things: (things, { exchange }) => {
          const isMeant = exchange.parameters.some(([given]) => given.startsWith(name))
          return isMeant ? { new: {}, ...things } : Object.keys(things).length === 0 ? undefined : things
        },
      },
    }),
  ),
  { id: 'new-map-absent', title: 'never tells the new ids', behaviour: mapped(() => undefined) },
  {
    id: 'new-map-numbers',
    title: 'gives running numbers for the new ids',
    behaviour: mapped((ids) => object(ids.map(([localId], index) => [localId, index]))),
  },
  {
    id: 'new-id-not-listed',
    title: 'tells another id than it lists',
    behaviour: mapped((ids) => object(ids.map(([localId, id]) => [localId, `${id}x`]))),
  },
  { id: 'new-id-number', title: 'gives ids that are numbers', behaviour: { newId: nextNumber } },
  { id: 'new-id-with-dashes', title: 'gives ids with dashes', behaviour: { newId: () => randomUUID() } },
  {
    id: 'new-ids-shared',
    title: 'gives all new things of one request the same id',
    behaviour: { newId: (account) => `at${account.position}in${account.username}` },
  },
  {
    id: 'id-reused-after-deletion',
    title: 'gives a new thing the id of a deleted one',
    behaviour: {
      newId: (account, world) =>
        [...account.things.values()].findLast(({ deleted }) => deleted)?.id ?? newId(account, world),
    },
  },
  {
    id: 'new-title-lost',
    title: 'names every new thing the same',
    behaviour: {
      submittedThing: (thing, kind) => (kind === 'new_thing' && thing.title ? { ...thing, title: 'untitled' } : thing),
    },
  },
  { id: 'new-tags-dropped', title: 'ignores the tags of a new thing', behaviour: newWithout('tags') },
  { id: 'new-date-ignored', title: 'ignores the date of a new thing', behaviour: newWithout('date') },
  { id: 'new-url-dropped', title: 'ignores the url of a new thing', behaviour: newWithout('url') },
  { id: 'new-html-dropped', title: 'ignores the html of a new thing', behaviour: newWithout('html') },
  { id: 'new-archived-ignored', title: 'ignores archived in a new thing', behaviour: newWithout('archived') },
  { id: 'new-todo-status-ignored', title: 'ignores todoStatus in a new thing', behaviour: newWithout('todoStatus') },
  {
    id: 'upload-twice-applied',
    title: 'creates each new thing twice',
    behaviour: {
      applied: (upload) => ({
        ...upload,
        created: upload.created.flatMap((thing) => [{ ...thing, id: `${thing.id}b` }, thing]),
      }),
    },
  },
  {
    id: 'shared-local-id-lost',
    title: 'takes two new things with one local_id and keeps neither',
    behaviour: {
      overlooks: ['local-id-shared'],
      applied: (upload) => {
        const all = upload.created.map(({ localId }) => localId)
        const isAlone = (localId: Json): boolean => all.filter((other) => other === localId).length === 1
        return { ...upload, created: upload.created.filter(({ localId }) => isAlone(localId)) }
      },
    },
  },
  {
    id: 'local-id-prototype-lost',
    title: 'loses local ids that JavaScript objects inherit',
    behaviour: { newMap: (ids) => newMap(new Map([...ids].filter(([localId]) => !(String(localId) in {})))) },
  },
  {
    id: 'local-id-ascii-only',
    title: 'replaces what is not ASCII in local ids',
    behaviour: { keepLocalId: (localId) => String(localId).replace(/[^ -~]/g, '?') },
  },
]
