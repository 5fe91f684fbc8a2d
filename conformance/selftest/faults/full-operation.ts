import { type Behaviour, right } from '../server/behaviour.ts'
import type { Parameter } from '../server/right-requests.ts'
import type { Json } from '../server/world.ts'
import { type Fault, fault, replies, without } from './fault.ts'
import { refusing } from './refusing.ts'

/** The parameters of one operation edited. */
function parameters(path: string, edit: (all: readonly Parameter[]) => readonly Parameter[]): Partial<Behaviour> {
  return { parameters: (all, exchange) => (exchange.path === path ? edit(all) : all) }
}

/** Unknown ids of one operation answered as if they were known. */
function unknownAccepted(path: string, body: Json): Partial<Behaviour> {
  return {
    reply: (reply, exchange) =>
      exchange.path === path && reply.status === 404 ? { status: 200, headers: {}, body } : reply,
  }
}

function reading(...names: readonly string[]): Partial<Behaviour> {
  return { thingsGetReads: names }
}

function lacking(path: string, field: string): Partial<Behaviour> {
  return replies(path, 'success', (body) => without(body, field))
}

/** Faults against the contract's decisions on the other operations. */
export const fullOperationFaults: readonly Fault[] = [
  fault('tags-get-pos-missing', 'gives no pos in tags/get', lacking('tags/get', 'pos')),
  fault('tags-get-counts-deleted', 'counts deleted things in tags/get', { countsThing: () => true }),
  fault('tags-get-omits-archived', 'does not count archived things in tags/get', {
    countsThing: ({ deleted, fields }) => !deleted && !fields.archived,
  }),
  fault('tags-get-from-ignored', 'ignores from in tags/get', { tagsGetReadsFrom: false }),
  fault('tags-get-favorites-in-other', 'counts favorites among the other tags', { favoritesApart: false }),
  fault(
    'add-title-optional',
    'needs no title in thing/add',
    parameters('thing/add', (all) => [['title', ''], ...all]),
  ),
  fault(
    'add-fields-dropped',
    'reads only the title in thing/add',
    parameters('thing/add', (all) => all.filter(([name]) => ['title', 'prevent_duplicate'].includes(name))),
  ),
  fault('add-url-not-taken-from-title', 'takes no url from the title', { urlFromTitle: false }),
  fault('add-duplicate-created', 'ignores prevent_duplicate', { preventsDuplicates: false }),
  fault(
    'add-duplicate-unasked',
    'prevents duplicates unasked',
    parameters('thing/add', (all) => [['prevent_duplicate', 'true'], ...all]),
  ),
  fault('add-duplicate-unmarked', 'does not mark duplicates', lacking('thing/add', 'duplicate')),
  fault('add-not-in-delta', 'gives thing/add no position of its own', { operationMoves: ['change', 'delete'] }),
  fault('op-change-not-in-delta', 'gives thing/change no position of its own', { operationMoves: ['add', 'delete'] }),
  fault('op-delete-not-in-delta', 'gives thing/delete no position of its own', { operationMoves: ['add', 'change'] }),
  fault('op-change-absent-clears', 'clears in thing/change what is left out', { operationKeepsAbsent: false }),
  fault(
    'op-change-unarchives',
    'takes a thing out of the archive in thing/change',
    parameters('thing/change', (all) => [['archived', 'false'], ...all]),
  ),
  fault(
    'op-change-unknown-200',
    'answers thing/change of an unknown id with success',
    unknownAccepted('thing/change', {}),
  ),
  fault(
    'op-delete-twice-ok',
    'answers thing/delete of an unknown id with success',
    unknownAccepted('thing/delete', { deleted_thing: 'x' }),
  ),
  fault('op-delete-answer-empty', 'does not tell the deleted id', lacking('thing/delete', 'deleted_thing')),
  fault('things-get-includes-archived', 'gets archived things unasked', {
    getsThing: (thing, archived) => archived === undefined || right.getsThing(thing, archived),
  }),
  fault('things-get-include-ignored', 'ignores archived=include', {
    getsThing: ({ fields }, archived) => fields.archived === (archived === 'true'),
  }),
  fault('things-get-archived-ignored', 'ignores archived=true', {
    getsThing: ({ fields }, archived) => archived === 'include' || !fields.archived,
  }),
  fault('things-get-tag-ignored', 'ignores tag', reading('archived', 'skip', 'limit')),
  fault('things-get-skip-ignored', 'ignores skip', reading('archived', 'tag', 'limit')),
  fault('things-get-limit-ignored', 'ignores limit', reading('archived', 'tag', 'skip')),
  fault(
    'things-get-as-object',
    'wraps the list of things/get in an object',
    replies('things/get', 'success', (things) => ({ things })),
  ),
  fault('user-get-other-name', 'tells another user name', { userName: ({ username }) => `${username}x` }),
  fault('user-get-date-missing', 'gives no date in user/get', lacking('user/get', 'date')),
  fault('user-get-pos-missing', 'gives no pos in user/get', lacking('user/get', 'pos')),
  fault('user-get-thing-count-missing', 'gives no thingCount in user/get', lacking('user/get', 'thingCount')),
  fault('webhook-event-unchecked', 'takes any event', { overlooks: ['event-invalid'] }),
  fault('webhook-target-unchecked', 'takes any target_url', { overlooks: ['target-invalid'] }),
  fault('webhook-register-answer', 'does not confirm a webhook', lacking('webhook/register', 'registered')),
  fault(
    'webhook-unregister-answer',
    'does not confirm the end of a webhook',
    lacking('webhook/unregister', 'unregistered'),
  ),
  fault('device-type-unchecked', 'needs nothing of a device', { overlooks: ['device-invalid'] }),
  fault('device-register-answer', 'does not confirm a device', lacking('register/device', 'registered')),
  fault(
    'device-unregister-answer',
    'does not confirm the end of a device',
    lacking('unregister/device', 'unregistered'),
  ),
  fault(
    'device-alias-missing',
    'does not know device/register',
    refusing(({ path }) => path === 'device/register'),
  ),
  fault(
    'device-unregister-alias-answer',
    'does not confirm device/unregister',
    lacking('device/unregister', 'unregistered'),
  ),
  fault(
    'device-register-refused',
    'does not know register/device',
    refusing(({ path }) => path === 'register/device'),
  ),
  fault(
    'webhook-register-refused',
    'does not know webhook/register',
    refusing(({ path }) => path === 'webhook/register'),
  ),
  fault(
    'thing-add-refused',
    'does not know thing/add',
    refusing(({ path }) => path === 'thing/add'),
  ),
  fault(
    'thing-add-invalid',
    'takes nothing for a right thing/add',
    parameters('thing/add', (all) => all.filter(([name]) => name !== 'title')),
  ),
  fault(
    'operations-refuse-forms',
    'takes no forms for operations on single things',
    refusing(({ path, contentType }) => path.startsWith('thing/') && contentType !== 'application/json'),
  ),
  fault(
    'unknown-parameter-refused-by-add',
    'refuses parameters that thing/add does not know',
    refusing(({ path, body }) => path === 'thing/add' && body.some(([name]) => name === 'app_version')),
  ),
  fault('tags-get-other-missing', 'gives no other tags in tags/get', lacking('tags/get', 'other')),
  fault('test-user-missing', 'does not tell the user in test', lacking('test', 'user')),
]
