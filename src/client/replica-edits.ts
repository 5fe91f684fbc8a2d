import { ClientError } from './client-error.ts'
import type { LocalStore } from './local-store.ts'
import type { Batch, PendingEdits } from './pending-edits.ts'
import { createRandomId } from './random-id.ts'
import type { Replica } from './replica.ts'
import {
  applyFields,
  blankThing,
  editKey,
  joinEdits,
  type ReplicaTagFields,
  type ThingEdit,
} from './replica-records.ts'
import type { ReplicaView } from './replica-view.ts'
import type { InTurn } from './turns.ts'
import { listVersions, toFields, type VersionKeeper } from './versions.ts'

interface EditContext {
  readonly store: LocalStore
  readonly pending: PendingEdits
  readonly view: ReplicaView
  readonly inTurn: InTurn
  readonly versions: VersionKeeper
  readonly now: () => number
}

type ReplicaEdits = Pick<Replica, 'create' | 'change' | 'remove' | 'setTag' | 'listVersions' | 'restoreVersion'>

/** What a replica is told to do with things and tags; it waits in the store until a sync sends it. */
export const createReplicaEdits = ({ store, pending, view, inTurn, versions, now }: EditContext): ReplicaEdits => {
  const toBatch = (id: string, edit: ThingEdit): Batch =>
    new Map([[editKey('queued', 'thing', id), joinEdits(pending.queued.things.get(id), edit)]])
  const create: ReplicaEdits['create'] = async (fields) => {
    const id = createRandomId()
    const date = Math.floor(now() / 1000)
    await inTurn(() => pending.write(toBatch(id, { kind: 'new', fields: { date, ...withoutUndefined(fields) } })))
    return id
  }
  return {
    create,
    change: (id, fields) =>
      inTurn(async () => {
        const thing = await view.findThing(id)
        if (thing === undefined) throw new ClientError('unknown_thing', `there is no thing ${id}`)
        await pending.write(toBatch(thing.id, { kind: 'change', fields: withoutUndefined(fields) }))
      }),
    remove: (id) =>
      inTurn(async () => {
        const thing = await view.findThing(id)
        if (thing !== undefined) await pending.write(toBatch(thing.id, { kind: 'delete' }))
      }),
    setTag: (name, change) =>
      inTurn(async () => {
        const joined = { ...pending.queued.tags.get(name), ...withLowerCase(withoutUndefined(change)) }
        await pending.write(new Map([[editKey('queued', 'tag', name), joined]]))
      }),
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
