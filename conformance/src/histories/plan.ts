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
export interface RefreshStep {
  readonly kind: 'refresh'
}

/** What one replica does at one point of a history. */
export type Step = UploadStep | ListStep | PagesStep | RefreshStep

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
