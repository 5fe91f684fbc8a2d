import { type Behaviour, right } from '../server/behaviour.ts'
import { Refusal } from '../server/refusal.ts'
import type { Exchange } from '../server/right-requests.ts'
import type { Upload, UploadKind } from '../server/right-uploads.ts'
import { findParameter } from '../server/values.ts'
import type { Account, Json, Thing, ThingFields } from '../server/world.ts'
import { answers, type Fault, forms } from './fault.ts'

const { listsDeleted, listsThing } = right

/** Arrays of one value lost. */
function withoutArraysOfOne(kind: UploadKind): Partial<Behaviour> {
  return forms(kind, ({ plain }) => ({ plain: plain.filter((value) => !(Array.isArray(value) && value.length === 1)) }))
}

function withoutLoneRepeated(kind: UploadKind): Partial<Behaviour> {
  return forms(kind, ({ repeated }) => ({ repeated: repeated.length === 1 ? [] : repeated }))
}

function applying(edit: (upload: Upload, account: Account) => Partial<Upload>): Partial<Behaviour> {
  return { applied: (upload, _session, account) => ({ ...upload, ...edit(upload, account) }) }
}

function atMost(kind: 'created' | 'changed' | 'deleted', most: number): Partial<Behaviour> {
  return applying((upload) => ({ [kind]: upload[kind].slice(0, most) }))
}

function numberOf(exchange: Exchange, name: string): number | undefined {
  const value = findParameter(exchange.parameters, name)
  return value === undefined ? undefined : Number(value)
}

/** Parameters of a request edited, when it has the one that is named. */
function beside(
  name: string,
  edit: (all: Exchange['parameters'], value: Json) => Exchange['parameters'],
): Partial<Behaviour> {
  return {
    parameters: (all, { path }) => {
      const value = findParameter(all, name)
      return path === 'sync' && value !== undefined ? edit(all, value) : all
    },
  }
}

function withoutUploads(all: Exchange['parameters']): Exchange['parameters'] {
  return all.filter(([name]) => !/_thing|^tag/.test(name))
}

/** The entries of `things.new` cut by a parameter. */
function cutNew(
  cut: (entries: readonly (readonly [string, Json])[], exchange: Exchange) => readonly (readonly [string, Json])[],
): Partial<Behaviour> {
  return answers((answer, exchange) => {
    const things = answer.things as { new?: object } | undefined
    return things?.new === undefined
      ? answer
      : { ...answer, things: { ...things, new: Object.fromEntries(cut(Object.entries(things.new), exchange)) } }
  })
}

function cutCreated(cut: (upload: Upload, exchange: Exchange) => Partial<Upload>): Partial<Behaviour> {
  return {
    delay: async (exchange) => void exchange.account?.memory.set('asked', exchange),
    applied: (upload, _session, account) => {
      const exchange = account.memory.get('asked') as Exchange | undefined
      return exchange === undefined ? upload : { ...upload, ...cut(upload, exchange) }
    },
  }
}

/** Forms and company of uploads (interface 4.3). */
export const formMoreFaults: readonly Fault[] = [
  {
    id: 'form-array-of-one-ignored',
    title: 'ignores a new_thing that is an array of one',
    behaviour: withoutArraysOfOne('new_thing'),
  },
  {
    id: 'changed-array-of-one-ignored',
    title: 'ignores a changed_thing that is an array of one',
    behaviour: withoutArraysOfOne('changed_thing'),
  },
  {
    id: 'deleted-array-of-one-ignored',
    title: 'ignores a deleted_thing that is an array of one',
    behaviour: withoutArraysOfOne('deleted_thing'),
  },
  {
    id: 'form-repeated-alone-ignored',
    title: 'ignores new_thing[] that comes once',
    behaviour: withoutLoneRepeated('new_thing'),
  },
  {
    id: 'changed-repeated-alone-ignored',
    title: 'ignores changed_thing[] that comes once',
    behaviour: withoutLoneRepeated('changed_thing'),
  },
  {
    id: 'deleted-repeated-alone-ignored',
    title: 'ignores deleted_thing[] that comes once',
    behaviour: withoutLoneRepeated('deleted_thing'),
  },
  {
    id: 'forms-mixed-first-only',
    title: 'reads repeated parameters only when no parameter is an array',
    behaviour: beside('new_thing', (all) => all.filter(([name]) => !name.endsWith('[]'))),
  },
  {
    id: 'upload-of-three-kinds-loses-deletions',
    title: 'loses the deletions of an upload of three kinds',
    behaviour: applying(({ created, changed, deleted }) => ({
      deleted: created.length > 0 && changed.length > 0 ? [] : deleted,
    })),
  },
  {
    id: 'changed-repeated-beside-array-ignored',
    title: 'ignores changed_thing[] beside deletions in an array',
    behaviour: beside('deleted_thing', (all) => all.filter(([name]) => name !== 'changed_thing[]')),
  },
  {
    id: 'upload-changes-only-as-many-as-new',
    title: 'changes only as many things as are new',
    behaviour: applying(({ created, changed }) => ({
      changed: created.length > 1 ? changed.slice(0, created.length) : changed,
    })),
  },
  {
    id: 'changed-twenty-repeated',
    title: 'takes only the first twenty changed_thing[]',
    behaviour: forms('changed_thing', ({ repeated }) => ({ repeated: repeated.slice(0, 20) })),
  },
  {
    id: 'deleted-twenty-repeated',
    title: 'takes only the first twenty deleted_thing[]',
    behaviour: forms('deleted_thing', ({ repeated }) => ({ repeated: repeated.slice(0, 20) })),
  },
  { id: 'changed-twenty-at-most', title: 'changes twenty things at most', behaviour: atMost('changed', 20) },
  { id: 'deleted-twenty-at-most', title: 'deletes twenty things at most', behaviour: atMost('deleted', 20) },
  { id: 'deleted-ten-at-most', title: 'deletes ten things at most', behaviour: atMost('deleted', 10) },
  {
    id: 'limit-cuts-upload',
    title: 'creates as many things as limit says',
    behaviour: cutCreated(({ created }, exchange) => ({ created: created.slice(0, numberOf(exchange, 'limit')) })),
  },
  {
    id: 'limit-cuts-new-map',
    title: 'maps as many things as limit says',
    behaviour: cutNew((entries, exchange) => entries.slice(0, numberOf(exchange, 'limit'))),
  },
  { id: 'limit-makes-read-only', title: 'reads no upload beside a limit', behaviour: beside('limit', withoutUploads) },
  {
    id: 'skip-cuts-upload',
    title: 'skips new things, too',
    behaviour: cutCreated(({ created }, exchange) => ({ created: created.slice(numberOf(exchange, 'skip') ?? 0) })),
  },
  {
    id: 'skip-cuts-new-map',
    title: 'skips entries of things.new, too',
    behaviour: cutNew((entries, exchange) => entries.slice(numberOf(exchange, 'skip') ?? 0)),
  },
  {
    id: 'skip-id-stops-changes',
    title: 'does not change things given as skip_id',
    behaviour: cutCreated(({ changed }, exchange) => ({
      changed: changed.filter(({ id }) => id !== findParameter(exchange.parameters, 'skip_id')),
    })),
  },
  {
    id: 'skip-id-stops-deletions',
    title: 'deletes nothing beside a skip_id',
    behaviour: cutCreated(({ deleted }, exchange) => ({
      deleted: findParameter(exchange.parameters, 'skip_id') === undefined ? deleted : [],
    })),
  },
  {
    id: 'skip-id-makes-read-only',
    title: 'reads no upload beside a skip_id',
    behaviour: beside('skip_id', withoutUploads),
  },
  {
    id: 'skip-id-remembered',
    title: 'leaves out for a session what it once gave as skip_id',
    behaviour: {
      listsThing: (thing, of) => listsThing(thing, of) && !skipped(of.exchange, of.session.memory).has(thing.id),
    },
  },
  {
    id: 'skip-id-for-everybody',
    title: 'leaves out for all devices what one gave as skip_id',
    behaviour: {
      listsThing: (thing, of) => listsThing(thing, of) && !skipped(of.exchange, of.account.memory).has(thing.id),
    },
  },
  {
    id: 'skip-id-deletes',
    title: 'deletes what is given as skip_id',
    behaviour: {
      delay: async ({ account, parameters }) => {
        const thing = account?.things.get(findParameter(parameters, 'skip_id'))
        if (thing !== undefined) thing.deleted = true
      },
    },
  },
]

/** What was given as skip_id so far, this request included. */
function skipped({ parameters }: Exchange, memory: Map<string, Json>): ReadonlySet<Json> {
  const known = (memory.get('skipped') ?? new Set()) as Set<Json>
  memory.set('skipped', known)
  const id = findParameter(parameters, 'skip_id')
  if (id !== undefined) known.add(id)
  return known
}

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
const counting: Partial<Behaviour> = {
  newId: ({ memory }) => {
    memory.set('number', Number(memory.get('number') ?? 0) + 1)
    return String(memory.get('number'))
  },
}

/** Things that are alike (interface 2.1). */
export const twinFaults: readonly Fault[] = [
  { id: 'twins-by-title-dropped', title: 'takes a new thing for one with the same title', behaviour: merging('title') },
  { id: 'twins-by-url-merged', title: 'takes a new thing for one with the same url', behaviour: merging('url') },
  { id: 'twins-by-html-merged', title: 'takes a new thing for one with the same html', behaviour: merging('html') },
  { id: 'twins-by-date-merged', title: 'takes a new thing for one with the same date', behaviour: merging('date') },
  {
    id: 'twins-in-one-upload-merged',
    title: 'creates things with the same title once in an upload',
    behaviour: applying(({ created }) => ({
      created: [...new Map(created.map((thing) => [thing.given.title, thing])).values()],
    })),
  },
  {
    id: 'twins-by-title-renamed',
    title: 'adds a number to a title that is there',
    behaviour: applying(({ created }, account) => ({
      created: created.map((thing) =>
        twinOf(account, thing.given, 'title') === undefined
          ? thing
          : { ...thing, fields: { ...thing.fields, title: `${thing.given.title} (2)` } },
      ),
    })),
  },
  {
    id: 'change-hits-same-title',
    title: 'changes all things that had the same title',
    behaviour: hitting('change', sameFirst('title')),
  },
  {
    id: 'change-hits-same-url',
    title: 'changes all things that had the same url',
    behaviour: hitting('change', sameFirst('url')),
  },
  {
    id: 'change-hits-ids-that-begin-so',
    title: 'changes all things whose ids begin so',
    behaviour: { ...counting, ...hitting('change', (other, named) => String(named.id).startsWith(String(other.id))) },
  },
  {
    id: 'change-hits-first',
    title: 'changes the oldest thing with the same tags as well',
    behaviour: hitting(
      'change',
      (other, named) =>
        other.first.tags !== '' && other.first.tags === named.first.tags && other.created < named.created,
    ),
  },
  {
    id: 'change-lists-neighbours',
    title: 'lists all things with the same tags when one changes',
    behaviour: {
      afterWrite: ({ things, position }, { changed }) => {
        const tags = new Set(changed.map(({ id }) => things.get(id)?.fields.tags))
        for (const thing of things.values())
          if (thing.fields.tags !== '' && tags.has(thing.fields.tags)) thing.position = position
      },
    },
  },
  {
    id: 'deletion-hits-same-title',
    title: 'deletes all things with the same title',
    behaviour: hitting('deletion', sameFirst('title')),
  },
  {
    id: 'deletion-hits-same-url',
    title: 'deletes all things with the same url',
    behaviour: hitting('deletion', sameFirst('url')),
  },
  {
    id: 'deletion-hits-ids-that-begin-so',
    title: 'deletes all things whose ids begin so',
    behaviour: { ...counting, ...hitting('deletion', (other, named) => String(other.id).startsWith(String(named.id))) },
  },
  {
    id: 'deletion-hits-newest',
    title: 'deletes the thing that was created next, too',
    behaviour: hitting('deletion', (other, named) => other.created === named.created + 1),
  },
  {
    id: 'deletion-told-of-neighbours',
    title: 'lists things with the tags of a deleted one as deleted',
    behaviour: {
      listsDeleted: (thing, of) =>
        listsDeleted(thing, of) ||
        (!of.full &&
          thing.fields.tags !== '' &&
          [...of.account.things.values()].some(
            (other) => other.fields.tags === thing.fields.tags && listsDeleted(other, of),
          )),
    },
  },
  {
    id: 'deletion-of-three-hits-rest',
    title: 'deletes everything from the first to the last of several things',
    behaviour: {
      afterWrite: ({ things, position }, { deleted }) => {
        const order = [...things.keys()]
        const places = deleted.map((id) => order.indexOf(id)).filter((place) => place >= 0)
        if (places.length < 3) return
        for (const id of order.slice(Math.min(...places), Math.max(...places)))
          Object.assign(things.get(id) ?? {}, { deleted: true, position })
      },
    },
  },
  {
    id: 'upload-deletes-what-it-changes',
    title: 'deletes what an upload changes when it deletes something, too',
    behaviour: applying(({ changed, deleted }) => ({
      deleted: deleted.length > 0 ? [...deleted, ...changed.map(({ id }) => id)] : deleted,
    })),
  },
  {
    id: 'upload-deletes-what-it-creates',
    title: 'loses the new things of an upload that deletes something',
    behaviour: {
      afterWrite: ({ things }, { created, deleted }) => {
        if (deleted.length > 0) for (const { id } of created) things.delete(id)
      },
    },
  },
  {
    id: 'upload-changes-by-place',
    title: 'gives the fields of the last change to all',
    behaviour: applying(({ changed }) => ({
      changed: changed.map((change) => ({ ...change, fields: changed.at(-1)?.fields ?? {} })),
    })),
  },
  {
    id: 'upload-swaps-changes',
    title: 'applies changes in the order of their ids',
    behaviour: applying(({ changed }, account) => {
      const order = [...account.things.keys()]
      const ids = changed.map(({ id }) => id).sort((a, b) => order.indexOf(a) - order.indexOf(b))
      return { changed: changed.map((change, place) => ({ ...change, id: ids[place] ?? change.id })) }
    }),
  },
]

function capped(most: number, kind: 'changed' | 'deleted', where: 'full' | 'delta' | 'both'): Partial<Behaviour> {
  return {
    listed: (list, which, { full }) =>
      which === kind && (where === 'both' || full === (where === 'full')) ? list.slice(0, most) : list,
  }
}

function parametersAtMost(most: number): Partial<Behaviour> {
  return { form: (body) => body.slice(0, most) }
}

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

function begins(id: string, given: string): boolean {
  return given !== '' && id.startsWith(given)
}

function lastOfLost(count: number): Partial<Behaviour> {
  return applying(({ created }) => ({ created: created.length === count ? created.slice(0, -1) : created }))
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

/** Lists of deltas cut after they were counted. */
function cutLists(most: number, kind: 'changed' | 'deleted'): Partial<Behaviour> {
  return answers((answer, { parameters }) => {
    const things = answer.things as Record<string, readonly Json[]> | undefined
    const list = things?.[kind]
    if (list === undefined || ['limit', 'skip'].some((name) => findParameter(parameters, name) !== undefined))
      return answer
    const isDelta = Number(findParameter(parameters, 'from') ?? 0) > 0
    return isDelta ? { ...answer, things: { ...things, [kind]: list.slice(0, most) } } : answer
  })
}

/** Sizes that end somewhere without a word (interface 4.3, 8). */
export const sizeFaults: readonly Fault[] = [
  {
    id: 'many-things-answered-empty',
    title: 'answers {} to more than a thousand things',
    behaviour: {
      ...applying(({ created }) => {
        if (created.length > 1000) throw new Refusal('things-many', 'too many')
        return {}
      }),
      errorStatus: () => 200,
      errorBody: (refusal) => (refusal.reason === 'things-many' ? {} : right.errorBody(refusal)),
    },
  },
  {
    id: 'new-last-of-hundred-unlisted',
    title: 'lists 99 of a hundred things',
    behaviour: { listed: (list, kind) => (kind === 'changed' && list.length === 100 ? list.slice(1) : list) },
  },
  {
    id: 'delta-cut-at-700-counted-whole',
    title: 'lists 700 things without a limit, and counts all',
    behaviour: cutLists(700, 'changed'),
  },
  {
    id: 'deletions-cut-at-300-counted-whole',
    title: 'lists 300 deletions, and counts all',
    behaviour: cutLists(300, 'deleted'),
  },
  {
    id: 'full-lists-some-deleted',
    title: 'lists some deleted things in full',
    behaviour: {
      listsThing: (thing, of) => listsThing(thing, of) || (of.full && thing.deleted && String(thing.id).endsWith('7')),
    },
  },
  { id: 'new-last-of-twenty-lost', title: 'loses the last of twenty things', behaviour: lastOfLost(20) },
  { id: 'new-last-of-hundred-lost', title: 'loses the last of a hundred things', behaviour: lastOfLost(100) },
  { id: 'new-last-of-250-lost', title: 'loses the last of 250 things', behaviour: lastOfLost(250) },
  { id: 'new-fifty-at-most', title: 'creates fifty things at most', behaviour: atMost('created', 50) },
  { id: 'new-hundred-at-most', title: 'creates a hundred things at most', behaviour: atMost('created', 100) },
  { id: 'new-250-at-most', title: 'creates 250 things at most', behaviour: atMost('created', 250) },
  { id: 'new-1000-at-most', title: 'creates a thousand things at most', behaviour: atMost('created', 1000) },
  {
    id: 'new-map-hundred-at-most',
    title: 'maps a hundred things at most',
    behaviour: cutNew((entries) => entries.slice(0, 100)),
  },
  { id: 'parameters-fifty-at-most', title: 'reads fifty parameters', behaviour: parametersAtMost(50) },
  { id: 'parameters-hundred-at-most', title: 'reads a hundred parameters', behaviour: parametersAtMost(100) },
  { id: 'parameters-thousand-at-most', title: 'reads a thousand parameters', behaviour: parametersAtMost(1000) },
  { id: 'delta-capped-at-100', title: 'lists a hundred things in a delta', behaviour: capped(100, 'changed', 'delta') },
  {
    id: 'delta-capped-at-1000',
    title: 'lists a thousand things in a delta',
    behaviour: capped(1000, 'changed', 'delta'),
  },
  { id: 'full-capped-at-200', title: 'lists 200 things in full', behaviour: capped(200, 'changed', 'full') },
  { id: 'full-capped-at-1000', title: 'lists a thousand things in full', behaviour: capped(1000, 'changed', 'full') },
  {
    id: 'page-capped-at-50',
    title: 'lists fifty things on a page',
    behaviour: {
      page: (list, skip, limit) => right.page(list, skip, limit === undefined ? undefined : Math.min(limit, 50)),
    },
  },
  {
    id: 'page-capped-at-500',
    title: 'lists 500 things on a page',
    behaviour: {
      page: (list, skip, limit) => right.page(list, skip, limit === undefined ? undefined : Math.min(limit, 500)),
    },
  },
  {
    id: 'page-skip-capped',
    title: 'skips 500 things at most',
    behaviour: { page: (list, skip, limit) => right.page(list, Math.min(skip, 500), limit) },
  },
  {
    id: 'thing-count-capped',
    title: 'counts to a thousand',
    behaviour: { thingCount: (counts) => Math.min(right.thingCount(counts), 1000) },
  },
  {
    id: 'thing-count-deletions-capped',
    title: 'counts 500 deletions at most',
    behaviour: { thingCount: ({ created, changed, deleted }) => created + changed + Math.min(deleted, 500) },
  },
  { id: 'changed-fifty-at-most', title: 'changes fifty things at most', behaviour: atMost('changed', 50) },
  { id: 'changed-hundred-at-most', title: 'changes a hundred things at most', behaviour: atMost('changed', 100) },
  { id: 'changed-1000-at-most', title: 'changes a thousand things at most', behaviour: atMost('changed', 1000) },
  { id: 'deleted-fifty-at-most', title: 'deletes fifty things at most', behaviour: atMost('deleted', 50) },
  { id: 'deleted-hundred-at-most', title: 'deletes a hundred things at most', behaviour: atMost('deleted', 100) },
  { id: 'deleted-1000-at-most', title: 'deletes a thousand things at most', behaviour: atMost('deleted', 1000) },
  { id: 'deletions-listed-100', title: 'lists a hundred deletions', behaviour: capped(100, 'deleted', 'both') },
  { id: 'deletions-listed-1000', title: 'lists a thousand deletions', behaviour: capped(1000, 'deleted', 'both') },
  {
    id: 'deletions-remembered-100',
    title: 'remembers the last hundred deletions',
    behaviour: {
      afterWrite: ({ things }) => {
        const gone = [...things.values()].filter(({ deleted }) => deleted).sort((a, b) => a.position - b.position)
        for (const { id } of gone.slice(0, Math.max(0, gone.length - 100))) things.delete(id)
      },
    },
  },
  {
    id: 'skip-id-twenty-at-most',
    title: 'reads twenty ids of skip_id',
    behaviour: { isSkipped: (id, ids) => ids.slice(0, 20).includes(String(id)) },
  },
  {
    id: 'skip-id-hundred-at-most',
    title: 'reads a hundred ids of skip_id',
    behaviour: { isSkipped: (id, ids) => ids.slice(0, 100).includes(String(id)) },
  },
  {
    id: 'tags-twenty-at-most',
    title: 'sets twenty tags at most',
    behaviour: { submittedTags: (tags) => new Map([...tags].slice(0, 20)) },
  },
  {
    id: 'tags-thirty-at-most',
    title: 'sets thirty tags at most',
    behaviour: { submittedTags: (tags) => new Map([...tags].slice(0, 30)) },
  },
  {
    id: 'delta-tags-capped',
    title: 'lists forty tags in a delta',
    behaviour: answers((answer, { parameters }) => ({
      ...answer,
      tags:
        answer.tags && findParameter(parameters, 'from')
          ? Object.fromEntries(Object.entries(answer.tags).slice(0, 40))
          : answer.tags,
    })),
  },
  {
    id: 'full-tags-capped',
    title: 'lists forty tags in full',
    behaviour: answers((answer, { parameters }) => ({
      ...answer,
      tags:
        answer.tags && !findParameter(parameters, 'from')
          ? Object.fromEntries(Object.entries(answer.tags).slice(0, 40))
          : answer.tags,
    })),
  },
]
