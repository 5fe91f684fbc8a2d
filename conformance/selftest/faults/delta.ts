import { right } from '../server/behaviour.ts'
import type { Exchange } from '../server/right-requests.ts'
import type { Json, JsonObject, Thing } from '../server/world.ts'
import { answers, type Fault, firstState, fromOf, postWithout, things } from './fault.ts'

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
  { id: 'delta-lists-all', title: 'ignores from', behaviour: { isFull: () => true } },
  {
    id: 'delta-lists-all-and-deleted',
    title: 'ignores from, and lists in full listings what was ever deleted',
    behaviour: { isFull: () => true, listsDeleted: ({ deleted }) => deleted },
  },
  {
    id: 'delta-lists-twice',
    title: 'lists each changed thing twice',
    behaviour: { listed: (list, kind, { full }) => (!full && kind === 'changed' ? [...list, ...list] : list) },
  },
  {
    id: 'delta-first-state',
    title: 'lists changed things as they were created',
    behaviour: things((json, thing, of) => (of?.full ? json : firstState(json, thing))),
  },
  {
    id: 'delta-omits-changed',
    title: 'lists only new things after a position',
    behaviour: { listsThing: (thing, of) => listsThing(thing, of) && (of.full || thing.created > of.from) },
  },
  {
    id: 'delta-omits-created',
    title: 'lists only old things after a position',
    behaviour: { listsThing: (thing, of) => listsThing(thing, of) && (of.full || thing.created <= of.from) },
  },
  { id: 'delta-omits-deleted', title: 'never lists deletions', behaviour: { listsDeleted: () => false } },
  {
    id: 'delta-omits-archived',
    title: 'never lists archived things after a position',
    behaviour: { listsThing: (thing, of) => listsThing(thing, of) && (of.full || !thing.fields.archived) },
  },
  {
    id: 'delta-own-session-only',
    title: 'lists after a position only what the same session created',
    behaviour: { listsThing: (thing, of) => listsThing(thing, of) && (of.full || thing.author === of.session) },
  },
  {
    id: 'delta-repeats-boundary',
    title: 'lists the change at the position itself again',
    behaviour: {
      listsThing: (thing, of) => listsThing(thing, { ...of, from: of.from - 1 }),
      listsDeleted: (thing, of) => listsDeleted(thing, { ...of, from: of.from - 1 }),
    },
  },
  {
    id: 'delta-repeats-last-change',
    title: 'lists the thing that changed at the position itself again',
    behaviour: { listsThing: (thing, of) => listsThing(thing, { ...of, from: of.from - 1 }) },
  },
  {
    id: 'delta-repeats-last-deletion',
    title: 'lists the deletion at the position itself again',
    behaviour: { listsDeleted: (thing, of) => listsDeleted(thing, { ...of, from: of.from - 1 }) },
  },
  {
    id: 'delta-skips-one',
    title: 'skips the first change after the position',
    behaviour: { since: (from) => (from === 0 ? 0 : from + 1) },
  },
  {
    id: 'delta-empty-things',
    title: 'gives empty things when nothing changed',
    behaviour: answers((answer) => (withoutLists(answer) && !answer.tags ? { ...answer, things: {} } : answer)),
  },
  {
    id: 'delta-empty-thing-count',
    title: 'gives a thingCount of 0 when nothing changed',
    behaviour: answers((answer) => (withoutLists(answer) && !answer.tags ? { thingCount: 0, ...answer } : answer)),
  },
  {
    id: 'delta-empty-tags',
    title: 'gives empty tags when no tag settings changed',
    behaviour: answers((answer, exchange) => ({ ...answer, tags: answer.tags ?? (fromOf(exchange) ? {} : undefined) })),
  },
  {
    id: 'delta-tags-alone-things',
    title: 'gives empty things when only tag settings changed',
    behaviour: answers((answer) => (answer.tags ? { ...answer, things: answer.things ?? {} } : answer)),
  },
  {
    id: 'delta-tags-alone-thing-count',
    title: 'counts changed tag settings in thingCount',
    behaviour: answers((answer) => (answer.tags ? { thingCount: Object.keys(answer.tags).length, ...answer } : answer)),
  },
  {
    id: 'delta-omits-tags',
    title: 'never lists changed tag settings',
    behaviour: { listsTag: (name, tag, of) => listsTag(name, tag, of) && of.full },
  },
  {
    id: 'delta-repeats-tags',
    title: 'lists all tag settings with every delta',
    behaviour: { listsTag: () => true },
  },
  {
    id: 'delta-deleted-also-changed',
    title: 'lists a deleted thing as changed too',
    behaviour: { listsThing: (thing, of) => listsThing(thing, of) || listsDeleted(thing, of) },
  },
  {
    id: 'delta-deleted-twice',
    title: 'lists each deletion twice',
    behaviour: { listed: (list, kind) => (kind === 'deleted' ? [...list, ...list] : list) },
  },
  {
    id: 'delta-deleted-as-objects',
    title: 'lists deletions as objects',
    behaviour: answers((answer) => {
      const { deleted } = (answer.things ?? {}) as { deleted?: readonly Json[] }
      const objects = deleted?.map((id) => ({ _id: id }))
      return objects ? { ...answer, things: { ...(answer.things as JsonObject), deleted: objects } } : answer
    }),
  },
  {
    id: 'delta-consumed-by-first-reader',
    title: 'tells each change to the first reader only',
    behaviour: {
      since: (from, _session, { memory, position }) => {
        const told = Number(memory.get('told') ?? 0)
        memory.set('told', position)
        return Math.max(from, told)
      },
    },
  },
  {
    id: 'delta-session-cursor',
    title: 'remembers what a session has seen and ignores an older from',
    behaviour: {
      since: (from, { memory }, { position }) => {
        const told = Number(memory.get('told') ?? 0)
        memory.set('told', position)
        return Math.max(from, told)
      },
    },
  },
  {
    id: 'delta-log-keeps-ten',
    title: 'lists only the ten latest changes',
    behaviour: {
      listsThing: (thing, of) => listsThing(thing, of) && (of.full || thing.position > of.account.position - 10),
    },
  },
  {
    id: 'tombstone-forgotten-after-next-write',
    title: 'forgets a deletion at the next write',
    behaviour: {
      afterWrite: ({ things: all }, _upload, before) => {
        for (const { id, deleted, position } of all.values()) if (deleted && position <= before) all.delete(id)
      },
    },
  },
  {
    id: 'tombstone-told-once',
    title: 'forgets a deletion when it has told it once',
    behaviour: {
      listsDeleted: (thing, of) => {
        const lists = listsDeleted(thing, of) && !of.account.memory.has(`told ${thing.id}`)
        if (lists) of.account.memory.set(`told ${thing.id}`, true)
        return lists
      },
    },
  },
  { id: 'post-from-ignored', title: 'ignores from in a POST', behaviour: postWithout('from') },
  {
    id: 'upload-hides-others',
    title: 'lists no changes of other clients in the answer to an upload',
    behaviour: { listed: (list, _kind, { own }) => (own.size > 0 ? [] : list) },
  },
  {
    id: 'hideown',
    title: 'leaves what the request changes out of the delta, also when others changed it after from',
    behaviour: { listsThing: (thing, of) => listsThing(thing, of) && (of.full || !isChangedBy(of.exchange, thing)) },
  },
  {
    id: 'fullhide',
    title: 'leaves what the request changes out of the full listing, whoever made it',
    behaviour: { listsThing: (thing, of) => listsThing(thing, of) && !(of.full && isChangedBy(of.exchange, thing)) },
  },
  {
    id: 'change-takes-no-position',
    title: 'gives changes no position of their own',
    behaviour: { moves: ['new', 'deletion', 'tag'] },
  },
  {
    id: 'deletion-takes-no-position',
    title: 'gives deletions no position of their own',
    behaviour: { moves: ['new', 'change', 'tag'] },
  },
  {
    id: 'tag-takes-no-position',
    title: 'gives changed tag settings no position of their own',
    behaviour: { moves: ['new', 'change', 'deletion'] },
  },
]
