import type { TagSettings } from '../../generated/types.ts'
import { ClientError } from './client-error.ts'
import type { FoldedAnswer, FoldTarget } from './fold-answer.ts'
import { hasGoneBack } from './gone-back.ts'
import type { Batch } from './pending-edits.ts'
import {
  applyFields,
  applyTagChange,
  blankThing,
  editKey,
  joinEdits,
  type KnownThing,
  keys,
  type ReplicaState,
  type ThingEdit,
  typedFields,
  typedIn,
} from './replica-records.ts'
import { tagsOf } from './replica-view.ts'
import { findDifferences } from './versions.ts'

/** What is to be written together, on top of the store. */
interface Draft extends Pick<FoldTarget, 'store' | 'pending' | 'state' | 'versions'> {
  readonly batch: Batch
}

const findKnown = async ({ store, batch }: Draft, id: string): Promise<KnownThing | undefined> => {
  const key = keys.thing(id)
  return (batch.has(key) ? batch.get(key) : await store.get(key)) as KnownThing | undefined
}

/** Things in the store that the answer did not tell of. */
async function* listUntold({ store, batch }: Draft, { name }: FoldedAnswer) {
  const prefix = keys.thing('')
  for await (const [key, value] of store.list(prefix)) {
    const thing = value as KnownThing
    if (!batch.has(key) && thing.seenIn !== name) yield { id: key.slice(prefix.length), thing }
  }
}

const drop = (batch: Batch, id: string): void => {
  batch.set(keys.thing(id), undefined).set(editKey('queued', 'thing', id), undefined)
}

/** Puts the `_id` in the place of the local id (interface 4.3, rule 3), also in what waits to be sent. */
export const giveId = ({ pending, batch }: Pick<Draft, 'pending' | 'batch'>, localId: string, id: string): void => {
  const edit = pending.queued.things.get(localId)
  batch.set(editKey('sending', 'thing', localId), undefined).set(keys.givenId(localId), id)
  if (edit === undefined) return
  // A listing may have told of the thing already, and the application may have edited it under its `_id`.
  const joined = joinEdits(pending.queued.things.get(id), edit)
  batch.set(editKey('queued', 'thing', localId), undefined).set(editKey('queued', 'thing', id), joined)
}

const confirmThing = async (
  { state, batch, versions }: Draft,
  { name }: FoldedAnswer,
  id: string,
  known: KnownThing | undefined,
  edit: Exclude<ThingEdit, { kind: 'delete' }>,
): Promise<void> => {
  const sent = applyFields(known ?? blankThing, edit.fields)
  const typed = typedIn(edit)
  // What the answer lists is newer than what was sent.
  const isListed = known?.seenIn === name
  const overwritten = isListed ? findDifferences(known, sent).filter((field) => typed.includes(field)) : []
  if (overwritten.length > 0) await versions.keep(batch, id, { why: 'overwritten', fields: overwritten }, sent)
  const own = typedFields.filter(
    (field) => (known?.own?.includes(field) || typed.includes(field)) && !overwritten.includes(field),
  )
  batch.set(keys.thing(id), {
    ...(isListed ? applyFields(known, {}) : sent),
    seenIn: name,
    knownAfter: known?.knownAfter ?? state.position,
    ...(own.length > 0 ? { own } : {}),
  } satisfies KnownThing)
}

const confirmThings = async (draft: Draft, answer: FoldedAnswer): Promise<void> => {
  const { pending, batch } = draft
  for (const [key, edit] of pending.sending.things) {
    const id = edit.kind === 'new' ? answer.assigned.get(key) : key
    if (id === undefined) throw new ClientError('unexpected_answer', `the answer gives no _id for the local id ${key}`)
    const known = await findKnown(draft, id)
    if (edit.kind === 'new') giveId(draft, key, id)
    batch.set(editKey('sending', 'thing', key), undefined)
    const isGone = edit.kind === 'new' ? answer.unknownDeleted.has(id) : edit.kind === 'delete' || known === undefined
    if (isGone) drop(batch, id)
    else if (edit.kind !== 'delete') await confirmThing(draft, answer, id, known, edit)
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

/**
 * What to write once an answer was folded: what was `sending` is known to the server, ids take the place of local ids,
 * tags and the position move. Written together, so that a crash leaves either an upload to repeat or nothing to do.
 */
export const confirmAnswer = async (
  target: FoldTarget,
  answer: FoldedAnswer,
  raisesPositions: boolean,
): Promise<Batch> => {
  const { state } = target
  const draft: Draft = { ...target, batch: new Map(answer.batch) }
  await confirmThings(draft, answer)
  const newTodos = await confirmTags(draft, answer)
  // What the server has lost is in no listing but a full one, by not being there.
  const isBack = hasGoneBack(state, answer, raisesPositions)
  let mustListAll = state.mustListAll || isBack
  if (state.isAhead || newTodos.size > 0) {
    for await (const { id, thing } of listUntold(draft, answer)) {
      if (state.isAhead && !isBack && thing.knownAfter >= state.position) drop(draft.batch, id)
      // The server may now show a todoStatus that was set while nothing showed it (contract, sync 12).
      else if ([...tagsOf(thing.tags)].some((tag) => newTodos.has(tag))) mustListAll = true
    }
  }
  const hasLastCopies = isBack || state.hasLastCopies === true
  return draft.batch.set(keys.state, {
    version: 1,
    position: answer.position,
    mustListAll,
    ...(hasLastCopies ? { hasLastCopies } : {}),
  } satisfies ReplicaState)
}

/** What to write once all of a full listing was folded: what it does not show is gone. */
export const confirmFullListing = async (
  target: FoldTarget,
  answer: FoldedAnswer,
  { isBlank, saysTags }: { readonly isBlank: boolean; readonly saysTags: boolean },
): Promise<Batch> => {
  const draft: Draft = { ...target, batch: new Map(answer.batch) }
  // Where nothing was, nothing else can be.
  if (!isBlank) for await (const { id } of listUntold(draft, answer)) drop(draft.batch, id)
  const known = new Map<string, string>()
  for await (const [key, settings] of target.store.list(keys.tag(''))) {
    known.set(key, JSON.stringify(settings))
    if (saysTags) draft.batch.set(key, undefined)
  }
  for (const [name, settings] of answer.tags) {
    // What is the same is not told of: a screen would draw all its things anew.
    if (known.get(keys.tag(name)) === JSON.stringify(settings)) draft.batch.delete(keys.tag(name))
    else draft.batch.set(keys.tag(name), settings)
  }
  return draft.batch.set(keys.state, {
    version: 1,
    position: answer.position,
    mustListAll: false,
  } satisfies ReplicaState)
}
