/** The replicas of a history, in the order in which they join. */
export const replicaNames = ['phone', 'laptop', 'tablet', 'desktop'] as const

/** One of the replicas; each works with a grant of its own. */
export type ReplicaName = (typeof replicaNames)[number]

/** What a creation or change writes; every version of a thing has a title of its own, so that it can be recognised. */
export interface Version {
  /** The thing, by the word that its titles carry. */
  readonly thing: string
  /** 1 for the creation, then counted up. */
  readonly number: number
  /** Whether url, html and date are given; fixed for a thing, because what leaving a field out means is not settled. */
  readonly rich: boolean
  readonly archived: boolean
}

/** New settings of one tag; each version has a color of its own. */
export interface TagVersion {
  readonly tag: string
  readonly number: number
}

/**
 * Where a listing starts: `start` and `fresh` ask for everything (`fresh` is a look that the replica forgets), `last` asks
 * from the replica's newest position, a number from the position that many answers before it (the oldest, if too many).
 */
export type From = 'start' | 'fresh' | 'last' | number

/** Sends creations, changes, deletions and tag settings in one request. */
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

/** Asks for everything, or for what changed since a position. */
export interface ListStep {
  readonly kind: 'list'
  readonly from: From
}

/** Asks in pages; the uploads of others come in between, one after each page and what is left after the last. */
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

/** What one replica does at one point of a history. */
type Step = UploadStep | ListStep | PagesStep | RefreshStep

/** A step in its place. Rounds follow one another; within a round each replica does its steps in order, all replicas at once. */
export interface PlannedStep {
  readonly round: number
  readonly who: ReplicaName
  readonly step: Step
}

/** A whole history, before it is played: plain data, in the order of the rounds. */
export type Plan = readonly PlannedStep[]

/** The replicas that a plan needs. */
export const replicasOf = (plan: Plan): ReplicaName[] => {
  const used = new Set<ReplicaName>()
  for (const { who, step } of plan) {
    used.add(who)
    if (step.kind === 'pages') for (const other of step.meanwhile) used.add(other.who)
  }
  return replicaNames.filter((name) => used.has(name))
}

/** Whether an upload of the plan can be in flight together with another request, so that a repetition may end differently. */
export const isRacing = (plan: Plan): boolean =>
  plan.some(({ round, who, step }) =>
    step.kind === 'upload' ? plan.some((other) => other.round === round && other.who !== who) : false,
  )

/** What can happen in a history. */
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

/** The character of the histories of one rule. */
export interface Mix {
  readonly replicas: readonly [min: number, max: number]
  readonly rounds: readonly [min: number, max: number]
  /** Probability that several replicas act at the same time in a round. */
  readonly together: number
  /** How often each action is chosen. */
  readonly weights: Readonly<Partial<Record<Action, number>>>
  /** The page whose position is kept after pages; a client may do either, but only the first is safe on every paging server. */
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

/** One request after the other, everything that a client does. */
export const everydayMix: Mix = {
  replicas: [2, 4],
  rounds: [10, 18],
  together: 0,
  weights: { ...everyday, refresh: 1 },
  keep: 'first',
}

/** Requests of several replicas in flight at the same time. */
export const togetherMix: Mix = { replicas: [3, 4], rounds: [4, 7], together: 0.8, weights: everyday, keep: 'first' }

/** Many deletions, and changes by replicas that have not heard of them. */
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

/** Listings in pages while others write. */
export const pagesMix = (keep: Mix['keep']): Mix => ({
  replicas: [2, 3],
  rounds: [6, 9],
  together: 0,
  weights: { createMany: 2, change: 2, delete: 1, listLast: 2, pages: 8 },
  keep,
})

/** Random choices of the kinds that plans need. */
interface Choices {
  /** A whole number from `least` to `most`, both included. */
  readonly between: (min: number, max: number) => number
  /** True with the probability given (0 to 1). */
  readonly chance: (probability: number) => boolean
  /** One element; throws a RangeError when there is none. */
  readonly pick: <T>(list: readonly T[]) => T
  /** One of the names, as often as its weight says against the sum of all. */
  readonly weigh: <K extends string>(weights: Readonly<Partial<Record<K, number>>>) => K
}

/** Makes choices from numbers between 0 (included) and 1 (excluded); the same numbers give the same choices. */
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

/** An upload of nothing, from the replica's newest position. */
export const emptyUpload: UploadStep = {
  ...{ kind: 'upload', from: 'last', form: 'array' },
  ...{ creates: [], changes: [], deletes: [], tags: [] },
}

const writes = ['create', 'createMany', 'change', 'changeDeleted', 'delete', 'everything', 'setTag'] as const

/** An action that uploads something. */
type WriteAction = (typeof writes)[number]

/** Whether the action uploads something. */
const isWrite = (action: Action): action is WriteAction => writes.some((write) => write === action)

/** What the planned steps lead to on a server that keeps the rules, so that the next ones make sense. */
interface PlannedState {
  /** The replica has heard of everything that is there now. */
  readonly see: (who: ReplicaName) => void
  readonly createSeveral: (count: number) => Version[]
  /** An upload of the kind asked for; of a new thing when there is nothing to change or delete. */
  readonly createUpload: (who: ReplicaName, action: WriteAction) => UploadStep
}

/** Foresees a history from its beginning. */
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
    // Only a thing that surely lives may share a request with others: a refused request may be refused as a whole.
    createUpload: (who, action) => {
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

/**
 * Makes a history: every replica starts with a full listing and hears of the first few things; then come rounds of random
 * actions; in the end, in quiet, every replica lists from its newest and its oldest position and one looks at everything.
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
  // A refused request may be refused as a whole, so that what races is one thing at a time; pages and refreshes do not race.
  const weightsTogether = { ...mix.weights, pages: 0, refresh: 0, everything: 0 }

  const addTogether = (): void => {
    // Who reads again and again meets the positions that are given while others' writes are under way.
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
