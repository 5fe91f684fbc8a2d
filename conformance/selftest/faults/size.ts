import { type Behaviour, right } from '../server/behaviour.ts'
import { Refusal } from '../server/refusal.ts'
import { findParameter } from '../server/right-requests.ts'
import type { Json } from '../server/world.ts'
import { answers, type Fault } from './fault.ts'
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
