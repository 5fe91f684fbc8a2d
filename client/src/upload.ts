import type { TagSettings } from '../../generated/types.ts'
import { ClientError, isClientError } from './client-error.ts'
import type { SyncParameters } from './create-client.ts'
import { type Batch, findDifferences, type PendingEdits } from './edits.ts'
import {
  applyFields,
  applyTagChange,
  createBlankThing,
  editKey,
  joinEdits,
  type KnownThing,
  keys,
  type ReplicaFields,
  type ReplicaState,
  type ReplicaTagFields,
  type ReplicaThing,
  type ThingEdit,
  typedFields,
  typedIn,
} from './replica-records.ts'
import { type ReplicaView, tagsOf } from './replica-view.ts'
import { type AppliedResponse, type ApplyTarget, isRolledBack } from './sync-response.ts'

/** The limits of one request. */
interface BatchLimits {
  /** Maximum edits. */
  readonly edits: number
  /** Maximum characters of JSON text. */
  readonly characters: number
  /** Keys of edits that stay queued. */
  readonly heldBack: ReadonlySet<string>
}

/** The sources of the known state and the shown state of a thing. */
interface Sources {
  readonly view: ReplicaView
  readonly findKnown: (id: string) => Promise<KnownThing | undefined>
  /** Whether the server keeps the fields that a change leaves out. */
  readonly keepsLeftOutFields: boolean
}

/**
 * Completes a change for the server. It always sets `title`, which the interface requires, and `archived`, which is
 * false when it is missing (interface 2.1). It sets `todoStatus` when the change makes the thing a to-do: the server
 * may have a value that it has never listed. For a server that clears the fields that a change leaves out, it sets all.
 */
const complete = async (
  fields: ReplicaFields,
  thing: ReplicaThing,
  { view, findKnown, keepsLeftOutFields }: Sources,
): Promise<ThingEdit> => {
  const { title, archived, todoStatus } = thing
  const wasTodo = todoStatus === undefined || (await view.isTodo((await findKnown(thing.id))?.tags ?? ''))
  const typed = typedIn({ kind: 'change', fields })
  const others = keepsLeftOutFields ? {} : contentOf(thing)
  return {
    kind: 'change',
    fields: { ...others, ...fields, title, archived, ...(wasTodo ? {} : { todoStatus }) },
    typed,
  }
}

/** Returns the fields that a shown thing has. */
const contentOf = ({ id: _, isPending: __, ...content }: ReplicaThing): ReplicaFields => content

/**
 * Returns the batch that moves edits from `queued` to `sending`, in the form in which every attempt sends them. It
 * drops a change of a deleted thing. The batch is empty when there is nothing to send.
 */
export const takeBatch = async (
  { queued }: PendingEdits,
  state: ReplicaState,
  session: string | undefined,
  limits: BatchLimits,
  sources: Sources,
): Promise<Batch> => {
  const batch: Batch = new Map()
  let edits = 0
  let characters = 0
  const hasRoom = (edit: object): boolean => {
    const size = JSON.stringify(edit).length
    if (edits === limits.edits || (edits > 0 && characters + size > limits.characters)) return false
    edits++
    characters += size
    return true
  }
  for (const [id, edit] of queued.things) {
    const key = editKey('queued', 'thing', id)
    if (limits.heldBack.has(key)) continue
    const shown = edit.kind === 'change' ? await sources.view.findThing(id) : undefined
    const sent = shown && edit.kind === 'change' ? await complete(edit.fields, shown, sources) : edit
    const isMissing = edit.kind === 'change' && shown === undefined
    if (!isMissing && !hasRoom(sent)) break
    if (isMissing) batch.set(keys.thing(id), undefined)
    else batch.set(editKey('sending', 'thing', id), sent)
    batch.set(key, undefined)
  }
  for (const [name, change] of queued.tags) {
    const key = editKey('queued', 'tag', name)
    if (limits.heldBack.has(key)) continue
    if (!hasRoom({ [name]: change })) break
    batch.set(editKey('sending', 'tag', name), change).set(key, undefined)
  }
  if (edits > 0) batch.set(keys.state, { ...state, ...(session === undefined ? {} : { sentIn: session }) })
  return batch
}

/** Returns the upload parameters for the edits in `sending` (interface 4.3). */
export const toUpload = ({ sending }: PendingEdits): SyncParameters => {
  const edits = [...sending.things]
  return {
    new_thing: edits.flatMap(([local_id, edit]) =>
      edit.kind === 'new' ? [{ local_id, ...withoutEmpty(edit.fields), title: edit.fields.title }] : [],
    ),
    changed_thing: edits.flatMap(([_id, edit]) =>
      edit.kind === 'change' ? [{ _id, ...withoutNull(edit.fields), title: edit.fields.title ?? '' }] : [],
    ),
    deleted_thing: edits.flatMap(([id, { kind }]) => (kind === 'delete' ? [id] : [])),
    tag: Object.fromEntries([...sending.tags].map(([name, change]) => [name, withBoolean(change)])),
  }
}

/** Sends `true` for "strike": every server takes a boolean (interface 2.2), and servers of this project store "strike". */
const withBoolean = (change: ReplicaTagFields): ReplicaTagFields =>
  change.todo === 'strike' ? { ...change, todo: true } : change

const withoutEmpty = (fields: ReplicaFields): ReplicaFields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== ''))

const withoutNull = (fields: ReplicaFields): ReplicaFields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value ?? '']))

/** An edit of a thing or a tag that the server rejects, with its error. */
export interface RejectedEdit {
  readonly kind: 'thing' | 'tag'
  /** The id of the thing or the name of the tag. */
  readonly name: string
  readonly error: ClientError
}

/**
 * Returns true for an error that the content of the request caused, and not its sender or its time. The interface leaves
 * the status of errors open (interface 7), so an error with the status 200 may have any cause.
 */
export const isEditError = (error: unknown): error is ClientError =>
  isClientError(error, 'rejected') &&
  [200, 400, 404, 409, 410, 413, 422].includes(error.status ?? 0) &&
  error.error !== 'invalid_grant'

/** Returns the edits in `sending` as rejected edits. */
export const describeSending = ({ sending }: PendingEdits, error: ClientError): readonly RejectedEdit[] => [
  ...[...sending.things.keys()].map((name) => ({ kind: 'thing' as const, name, error })),
  ...[...sending.tags.keys()].map((name) => ({ kind: 'tag' as const, name, error })),
]

/** Returns the batch that moves all edits from `sending` back to `queued`, below the edits that were created since. */
export const putBack = ({ sending, queued }: PendingEdits): Batch => {
  const batch: Batch = new Map()
  for (const [id, edit] of sending.things) {
    const later = queued.things.get(id)
    batch.set(editKey('sending', 'thing', id), undefined)
    batch.set(editKey('queued', 'thing', id), later === undefined ? edit : joinEdits(edit, later))
  }
  for (const [name, change] of sending.tags) {
    batch.set(editKey('sending', 'tag', name), undefined)
    batch.set(editKey('queued', 'tag', name), { ...change, ...queued.tags.get(name) })
  }
  return batch
}

/** A batch in progress, with the store below it. */
interface ConfirmDraft extends Pick<ApplyTarget, 'store' | 'pending' | 'state' | 'versions'> {
  readonly batch: Batch
}

const findKnown = async ({ store, batch }: ConfirmDraft, id: string): Promise<KnownThing | undefined> => {
  const key = keys.thing(id)
  return (batch.has(key) ? batch.get(key) : await store.get(key)) as KnownThing | undefined
}

/** Lists the things in the store that the response did not list. */
async function* listUnlisted({ store, batch }: ConfirmDraft, { name }: AppliedResponse) {
  const prefix = keys.thing('')
  for await (const [key, value] of store.list(prefix)) {
    const thing = value as KnownThing
    if (!batch.has(key) && thing.seenIn !== name) yield { id: key.slice(prefix.length), thing }
  }
}

const drop = (batch: Batch, id: string): void => {
  batch.set(keys.thing(id), undefined).set(editKey('queued', 'thing', id), undefined)
}

/** Replaces the client-assigned ID by the `_id` (interface 4.3, rule 3), also in waiting edits. */
export const giveId = (
  { pending, batch }: Pick<ConfirmDraft, 'pending' | 'batch'>,
  localId: string,
  id: string,
): void => {
  const edit = pending.queued.things.get(localId)
  batch.set(editKey('sending', 'thing', localId), undefined).set(keys.givenId(localId), id)
  if (edit === undefined) return
  // A listing may have shown the thing already, so the application may have edited it under its `_id`.
  const joined = joinEdits(pending.queued.things.get(id), edit)
  batch.set(editKey('queued', 'thing', localId), undefined).set(editKey('queued', 'thing', id), joined)
}

const confirmThing = async (
  { state, batch, versions }: ConfirmDraft,
  { name }: AppliedResponse,
  id: string,
  known: KnownThing | undefined,
  edit: Exclude<ThingEdit, { kind: 'delete' }>,
): Promise<void> => {
  const sent = applyFields(known ?? createBlankThing, edit.fields)
  const typed = typedIn(edit)
  // The listed state is newer than the sent state.
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

const confirmThings = async (draft: ConfirmDraft, response: AppliedResponse): Promise<void> => {
  const { pending, batch } = draft
  for (const [key, edit] of pending.sending.things) {
    const id = edit.kind === 'new' ? response.assigned.get(key) : key
    if (id === undefined)
      throw new ClientError('unexpected_response', `the response has no _id for the local_id ${key}`)
    const known = await findKnown(draft, id)
    if (edit.kind === 'new') giveId(draft, key, id)
    batch.set(editKey('sending', 'thing', key), undefined)
    const isMissing =
      edit.kind === 'new' ? response.unknownDeleted.has(id) : edit.kind === 'delete' || known === undefined
    if (isMissing) drop(batch, id)
    else if (edit.kind !== 'delete') await confirmThing(draft, response, id, known, edit)
  }
}

/** Confirms tags, and returns the tags that have become to-do tags. */
const confirmTags = async (
  { store, pending, batch }: ConfirmDraft,
  response: AppliedResponse,
): Promise<ReadonlySet<string>> => {
  const newTodos = new Set<string>()
  for (const name of new Set([...pending.sending.tags.keys(), ...response.tags.keys()])) {
    const known = (await store.get(keys.tag(name))) as TagSettings | undefined
    const settings = response.tags.get(name) ?? applyTagChange(known, pending.sending.tags.get(name))
    batch.set(editKey('sending', 'tag', name), undefined).set(keys.tag(name), settings)
    if (settings.todo !== false && (known === undefined || known.todo === false)) newTodos.add(name)
  }
  return newTodos
}

/**
 * Returns the batch to write after a response is applied. It confirms the edits in `sending`, replaces client-assigned
 * IDs, and updates tags and the position. Written together, a crash leaves either an upload to repeat or nothing to do.
 */
export const confirmResponse = async (
  target: ApplyTarget,
  response: AppliedResponse,
  raisesPositions: boolean,
): Promise<Batch> => {
  const { state } = target
  const draft: ConfirmDraft = { ...target, batch: new Map(response.batch) }
  await confirmThings(draft, response)
  const newTodos = await confirmTags(draft, response)
  // Only a full sync shows what the server has lost, by leaving it out.
  const wasRolledBack = isRolledBack(state, response, raisesPositions)
  let mustListAll = state.mustListAll || wasRolledBack
  if (state.isAhead || newTodos.size > 0) {
    for await (const { id, thing } of listUnlisted(draft, response)) {
      if (state.isAhead && !wasRolledBack && thing.knownAfter >= state.position) drop(draft.batch, id)
      // The server may now list a todoStatus that was set while the thing was no to-do (contract, sync 12).
      else if ([...tagsOf(thing.tags)].some((tag) => newTodos.has(tag))) mustListAll = true
    }
  }
  const hasLastCopies = wasRolledBack || state.hasLastCopies === true
  return draft.batch.set(keys.state, {
    version: 1,
    position: response.position,
    mustListAll,
    ...(hasLastCopies ? { hasLastCopies } : {}),
  } satisfies ReplicaState)
}

/** Returns the batch to write after a full sync is applied. It deletes the things that the full sync did not list. */
export const confirmFullSync = async (
  target: ApplyTarget,
  response: AppliedResponse,
  { isBlank, saysTags }: { readonly isBlank: boolean; readonly saysTags: boolean },
): Promise<Batch> => {
  const draft: ConfirmDraft = { ...target, batch: new Map(response.batch) }
  // A store that was empty has no other things.
  if (!isBlank) for await (const { id } of listUnlisted(draft, response)) drop(draft.batch, id)
  const known = new Map<string, string>()
  for await (const [key, settings] of target.store.list(keys.tag(''))) {
    known.set(key, JSON.stringify(settings))
    if (saysTags) draft.batch.set(key, undefined)
  }
  for (const [name, settings] of response.tags) {
    // Listeners get no unchanged tags: a screen would draw all their things again.
    if (known.get(keys.tag(name)) === JSON.stringify(settings)) draft.batch.delete(keys.tag(name))
    else draft.batch.set(keys.tag(name), settings)
  }
  return draft.batch.set(keys.state, {
    version: 1,
    position: response.position,
    mustListAll: false,
  } satisfies ReplicaState)
}
