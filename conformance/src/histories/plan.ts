/** The names of the replicas of a history, in the order in which they join. */
export const replicaNames = ['phone', 'laptop', 'tablet', 'desktop'] as const

/** The name of one replica; each replica has its own grant. */
export type ReplicaName = (typeof replicaNames)[number]

/** The values of a creation or change; the title identifies the version of a thing. */
export interface Version {
  /** The thing, by the word in its titles. */
  readonly thing: string
  /** 1 for the creation, then ascending. */
  readonly number: number
  /** Whether url, html and date are given; fixed for a thing, because the effect of an omitted field is open. */
  readonly rich: boolean
  readonly archived: boolean
}

/** New settings of one tag; the color identifies the version. */
export interface TagVersion {
  readonly tag: string
  readonly number: number
}

/**
 * The start of a listing. `start` and `fresh` are full syncs (the replica forgets the position of `fresh`). `last` is
 * the replica's newest position; a number is the position that many responses before it, or the oldest one.
 */
export type From = 'start' | 'fresh' | 'last' | number

/** Uploads creations, changes, deletions and tag settings in one request. */
export interface UploadStep {
  readonly kind: 'upload'
  readonly from: 'start' | 'last'
  readonly creates: readonly Version[]
  readonly changes: readonly Version[]
  readonly deletes: readonly string[]
  readonly tags: readonly TagVersion[]
  /** Whether several things are one JSON array or a repeated parameter. */
  readonly form: 'array' | 'repeated'
}

/** Lists everything, or the changes since a position. */
export interface ListStep {
  readonly kind: 'list'
  readonly from: From
}

/** Lists in pages. After each page another replica uploads; the remaining uploads come after the last page. */
export interface PagesStep {
  readonly kind: 'pages'
  readonly from: 'start' | number
  readonly size: number
  /** The page whose position the replica keeps. */
  readonly keep: 'first' | 'last'
  readonly meanwhile: readonly { readonly who: ReplicaName; readonly step: UploadStep }[]
}

/** Replaces the replica's pair of tokens by a refresh_token grant. */
interface RefreshStep {
  readonly kind: 'refresh'
}

/** One step of a replica. */
type Step = UploadStep | ListStep | PagesStep | RefreshStep

/** A step with its round and replica. Rounds follow one another; in a round the replicas do their steps in parallel. */
export interface PlannedStep {
  readonly round: number
  readonly who: ReplicaName
  readonly step: Step
}

/** A history before it is played: plain data, in the order of the rounds. */
export type Plan = readonly PlannedStep[]

/** Returns the replicas that a plan uses. */
export const replicasOf = (plan: Plan): ReplicaName[] => {
  const used = new Set<ReplicaName>()
  for (const { who, step } of plan) {
    used.add(who)
    if (step.kind === 'pages') for (const other of step.meanwhile) used.add(other.who)
  }
  return replicaNames.filter((name) => used.has(name))
}

/** Whether an upload of the plan can be in flight together with another request, so that repetitions may differ. */
export const isRacing = (plan: Plan): boolean =>
  plan.some(({ round, who, step }) =>
    step.kind === 'upload' ? plan.some((other) => other.round === round && other.who !== who) : false,
  )

/** The actions of a history. */
type Action =
  | 'create'
  | 'createMany'
  | 'change'
  | 'changeDeleted'
  | 'delete'
  | 'everything'
  | 'setTag'
  | 'listStart'
  | 'listLast'
  | 'listOlder'
  | 'pages'
  | 'refresh'

/** Parameters of the histories of one rule. */
export interface Mix {
  readonly replicas: readonly [min: number, max: number]
  readonly rounds: readonly [min: number, max: number]
  /** Probability that several replicas act in parallel in a round. */
  readonly together: number
  /** Relative frequency of each action. */
  readonly weights: Readonly<Partial<Record<Action, number>>>
  /** The page whose position is kept after pages; only the first one is safe on every paging server. */
  readonly keep: 'first' | 'last' | 'either'
}

const everyday = {
  create: 4,
  createMany: 2,
  change: 5,
  changeDeleted: 1,
  delete: 3,
  everything: 1,
  setTag: 2,
  listStart: 1,
  listLast: 6,
  listOlder: 3,
}

/** Sequential requests, with all actions of a client. */
export const everydayMix: Mix = {
  replicas: [2, 4],
  rounds: [10, 18],
  together: 0,
  weights: { ...everyday, refresh: 1 },
  keep: 'first',
}

/** Parallel requests of several replicas. */
export const togetherMix: Mix = { replicas: [3, 4], rounds: [4, 7], together: 0.8, weights: everyday, keep: 'first' }

/** Many deletions, and changes by replicas that do not know them yet. */
export const deletionMix: Mix = {
  replicas: [2, 3],
  rounds: [10, 16],
  together: 0.1,
  weights: {
    create: 4,
    createMany: 2,
    change: 3,
    changeDeleted: 4,
    delete: 6,
    listLast: 3,
    listOlder: 4,
    listStart: 1,
  },
  keep: 'first',
}

/** Listings in pages while other replicas write. */
export const pagesMix = (keep: Mix['keep']): Mix => ({
  replicas: [2, 3],
  rounds: [6, 9],
  together: 0,
  weights: { createMany: 2, change: 2, delete: 1, listLast: 2, pages: 8 },
  keep,
})

/** Random choices of the kinds that plans need. */
interface Choices {
  /** Returns a whole number from `min` to `max`, both included. */
  readonly between: (min: number, max: number) => number
  /** Returns true with this probability (0 to 1). */
  readonly chance: (probability: number) => boolean
  /** Returns one element. @throws RangeError for an empty list. */
  readonly pick: <T>(list: readonly T[]) => T
  /** Returns one of the names, with a probability by its weight. */
  readonly weigh: <K extends string>(weights: Readonly<Partial<Record<K, number>>>) => K
}

/** Creates choices from numbers between 0 (included) and 1 (excluded); the same numbers give the same choices. */
export const createChoices = (random: () => number): Choices => {
  const pick = <T>(list: readonly T[]): T => {
    const chosen = list[Math.floor(random() * list.length)]
    if (chosen === undefined) throw new RangeError('nothing to pick from')
    return chosen
  }
  return {
    between: (min, max) => min + Math.floor(random() * (max - min + 1)),
    chance: (probability) => random() < probability,
    pick,
    weigh: <K extends string>(weights: Readonly<Partial<Record<K, number>>>): K => {
      const entries = Object.entries(weights) as [K, number][]
      let left = random() * entries.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [name, weight] of entries) {
        left -= weight
        if (left < 0) return name
      }
      return pick(entries)[0]
    },
  }
}

const words = 'milk bread salt rice soap pear plum bean corn leek kale mint sage dill fig oats'.split(' ')

/** An empty upload, from the replica's newest position. */
export const emptyUpload: UploadStep = {
  ...{ kind: 'upload', from: 'last', form: 'array' },
  ...{ creates: [], changes: [], deletes: [], tags: [] },
}

const writes = ['create', 'createMany', 'change', 'changeDeleted', 'delete', 'everything', 'setTag'] as const

/** An action that uploads something. */
type WriteAction = (typeof writes)[number]

/** Whether the action uploads something. */
const isWrite = (action: Action): action is WriteAction => writes.some((write) => write === action)

/** The expected state of a correct server after the planned steps, so that the next steps make sense. */
interface PlannedState {
  /** Marks everything that exists as known to the replica. */
  readonly see: (who: ReplicaName) => void
  readonly createSeveral: (count: number) => Version[]
  /** Creates an upload of this kind; it creates a thing when there is nothing to change or delete. */
  readonly createUpload: (who: ReplicaName, action: WriteAction) => UploadStep
}

/** Creates the state before the first step. */
const createPlannedState = (choices: Choices): PlannedState => {
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
    // Only existing things share a request with others: a server may reject a request as a whole.
    createUpload: (who, action) => {
      const known = seenBy(who).filter((thing) => living.has(thing))
      const removed = seenBy(who).filter((thing) => !living.has(thing))
      if (action === 'changeDeleted' && removed.length > 0)
        return { ...emptyUpload, changes: [change(choices.pick(removed))] }
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

/**
 * Creates a history. Every replica starts with a full sync and gets the first few things. Then come rounds of random
 * actions. At the end, after all writes, every replica lists from its newest and its oldest position, and one makes a
 * full sync.
 */
export const createPlan = (mix: Mix, choices: Choices): Plan => {
  const replicas = replicaNames.slice(0, choices.between(...mix.replicas))
  const { see, createSeveral, createUpload } = createPlannedState(choices)

  const createPages = (who: ReplicaName): PagesStep => {
    const others = replicas.filter((name) => name !== who)
    const meanwhile = Array.from({ length: choices.between(2, 4) }, () => {
      const other = choices.pick(others)
      return {
        who: other,
        step: createUpload(other, choices.pick(['change', 'change', 'change', 'delete', 'delete', 'create'])),
      }
    })
    const keep = mix.keep === 'either' ? choices.pick(['first', 'last'] as const) : mix.keep
    const from = choices.chance(0.3) ? 'start' : choices.between(3, 20)
    return { kind: 'pages', from, size: choices.between(1, 2), keep, meanwhile }
  }

  const createStep = (who: ReplicaName, action: Action): Step => {
    const step = ((): Step => {
      if (isWrite(action)) return createUpload(who, action)
      if (action === 'pages') return createPages(who)
      if (action === 'refresh') return { kind: 'refresh' }
      const from = action === 'listStart' ? 'start' : action === 'listLast' ? 'last' : choices.between(1, 6)
      return { kind: 'list', from }
    })()
    if (step.kind !== 'refresh') see(who)
    return step
  }

  const steps: PlannedStep[] = []
  let round = 0
  const add = (who: ReplicaName, step: Step): unknown => steps.push({ round, who, step })
  // A server may reject a request as a whole: each racing request changes one thing. Pages and refreshes do not race.
  const weightsTogether = { ...mix.weights, pages: 0, refresh: 0, everything: 0 }

  const addTogether = (): void => {
    // Frequent readers get positions that the server assigns while writes of others are in flight.
    const readers = choices.between(1, Math.max(1, replicas.length - 2))
    for (const [index, who] of replicas.entries()) {
      const reads = index >= replicas.length - readers
      const count = reads ? choices.between(2, 5) : choices.between(1, 3)
      for (let i = 0; i < count; i += 1) {
        add(who, reads ? { kind: 'list', from: 'last' } : createStep(who, choices.weigh(weightsTogether)))
      }
    }
  }

  const [first = 'phone', ...others] = replicas
  for (const who of replicas) add(who, { kind: 'list', from: 'start' })
  round += 1
  add(first, { ...emptyUpload, creates: createSeveral(choices.between(3, 5)) })
  see(first)
  round += 1
  for (const who of others) add(who, { kind: 'list', from: 'last' })
  others.forEach(see)
  for (let left = choices.between(...mix.rounds); left > 0; left -= 1) {
    round += 1
    const who = choices.pick(replicas)
    if (choices.chance(mix.together)) addTogether()
    else add(who, createStep(who, choices.weigh(mix.weights)))
  }
  for (const step of [
    { kind: 'list', from: 'last' },
    { kind: 'list', from: 1000 },
  ] as const) {
    for (const who of replicas) {
      round += 1
      add(who, step)
    }
  }
  return [...steps, ...closing(first, round)]
}

const closing = (who: ReplicaName, round: number): Plan => [
  { round: round + 1, who, step: { kind: 'list', from: 'last' } },
  { round: round + 2, who, step: { kind: 'list', from: 'last' } },
  { round: round + 3, who, step: { kind: 'list', from: 'last' } },
  { round: round + 4, who, step: { kind: 'list', from: 'fresh' } },
]
