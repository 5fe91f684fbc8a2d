import { giveId } from './confirm-upload.ts'
import { type FoldTarget, isAheadOf, toKnown } from './fold-answer.ts'
import type { Batch } from './pending-edits.ts'
import { applyFields, blankThing, type KnownThing, keys, type ThingContent, typedIn } from './replica-records.ts'
import type { SyncEvent } from './sync-events.ts'
import { fieldNames } from './thing-fields.ts'

/**
 * Finds which of the new things that are `sending` the server has, although no answer said so: a listed thing that was
 * not known before and says exactly what was sent. Whatever is found is given its `_id` and is not sent again. For
 * uploads that the server cannot recognise as repeated by their local ids, because the session is another (contract,
 * sync 7) or the server is one that keeps the interface and nothing else.
 */
export const findLostThings = async (parts: AsyncIterable<readonly SyncEvent[]>, target: FoldTarget): Promise<void> => {
  const { store, pending, inTurn, state } = target
  const wanted = new Map<string, string[]>()
  for (const [localId, edit] of pending.sending.things) {
    if (edit.kind !== 'new') continue
    const content = toComparable(applyFields(blankThing, edit.fields))
    wanted.set(content, [...(wanted.get(content) ?? []), localId])
  }
  const found = new Map<string, KnownThing>()
  const ids = new Map<string, string>()
  const take = async (event: SyncEvent): Promise<void> => {
    if (event.kind !== 'changed') return
    const known = (await store.get(keys.thing(event.thing._id))) as KnownThing | undefined
    // What a broken answer to the lost upload has told of already is new all the same.
    if (known !== undefined && known.knownAfter < state.position) return
    const thing = toKnown(event.thing, '', state.position, known)
    const localId = wanted.get(toComparable(thing))?.shift()
    if (localId === undefined) return
    found.set(localId, thing)
    ids.set(localId, event.thing._id)
  }
  for await (const part of parts) for (const event of part) await take(event)
  if (found.size === 0) return
  await inTurn(async () => {
    const batch: Batch = new Map([[keys.state, isAheadOf(state)]])
    for (const [localId, id] of ids) {
      giveId({ pending, batch }, localId, id)
      const edit = pending.sending.things.get(localId)
      const thing = found.get(localId)
      if (edit && thing) batch.set(keys.thing(id), { ...thing, own: typedIn(edit) } satisfies KnownThing)
    }
    await pending.write(batch)
  })
}

/** Everything that every listing shows of a thing; some servers keep dates in whole seconds. */
const toComparable = ({ todoStatus: _, ...thing }: ThingContent): string =>
  JSON.stringify(
    fieldNames.map((name) =>
      name === 'date' ? Math.floor(thing.date) : name === 'todoStatus' ? null : (thing[name] ?? null),
    ),
  )
