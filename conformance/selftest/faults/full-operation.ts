import { type Behaviour, right } from '../server/behaviour.ts'
import type { Parameter } from '../server/right-requests.ts'
import type { Json } from '../server/world.ts'
import { type Fault, replies, without } from './fault.ts'
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
  { id: 'tags-get-pos-missing', title: 'gives no pos in tags/get', behaviour: lacking('tags/get', 'pos') },
  {
    id: 'tags-get-counts-deleted',
    title: 'counts deleted things in tags/get',
    behaviour: { countsThing: () => true },
  },
  {
    id: 'tags-get-omits-archived',
    title: 'does not count archived things in tags/get',
    behaviour: { countsThing: ({ deleted, fields }) => !deleted && !fields.archived },
  },
  { id: 'tags-get-from-ignored', title: 'ignores from in tags/get', behaviour: { tagsGetReadsFrom: false } },
  {
    id: 'tags-get-favorites-in-other',
    title: 'counts favorites among the other tags',
    behaviour: { favoritesApart: false },
  },
  {
    id: 'add-title-optional',
    title: 'needs no title in thing/add',
    behaviour: parameters('thing/add', (all) => [['title', ''], ...all]),
  },
  {
    id: 'add-fields-dropped',
    title: 'reads only the title in thing/add',
    behaviour: parameters('thing/add', (all) => all.filter(([name]) => ['title', 'prevent_duplicate'].includes(name))),
  },
  {
    id: 'add-url-not-taken-from-title',
    title: 'takes no url from the title',
    behaviour: { urlFromTitle: false },
  },
  { id: 'add-duplicate-created', title: 'ignores prevent_duplicate', behaviour: { preventsDuplicates: false } },
  {
    id: 'add-duplicate-unasked',
    title: 'prevents duplicates unasked',
    behaviour: parameters('thing/add', (all) => [['prevent_duplicate', 'true'], ...all]),
  },
  { id: 'add-duplicate-unmarked', title: 'does not mark duplicates', behaviour: lacking('thing/add', 'duplicate') },
  {
    id: 'add-not-in-delta',
    title: 'gives thing/add no position of its own',
    behaviour: { operationMoves: ['change', 'delete'] },
  },
  {
    id: 'op-change-not-in-delta',
    title: 'gives thing/change no position of its own',
    behaviour: { operationMoves: ['add', 'delete'] },
  },
  {
    id: 'op-delete-not-in-delta',
    title: 'gives thing/delete no position of its own',
    behaviour: { operationMoves: ['add', 'change'] },
  },
  {
    id: 'op-change-absent-clears',
    title: 'clears in thing/change what is left out',
    behaviour: { operationKeepsAbsent: false },
  },
  {
    id: 'op-change-unarchives',
    title: 'takes a thing out of the archive in thing/change',
    behaviour: parameters('thing/change', (all) => [['archived', 'false'], ...all]),
  },
  {
    id: 'op-change-unknown-200',
    title: 'answers thing/change of an unknown id with success',
    behaviour: unknownAccepted('thing/change', {}),
  },
  {
    id: 'op-delete-twice-ok',
    title: 'answers thing/delete of an unknown id with success',
    behaviour: unknownAccepted('thing/delete', { deleted_thing: 'x' }),
  },
  {
    id: 'op-delete-answer-empty',
    title: 'does not tell the deleted id',
    behaviour: lacking('thing/delete', 'deleted_thing'),
  },
  {
    id: 'things-get-includes-archived',
    title: 'gets archived things unasked',
    behaviour: { getsThing: (thing, archived) => archived === undefined || right.getsThing(thing, archived) },
  },
  {
    id: 'things-get-include-ignored',
    title: 'ignores archived=include',
    behaviour: { getsThing: ({ fields }, archived) => fields.archived === (archived === 'true') },
  },
  {
    id: 'things-get-archived-ignored',
    title: 'ignores archived=true',
    behaviour: { getsThing: ({ fields }, archived) => archived === 'include' || !fields.archived },
  },
  { id: 'things-get-tag-ignored', title: 'ignores tag', behaviour: reading('archived', 'skip', 'limit') },
  { id: 'things-get-skip-ignored', title: 'ignores skip', behaviour: reading('archived', 'tag', 'limit') },
  { id: 'things-get-limit-ignored', title: 'ignores limit', behaviour: reading('archived', 'tag', 'skip') },
  {
    id: 'things-get-as-object',
    title: 'wraps the list of things/get in an object',
    behaviour: replies('things/get', 'success', (things) => ({ things })),
  },
  {
    id: 'user-get-other-name',
    title: 'tells another user name',
    behaviour: { userName: ({ username }) => `${username}x` },
  },
  { id: 'user-get-date-missing', title: 'gives no date in user/get', behaviour: lacking('user/get', 'date') },
  { id: 'user-get-pos-missing', title: 'gives no pos in user/get', behaviour: lacking('user/get', 'pos') },
  {
    id: 'user-get-thing-count-missing',
    title: 'gives no thingCount in user/get',
    behaviour: lacking('user/get', 'thingCount'),
  },
  { id: 'webhook-event-unchecked', title: 'takes any event', behaviour: { overlooks: ['event-invalid'] } },
  { id: 'webhook-target-unchecked', title: 'takes any target_url', behaviour: { overlooks: ['target-invalid'] } },
  {
    id: 'webhook-register-answer',
    title: 'does not confirm a webhook',
    behaviour: lacking('webhook/register', 'registered'),
  },
  {
    id: 'webhook-unregister-answer',
    title: 'does not confirm the end of a webhook',
    behaviour: lacking('webhook/unregister', 'unregistered'),
  },
  { id: 'device-type-unchecked', title: 'needs nothing of a device', behaviour: { overlooks: ['device-invalid'] } },
  {
    id: 'device-register-answer',
    title: 'does not confirm a device',
    behaviour: lacking('register/device', 'registered'),
  },
  {
    id: 'device-unregister-answer',
    title: 'does not confirm the end of a device',
    behaviour: lacking('unregister/device', 'unregistered'),
  },
  {
    id: 'device-alias-missing',
    title: 'does not know device/register',
    behaviour: refusing(({ path }) => path === 'device/register'),
  },
  {
    id: 'device-unregister-alias-answer',
    title: 'does not confirm device/unregister',
    behaviour: lacking('device/unregister', 'unregistered'),
  },
  {
    id: 'device-register-refused',
    title: 'does not know register/device',
    behaviour: refusing(({ path }) => path === 'register/device'),
  },
  {
    id: 'webhook-register-refused',
    title: 'does not know webhook/register',
    behaviour: refusing(({ path }) => path === 'webhook/register'),
  },
  {
    id: 'thing-add-refused',
    title: 'does not know thing/add',
    behaviour: refusing(({ path }) => path === 'thing/add'),
  },
  {
    id: 'thing-add-invalid',
    title: 'takes nothing for a right thing/add',
    behaviour: parameters('thing/add', (all) => all.filter(([name]) => name !== 'title')),
  },
  {
    id: 'operations-refuse-forms',
    title: 'takes no forms for operations on single things',
    behaviour: refusing(({ path, contentType }) => path.startsWith('thing/') && contentType !== 'application/json'),
  },
  {
    id: 'unknown-parameter-refused-by-add',
    title: 'refuses parameters that thing/add does not know',
    behaviour: refusing(({ path, body }) => path === 'thing/add' && body.some(([name]) => name === 'app_version')),
  },
  { id: 'tags-get-other-missing', title: 'gives no other tags in tags/get', behaviour: lacking('tags/get', 'other') },
  { id: 'test-user-missing', title: 'does not tell the user in test', behaviour: lacking('test', 'user') },
]
