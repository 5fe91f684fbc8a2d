import { right } from '../server/behaviour.ts'
import type { JsonObject } from '../server/world.ts'
import { answers, type Fault, forms, things, without } from './fault.ts'

function isoDate(json: JsonObject): string {
  return new Date(Number(json.date) * 1000).toISOString()
}

/** Faults in which fields a returned thing has and of which type (interface 2.1, 4.3). */
export const presenceFaults: readonly Fault[] = [
  { id: 'url-null', title: 'gives null for no url', behaviour: things((json) => ({ url: null, ...json })) },
  { id: 'html-null', title: 'gives null for no html', behaviour: things((json) => ({ html: null, ...json })) },
  { id: 'url-empty', title: 'gives "" for no url', behaviour: things((json) => ({ url: '', ...json })) },
  {
    id: 'archived-false-present',
    title: 'gives archived: false',
    behaviour: things((json) => ({ archived: false, ...json })),
  },
  {
    id: 'archived-number',
    title: 'gives 1 for archived',
    behaviour: things((json) => (json.archived ? { ...json, archived: 1 } : json)),
  },
  {
    id: 'todo-status-always',
    title: 'gives todoStatus with things that are no todos',
    behaviour: things((json) => ({ todoStatus: false, ...json })),
  },
  {
    id: 'todo-status-on-tagged',
    title: 'gives todoStatus with each thing that has tags',
    behaviour: things((json) => (json.tags ? { todoStatus: false, ...json } : json)),
  },
  {
    id: 'todo-status-on-untagged',
    title: 'gives todoStatus with each thing that has no tags',
    behaviour: things((json) => (json.tags ? json : { todoStatus: false, ...json })),
  },
  { id: 'todo-status-missing', title: 'never gives todoStatus', behaviour: { isTodo: () => false } },
  {
    id: 'todo-status-null',
    title: 'gives null for no todoStatus',
    behaviour: things((json) => ({ todoStatus: null, ...json })),
  },
  {
    id: 'todo-status-null-unset',
    title: 'gives null for a todoStatus that was never set',
    behaviour: things((json, { fields }) =>
      'todoStatus' in json ? { ...json, todoStatus: fields.todoStatus ?? null } : json,
    ),
  },
  {
    id: 'tags-null',
    title: 'gives null for no tags',
    behaviour: things((json) => ({ ...json, tags: json.tags || null })),
  },
  {
    id: 'tags-missing',
    title: 'leaves tags out when there are none',
    behaviour: things((json) => (json.tags ? json : without(json, 'tags'))),
  },
  {
    id: 'tags-array',
    title: 'gives the tags of a thing as an array',
    behaviour: things((json) => ({ ...json, tags: String(json.tags).split(' ') })),
  },
  { id: 'date-text', title: 'gives dates as text', behaviour: things((json) => ({ ...json, date: `${json.date}` })) },
  {
    id: 'date-iso',
    title: 'gives dates in ISO form',
    behaviour: things((json) => ({ ...json, date: isoDate(json) })),
  },
  {
    id: 'date-milliseconds',
    title: 'gives dates in milliseconds',
    behaviour: things((json) => ({ ...json, date: Number(json.date) * 1000 })),
  },
  {
    id: 'title-missing',
    title: 'names the title `name`',
    behaviour: things((json) => ({ ...without(json, 'title'), name: json.title })),
  },
  {
    id: 'id-named-id',
    title: 'names the _id `id`',
    behaviour: things((json) => ({ ...without(json, '_id'), id: json._id })),
  },
  {
    id: 'thing-count-without-deleted',
    title: 'does not count deletions in thingCount',
    behaviour: { thingCount: ({ created, changed }) => created + changed },
  },
  {
    id: 'thing-count-text',
    title: 'gives thingCount as text',
    behaviour: answers((answer) =>
      'thingCount' in answer ? { ...answer, thingCount: `${answer.thingCount}` } : answer,
    ),
  },
  {
    id: 'thing-count-missing',
    title: 'never gives thingCount',
    behaviour: answers((answer) => without(answer, 'thingCount')),
  },
  {
    id: 'thing-count-total',
    title: 'counts all things of the account in thingCount',
    behaviour: answers((answer, { account }) =>
      'thingCount' in answer ? { ...answer, thingCount: account?.things.size } : answer,
    ),
  },
  { id: 'skip-id-ignored', title: 'ignores skip_id', behaviour: { isSkipped: () => false } },
  {
    id: 'skip-id-first-only',
    title: 'takes only the first skip_id',
    behaviour: forms('skip_id', ({ plain, repeated }) => ({
      plain: plain.slice(0, 1).map((ids) => (Array.isArray(ids) ? ids[0] : ids)),
      repeated: repeated.slice(0, 1),
    })),
  },
  {
    id: 'skip-id-not-deleted',
    title: 'does not leave deletions out for skip_id',
    behaviour: { isSkipped: (id, ids, kind) => kind === 'changed' && right.isSkipped(id, ids, kind) },
  },
]
