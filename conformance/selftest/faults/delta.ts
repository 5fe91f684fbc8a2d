import { right } from '../server/behaviour.ts'
import type { Exchange } from '../server/right-requests.ts'
import type { Json, JsonObject, Thing } from '../server/world.ts'
import { answers, type Fault, fault, firstState, fromOf, postWithout, things } from './fault.ts'

const { listsThing, listsDeleted, listsTag } = right

/** Whether the request changes the thing. */
function isChangedBy({ parameters }: Exchange, { id }: Thing): boolean {
  return parameters.some(([name, value]) => name.startsWith('changed_thing') && JSON.stringify(value).includes(`${id}`))
}

function withoutLists(answer: JsonObject): boolean {
  return answer.things === undefined
}

/** Faults of deltas (interface 4.3, rule 2). */
export const deltaFaults: readonly Fault[] = [
  fault('delta-lists-all', 'ignores from', { isFull: () => true }),
  fault('delta-lists-all-and-deleted', 'ignores from, and lists in full listings what was ever deleted', {
    isFull: () => true,
    listsDeleted: ({ deleted }) => deleted,
  }),
  fault('delta-lists-twice', 'lists each changed thing twice', {
    listed: (list, kind, { full }) => (!full && kind === 'changed' ? [...list, ...list] : list),
  }),
  fault(
    'delta-first-state',
    'lists changed things as they were created',
    things((json, thing, of) => (of?.full ? json : firstState(json, thing))),
  ),
  fault('delta-omits-changed', 'lists only new things after a position', {
    listsThing: (thing, of) => listsThing(thing, of) && (of.full || thing.created > of.from),
  }),
  fault('delta-omits-created', 'lists only old things after a position', {
    listsThing: (thing, of) => listsThing(thing, of) && (of.full || thing.created <= of.from),
  }),
  fault('delta-omits-deleted', 'never lists deletions', { listsDeleted: () => false }),
  fault('delta-omits-archived', 'never lists archived things after a position', {
    listsThing: (thing, of) => listsThing(thing, of) && (of.full || !thing.fields.archived),
  }),
  fault('delta-own-session-only', 'lists after a position only what the same session created', {
    listsThing: (thing, of) => listsThing(thing, of) && (of.full || thing.author === of.session),
  }),
  fault('delta-repeats-boundary', 'lists the change at the position itself again', {
    listsThing: (thing, of) => listsThing(thing, { ...of, from: of.from - 1 }),
    listsDeleted: (thing, of) => listsDeleted(thing, { ...of, from: of.from - 1 }),
  }),
  fault('delta-repeats-last-change', 'lists the thing that changed at the position itself again', {
    listsThing: (thing, of) => listsThing(thing, { ...of, from: of.from - 1 }),
  }),
  fault('delta-repeats-last-deletion', 'lists the deletion at the position itself again', {
    listsDeleted: (thing, of) => listsDeleted(thing, { ...of, from: of.from - 1 }),
  }),
  fault('delta-skips-one', 'skips the first change after the position', {
    since: (from) => (from === 0 ? 0 : from + 1),
  }),
  fault(
    'delta-empty-things',
    'gives empty things when nothing changed',
    answers((answer) => (withoutLists(answer) && !answer.tags ? { ...answer, things: {} } : answer)),
  ),
  fault(
    'delta-empty-thing-count',
    'gives a thingCount of 0 when nothing changed',
    answers((answer) => (withoutLists(answer) && !answer.tags ? { thingCount: 0, ...answer } : answer)),
  ),
  fault(
    'delta-empty-tags',
    'gives empty tags when no tag settings changed',
    answers((answer, exchange) => ({ ...answer, tags: answer.tags ?? (fromOf(exchange) ? {} : undefined) })),
  ),
  fault(
    'delta-tags-alone-things',
    'gives empty things when only tag settings changed',
    answers((answer) => (answer.tags ? { ...answer, things: answer.things ?? {} } : answer)),
  ),
  fault(
    'delta-tags-alone-thing-count',
    'counts changed tag settings in thingCount',
    answers((answer) => (answer.tags ? { thingCount: Object.keys(answer.tags).length, ...answer } : answer)),
  ),
  fault('delta-omits-tags', 'never lists changed tag settings', {
    listsTag: (name, tag, of) => listsTag(name, tag, of) && of.full,
  }),
  fault('delta-repeats-tags', 'lists all tag settings with every delta', { listsTag: () => true }),
  fault('delta-deleted-also-changed', 'lists a deleted thing as changed too', {
    listsThing: (thing, of) => listsThing(thing, of) || listsDeleted(thing, of),
  }),
  fault('delta-deleted-twice', 'lists each deletion twice', {
    listed: (list, kind) => (kind === 'deleted' ? [...list, ...list] : list),
  }),
  fault(
    'delta-deleted-as-objects',
    'lists deletions as objects',
    answers((answer) => {
      const { deleted } = (answer.things ?? {}) as { deleted?: readonly Json[] }
      const objects = deleted?.map((id) => ({ _id: id }))
      return objects ? { ...answer, things: { ...(answer.things as JsonObject), deleted: objects } } : answer
    }),
  ),
  fault('delta-consumed-by-first-reader', 'tells each change to the first reader only', {
    since: (from, _session, { memory, position }) => {
      const told = Number(memory.get('told') ?? 0)
      memory.set('told', position)
      return Math.max(from, told)
    },
  }),
  fault('delta-session-cursor', 'remembers what a session has seen and ignores an older from', {
    since: (from, { memory }, { position }) => {
      const told = Number(memory.get('told') ?? 0)
      memory.set('told', position)
      return Math.max(from, told)
    },
  }),
  fault('delta-log-keeps-ten', 'lists only the ten latest changes', {
    listsThing: (thing, of) => listsThing(thing, of) && (of.full || thing.position > of.account.position - 10),
  }),
  fault('tombstone-forgotten-after-next-write', 'forgets a deletion at the next write', {
    afterWrite: ({ things: all }, _upload, before) => {
      for (const { id, deleted, position } of all.values()) if (deleted && position <= before) all.delete(id)
    },
  }),
  fault('tombstone-told-once', 'forgets a deletion when it has told it once', {
    listsDeleted: (thing, of) => {
      const lists = listsDeleted(thing, of) && !of.account.memory.has(`told ${thing.id}`)
      if (lists) of.account.memory.set(`told ${thing.id}`, true)
      return lists
    },
  }),
  fault('post-from-ignored', 'ignores from in a POST', postWithout('from')),
  fault('upload-hides-others', 'lists no changes of other clients in the answer to an upload', {
    listed: (list, _kind, { own }) => (own.size > 0 ? [] : list),
  }),
  fault('hideown', 'leaves what the request changes out of the delta, also when others changed it after from', {
    listsThing: (thing, of) => listsThing(thing, of) && (of.full || !isChangedBy(of.exchange, thing)),
  }),
  fault('fullhide', 'leaves what the request changes out of the full listing, whoever made it', {
    listsThing: (thing, of) => listsThing(thing, of) && !(of.full && isChangedBy(of.exchange, thing)),
  }),
  fault('change-takes-no-position', 'gives changes no position of their own', { moves: ['new', 'deletion', 'tag'] }),
  fault('deletion-takes-no-position', 'gives deletions no position of their own', { moves: ['new', 'change', 'tag'] }),
  fault('tag-takes-no-position', 'gives changed tag settings no position of their own', {
    moves: ['new', 'change', 'deletion'],
  }),
]
