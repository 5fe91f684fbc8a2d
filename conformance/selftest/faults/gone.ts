import { type Behaviour, right } from '../server/behaviour.ts'
import type { Upload } from '../server/right-uploads.ts'
import type { Thing } from '../server/world.ts'
import { type Fault, fault } from './fault.ts'

/** An upload that names a thing that is gone and is taken, but not whole. */
function losing(edit: (upload: Upload, isGone: (id: string) => boolean) => Partial<Upload>): Partial<Behaviour> {
  return {
    applied: (given, session, account, world) => {
      const upload = right.applied(given, session, account, world)
      return { ...upload, ...edit(upload, (id) => account.things.get(id)?.deleted !== false) }
    },
  }
}

const before = <T>(list: readonly T[], isGone: (one: T) => boolean): readonly T[] => {
  const first = list.findIndex(isGone)
  return first === -1 ? list : list.slice(0, first + 1)
}

/** Deletions of things of one kind that do nothing, or that nobody is told of. */
function notDeleting(kind: (thing: Thing) => boolean): Partial<Behaviour> {
  return {
    findToDelete: (account, id, world) => {
      const thing = right.findToDelete(account, id, world)
      return thing !== undefined && kind(thing) ? undefined : thing
    },
  }
}

function notTelling(kind: (thing: Thing) => boolean): Partial<Behaviour> {
  return { listsDeleted: (thing, of) => right.listsDeleted(thing, of) && !kind(thing) }
}

/** Things that are gone take others with them, and deletions that depend on what the thing is like (interface 4.3). */
export const goneFaults: readonly Fault[] = [
  fault(
    'gone-change-ends-changes',
    'stops changing things at one that is gone',
    losing(({ changed }, isGone) => ({ changed: before(changed, ({ id }) => isGone(id)) })),
  ),
  fault(
    'gone-change-ends-upload',
    'creates nothing beside a change of a thing that is gone',
    losing(({ created, changed }, isGone) => (changed.some(({ id }) => isGone(id)) ? { created: [] } : { created })),
  ),
  fault(
    'gone-deletion-ends-deletions',
    'stops deleting things at one that is gone',
    losing(({ deleted }, isGone) => ({ deleted: before(deleted, isGone) })),
  ),
  fault(
    'archived-never-deleted',
    'deletes no archived things',
    notDeleting(({ fields }) => fields.archived),
  ),
  fault(
    'todos-never-deleted',
    'deletes no things with a todoStatus',
    notDeleting(({ fields }) => fields.todoStatus !== undefined),
  ),
  fault(
    'archived-deletion-untold',
    'tells nobody that an archived thing was deleted',
    notTelling(({ fields }) => fields.archived),
  ),
  fault('archived-stays-in-full', 'lists archived things that were deleted in full listings', {
    listsThing: (thing, of) => right.listsThing(thing, of) || (of.full && thing.deleted && thing.fields.archived),
  }),
  fault(
    'bare-deletion-untold',
    'tells nobody that a thing without tags, url and html was deleted',
    notTelling(({ fields: { tags, url, html } }) => tags === '' && url === undefined && html === undefined),
  ),
]
