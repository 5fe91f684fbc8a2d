import type { Batch } from './pending-edits.ts'
import { editKey, keys, type Stage } from './replica-records.ts'

/** What a replica shows differently now. */
export interface ReplicaChange {
  /**
   * Things that were made, changed, deleted or confirmed, by their ids; a thing that was just given its `_id` is named by
   * this and by its local id.
   */
  readonly ids: ReadonlySet<string>
  /** Tags whose settings changed. One that becomes a todo, or is none any more, changes what its things show. */
  readonly tags: ReadonlySet<string>
  /** Whether an edit on this device did it, or a sync. */
  readonly by: 'edit' | 'sync'
}

const stages: readonly Stage[] = ['queued', 'sending']
const thingPrefixes = [keys.thing(''), keys.givenId(''), ...stages.map((stage) => editKey(stage, 'thing', ''))]
const tagPrefixes = [keys.tag(''), ...stages.map((stage) => editKey(stage, 'tag', ''))]

const nameIn = (key: string, prefixes: readonly string[]): string | undefined => {
  const prefix = prefixes.find((one) => key.startsWith(one))
  return prefix === undefined ? undefined : key.slice(prefix.length)
}

const describe = (batch: Batch, by: ReplicaChange['by']): ReplicaChange => {
  const ids = new Set<string>()
  const tags = new Set<string>()
  for (const key of batch.keys()) {
    const id = nameIn(key, thingPrefixes)
    const tag = id === undefined ? nameIn(key, tagPrefixes) : undefined
    if (id !== undefined) ids.add(id)
    if (tag !== undefined) tags.add(tag)
  }
  return { ids, tags, by }
}

/** Tells listeners what the batches that were written changed. */
export interface ChangeTeller {
  readonly tell: (batch: Batch, by: ReplicaChange['by']) => void
  /** Calls the listener after each change, until the function that it gives is called. */
  readonly watch: (listener: (change: ReplicaChange) => void) => () => void
}

/** A teller without listeners. */
export const createChangeTeller = (): ChangeTeller => {
  const listeners = new Map<object, (change: ReplicaChange) => void>()
  return {
    tell: (batch, by) => {
      if (listeners.size === 0) return
      const change = describe(batch, by)
      if (change.ids.size === 0 && change.tags.size === 0) return
      // Not from within the write: an error of a listener is the program's, and no failed write.
      for (const [key] of listeners) queueMicrotask(() => listeners.get(key)?.(change))
    },
    watch: (listener) => {
      const key = {}
      listeners.set(key, listener)
      return () => listeners.delete(key)
    },
  }
}
