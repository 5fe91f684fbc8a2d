import { type Behaviour, right } from '../server/behaviour.ts'
import type { ThingFields } from '../server/thing-fields.ts'
import type { Account, Thing } from '../server/world.ts'
import { type Fault, fault } from './fault.ts'
import { applying } from './upload-array.ts'

const { listsDeleted } = right

function twinOf(account: Account, given: Partial<ThingFields>, name: keyof ThingFields): Thing | undefined {
  return [...account.things.values()].find(
    ({ deleted, fields }) => !deleted && given[name] !== undefined && fields[name] === given[name],
  )
}

/** Takes a new thing for one that is there when a field is the same. */
function merging(name: keyof ThingFields): Partial<Behaviour> {
  return applying((upload, account) => ({
    created: upload.created.map((thing) => {
      const twin = twinOf(account, thing.given, name)
      return twin === undefined ? thing : { ...thing, id: twin.id, retried: true, fields: {} }
    }),
  }))
}

/** Things that are taken for the one that is named. */
function hitting(kind: 'change' | 'deletion', alike: (other: Thing, named: Thing) => boolean): Partial<Behaviour> {
  return {
    afterWrite: (account, { changed, deleted }) => {
      for (const id of kind === 'change' ? changed.map((change) => change.id) : deleted) {
        const named = account.things.get(id)
        if (named === undefined) continue
        for (const other of account.things.values()) {
          if (other === named || !alike(other, named)) continue
          if (kind === 'deletion') Object.assign(other, { deleted: true, position: account.position })
          else Object.assign(other, { fields: { ...other.fields, title: named.fields.title } })
        }
      }
    },
  }
}

function sameFirst(name: keyof ThingFields): (other: Thing, named: Thing) => boolean {
  return (other, named) => named.first[name] !== undefined && other.first[name] === named.first[name]
}

/** Numbers for ids, and ids of which one begins like another (a right server may give them). */
export const counting: Partial<Behaviour> = {
  newId: ({ memory }) => {
    memory.set('number', Number(memory.get('number') ?? 0) + 1)
    return String(memory.get('number'))
  },
}

export function begins(id: string, given: string): boolean {
  return given !== '' && id.startsWith(given)
}

/** Things that are alike (interface 2.1). */
export const twinFaults: readonly Fault[] = [
  fault('twins-by-title-dropped', 'takes a new thing for one with the same title', merging('title')),
  fault('twins-by-url-merged', 'takes a new thing for one with the same url', merging('url')),
  fault('twins-by-html-merged', 'takes a new thing for one with the same html', merging('html')),
  fault('twins-by-date-merged', 'takes a new thing for one with the same date', merging('date')),
  fault(
    'twins-in-one-upload-merged',
    'creates things with the same title once in an upload',
    applying(({ created }) => ({
      created: [...new Map(created.map((thing) => [thing.given.title, thing])).values()],
    })),
  ),
  fault(
    'twins-by-title-renamed',
    'adds a number to a title that is there',
    applying(({ created }, account) => ({
      created: created.map((thing) =>
        twinOf(account, thing.given, 'title') === undefined
          ? thing
          : { ...thing, fields: { ...thing.fields, title: `${thing.given.title} (2)` } },
      ),
    })),
  ),
  fault('change-hits-same-title', 'changes all things that had the same title', hitting('change', sameFirst('title'))),
  fault('change-hits-same-url', 'changes all things that had the same url', hitting('change', sameFirst('url'))),
  fault('change-hits-ids-that-begin-so', 'changes all things whose ids begin so', {
    ...counting,
    ...hitting('change', (other, named) => String(named.id).startsWith(String(other.id))),
  }),
  fault(
    'change-hits-first',
    'changes the oldest thing with the same tags as well',
    hitting(
      'change',
      (other, named) =>
        other.first.tags !== '' && other.first.tags === named.first.tags && other.created < named.created,
    ),
  ),
  fault('change-lists-neighbours', 'lists all things with the same tags when one changes', {
    afterWrite: ({ things, position }, { changed }) => {
      const tags = new Set(changed.map(({ id }) => things.get(id)?.fields.tags))
      for (const thing of things.values())
        if (thing.fields.tags !== '' && tags.has(thing.fields.tags)) thing.position = position
    },
  }),
  fault('deletion-hits-same-title', 'deletes all things with the same title', hitting('deletion', sameFirst('title'))),
  fault('deletion-hits-same-url', 'deletes all things with the same url', hitting('deletion', sameFirst('url'))),
  fault('deletion-hits-ids-that-begin-so', 'deletes all things whose ids begin so', {
    ...counting,
    ...hitting('deletion', (other, named) => String(other.id).startsWith(String(named.id))),
  }),
  fault(
    'deletion-hits-newest',
    'deletes the thing that was created next, too',
    hitting('deletion', (other, named) => other.created === named.created + 1),
  ),
  fault('deletion-told-of-neighbours', 'lists things with the tags of a deleted one as deleted', {
    listsDeleted: (thing, of) =>
      listsDeleted(thing, of) ||
      (!of.full &&
        thing.fields.tags !== '' &&
        [...of.account.things.values()].some(
          (other) => other.fields.tags === thing.fields.tags && listsDeleted(other, of),
        )),
  }),
  fault('deletion-of-three-hits-rest', 'deletes everything from the first to the last of several things', {
    afterWrite: ({ things, position }, { deleted }) => {
      const order = [...things.keys()]
      const places = deleted.map((id) => order.indexOf(id)).filter((place) => place >= 0)
      if (places.length < 3) return
      for (const id of order.slice(Math.min(...places), Math.max(...places)))
        Object.assign(things.get(id) ?? {}, { deleted: true, position })
    },
  }),
  fault(
    'upload-deletes-what-it-changes',
    'deletes what an upload changes when it deletes something, too',
    applying(({ changed, deleted }) => ({
      deleted: deleted.length > 0 ? [...deleted, ...changed.map(({ id }) => id)] : deleted,
    })),
  ),
  fault('upload-deletes-what-it-creates', 'loses the new things of an upload that deletes something', {
    afterWrite: ({ things }, { created, deleted }) => {
      if (deleted.length > 0) for (const { id } of created) things.delete(id)
    },
  }),
  fault(
    'upload-changes-by-place',
    'gives the fields of the last change to all',
    applying(({ changed }) => ({
      changed: changed.map((change) => ({ ...change, fields: changed.at(-1)?.fields ?? {} })),
    })),
  ),
  fault(
    'upload-swaps-changes',
    'applies changes in the order of their ids',
    applying(({ changed }, account) => {
      const order = [...account.things.keys()]
      const ids = changed.map(({ id }) => id).sort((a, b) => order.indexOf(a) - order.indexOf(b))
      return { changed: changed.map((change, place) => ({ ...change, id: ids[place] ?? change.id })) }
    }),
  ),
]
