import { type Behaviour, right } from '../server/behaviour.ts'
import { Refusal } from '../server/refusal.ts'
import { findParameter } from '../server/right-requests.ts'
import type { Json } from '../server/world.ts'
import { answers, type Fault, fault } from './fault.ts'
import { applying, atMost } from './upload-array.ts'
import { cutNew } from './upload-beside.ts'

const { listsThing } = right

function capped(most: number, kind: 'changed' | 'deleted', where: 'full' | 'delta' | 'both'): Partial<Behaviour> {
  return {
    listed: (list, which, { full }) =>
      which === kind && (where === 'both' || full === (where === 'full')) ? list.slice(0, most) : list,
  }
}

function parametersAtMost(most: number): Partial<Behaviour> {
  return { form: (body) => body.slice(0, most) }
}

function lastOfLost(count: number): Partial<Behaviour> {
  return applying(({ created }) => ({ created: created.length === count ? created.slice(0, -1) : created }))
}

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
  fault('many-things-answered-empty', 'answers {} to more than a thousand things', {
    ...applying(({ created }) => {
      if (created.length > 1000) throw new Refusal('things-many', 'too many')
      return {}
    }),
    errorStatus: () => 200,
    errorBody: (refusal) => (refusal.reason === 'things-many' ? {} : right.errorBody(refusal)),
  }),
  fault('new-last-of-hundred-unlisted', 'lists 99 of a hundred things', {
    listed: (list, kind) => (kind === 'changed' && list.length === 100 ? list.slice(1) : list),
  }),
  fault('delta-cut-at-700-counted-whole', 'lists 700 things without a limit, and counts all', cutLists(700, 'changed')),
  fault('deletions-cut-at-300-counted-whole', 'lists 300 deletions, and counts all', cutLists(300, 'deleted')),
  fault('full-lists-some-deleted', 'lists some deleted things in full', {
    listsThing: (thing, of) => listsThing(thing, of) || (of.full && thing.deleted && String(thing.id).endsWith('7')),
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
  fault('delta-capped-at-100', 'lists a hundred things in a delta', capped(100, 'changed', 'delta')),
  fault('delta-capped-at-1000', 'lists a thousand things in a delta', capped(1000, 'changed', 'delta')),
  fault('full-capped-at-200', 'lists 200 things in full', capped(200, 'changed', 'full')),
  fault('full-capped-at-1000', 'lists a thousand things in full', capped(1000, 'changed', 'full')),
  fault('page-capped-at-50', 'lists fifty things on a page', {
    page: (list, skip, limit) => right.page(list, skip, limit === undefined ? undefined : Math.min(limit, 50)),
  }),
  fault('page-capped-at-500', 'lists 500 things on a page', {
    page: (list, skip, limit) => right.page(list, skip, limit === undefined ? undefined : Math.min(limit, 500)),
  }),
  fault('page-skip-capped', 'skips 500 things at most', {
    page: (list, skip, limit) => right.page(list, Math.min(skip, 500), limit),
  }),
  fault('thing-count-capped', 'counts to a thousand', {
    thingCount: (counts) => Math.min(right.thingCount(counts), 1000),
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
      const gone = [...things.values()].filter(({ deleted }) => deleted).sort((a, b) => a.position - b.position)
      for (const { id } of gone.slice(0, Math.max(0, gone.length - 100))) things.delete(id)
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
    'delta-tags-capped',
    'lists forty tags in a delta',
    answers((answer, { parameters }) => ({
      ...answer,
      tags:
        answer.tags && findParameter(parameters, 'from')
          ? Object.fromEntries(Object.entries(answer.tags).slice(0, 40))
          : answer.tags,
    })),
  ),
  fault(
    'full-tags-capped',
    'lists forty tags in full',
    answers((answer, { parameters }) => ({
      ...answer,
      tags:
        answer.tags && !findParameter(parameters, 'from')
          ? Object.fromEntries(Object.entries(answer.tags).slice(0, 40))
          : answer.tags,
    })),
  ),
]
