import { right } from '../server/behaviour.ts'
import type { JsonObject } from '../server/world.ts'
import { answers, type Fault, fault, forms, things, without } from './fault.ts'

function isoDate(json: JsonObject): string {
  return new Date(Number(json.date) * 1000).toISOString()
}

/** Faults in which fields a returned thing has and of which type (interface 2.1, 4.3). */
export const presenceFaults: readonly Fault[] = [
  fault(
    'url-null',
    'gives null for no url',
    things((json) => ({ url: null, ...json })),
  ),
  fault(
    'html-null',
    'gives null for no html',
    things((json) => ({ html: null, ...json })),
  ),
  fault(
    'url-empty',
    'gives "" for no url',
    things((json) => ({ url: '', ...json })),
  ),
  fault(
    'archived-false-present',
    'gives archived: false',
    things((json) => ({ archived: false, ...json })),
  ),
  fault(
    'archived-number',
    'gives 1 for archived',
    things((json) => (json.archived ? { ...json, archived: 1 } : json)),
  ),
  fault(
    'todo-status-always',
    'gives todoStatus with things that are no todos',
    things((json) => ({ todoStatus: false, ...json })),
  ),
  fault(
    'todo-status-on-tagged',
    'gives todoStatus with each thing that has tags',
    things((json) => (json.tags ? { todoStatus: false, ...json } : json)),
  ),
  fault(
    'todo-status-on-untagged',
    'gives todoStatus with each thing that has no tags',
    things((json) => (json.tags ? json : { todoStatus: false, ...json })),
  ),
  fault('todo-status-missing', 'never gives todoStatus', { isTodo: () => false }),
  fault(
    'todo-status-null',
    'gives null for no todoStatus',
    things((json) => ({ todoStatus: null, ...json })),
  ),
  fault(
    'todo-status-null-unset',
    'gives null for a todoStatus that was never set',
    things((json, { fields }) => ('todoStatus' in json ? { ...json, todoStatus: fields.todoStatus ?? null } : json)),
  ),
  fault(
    'tags-null',
    'gives null for no tags',
    things((json) => ({ ...json, tags: json.tags || null })),
  ),
  fault(
    'tags-missing',
    'leaves tags out when there are none',
    things((json) => (json.tags ? json : without(json, 'tags'))),
  ),
  fault(
    'tags-array',
    'gives the tags of a thing as an array',
    things((json) => ({ ...json, tags: String(json.tags).split(' ') })),
  ),
  fault(
    'date-text',
    'gives dates as text',
    things((json) => ({ ...json, date: `${json.date}` })),
  ),
  fault(
    'date-iso',
    'gives dates in ISO form',
    things((json) => ({ ...json, date: isoDate(json) })),
  ),
  fault(
    'date-milliseconds',
    'gives dates in milliseconds',
    things((json) => ({ ...json, date: Number(json.date) * 1000 })),
  ),
  fault(
    'title-missing',
    'names the title `name`',
    things((json) => ({ ...without(json, 'title'), name: json.title })),
  ),
  fault(
    'id-named-id',
    'names the _id `id`',
    things((json) => ({ ...without(json, '_id'), id: json._id })),
  ),
  fault('thing-count-without-deleted', 'does not count deletions in thingCount', {
    thingCount: ({ created, changed }) => created + changed,
  }),
  fault(
    'thing-count-text',
    'gives thingCount as text',
    answers((answer) => ('thingCount' in answer ? { ...answer, thingCount: `${answer.thingCount}` } : answer)),
  ),
  fault(
    'thing-count-missing',
    'never gives thingCount',
    answers((answer) => without(answer, 'thingCount')),
  ),
  fault(
    'thing-count-total',
    'counts all things of the account in thingCount',
    answers((answer, { account }) =>
      'thingCount' in answer ? { ...answer, thingCount: account?.things.size } : answer,
    ),
  ),
  fault('skip-id-ignored', 'ignores skip_id', { isSkipped: () => false }),
  fault(
    'skip-id-first-only',
    'takes only the first skip_id',
    forms('skip_id', ({ plain, repeated }) => ({
      plain: plain.slice(0, 1).map((ids) => (Array.isArray(ids) ? ids[0] : ids)),
      repeated: repeated.slice(0, 1),
    })),
  ),
  fault('skip-id-not-deleted', 'does not leave deletions out for skip_id', {
    isSkipped: (id, ids, kind) => kind === 'changed' && right.isSkipped(id, ids, kind),
  }),
]
