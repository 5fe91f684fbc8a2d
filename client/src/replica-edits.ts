import { checkFields, checkNewFields, checkTag } from './check-fields.ts'
import { ClientError } from './client-error.ts'
import type { LocalStore } from './local-store.ts'
import type { Batch, PendingEdits } from './pending-edits.ts'
import { createRandomId } from './random-id.ts'
import {
  applyFields,
  blankThing,
  editKey,
  joinEdits,
  keys,
  type ReplicaEdit,
  type ReplicaFields,
  type ReplicaTagFields,
  type ThingEdit,
} from './replica-records.ts'
import type { ReplicaView } from './replica-view.ts'
import type { InTurn } from './turns.ts'
import { listVersions, type ThingVersion, toFields, type VersionKeeper } from './versions.ts'

interface EditContext {
  readonly store: LocalStore
  readonly pending: PendingEdits
  readonly view: ReplicaView
  readonly inTurn: InTurn
  readonly versions: VersionKeeper
  readonly now: () => number
}

/** The edits of a replica. */
export interface ReplicaEdits {
  /** Makes a thing and gives its local id; a `date` that is left out is now. @throws TypeError for a field of a wrong type */
  readonly create: (fields: ReplicaFields & { readonly title: string }) => Promise<string>
  /** Changes the fields that are given. @throws ClientError `unknown_thing`, TypeError for a field of a wrong type */
  readonly change: (id: string, fields: ReplicaFields) => Promise<void>
  /** Deletes a thing; one that is not there is fine. */
  readonly remove: (id: string) => Promise<void>
  /** Changes the settings that are given. @throws TypeError for a name that no thing can carry, or a wrong type */
  readonly setTag: (name: string, change: ReplicaTagFields) => Promise<void>
  /**
   * Makes several edits in one write of the store, all of them or none, and gives the local ids of the new things. A few
   * hundred at a time are many times as fast as one by one. @throws ClientError `unknown_thing`, TypeError for a field of a
   * wrong type
   */
  readonly editAll: (edits: readonly ReplicaEdit[]) => Promise<readonly string[]>
  /**
   * What was replaced of this thing, the latest last: texts from here that another device has overwritten or deleted, and
   * those of others that an edit from here replaced; at most 10 of each thing, for 90 days.
   */
  readonly listVersions: (id: string) => Promise<readonly ThingVersion[]>
  /**
   * Takes the fields of a version back, or makes the thing again if it is gone, and gives the id; what they replace becomes
   * a version itself. @throws ClientError `unknown_thing` when no such version is kept
   */
  readonly restoreVersion: (id: string, name: string) => Promise<string>
}

/** What a replica is told to do with things and tags; it waits in the store until a sync sends it. */
export const createReplicaEdits = ({ store, pending, view, inTurn, versions, now }: EditContext): ReplicaEdits => {
  const toBatch = (id: string, edit: ThingEdit): Batch =>
    new Map([[editKey('queued', 'thing', id), joinEdits(pending.queued.things.get(id), edit)]])
  const editAll: ReplicaEdits['editAll'] = (edits) =>
    inTurn(async () => {
      const batch: Batch = new Map()
      const ids: string[] = []
      const things = await view.findThings(edits.flatMap((edit) => ('id' in edit ? [edit.id] : [])))
      const join = (id: string, next: ThingEdit) => {
        const key = editKey('queued', 'thing', id)
        const before = batch.has(key) ? (batch.get(key) as ThingEdit | undefined) : pending.queued.things.get(id)
        batch.set(key, joinEdits(before, next))
      }
      /** The thing, unless the batch takes it away. */
      const find = (id: string) => {
        const thing = things.get(id)
        const key = editKey('queued', 'thing', thing?.id ?? id)
        const edit = batch.get(key) as ThingEdit | undefined
        return batch.has(key) && (edit === undefined || edit.kind === 'delete') ? undefined : thing
      }
      for (const edit of edits) {
        if (edit.kind === 'create') {
          checkNewFields(edit.fields)
          const id = edit.localId ?? createRandomId()
          const date = Math.floor(now() / 1000)
          join(id, { kind: 'new', fields: { date, ...withoutUndefined(edit.fields) } })
          ids.push(id)
        } else if (edit.kind === 'tag') {
          checkTag(edit.name, edit.change, (await store.get(keys.tag(edit.name))) !== undefined)
          const key = editKey('queued', 'tag', edit.name)
          const before = (batch.get(key) as ReplicaTagFields | undefined) ?? pending.queued.tags.get(edit.name)
          batch.set(key, { ...before, ...withLowerCase(withoutUndefined(edit.change)) })
        } else {
          const thing = find(edit.id)
          if (edit.kind === 'remove') {
            if (thing !== undefined) join(thing.id, { kind: 'delete' })
            continue
          }
          if (thing === undefined) throw new ClientError('unknown_thing', `there is no thing ${edit.id}`)
          checkFields(edit.fields)
          join(thing.id, { kind: 'change', fields: withoutUndefined(edit.fields) })
        }
      }
      if (batch.size > 0) await pending.write(batch)
      return ids
    })
  const create: ReplicaEdits['create'] = async (fields) => {
    const [id = ''] = await editAll([{ kind: 'create', fields }])
    return id
  }
  return {
    create,
    editAll,
    change: async (id, fields) => void (await editAll([{ kind: 'change', id, fields }])),
    remove: async (id) => void (await editAll([{ kind: 'remove', id }])),
    setTag: async (name, change) => void (await editAll([{ kind: 'tag', name, change }])),
    listVersions: async (id) => await listVersions(store, await view.resolveId(id)),
    restoreVersion: async (id, name) => {
      const known = await listVersions(store, await view.resolveId(id))
      const version = known.find((one) => one.name === name)
      if (version === undefined) throw new ClientError('unknown_thing', `there is no version ${name} of ${id}`)
      const restored = await inTurn(async () => {
        const thing = await view.findThing(id)
        if (thing === undefined) return undefined
        const batch = toBatch(thing.id, { kind: 'change', fields: toFields(version) })
        const shown = applyFields(blankThing, thing)
        await versions.keep(batch, thing.id, { why: 'restored', fields: version.fields }, shown)
        await pending.write(batch)
        return thing.id
      })
      return restored ?? (await create(version.content))
    },
  }
}

const withoutUndefined = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T

/** As servers of this project return a color (contract, sync 12); to any other server it says the same. */
const withLowerCase = (change: ReplicaTagFields): ReplicaTagFields =>
  typeof change.color === 'string' ? { ...change, color: change.color.toLowerCase() } : change
