import type { SyncParameters } from './create-client.ts'
import type { Batch, PendingEdits } from './pending-edits.ts'
import {
  editKey,
  type KnownThing,
  keys,
  type ReplicaFields,
  type ReplicaState,
  type ReplicaThing,
  type ThingEdit,
  typedIn,
} from './replica-records.ts'
import type { ReplicaView } from './replica-view.ts'

/** How much is sent in one request, and what is left out. */
export interface BatchLimits {
  readonly edits: number
  /** Of JSON text. */
  readonly characters: number
  /** Keys of edits that stay queued. */
  readonly heldBack: ReadonlySet<string>
}

/** What is known of a thing and what is shown of it. */
interface Sources {
  readonly view: ReplicaView
  readonly findKnown: (id: string) => Promise<KnownThing | undefined>
}

/**
 * A change says title and archived every time, because the interface demands the one and takes a missing other for
 * false (interface 2.1). It says todoStatus when the change makes the thing a todo: the server may hold one that it has
 * never shown.
 */
const complete = async (
  fields: ReplicaFields,
  thing: ReplicaThing,
  { view, findKnown }: Sources,
): Promise<ThingEdit> => {
  const { title, archived, todoStatus } = thing
  const wasTodo = todoStatus === undefined || (await view.isTodo((await findKnown(thing.id))?.tags ?? ''))
  const typed = typedIn({ kind: 'change', fields })
  return { kind: 'change', fields: { ...fields, title, archived, ...(wasTodo ? {} : { todoStatus }) }, typed }
}

/**
 * What to write in order to move edits from `queued` to `sending`, as they will be sent however often; a change of a
 * thing that is gone is dropped. Empty when nothing is to be sent.
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
    const isGone = edit.kind === 'change' && shown === undefined
    if (!isGone && !hasRoom(sent)) break
    if (isGone) batch.set(keys.thing(id), undefined)
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

/** The upload parameters for what is `sending` (interface 4.3). */
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
    tag: Object.fromEntries(sending.tags),
  }
}

const withoutEmpty = (fields: ReplicaFields): ReplicaFields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== ''))

const withoutNull = (fields: ReplicaFields): ReplicaFields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value ?? '']))
