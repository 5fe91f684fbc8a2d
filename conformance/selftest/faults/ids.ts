import { type Behavior, rightServer, type Upload } from '../../src/model/behavior.ts'
import { type Account, ApiError, type Json, type ServerState, type Session, type Thing } from '../../src/model/state.ts'
import type { ThingFields } from '../../src/model/thing-fields.ts'
import { cutAt, type Fault, fault, replacing } from './fault.ts'
import { applying } from './uploads.ts'

function key(edit: (localId: string) => string): Partial<Behavior> {
  return { keepLocalId: (localId) => edit(String(localId)) }
}

function lost(isLost: (localId: string) => boolean): Partial<Behavior> {
  return { newMap: (ids) => rightServer.newMap(new Map([...ids].filter(([localId]) => !isLost(String(localId))))) }
}

/** Merges client-assigned IDs with the same key: the server stores only the last of several things. */
function merging(keyOf: (localId: string) => string): Partial<Behavior> {
  return {
    applied: (upload) => {
      const last = new Map(upload.created.map((thing) => [keyOf(String(thing.localId)), thing]))
      return { ...upload, created: [...last.values()] }
    },
  }
}

/** Returns the memory of used client-assigned IDs. */
type MemoryOf = (session: Session, account: Account, state: ServerState) => Map<string, Json>

/** Treats a used client-assigned ID as the thing of its first use; changes that thing or leaves it. */
function remembering(memoryOf: MemoryOf, changes: boolean): Partial<Behavior> {
  return {
    retryApplies: changes,
    applied: (upload, session, account, state) => {
      const memory = memoryOf(session, account, state)
      const created = upload.created.map((thing) => {
        const known = memory.get(`local ${thing.localId}`)
        memory.set(`local ${thing.localId}`, known ?? thing.id)
        return known === undefined ? thing : { ...thing, id: known, retried: true }
      })
      return { ...upload, created }
    },
  }
}

function numbers(edit: (value: number) => number): (localId: string) => string {
  return (text) => (text.trim() !== '' && Number.isFinite(Number(text)) ? String(edit(Number(text))) : text)
}

function nest(ids: ReadonlyMap<Json, Json>): Json {
  const flat = Object.fromEntries([...ids].filter(([localId]) => !/^\w+\.\w+$/.test(String(localId))))
  return [...ids].some(([localId]) => String(localId) === 'a.b') ? { ...flat, a: { b: 'x' } } : flat
}

/** Faults of client-assigned IDs (interface 2.1, 4.3). */
export const localIdFaults: readonly Fault[] = [
  fault(
    'local-id-zero-missing',
    'takes a local_id of 0 for none',
    lost((localId) => localId === '0'),
  ),
  fault('new-map-list-for-small-numbers', 'gives things.new as a list when the client-assigned IDs count from 0', {
    newMap: (ids) =>
      [...ids.keys()].every((localId, index) => String(localId) === String(index))
        ? [...ids.values()]
        : rightServer.newMap(ids),
  }),
  fault('new-map-by-place', 'gives the ids of client-assigned IDs that are numbers in the order of the numbers', {
    newMap: (ids) => {
      const keys = [...ids.keys()].sort((a, b) => Number(a) - Number(b))
      return rightServer.newMap(new Map([...ids.values()].map((id, index) => [keys[index], id])))
    },
  }),
  fault(
    'local-id-number-text-lost',
    'takes client-assigned IDs that are strings of digits for indexes',
    lost((localId) => /^\d\d$/.test(localId)),
  ),
  fault(
    'local-id-negative-lost',
    'loses negative client-assigned IDs',
    lost((localId) => /^-\d/.test(localId)),
  ),
  fault(
    'local-id-31-bits',
    'keeps 32 bits of client-assigned IDs, one of them for the sign',
    key(numbers((value) => (Number.isInteger(value) ? value | 0 : value))),
  ),
  fault(
    'local-id-32-bits',
    'keeps 32 bits of client-assigned IDs',
    key(numbers((value) => (value > 0 ? value % 2 ** 32 : value))),
  ),
  fault(
    'local-id-exponent',
    'writes large client-assigned IDs with an exponent',
    key((text) => (Number(text) > 1e12 ? Number(text).toExponential() : text)),
  ),
  fault('local-id-single-precision', 'keeps client-assigned IDs as small floats', key(numbers(Math.fround))),
  fault('local-id-number-evaluated', 'writes numeric client-assigned IDs its own way', key(numbers((value) => value))),
  fault(
    'local-id-words-lost',
    'loses client-assigned IDs called null, true and the like',
    lost((localId) => ['null', 'undefined', 'true', 'false', 'NaN'].includes(localId)),
  ),
  fault('local-id-dots-nested', 'nests client-assigned IDs with dots', { newMap: nest }),
  fault('local-id-slash-cut', 'keeps client-assigned IDs from the last slash on', key(replacing(/^.*\//))),
  fault('local-id-dollar-lost', 'loses dollar signs of client-assigned IDs', key(replacing(/\$/g))),
  fault('local-id-brackets-cut', 'cuts client-assigned IDs at brackets', key(replacing(/\[.*$/))),
  fault('local-id-quotes-escaped', 'escapes quotes in client-assigned IDs', key(replacing(/["']/g, '\\$&'))),
  fault(
    'local-id-trimmed',
    'trims client-assigned IDs',
    key((text) => text.trim()),
  ),
  fault(
    'local-id-inherited-lost',
    'loses client-assigned IDs that lists inherit',
    lost((localId) => localId in []),
  ),
  fault('local-id-dashes-lost', 'drops dashes from client-assigned IDs', key(replacing(/(?<=\w)-/g))),
  fault('local-id-percent-decoded', 'decodes escapes in client-assigned IDs', key(replacing(/%20/g, ' '))),
  fault(
    'local-id-case-ignored',
    'ignores the case of client-assigned IDs',
    merging((localId) => localId.toLowerCase()),
  ),
  fault(
    'local-id-cut-at-32',
    'keeps 32 characters of client-assigned IDs',
    key((text) => (text.endsWith('1') || text.endsWith('2') ? text.slice(0, 32) : text)),
  ),
  fault(
    'local-id-of-130-lost',
    'loses client-assigned IDs of some lengths',
    lost((localId) => localId.length === 130),
  ),
  fault('local-id-cut-at-100', 'keeps 100 characters of client-assigned IDs', key(cutAt(100))),
  fault('local-id-cut-at-255', 'keeps 255 characters of client-assigned IDs', key(cutAt(255))),
  fault(
    'local-id-composed',
    'composes client-assigned IDs',
    merging((localId) => localId.normalize('NFC')),
  ),
  fault(
    'local-id-accents-ignored',
    'takes é and e in client-assigned IDs for the same',
    merging((localId) => (localId === '\u00e9' ? 'e' : localId)),
  ),
  fault(
    'local-id-once-a-session',
    'creates one thing for a local_id in a session',
    remembering(({ memory }) => memory, false),
  ),
  fault(
    'local-id-once-an-account',
    'creates one thing for a local_id in an account',
    remembering((_session, { memory }) => memory, false),
  ),
  fault(
    'local-id-changes-earlier',
    'changes the thing that a local_id was used for before',
    remembering((_session, { memory }) => memory, true),
  ),
  fault(
    'local-ids-of-all-users',
    'takes a local_id that any user has used for that thing',
    remembering((_session, _account, { memory }) => memory, false),
  ),
  fault('local-id-used-rejected', 'rejects a local_id that the session has used before', {
    applied: (upload, { memory }) => {
      for (const { localId } of upload.created) {
        if (memory.has(`local ${localId}`)) throw new ApiError('local-id-shared', 'local_id was used before')
        memory.set(`local ${localId}`, true)
      }
      return upload
    },
  }),
  fault('new-map-remembers', 'also maps in things.new what the session uploaded before', {
    syncResponse: (response, { session }) => {
      const things = response.things as { new?: object } | undefined
      if (things?.new === undefined || session === undefined) return response
      const all = { ...(session.memory.get('mapped') as object | undefined), ...things.new }
      session.memory.set('mapped', all)
      return { ...response, things: { ...things, new: all } }
    },
  }),
  fault('new-map-of-everybody', 'also maps in things.new what other devices uploaded', {
    syncResponse: (response, { account }) => {
      const things = response.things as { new?: object } | undefined
      if (things?.new === undefined || account === undefined) return response
      const all = { ...(account.memory.get('mapped') as object | undefined), ...things.new }
      account.memory.set('mapped', all)
      return { ...response, things: { ...things, new: all } }
    },
  }),
  fault('new-map-of-all-users', 'gives for a local_id the id that another user was given for it', {
    syncResponse: (response, { state: { memory } }) => {
      const things = response.things as { new?: object } | undefined
      if (things?.new === undefined) return response
      const known = Object.entries(things.new).map(
        ([localId, id]) => [localId, memory.get(`map ${localId}`) ?? id] as const,
      )
      for (const [localId, id] of known) memory.set(`map ${localId}`, id)
      return { ...response, things: { ...things, new: Object.fromEntries(known) } }
    },
  }),
  fault('new-map-twice-mapped', 'also maps each new id to itself', {
    newMap: (ids) => rightServer.newMap(new Map([...ids, ...[...ids.values()].map((id) => [id, id] as const)])),
  }),
]

function twinOf(account: Account, given: Partial<ThingFields>, name: keyof ThingFields): Thing | undefined {
  return [...account.things.values()].find(
    ({ deleted, fields }) => !deleted && given[name] !== undefined && fields[name] === given[name],
  )
}

/** Treats a new thing as an existing thing when one field is equal. */
function mergingTwins(name: keyof ThingFields): Partial<Behavior> {
  return applying((upload, account) => ({
    created: upload.created.map((thing) => {
      const twin = twinOf(account, thing.given, name)
      return twin === undefined ? thing : { ...thing, id: twin.id, retried: true, fields: {} }
    }),
  }))
}

/** Applies a change or a deletion also to things that are `alike`. */
function hitting(kind: 'change' | 'deletion', alike: (other: Thing, named: Thing) => boolean): Partial<Behavior> {
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

/** Creates ids that are numbers, and ids of which one is a prefix of another (a right server may do so). */
const counting: Partial<Behavior> = {
  newId: ({ memory }) => {
    memory.set('number', Number(memory.get('number') ?? 0) + 1)
    return String(memory.get('number'))
  },
}

function begins(id: string, given: string): boolean {
  return given !== '' && id.startsWith(given)
}

/** Faults of similar things (interface 2.1). */
export const twinFaults: readonly Fault[] = [
  fault('twins-by-title-dropped', 'takes a new thing for one with the same title', mergingTwins('title')),
  fault('twins-by-url-merged', 'takes a new thing for one with the same url', mergingTwins('url')),
  fault('twins-by-html-merged', 'takes a new thing for one with the same html', mergingTwins('html')),
  fault('twins-by-date-merged', 'takes a new thing for one with the same date', mergingTwins('date')),
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
    'also deletes the thing that was created next',
    hitting('deletion', (other, named) => other.created === named.created + 1),
  ),
  fault('deletion-told-of-neighbours', 'lists things with the tags of a deleted one as deleted', {
    listsDeleted: (thing, of) =>
      rightServer.listsDeleted(thing, of) ||
      (!of.full &&
        thing.fields.tags !== '' &&
        [...of.account.things.values()].some(
          (other) => other.fields.tags === thing.fields.tags && rightServer.listsDeleted(other, of),
        )),
  }),
  fault('deletion-of-three-hits-rest', 'deletes everything from the first to the last of several things', {
    afterWrite: ({ things, position }, { deleted }) => {
      const order = [...things.keys()]
      const indexes = deleted.map((id) => order.indexOf(id)).filter((index) => index >= 0)
      if (indexes.length < 3) return
      for (const id of order.slice(Math.min(...indexes), Math.max(...indexes)))
        Object.assign(things.get(id) ?? {}, { deleted: true, position })
    },
  }),
  fault(
    'upload-deletes-what-it-changes',
    'also deletes what an upload changes when it deletes something',
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
      return { changed: changed.map((change, index) => ({ ...change, id: ids[index] ?? change.id })) }
    }),
  ),
]

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

/** Faults of ids that are read or written differently (interface 2.1). */
export const idFaults: readonly Fault[] = [
  fault('ids-of-digits-as-numbers', 'gives the _id of a thing as a number when it is of digits', {
    ...counting,
    thing: (thing, isTodo, of) => ({ ...(rightServer.thing(thing, isTodo, of) as object), _id: digits(thing.id) }),
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

/** Accepts an upload that names a deleted thing, but applies only a part of it. */
function losing(edit: (upload: Upload, isRemoved: (id: string) => boolean) => Partial<Upload>): Partial<Behavior> {
  return {
    applied: (given, session, account, state) => {
      const upload = rightServer.applied(given, session, account, state)
      return { ...upload, ...edit(upload, (id) => account.things.get(id)?.deleted !== false) }
    },
  }
}

const before = <T>(list: readonly T[], isRemoved: (one: T) => boolean): readonly T[] => {
  const first = list.findIndex(isRemoved)
  return first === -1 ? list : list.slice(0, first + 1)
}

/** Ignores the deletion of some things. */
function notDeleting(kind: (thing: Thing) => boolean): Partial<Behavior> {
  return {
    findToDelete: (account, id, state) => {
      const thing = rightServer.findToDelete(account, id, state)
      return thing !== undefined && kind(thing) ? undefined : thing
    },
  }
}

function notListing(kind: (thing: Thing) => boolean): Partial<Behavior> {
  return { listsDeleted: (thing, of) => rightServer.listsDeleted(thing, of) && !kind(thing) }
}

/** Faults of deletions that affect other things, or that depend on the fields of the thing (interface 4.3). */
export const deletedThingFaults: readonly Fault[] = [
  fault(
    'gone-change-ends-changes',
    'stops changing things at one that is gone',
    losing(({ changed }, isRemoved) => ({ changed: before(changed, ({ id }) => isRemoved(id)) })),
  ),
  fault(
    'gone-change-ends-upload',
    'creates nothing beside a change of a thing that is gone',
    losing(({ created, changed }, isRemoved) =>
      changed.some(({ id }) => isRemoved(id)) ? { created: [] } : { created },
    ),
  ),
  fault(
    'gone-deletion-ends-deletions',
    'stops deleting things at one that is gone',
    losing(({ deleted }, isRemoved) => ({ deleted: before(deleted, isRemoved) })),
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
    'does not list that an archived thing was deleted',
    notListing(({ fields }) => fields.archived),
  ),
  fault('archived-stays-in-full', 'lists archived things that were deleted in full syncs', {
    listsThing: (thing, of) => rightServer.listsThing(thing, of) || (of.full && thing.deleted && thing.fields.archived),
  }),
  fault(
    'bare-deletion-untold',
    'does not list that a thing without tags, url and html was deleted',
    notListing(({ fields: { tags, url, html } }) => tags === '' && url === undefined && html === undefined),
  ),
]
