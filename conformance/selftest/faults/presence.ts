import { right } from '../server/behaviour.ts'
import type { JsonObject } from '../server/world.ts'
import { answers, type Fault, fault, forms, makeFaults, things, without } from './fault.ts'

function isoDate(json: JsonObject): string {
  return new Date(Number(json.date) * 1000).toISOString()
}

/** Faults in which fields a returned thing has and of which type (interface 2.1, 4.3). */
export const presenceFaults: readonly Fault[] = [
  ...makeFaults(
    things,
    ['url-null', 'gives null for no url', (json) => ({ url: null, ...json })],
    ['html-null', 'gives null for no html', (json) => ({ html: null, ...json })],
    ['url-empty', 'gives "" for no url', (json) => ({ url: '', ...json })],
    ['archived-false-present', 'gives archived: false', (json) => ({ archived: false, ...json })],
    ['archived-number', 'gives 1 for archived', (json) => (json.archived ? { ...json, archived: 1 } : json)],
    [
      'todo-status-always',
      'gives todoStatus with things that are no todos',
      (json) => ({ todoStatus: false, ...json }),
    ],
    [
      'todo-status-on-tagged',
      'gives todoStatus with each thing that has tags',
      (json) => (json.tags ? { todoStatus: false, ...json } : json),
    ],
    [
      'todo-status-on-untagged',
      'gives todoStatus with each thing that has no tags',
      (json) => (json.tags ? json : { todoStatus: false, ...json }),
    ],
  ),
  fault('todo-status-missing', 'never gives todoStatus', { isTodo: () => false }),
  ...makeFaults(
    things,
    ['todo-status-null', 'gives null for no todoStatus', (json) => ({ todoStatus: null, ...json })],
    [
      'todo-status-null-unset',
      'gives null for a todoStatus that was never set',
      (json, { fields }) => ('todoStatus' in json ? { ...json, todoStatus: fields.todoStatus ?? null } : json),
    ],
    ['tags-null', 'gives null for no tags', (json) => ({ ...json, tags: json.tags || null })],
    ['tags-missing', 'leaves tags out when there are none', (json) => (json.tags ? json : without(json, 'tags'))],
    [
      'tags-array',
      'gives the tags of a thing as an array',
      (json) => ({ ...json, tags: String(json.tags).split(' ') }),
    ],
    ['date-text', 'gives dates as text', (json) => ({ ...json, date: `${json.date}` })],
    ['date-iso', 'gives dates in ISO form', (json) => ({ ...json, date: isoDate(json) })],
    ['date-milliseconds', 'gives dates in milliseconds', (json) => ({ ...json, date: Number(json.date) * 1000 })],
    ['title-missing', 'names the title `name`', (json) => ({ ...without(json, 'title'), name: json.title })],
    ['id-named-id', 'names the _id `id`', (json) => ({ ...without(json, '_id'), id: json._id })],
  ),
  fault('thing-count-without-deleted', 'does not count deletions in thingCount', {
    thingCount: ({ created, changed }) => created + changed,
  }),
  ...makeFaults(
    answers,
    [
      'thing-count-text',
      'gives thingCount as text',
      (answer) => ('thingCount' in answer ? { ...answer, thingCount: `${answer.thingCount}` } : answer),
    ],
    ['thing-count-missing', 'never gives thingCount', (answer) => without(answer, 'thingCount')],
    [
      'thing-count-total',
      'counts all things of the account in thingCount',
      (answer, { account }) => ('thingCount' in answer ? { ...answer, thingCount: account?.things.size } : answer),
    ],
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
