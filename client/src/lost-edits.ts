import type { LocalStore } from './local-store.ts'
import type { Batch, PendingEdits } from './pending-edits.ts'
import {
  applyFields,
  blankThing,
  editKey,
  type KnownThing,
  keys,
  type ReplicaFields,
  type ThingContent,
  typedFields,
  typedIn,
} from './replica-records.ts'
import { fieldNames } from './thing-fields.ts'
import type { VersionKeeper } from './versions.ts'

/** An edit of a thing that the server does not have any more: deleted elsewhere, or lost with a backup. */
export interface LostEdit {
  /** The id that the thing had. */
  readonly id: string
  /** The thing as the replica showed it last, with the edit; `create` makes it again from this. */
  readonly content: ReplicaFields & { readonly title: string }
  /** The fields in which this differs from what the server is known to have had. */
  readonly edited: readonly (keyof ReplicaFields)[]
}

interface Target {
  readonly store: LocalStore
  readonly pending: PendingEdits
  readonly versions: VersionKeeper
}

const describe = (id: string, thing: ThingContent, known: ThingContent | undefined): LostEdit => {
  const edited = fieldNames.filter((name) => known === undefined || thing[name] !== known[name])
  const { todoStatus, ...content } = thing
  // A status that nothing shows says nothing.
  return { id, content: todoStatus || edited.includes('todoStatus') ? thing : content, edited }
}

/** The ids of the things that a batch drops, each with the id under which its edits wait. */
const listDropped = function* (batch: Batch): Generator<readonly [id: string, editedAs: string]> {
  const localIds = new Map<unknown, string>()
  for (const [key, value] of batch) {
    if (key.startsWith(keys.givenId(''))) localIds.set(value, key.slice(keys.givenId('').length))
  }
  for (const [key, value] of [...batch]) {
    if (value !== undefined || !key.startsWith(keys.thing(''))) continue
    const id = key.slice(keys.thing('').length)
    yield [id, localIds.get(id) ?? id]
  }
}

/**
 * Writes a batch that may drop things. What was edited of them and never confirmed is kept as lost in the same write,
 * until the application forgets it, and what was sent from here before as a version; a thing that the application
 * deleted itself is no loss. Where these may be the last copies, every version is kept, whoever typed it. To be called
 * in turn, so that no edit slips in between. Gives how many edits were lost that had been sent.
 */
export const writeKeepingLost = async (
  { store, pending, versions }: Target,
  batch: Batch,
  areLastCopies = false,
): Promise<number> => {
  let lostOfSending = 0
  for (const [id, editedAs] of listDropped(batch)) {
    const sending = pending.sending.things.get(editedAs)
    const queued = pending.queued.things.get(editedAs) ?? pending.queued.things.get(id)
    const isLost = queued?.kind === 'change' || (queued === undefined && sending?.kind === 'change')
    if (sending?.kind === 'change') {
      batch.set(editKey('sending', 'thing', id), undefined)
      lostOfSending++
    }
    const known = (await store.get(keys.thing(id))) as KnownThing | undefined
    if (!isLost) {
      const isOwn = sending?.kind === 'delete' || queued?.kind === 'delete'
      const text = known ?? (sending?.kind === 'new' ? applyFields(blankThing, sending.fields) : undefined)
      const typed = known && areLastCopies ? typedFields.filter((name) => known[name]) : known?.own
      const fields = typed ?? (sending?.kind === 'new' ? typedIn(sending) : [])
      if (!isOwn && text && fields.length > 0) await versions.keep(batch, id, { why: 'deleted', fields }, text)
      continue
    }
    const sent = sending !== undefined && sending.kind !== 'delete' ? sending.fields : {}
    const thing = applyFields(applyFields(known ?? blankThing, sent), queued?.fields ?? {})
    // What the server took of a new thing was not lost with it.
    const taken = sending?.kind === 'new' ? applyFields(blankThing, sent) : known
    const lost = describe(id, thing, taken && applyFields(taken, {}))
    if (lost.edited.length > 0) batch.set(keys.lost(id), lost)
  }
  await pending.write(batch)
  return lostOfSending
}

/** All lost edits that the application has not forgotten. */
export const listLostEdits = async (store: LocalStore): Promise<readonly LostEdit[]> => {
  const lost: LostEdit[] = []
  for await (const [, value] of store.list(keys.lost(''))) lost.push(value as LostEdit)
  return lost
}
