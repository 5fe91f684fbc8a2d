/** What can happen in a history. */
export type Action =
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
  readonly replicas: readonly [least: number, most: number]
  readonly rounds: readonly [least: number, most: number]
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
