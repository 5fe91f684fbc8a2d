import type { Answer } from './answer.ts'
import type { ListStep, ReplicaName, UploadStep } from './plan.ts'
import type { SyncEvent } from './trace.ts'
import { localIdOf } from './upload-form.ts'

/** What the replicas of one history remember: ids, positions, and which things they have ever seen. */
export interface ReplicaMemory {
  /** The `_id` of each created thing. */
  readonly idOf: ReadonlyMap<string, string>
  /** The event whose position stands for `from`; undefined when everything is to be asked for. */
  readonly findBase: (who: ReplicaName, from: ListStep['from']) => SyncEvent | undefined
  /** The upload without changes and deletions of things that the replica has never seen. */
  readonly onlySeen: (who: ReplicaName, step: UploadStep) => UploadStep
  readonly learn: (who: ReplicaName, answer: Answer, step: SyncEvent['step']) => void
  /** From now on the event's position is the replica's newest. */
  readonly keep: (event: SyncEvent) => void
}

/** An empty memory; the mark starts the local ids of the history. */
export const createReplicaMemory = (mark: string): ReplicaMemory => {
  const idOf = new Map<string, string>()
  const seen = new Set<string>()
  const kept = new Map<ReplicaName, SyncEvent[]>()
  const keptBy = (who: ReplicaName): SyncEvent[] => kept.get(who) ?? []
  const hasSeen = (who: ReplicaName, thing: string): boolean =>
    keptBy(who).length > 0 && seen.has(`${who} ${idOf.get(thing)}`)

  return {
    idOf,
    findBase: (who, from) => {
      if (from === 'start' || from === 'fresh') return undefined
      const positions = keptBy(who)
      return positions[Math.max(0, positions.length - 1 - (from === 'last' ? 0 : from))]
    },
    onlySeen: (who, step) => ({
      ...step,
      changes: step.changes.filter(({ thing }) => hasSeen(who, thing)),
      deletes: step.deletes.filter((thing) => hasSeen(who, thing)),
    }),
    learn: (who, answer, step) => {
      for (const id of answer.changed.keys()) seen.add(`${who} ${id}`)
      if (step.kind !== 'upload') return
      for (const { thing } of step.creates) {
        const id = answer.ids.get(localIdOf(thing, mark))
        if (id === undefined) continue
        idOf.set(thing, id)
        seen.add(`${who} ${id}`)
      }
    },
    keep: (event) => {
      kept.set(event.who, [...keptBy(event.who), event])
    },
  }
}
