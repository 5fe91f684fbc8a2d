import type { LocalStore } from './local-store.ts'
import { editKey, type ReplicaTagFields, type Stage, type ThingEdit } from './replica-records.ts'

/** The edits of one stage, in the order in which they were made. */
export interface Edits {
  readonly things: ReadonlyMap<string, ThingEdit>
  readonly tags: ReadonlyMap<string, ReplicaTagFields>
}

/** Changes of the store that belong together; keys are those of replica-records.ts. */
export type Batch = Map<string, unknown>

/** The edits that the server has not confirmed: a copy in memory of what the store keeps of them. */
export interface PendingEdits {
  readonly queued: Edits
  readonly sending: Edits
  /** Writes the batch, which may hold edits, to the store, and only then to memory. */
  readonly write: (batch: Batch) => Promise<void>
  /** Rises when edits in memory change: what was read of the store meanwhile may not fit them. */
  readonly changeCount: () => number
}

/** Things and tags with edits that the server has not confirmed. */
export const countPending = ({ sending, queued }: PendingEdits): number =>
  new Set([...sending.things.keys(), ...queued.things.keys()]).size +
  new Set([...sending.tags.keys(), ...queued.tags.keys()]).size

/** Reads the edits that the store keeps. */
export const readPendingEdits = async (store: LocalStore): Promise<PendingEdits> => {
  const copies = { queued: await readEdits(store, 'queued'), sending: await readEdits(store, 'sending') }
  let changes = 0
  return {
    ...copies,
    write: async (batch) => {
      await store.write(batch)
      for (const [key, value] of batch) {
        for (const stage of ['queued', 'sending'] as const) {
          if (mirror(copies[stage].things, editKey(stage, 'thing', ''), key, value as ThingEdit | undefined)) changes++
          if (mirror(copies[stage].tags, editKey(stage, 'tag', ''), key, value as ReplicaTagFields | undefined))
            changes++
        }
      }
    },
    changeCount: () => changes,
  }
}

/** True when it changed anything. */
const mirror = <T>(edits: Map<string, T>, prefix: string, key: string, value: T | undefined): boolean => {
  if (!key.startsWith(prefix)) return false
  const name = key.slice(prefix.length)
  if (value === undefined) return edits.delete(name)
  edits.set(name, value)
  return true
}

const readEdits = async (store: LocalStore, stage: Stage) => {
  const things = new Map<string, ThingEdit>()
  const tags = new Map<string, ReplicaTagFields>()
  for await (const [key, value] of store.list(editKey(stage, 'thing', ''))) {
    mirror(things, editKey(stage, 'thing', ''), key, value as ThingEdit)
  }
  for await (const [key, value] of store.list(editKey(stage, 'tag', ''))) {
    mirror(tags, editKey(stage, 'tag', ''), key, value as ReplicaTagFields)
  }
  return { things, tags }
}
