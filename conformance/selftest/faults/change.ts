import { type Behaviour, right } from '../server/behaviour.ts'
import type { ThingFields } from '../server/thing-fields.ts'
import { addThing } from '../server/write.ts'
import { type Fault, fault } from './fault.ts'

const { findToChange, newId } = right

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
  fault('change-title-ignored', 'ignores a changed title', keeping('title')),
  fault('change-tags-ignored', 'ignores changed tags', keeping('tags')),
  fault('change-date-ignored', 'ignores a changed date', keeping('date')),
  fault(
    'change-dates-anew',
    'dates a thing anew for a change without a date',
    dating(() => Math.floor(Date.now() / 1000)),
  ),
  fault(
    'change-dates-at-zero',
    'sets the date to 0 for a change without one',
    dating(() => 0),
  ),
  fault('change-url-ignored', 'ignores a changed url', keeping('url')),
  fault('change-html-ignored', 'ignores a changed html', keeping('html')),
  fault('change-todo-status-ignored', 'ignores a changed todoStatus', keeping('todoStatus')),
  fault('change-archived-ignored', 'never archives a thing by a change', {
    changedFields: (old, change) => ({ ...old, ...change, archived: old.archived && change.archived === true }),
  }),
  fault('change-unarchive-ignored', 'never takes a thing out of the archive', {
    changedFields: (old, change) => ({ ...old, ...change, archived: old.archived || change.archived === true }),
  }),
  fault('change-creates-copy', 'creates a changed copy beside the old thing', {
    findToChange: (account, id, world) => {
      const thing = findToChange(account, id, world)
      const copy = thing && { ...thing, id: newId(account, world), created: account.position + 1 }
      if (copy !== undefined) account.things.set(copy.id, copy)
      return copy
    },
  }),
  fault('change-new-id', 'gives a thing another id when it is changed', {
    findToChange: (account, id, world) => {
      const thing = findToChange(account, id, world)
      if (thing === undefined) return undefined
      account.things.delete(thing.id)
      thing.id = newId(account, world)
      account.things.set(thing.id, thing)
      return thing
    },
  }),
  fault('change-archived-kept', 'leaves a thing archived when a change does not say so', {
    missingArchivedIsFalse: false,
  }),
  fault('change-unknown-creates', 'creates a thing for a change of an unknown id', {
    reportsUnknownChange: false,
    onUnknownChange: (account, { id, fields }, take, session) => {
      if (!account.things.has(id)) addThing(account, session, id, fields, take())
    },
  }),
  fault('late-change-creates-copy', 'creates a new thing for a change of a deleted one', {
    onUnknownChange: (account, { fields }, take, session) => {
      addThing(account, session, `${take()}copy`, fields, take())
    },
  }),
  fault('deletion-told-of-all', 'lists everything as deleted when one thing was', {
    listsDeleted: (thing, of) =>
      right.listsDeleted(thing, of) ||
      (!of.full && [...of.account.things.values()].some((other) => right.listsDeleted(other, of))),
  }),
  fault('deletion-ignored', 'deletes nothing', { findToDelete: () => undefined }),
  fault('deletion-archives', 'archives a thing instead of deleting it', {
    remove: (thing) => {
      thing.fields.archived = true
    },
  }),
  fault('deletion-of-one-deletes-all', 'deletes everything with one thing', {
    remove: (_thing, { things }) => {
      for (const thing of things.values()) thing.deleted = true
    },
  }),
  fault('deletion-undone-by-tag-write', 'brings deleted things back when tag settings are written', {
    afterWrite: ({ things }, { tags }) => {
      for (const thing of things.values()) thing.deleted &&= tags.size === 0
    },
  }),
  fault('deletion-keeps-in-delta', 'lists each deletion in every later delta', {
    listsDeleted: (thing, of) => right.listsDeleted(thing, of) || (thing.deleted && !of.full && !of.own.has(thing.id)),
  }),
]
