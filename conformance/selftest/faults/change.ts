import { type Behaviour, right } from '../server/behaviour.ts'
import type { ThingFields } from '../server/world.ts'
import { addThing } from '../server/write.ts'
import type { Fault } from './fault.ts'

const { findToChange, newId } = right

const noFields = {
  title: '',
  tags: '',
  date: 0,
  url: undefined,
  html: undefined,
  archived: false,
  todoStatus: undefined,
}

/** A field that changes leave as it was. */
function keeping(field: keyof ThingFields): Partial<Behaviour> {
  return { changedFields: (old, change) => ({ ...old, ...change, [field]: old[field] }) }
}

/** A change without a date that gives the thing this one. */
function dating(now: () => number): Partial<Behaviour> {
  return { changedFields: (old, change) => right.changedFields(old, { date: now(), ...change }) }
}

/** Faults in applying changes and deletions (interface 4.3). */
export const changeFaults: readonly Fault[] = [
  { id: 'change-title-ignored', title: 'ignores a changed title', behaviour: keeping('title') },
  { id: 'change-tags-ignored', title: 'ignores changed tags', behaviour: keeping('tags') },
  { id: 'change-date-ignored', title: 'ignores a changed date', behaviour: keeping('date') },
  {
    id: 'change-dates-anew',
    title: 'dates a thing anew for a change without a date',
    behaviour: dating(() => Math.floor(Date.now() / 1000)),
  },
  { id: 'change-dates-at-zero', title: 'sets the date to 0 for a change without one', behaviour: dating(() => 0) },
  { id: 'change-url-ignored', title: 'ignores a changed url', behaviour: keeping('url') },
  { id: 'change-html-ignored', title: 'ignores a changed html', behaviour: keeping('html') },
  { id: 'change-todo-status-ignored', title: 'ignores a changed todoStatus', behaviour: keeping('todoStatus') },
  {
    id: 'change-archived-ignored',
    title: 'never archives a thing by a change',
    behaviour: {
      changedFields: (old, change) => ({ ...old, ...change, archived: old.archived && change.archived === true }),
    },
  },
  {
    id: 'change-unarchive-ignored',
    title: 'never takes a thing out of the archive',
    behaviour: {
      changedFields: (old, change) => ({ ...old, ...change, archived: old.archived || change.archived === true }),
    },
  },
  {
    id: 'change-creates-copy',
    title: 'creates a changed copy beside the old thing',
    behaviour: {
      findToChange: (account, id, world) => {
        const thing = findToChange(account, id, world)
        const copy = thing && { ...thing, id: newId(account, world), created: account.position + 1 }
        if (copy !== undefined) account.things.set(copy.id, copy)
        return copy
      },
    },
  },
  {
    id: 'change-new-id',
    title: 'gives a thing another id when it is changed',
    behaviour: {
      findToChange: (account, id, world) => {
        const thing = findToChange(account, id, world)
        if (thing === undefined) return undefined
        account.things.delete(thing.id)
        thing.id = newId(account, world)
        account.things.set(thing.id, thing)
        return thing
      },
    },
  },
  {
    id: 'change-archived-kept',
    title: 'leaves a thing archived when a change does not say so',
    behaviour: { missingArchivedIsFalse: false },
  },
  {
    id: 'change-unknown-creates',
    title: 'creates a thing for a change of an unknown id',
    behaviour: {
      reportsUnknownChange: false,
      onUnknownChange: (account, { id, fields }, take, session) => {
        if (!account.things.has(id)) addThing(account, session, id, { ...noFields, ...fields }, take())
      },
    },
  },
  {
    id: 'late-change-creates-copy',
    title: 'creates a new thing for a change of a deleted one',
    behaviour: {
      onUnknownChange: (account, { fields }, take, session) => {
        addThing(account, session, `${take()}copy`, { ...noFields, ...fields }, take())
      },
    },
  },
  {
    id: 'deletion-told-of-all',
    title: 'lists everything as deleted when one thing was',
    behaviour: {
      listsDeleted: (thing, of) =>
        right.listsDeleted(thing, of) ||
        (!of.full && [...of.account.things.values()].some((other) => right.listsDeleted(other, of))),
    },
  },
  { id: 'deletion-ignored', title: 'deletes nothing', behaviour: { findToDelete: () => undefined } },
  {
    id: 'deletion-archives',
    title: 'archives a thing instead of deleting it',
    behaviour: {
      remove: (thing) => {
        thing.fields.archived = true
      },
    },
  },
  {
    id: 'deletion-of-one-deletes-all',
    title: 'deletes everything with one thing',
    behaviour: {
      remove: (_thing, { things }) => {
        for (const thing of things.values()) thing.deleted = true
      },
    },
  },
  {
    id: 'deletion-undone-by-tag-write',
    title: 'brings deleted things back when tag settings are written',
    behaviour: {
      afterWrite: ({ things }, { tags }) => {
        for (const thing of things.values()) thing.deleted &&= tags.size === 0
      },
    },
  },
  {
    id: 'deletion-keeps-in-delta',
    title: 'lists each deletion in every later delta',
    behaviour: {
      listsDeleted: (thing, of) =>
        right.listsDeleted(thing, of) || (thing.deleted && !of.full && !of.own.has(thing.id)),
    },
  },
]
