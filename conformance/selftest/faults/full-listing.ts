import { inspect } from 'node:util'
import { right } from '../server/behaviour.ts'
import { Refusal } from '../server/refusal.ts'
import type { JsonObject } from '../server/world.ts'
import { answers, type Fault, fault, firstState, fromOf, replies, things, without } from './fault.ts'

const { listsThing, listsTag } = right

/** Faults of full listings (interface 4.3, rule 1). */
export const fullListingFaults: readonly Fault[] = [
  fault('full-omits-archived', 'leaves archived things out of full listings', {
    listsThing: (thing, of) => listsThing(thing, of) && !(of.full && thing.fields.archived),
  }),
  fault('full-omits-others', 'lists in full only what the same session created', {
    listsThing: (thing, of) => listsThing(thing, of) && !(of.full && thing.author !== of.session),
  }),
  fault('full-lists-twice', 'lists each thing twice in full', {
    listed: (list, kind, { full }) => (full && kind === 'changed' ? [...list, ...list] : list),
  }),
  fault(
    'full-first-state',
    'lists things in full as they were created',
    things((json, thing, of) => (of?.full ? firstState(json, thing) : json)),
  ),
  fault('full-keeps-deleted', 'lists deleted things in full as living', {
    listsThing: (thing, of) => listsThing(thing, of) || (of.full && !of.own.has(thing.id)),
  }),
  fault('full-from-zero-empty', 'lists nothing when from is 0', {
    listed: (list, _kind, { exchange }) => (fromOf(exchange) === '0' ? [] : list),
  }),
  fault('full-from-omitted-empty', 'lists nothing when from is omitted', {
    listed: (list, _kind, { exchange }) => (fromOf(exchange) === undefined ? [] : list),
  }),
  fault('full-tags-absent', 'lists no tag settings in full', {
    listsTag: (name, tag, of) => listsTag(name, tag, of) && !of.full,
  }),
  fault('full-tags-no-favorites', 'leaves plain favorites out of full listings', {
    listsTag: (name, tag, of) => listsTag(name, tag, of) && !(of.full && !tag.settings.color && !tag.settings.todo),
  }),
  fault('full-tags-no-todo', 'leaves todo tags out of full listings', {
    listsTag: (name, tag, of) => listsTag(name, tag, of) && !(of.full && !tag.settings.color && !tag.settings.favorite),
  }),
  fault('full-capped-at-100', 'lists at most 100 things in full', {
    listed: (list, _kind, { full }) => (full ? list.slice(0, 100) : list),
  }),
  fault(
    'full-changed-is-map',
    'lists things as a map by id',
    answers((answer) => {
      const { changed, ...rest } = (answer.things ?? {}) as { changed?: readonly { _id: string }[] }
      const byId = changed && Object.fromEntries(changed.map((thing) => [thing._id, thing]))
      return byId ? { ...answer, things: { ...rest, changed: byId } } : answer
    }),
  ),
  fault(
    'full-pos-missing',
    'gives no pos with a full listing',
    answers((answer, exchange) => (Number(fromOf(exchange) ?? 0) === 0 ? without(answer, 'pos') : answer)),
  ),
  fault(
    'full-list-is-array',
    'answers sync with the bare list of things',
    answers((answer) => ((answer.things ?? {}) as JsonObject).changed ?? []),
  ),
  fault('sync-get-refused', 'refuses sync by GET', {
    delay: async ({ path, method }) => {
      if (path === 'sync' && method === 'GET') throw new Refusal('method-wrong', 'use POST')
    },
  }),
  fault('sync-post-refused', 'refuses sync by POST', {
    delay: async ({ path, method }) => {
      if (path === 'sync' && method === 'POST') throw new Refusal('method-wrong', 'use GET')
    },
  }),
  fault(
    'sync-not-json',
    'answers sync with something that only looks like JSON',
    replies('sync', 'success', (body) => inspect(body, { depth: 9 })),
  ),
]
