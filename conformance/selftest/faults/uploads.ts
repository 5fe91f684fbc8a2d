import {
  type Behavior,
  type Exchange,
  findParameter,
  rightServer,
  type Upload,
  type UploadKind,
} from '../../src/model/behavior.ts'
import { type Account, ApiError, type Json } from '../../src/model/state.ts'
import { hasUpload } from '../../src/model/sync.ts'
import { errors, type Fault, fault, forms, fromOf, responses, without } from './fault.ts'

/** Loses arrays of one value. */
function withoutArraysOfOne(kind: UploadKind): Partial<Behavior> {
  return forms(kind, ({ plain }) => ({ plain: plain.filter((value) => !(Array.isArray(value) && value.length === 1)) }))
}

function withoutLoneRepeated(kind: UploadKind): Partial<Behavior> {
  return forms(kind, ({ repeated }) => ({ repeated: repeated.length === 1 ? [] : repeated }))
}

/** Edits an upload before the server applies it. */
export function applying(edit: (upload: Upload, account: Account) => Partial<Upload>): Partial<Behavior> {
  return { applied: (upload, _session, account) => ({ ...upload, ...edit(upload, account) }) }
}

function atMost(kind: 'created' | 'changed' | 'deleted', max: number): Partial<Behavior> {
  return applying((upload) => ({ [kind]: upload[kind].slice(0, max) }))
}

/** Edits the parameters of a request that has the named parameter. */
function beside(
  name: string,
  edit: (all: Exchange['parameters'], value: Json) => Exchange['parameters'],
): Partial<Behavior> {
  return {
    parameters: (all, { path }) => {
      const value = findParameter(all, name)
      return path === 'sync' && value !== undefined ? edit(all, value) : all
    },
  }
}

/** Faults of arrays and repeated parameters of uploads, and of their number (interface 4.3). */
export const uploadArrayFaults: readonly Fault[] = [
  fault('form-array-of-one-ignored', 'ignores a new_thing that is an array of one', withoutArraysOfOne('new_thing')),
  fault(
    'changed-array-of-one-ignored',
    'ignores a changed_thing that is an array of one',
    withoutArraysOfOne('changed_thing'),
  ),
  fault(
    'deleted-array-of-one-ignored',
    'ignores a deleted_thing that is an array of one',
    withoutArraysOfOne('deleted_thing'),
  ),
  fault('form-repeated-alone-ignored', 'ignores new_thing[] that comes once', withoutLoneRepeated('new_thing')),
  fault(
    'changed-repeated-alone-ignored',
    'ignores changed_thing[] that comes once',
    withoutLoneRepeated('changed_thing'),
  ),
  fault(
    'deleted-repeated-alone-ignored',
    'ignores deleted_thing[] that comes once',
    withoutLoneRepeated('deleted_thing'),
  ),
  fault(
    'forms-mixed-first-only',
    'reads repeated parameters only when no parameter is an array',
    beside('new_thing', (all) => all.filter(([name]) => !name.endsWith('[]'))),
  ),
  fault(
    'upload-of-three-kinds-loses-deletions',
    'loses the deletions of an upload of three kinds',
    applying(({ created, changed, deleted }) => ({
      deleted: created.length > 0 && changed.length > 0 ? [] : deleted,
    })),
  ),
  fault(
    'changed-repeated-beside-array-ignored',
    'ignores changed_thing[] beside deletions in an array',
    beside('deleted_thing', (all) => all.filter(([name]) => name !== 'changed_thing[]')),
  ),
  fault(
    'upload-changes-only-as-many-as-new',
    'changes only as many things as are new',
    applying(({ created, changed }) => ({
      changed: created.length > 1 ? changed.slice(0, created.length) : changed,
    })),
  ),
  fault(
    'changed-twenty-repeated',
    'takes only the first twenty changed_thing[]',
    forms('changed_thing', ({ repeated }) => ({ repeated: repeated.slice(0, 20) })),
  ),
  fault(
    'deleted-twenty-repeated',
    'takes only the first twenty deleted_thing[]',
    forms('deleted_thing', ({ repeated }) => ({ repeated: repeated.slice(0, 20) })),
  ),
  fault('changed-twenty-at-most', 'changes twenty things at most', atMost('changed', 20)),
  fault('deleted-twenty-at-most', 'deletes twenty things at most', atMost('deleted', 20)),
  fault('deleted-ten-at-most', 'deletes ten things at most', atMost('deleted', 10)),
]

function numberOf(exchange: Exchange, name: string): number | undefined {
  const value = findParameter(exchange.parameters, name)
  return value === undefined ? undefined : Number(value)
}

function withoutUploads(all: Exchange['parameters']): Exchange['parameters'] {
  return all.filter(([name]) => !/_thing|^tag/.test(name))
}

/** Cuts the entries of `things.new` by a parameter. */
function cutNew(
  cut: (entries: readonly (readonly [string, Json])[], exchange: Exchange) => readonly (readonly [string, Json])[],
): Partial<Behavior> {
  return responses((response, exchange) => {
    const things = response.things as { new?: object } | undefined
    return things?.new === undefined
      ? response
      : { ...response, things: { ...things, new: Object.fromEntries(cut(Object.entries(things.new), exchange)) } }
  })
}

function cutCreated(cut: (upload: Upload, exchange: Exchange) => Partial<Upload>): Partial<Behavior> {
  return {
    delay: async (exchange) => void exchange.account?.memory.set('asked', exchange),
    applied: (upload, _session, account) => {
      const exchange = account.memory.get('asked') as Exchange | undefined
      return exchange === undefined ? upload : { ...upload, ...cut(upload, exchange) }
    },
  }
}

/** Collects the values of skip_id so far, including this request. */
function skipped({ parameters }: Exchange, memory: Map<string, Json>): ReadonlySet<Json> {
  const known = (memory.get('skipped') ?? new Set()) as Set<Json>
  memory.set('skipped', known)
  const id = findParameter(parameters, 'skip_id')
  if (id !== undefined) known.add(id)
  return known
}

/** Faults of uploads with `limit`, `skip` and `skip_id` (interface 4.3). */
export const uploadBesideFaults: readonly Fault[] = [
  fault(
    'limit-cuts-upload',
    'creates as many things as limit says',
    cutCreated(({ created }, exchange) => ({ created: created.slice(0, numberOf(exchange, 'limit')) })),
  ),
  fault(
    'limit-cuts-new-map',
    'maps as many things as limit says',
    cutNew((entries, exchange) => entries.slice(0, numberOf(exchange, 'limit'))),
  ),
  fault('limit-makes-read-only', 'reads no upload beside a limit', beside('limit', withoutUploads)),
  fault(
    'skip-cuts-upload',
    'also skips new things',
    cutCreated(({ created }, exchange) => ({ created: created.slice(numberOf(exchange, 'skip') ?? 0) })),
  ),
  fault(
    'skip-cuts-new-map',
    'also skips entries of things.new',
    cutNew((entries, exchange) => entries.slice(numberOf(exchange, 'skip') ?? 0)),
  ),
  fault(
    'skip-id-stops-changes',
    'does not change things given as skip_id',
    cutCreated(({ changed }, exchange) => ({
      changed: changed.filter(({ id }) => id !== findParameter(exchange.parameters, 'skip_id')),
    })),
  ),
  fault(
    'skip-id-stops-deletions',
    'deletes nothing beside a skip_id',
    cutCreated(({ deleted }, exchange) => ({
      deleted: findParameter(exchange.parameters, 'skip_id') === undefined ? deleted : [],
    })),
  ),
  fault('skip-id-makes-read-only', 'reads no upload beside a skip_id', beside('skip_id', withoutUploads)),
  fault('skip-id-remembered', 'leaves out for a session what it once gave as skip_id', {
    listsThing: (thing, of) =>
      rightServer.listsThing(thing, of) && !skipped(of.exchange, of.session.memory).has(thing.id),
  }),
  fault('skip-id-for-everybody', 'leaves out for all devices what one gave as skip_id', {
    listsThing: (thing, of) =>
      rightServer.listsThing(thing, of) && !skipped(of.exchange, of.account.memory).has(thing.id),
  }),
  fault('skip-id-deletes', 'deletes what is given as skip_id', {
    delay: async ({ account, parameters }) => {
      const thing = account?.things.get(findParameter(parameters, 'skip_id'))
      if (thing !== undefined) thing.deleted = true
    },
  }),
]

function isArray(value: Json): boolean {
  return Array.isArray(value)
}

function isSingle(value: Json): boolean {
  return !Array.isArray(value)
}

function firstOf(value: Json): Json {
  return Array.isArray(value) ? value[0] : value
}

/** Faults in reading the forms of several submitted things (interface 4.3). */
export const uploadFormFaults: readonly Fault[] = [
  fault(
    'form-object-ignored',
    'ignores a new_thing that is one object',
    forms('new_thing', ({ plain }) => ({ plain: plain.filter(isArray) })),
  ),
  fault(
    'form-object-rejected',
    'rejects a new_thing that is one object',
    forms('new_thing', ({ plain }) => {
      if (plain.some(isSingle)) throw new ApiError('parameter-invalid', 'new_thing must be an array')
      return {}
    }),
  ),
  fault(
    'form-array-ignored',
    'ignores a new_thing that is an array',
    forms('new_thing', ({ plain }) => ({ plain: plain.filter(isSingle) })),
  ),
  fault(
    'form-array-first-only',
    'takes only the first of an array of new things',
    forms('new_thing', ({ plain }) => ({ plain: plain.map(firstOf) })),
  ),
  fault(
    'form-repeated-ignored',
    'ignores new_thing[]',
    forms('new_thing', () => ({ repeated: [] })),
  ),
  fault(
    'form-repeated-last-only',
    'takes only the last new_thing[]',
    forms('new_thing', ({ repeated }) => ({ repeated: repeated.slice(-1) })),
  ),
  fault(
    'form-twenty-repeated',
    'takes only the first twenty new_thing[]',
    forms('new_thing', ({ repeated }) => ({ repeated: repeated.slice(0, 20) })),
  ),
  fault(
    'changed-object-ignored',
    'ignores a changed_thing that is one object',
    forms('changed_thing', ({ plain }) => ({ plain: plain.filter(isArray) })),
  ),
  fault(
    'changed-array-first-only',
    'takes only the first of an array of changed things',
    forms('changed_thing', ({ plain }) => ({ plain: plain.map(firstOf) })),
  ),
  fault(
    'changed-repeated-last-only',
    'takes only the last changed_thing[]',
    forms('changed_thing', ({ repeated }) => ({ repeated: repeated.slice(-1) })),
  ),
  fault(
    'changed-repeated-ignored',
    'ignores changed_thing[]',
    forms('changed_thing', () => ({ repeated: [] })),
  ),
  fault(
    'deleted-plain-ignored',
    'ignores a deleted_thing that is a plain id',
    forms('deleted_thing', ({ plain }) => ({ plain: plain.filter(isArray) })),
  ),
  fault(
    'deleted-array-ignored',
    'ignores a deleted_thing that is an array',
    forms('deleted_thing', ({ plain }) => ({ plain: plain.filter(isSingle) })),
  ),
  fault(
    'deleted-repeated-last-only',
    'takes only the last deleted_thing[]',
    forms('deleted_thing', ({ repeated }) => ({ repeated: repeated.slice(-1) })),
  ),
  fault(
    'deleted-repeated-ignored',
    'ignores deleted_thing[]',
    forms('deleted_thing', () => ({ repeated: [] })),
  ),
  fault('upload-new-only', 'takes only the new things when others are submitted beside them', {
    applied: (upload) => (upload.created.length === 0 ? upload : { ...upload, changed: [], deleted: [] }),
  }),
  fault(
    'bad-upload-plain-text',
    'rejects an upload that is no JSON with plain text',
    errors('bad-json', (body) => `${body.error_description}`),
  ),
  fault(
    'bad-upload-without-description',
    'rejects an upload that is no JSON without a description',
    errors('bad-json', (body) => without(body, 'error_description')),
  ),
  fault('upload-after-from-rejected', 'rejects an upload that carries a from', {
    delay: async (exchange) => {
      const rejected = exchange.method === 'POST' && hasUpload(exchange) && Number(fromOf(exchange) ?? 0) > 0
      if (rejected) throw new ApiError('parameter-invalid', 'from can not be given with an upload')
    },
  }),
]

function capped(limit: number, kind: 'changed' | 'deleted', where: 'full' | 'incremental' | 'both'): Partial<Behavior> {
  return {
    listed: (list, which, { full }) =>
      which === kind && (where === 'both' || full === (where === 'full')) ? list.slice(0, limit) : list,
  }
}

function parametersAtMost(limit: number): Partial<Behavior> {
  return { form: (body) => body.slice(0, limit) }
}

function lastOfLost(count: number): Partial<Behavior> {
  return applying(({ created }) => ({ created: created.length === count ? created.slice(0, -1) : created }))
}

/** Cuts the lists of incremental syncs after counting. */
function cutLists(limit: number, kind: 'changed' | 'deleted'): Partial<Behavior> {
  return responses((response, { parameters }) => {
    const things = response.things as Record<string, readonly Json[]> | undefined
    const list = things?.[kind]
    if (list === undefined || ['limit', 'skip'].some((name) => findParameter(parameters, name) !== undefined))
      return response
    const isIncremental = Number(findParameter(parameters, 'from') ?? 0) > 0
    return isIncremental ? { ...response, things: { ...things, [kind]: list.slice(0, limit) } } : response
  })
}

/** Faults of size limits without an error (interface 4.3, 8). */
export const sizeFaults: readonly Fault[] = [
  fault('many-things-returned-empty', 'responds with {} to more than a thousand things', {
    ...applying(({ created }) => {
      if (created.length > 1000) throw new ApiError('things-many', 'too many')
      return {}
    }),
    errorStatus: () => 200,
    errorBody: (apiError) => (apiError.reason === 'things-many' ? {} : rightServer.errorBody(apiError)),
  }),
  fault('new-last-of-hundred-unlisted', 'lists 99 of a hundred things', {
    listed: (list, kind) => (kind === 'changed' && list.length === 100 ? list.slice(1) : list),
  }),
  fault(
    'incremental-cut-at-700-counted-whole',
    'lists 700 things without a limit, and counts all',
    cutLists(700, 'changed'),
  ),
  fault('deletions-cut-at-300-counted-whole', 'lists 300 deletions, and counts all', cutLists(300, 'deleted')),
  fault('full-lists-some-deleted', 'lists some deleted things in full', {
    listsThing: (thing, of) =>
      rightServer.listsThing(thing, of) || (of.full && thing.deleted && String(thing.id).endsWith('7')),
  }),
  fault('new-last-of-twenty-lost', 'loses the last of twenty things', lastOfLost(20)),
  fault('new-last-of-hundred-lost', 'loses the last of a hundred things', lastOfLost(100)),
  fault('new-last-of-250-lost', 'loses the last of 250 things', lastOfLost(250)),
  fault('new-fifty-at-most', 'creates fifty things at most', atMost('created', 50)),
  fault('new-hundred-at-most', 'creates a hundred things at most', atMost('created', 100)),
  fault('new-250-at-most', 'creates 250 things at most', atMost('created', 250)),
  fault('new-1000-at-most', 'creates a thousand things at most', atMost('created', 1000)),
  fault(
    'new-map-hundred-at-most',
    'maps a hundred things at most',
    cutNew((entries) => entries.slice(0, 100)),
  ),
  fault('parameters-fifty-at-most', 'reads fifty parameters', parametersAtMost(50)),
  fault('parameters-hundred-at-most', 'reads a hundred parameters', parametersAtMost(100)),
  fault('parameters-thousand-at-most', 'reads a thousand parameters', parametersAtMost(1000)),
  fault(
    'incremental-capped-at-100',
    'lists a hundred things in an incremental sync',
    capped(100, 'changed', 'incremental'),
  ),
  fault(
    'incremental-capped-at-1000',
    'lists 1,000 things in an incremental sync',
    capped(1000, 'changed', 'incremental'),
  ),
  fault('full-capped-at-200', 'lists 200 things in full', capped(200, 'changed', 'full')),
  fault('full-capped-at-1000', 'lists a thousand things in full', capped(1000, 'changed', 'full')),
  fault('page-capped-at-50', 'lists fifty things on a page', {
    page: (list, skip, limit) => rightServer.page(list, skip, limit === undefined ? undefined : Math.min(limit, 50)),
  }),
  fault('page-capped-at-500', 'lists 500 things on a page', {
    page: (list, skip, limit) => rightServer.page(list, skip, limit === undefined ? undefined : Math.min(limit, 500)),
  }),
  fault('page-skip-capped', 'skips 500 things at most', {
    page: (list, skip, limit) => rightServer.page(list, Math.min(skip, 500), limit),
  }),
  fault('thing-count-capped', 'counts to a thousand', {
    thingCount: (counts) => Math.min(rightServer.thingCount(counts), 1000),
  }),
  fault('thing-count-deletions-capped', 'counts 500 deletions at most', {
    thingCount: ({ created, changed, deleted }) => created + changed + Math.min(deleted, 500),
  }),
  fault('changed-fifty-at-most', 'changes fifty things at most', atMost('changed', 50)),
  fault('changed-hundred-at-most', 'changes a hundred things at most', atMost('changed', 100)),
  fault('changed-1000-at-most', 'changes a thousand things at most', atMost('changed', 1000)),
  fault('deleted-fifty-at-most', 'deletes fifty things at most', atMost('deleted', 50)),
  fault('deleted-hundred-at-most', 'deletes a hundred things at most', atMost('deleted', 100)),
  fault('deleted-1000-at-most', 'deletes a thousand things at most', atMost('deleted', 1000)),
  fault('deletions-listed-100', 'lists a hundred deletions', capped(100, 'deleted', 'both')),
  fault('deletions-listed-1000', 'lists a thousand deletions', capped(1000, 'deleted', 'both')),
  fault('deletions-remembered-100', 'remembers the last hundred deletions', {
    afterWrite: ({ things }) => {
      const removed = [...things.values()].filter(({ deleted }) => deleted).sort((a, b) => a.position - b.position)
      for (const { id } of removed.slice(0, Math.max(0, removed.length - 100))) things.delete(id)
    },
  }),
  fault('skip-id-twenty-at-most', 'reads twenty ids of skip_id', {
    isSkipped: (id, ids) => ids.slice(0, 20).includes(String(id)),
  }),
  fault('skip-id-hundred-at-most', 'reads a hundred ids of skip_id', {
    isSkipped: (id, ids) => ids.slice(0, 100).includes(String(id)),
  }),
  fault('tags-twenty-at-most', 'sets twenty tags at most', {
    submittedTags: (tags) => new Map([...tags].slice(0, 20)),
  }),
  fault('tags-thirty-at-most', 'sets thirty tags at most', {
    submittedTags: (tags) => new Map([...tags].slice(0, 30)),
  }),
  fault(
    'incremental-tags-capped',
    'lists forty tags in an incremental sync',
    responses((response, { parameters }) => ({
      ...response,
      tags:
        response.tags && findParameter(parameters, 'from')
          ? Object.fromEntries(Object.entries(response.tags).slice(0, 40))
          : response.tags,
    })),
  ),
  fault(
    'full-tags-capped',
    'lists forty tags in full',
    responses((response, { parameters }) => ({
      ...response,
      tags:
        response.tags && !findParameter(parameters, 'from')
          ? Object.fromEntries(Object.entries(response.tags).slice(0, 40))
          : response.tags,
    })),
  ),
]
