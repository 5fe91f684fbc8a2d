import type { TagSettings } from '../../generated/types.ts'
import { ClientError } from './client-error.ts'
import type { FoldedAnswer } from './fold-answer.ts'
import type { LocalStore } from './local-store.ts'
import type { Batch, PendingEdits } from './pending-edits.ts'
import {
  applyFields,
  applyTagChange,
  blankThing,
  editKey,
  type KnownThing,
  keys,
  type ReplicaState,
} from './replica-records.ts'
import { tagsOf } from './replica-view.ts'

/** What was read so far, and what is to be written together. */
interface Draft {
  readonly store: LocalStore
  readonly pending: PendingEdits
  readonly batch: Batch
}

/** Puts the `_id` in the place of the local id (interface 4.3, rule 3), also in what waits to be sent. */
export const giveId = ({ pending, batch }: Omit<Draft, 'store'>, localId: string, id: string): void => {
  const edit = pending.queued.things.get(localId)
  batch.set(editKey('sending', 'thing', localId), undefined).set(keys.givenId(localId), id)
  if (edit === undefined) return
  batch.set(editKey('queued', 'thing', localId), undefined).set(editKey('queued', 'thing', id), edit)
}

const confirmThings = async (draft: Draft, state: ReplicaState, answer: FoldedAnswer): Promise<void> => {
  const { store, pending, batch } = draft
  for (const [key, edit] of pending.sending.things) {
    const id = edit.kind === 'new' ? answer.assigned.get(key) : key
    if (id === undefined) throw new ClientError('unexpected_answer', `the answer gives no _id for the local id ${key}`)
    const known = (await store.get(keys.thing(id))) as KnownThing | undefined
    if (edit.kind === 'new') giveId(draft, key, id)
    batch.set(editKey('sending', 'thing', key), undefined)
    const isGone = edit.kind === 'new' ? answer.unknownDeleted.has(id) : edit.kind === 'delete' || known === undefined
    if (isGone) batch.set(keys.thing(id), undefined).set(editKey('queued', 'thing', id), undefined)
    // What the answer lists is newer than what was sent.
    else if (edit.kind !== 'delete' && known?.seenIn !== answer.name) {
      const knownAfter = known?.knownAfter ?? state.position
      batch.set(keys.thing(id), { ...applyFields(known ?? blankThing, edit.fields), seenIn: answer.name, knownAfter })
    }
  }
}

/** Gives the tags that make things todos now and did not before. */
const confirmTags = async ({ store, pending, batch }: Draft, answer: FoldedAnswer): Promise<ReadonlySet<string>> => {
  const newTodos = new Set<string>()
  for (const name of new Set([...pending.sending.tags.keys(), ...answer.tags.keys()])) {
    const known = (await store.get(keys.tag(name))) as TagSettings | undefined
    const settings = answer.tags.get(name) ?? applyTagChange(known, pending.sending.tags.get(name))
    batch.set(editKey('sending', 'tag', name), undefined).set(keys.tag(name), settings)
    if (settings.todo !== false && (known === undefined || known.todo === false)) newTodos.add(name)
  }
  return newTodos
}

/** True when the server may now show a todoStatus that was set while nothing showed it (contract, sync 12). */
const hasHiddenStatus = async (store: LocalStore, newTodos: ReadonlySet<string>, name: string): Promise<boolean> => {
  if (newTodos.size === 0) return false
  for await (const [, value] of store.list(keys.thing(''))) {
    const { tags, seenIn } = value as KnownThing
    if (seenIn !== name && [...tagsOf(tags)].some((tag) => newTodos.has(tag))) return true
  }
  return false
}

/**
 * What to write once an answer was folded: what was `sending` is known to the server, ids take the place of local ids,
 * tags and the position move. Written together, so that a crash leaves either an upload to repeat or nothing to do.
 */
export const confirmAnswer = async (
  store: LocalStore,
  pending: PendingEdits,
  state: ReplicaState,
  answer: FoldedAnswer,
): Promise<Batch> => {
  const draft: Draft = { store, pending, batch: new Map() }
  await confirmThings(draft, state, answer)
  const newTodos = await confirmTags(draft, answer)
  // The server was restored from a backup: it listed everything, and what it has lost is to be found out.
  const isRestored = answer.position < state.position
  const mustListAll = state.mustListAll || isRestored || (await hasHiddenStatus(store, newTodos, answer.name))
  draft.batch.set(keys.state, { version: 1, position: answer.position, mustListAll } satisfies ReplicaState)
  return draft.batch
}

/** What to write once a full listing was folded: what it does not show is gone. */
export const confirmFullListing = async (
  store: LocalStore,
  pending: PendingEdits,
  answer: FoldedAnswer,
): Promise<Batch> => {
  const draft: Draft = { store, pending, batch: new Map() }
  for await (const [key, value] of store.list(keys.thing(''))) {
    if ((value as KnownThing).seenIn === answer.name) continue
    draft.batch.set(key, undefined).set(editKey('queued', 'thing', key.slice(keys.thing('').length)), undefined)
  }
  for await (const [key] of store.list(keys.tag(''))) draft.batch.set(key, undefined)
  for (const [name, settings] of answer.tags) draft.batch.set(keys.tag(name), settings)
  draft.batch.set(keys.state, { version: 1, position: answer.position, mustListAll: false } satisfies ReplicaState)
  return draft.batch
}
