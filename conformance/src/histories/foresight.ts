import type { Choices } from './choices.ts'
import type { Action } from './mix.ts'
import type { ReplicaName, UploadStep, Version } from './plan.ts'

const words = 'milk bread salt rice soap pear plum bean corn leek kale mint sage dill fig oats'.split(' ')

/** An upload of nothing, from the replica's newest position. */
export const emptyUpload: UploadStep = {
  ...{ kind: 'upload', from: 'last', form: 'array' },
  ...{ creates: [], changes: [], deletes: [], tags: [] },
}

const writes = ['create', 'createMany', 'change', 'changeDeleted', 'delete', 'everything', 'setTag'] as const

/** An action that uploads something. */
export type WriteAction = (typeof writes)[number]

/** Whether the action uploads something. */
export const isWrite = (action: Action): action is WriteAction => writes.some((write) => write === action)

/** What the planned steps lead to on a server that keeps the rules, so that the next ones make sense. */
export interface Foresight {
  /** The replica has heard of everything that is there now. */
  readonly see: (who: ReplicaName) => void
  readonly createSeveral: (count: number) => Version[]
  /** An upload of the kind asked for; of a new thing when there is nothing to change or delete. */
  readonly makeUpload: (who: ReplicaName, action: WriteAction) => UploadStep
}

/** Foresees a history from its beginning. */
export const createForesight = (choices: Choices): Foresight => {
  const versions = new Map<string, Version>()
  const living = new Set<string>()
  const seen = new Map<ReplicaName, Set<string>>()
  let tagVersions = 0
  const seenBy = (who: ReplicaName): string[] => [...(seen.get(who) ?? [])]

  const create = (): Version => {
    const count = versions.size
    const word = words[count % words.length] ?? 'thing'
    const thing = count < words.length ? word : `${word}${Math.floor(count / words.length) + 1}`
    const version = { thing, number: 1, rich: choices.chance(0.5), archived: choices.chance(0.2) }
    versions.set(thing, version)
    living.add(thing)
    return version
  }
  const change = (thing: string): Version => {
    const { number = 0, rich = false } = versions.get(thing) ?? {}
    const version = { thing, number: number + 1, rich, archived: choices.chance(0.2) }
    versions.set(thing, version)
    return version
  }
  const remove = (thing: string): string => {
    living.delete(thing)
    return thing
  }
  const createSeveral = (count: number): Version[] => Array.from({ length: count }, create)
  const form = (): UploadStep['form'] => choices.pick(['array', 'repeated'])

  return {
    see: (who) => {
      seen.set(who, new Set([...seenBy(who), ...living]))
    },
    createSeveral,
    // Only a thing that surely lives may share a request with others: a refused request may be refused as a whole.
    makeUpload: (who, action) => {
      const known = seenBy(who).filter((thing) => living.has(thing))
      const gone = seenBy(who).filter((thing) => !living.has(thing))
      if (action === 'changeDeleted' && gone.length > 0)
        return { ...emptyUpload, changes: [change(choices.pick(gone))] }
      if (action === 'setTag') {
        tagVersions += 1
        return { ...emptyUpload, tags: [{ tag: choices.pick(['red', 'blue']), number: tagVersions }] }
      }
      if (action === 'change' && known.length > 0) return { ...emptyUpload, changes: [change(choices.pick(known))] }
      if (action === 'delete' && known.length > 0) return { ...emptyUpload, deletes: [remove(choices.pick(known))] }
      if (action === 'everything' && known.length > 1) {
        const first = choices.pick(known)
        const second = choices.pick(known.filter((thing) => thing !== first))
        const parts = { creates: [create()], changes: [change(first)], deletes: [remove(second)] }
        return { ...emptyUpload, ...parts, form: form() }
      }
      const from = choices.chance(0.1) ? 'start' : 'last'
      const creates = createSeveral(action === 'createMany' ? choices.between(2, 4) : 1)
      return { ...emptyUpload, from, creates, form: form() }
    },
  }
}
