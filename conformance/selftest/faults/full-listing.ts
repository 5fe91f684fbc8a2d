import { inspect } from 'node:util'
import { right } from '../server/behaviour.ts'
import { Refusal } from '../server/refusal.ts'
import type { JsonObject } from '../server/world.ts'
import { answers, type Fault, firstState, fromOf, replies, things, without } from './fault.ts'

const { listsThing, listsTag } = right

/** Faults of full listings (interface 4.3, rule 1). */
export const fullListingFaults: readonly Fault[] = [
  {
    id: 'full-omits-archived',
    title: 'leaves archived things out of full listings',
    behaviour: { listsThing: (thing, of) => listsThing(thing, of) && !(of.full && thing.fields.archived) },
  },
  {
    id: 'full-omits-others',
    title: 'lists in full only what the same session created',
    behaviour: { listsThing: (thing, of) => listsThing(thing, of) && !(of.full && thing.author !== of.session) },
  },
  {
    id: 'full-lists-twice',
    title: 'lists each thing twice in full',
    behaviour: { listed: (list, kind, { full }) => (full && kind === 'changed' ? [...list, ...list] : list) },
  },
  {
    id: 'full-first-state',
    title: 'lists things in full as they were created',
    behaviour: things((json, thing, of) => (of?.full ? firstState(json, thing) : json)),
  },
  {
    id: 'full-keeps-deleted',
    title: 'lists deleted things in full as living',
    behaviour: { listsThing: (thing, of) => listsThing(thing, of) || (of.full && !of.own.has(thing.id)) },
  },
  {
    id: 'full-from-zero-empty',
    title: 'lists nothing when from is 0',
    behaviour: { listed: (list, _kind, { exchange }) => (fromOf(exchange) === '0' ? [] : list) },
  },
  {
    id: 'full-from-omitted-empty',
    title: 'lists nothing when from is omitted',
    behaviour: { listed: (list, _kind, { exchange }) => (fromOf(exchange) === undefined ? [] : list) },
  },
  {
    id: 'full-tags-absent',
    title: 'lists no tag settings in full',
    behaviour: { listsTag: (name, tag, of) => listsTag(name, tag, of) && !of.full },
  },
  {
    id: 'full-tags-no-favorites',
    title: 'leaves plain favorites out of full listings',
    behaviour: {
      listsTag: (name, tag, of) => listsTag(name, tag, of) && !(of.full && !tag.settings.color && !tag.settings.todo),
    },
  },
  {
    id: 'full-tags-no-todo',
    title: 'leaves todo tags out of full listings',
    behaviour: {
      listsTag: (name, tag, of) =>
        listsTag(name, tag, of) && !(of.full && !tag.settings.color && !tag.settings.favorite),
    },
  },
  {
    id: 'full-capped-at-100',
    title: 'lists at most 100 things in full',
    behaviour: { listed: (list, _kind, { full }) => (full ? list.slice(0, 100) : list) },
  },
  {
    id: 'full-changed-is-map',
    title: 'lists things as a map by id',
    behaviour: answers((answer) => {
      const { changed, ...rest } = (answer.things ?? {}) as { changed?: readonly { _id: string }[] }
      const byId = changed && Object.fromEntries(changed.map((thing) => [thing._id, thing]))
      return byId ? { ...answer, things: { ...rest, changed: byId } } : answer
    }),
  },
  {
    id: 'full-pos-missing',
    title: 'gives no pos with a full listing',
    behaviour: answers((answer, exchange) => (Number(fromOf(exchange) ?? 0) === 0 ? without(answer, 'pos') : answer)),
  },
  {
    id: 'full-list-is-array',
    title: 'answers sync with the bare list of things',
    behaviour: answers((answer) => ((answer.things ?? {}) as JsonObject).changed ?? []),
  },
  {
    id: 'sync-get-refused',
    title: 'refuses sync by GET',
    behaviour: {
      delay: async ({ path, method }) => {
        if (path === 'sync' && method === 'GET') throw new Refusal('method-wrong', 'use POST')
      },
    },
  },
  {
    id: 'sync-post-refused',
    title: 'refuses sync by POST',
    behaviour: {
      delay: async ({ path, method }) => {
        if (path === 'sync' && method === 'POST') throw new Refusal('method-wrong', 'use GET')
      },
    },
  },
  {
    id: 'sync-not-json',
    title: 'answers sync with something that only looks like JSON',
    behaviour: replies('sync', 'success', (body) => inspect(body, { depth: 9 })),
  },
]
