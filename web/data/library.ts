import type { Replica, ReplicaChange, ReplicaThing } from '../../src/client/index.ts'
import { createObservable, type Observable } from './observable.ts'
import { createRows, type Row } from './rows.ts'
import type { Search } from './search/search.ts'

/** How far the things have been read from the local store. */
export interface LibraryState {
  /** Goes up with each change of what the library shows. */
  readonly revision: number
  readonly isComplete: boolean
}

/** All things of the account in memory, without their notes, and in the search with them. */
export interface Library {
  readonly state: Observable<LibraryState>
  readonly findByNumber: (number: number) => Row | undefined
  readonly findById: (id: string) => Row | undefined
  readonly listRows: () => Iterable<Row>
  readonly countThings: () => number
  /** Tags that things carry, with the number of these. */
  readonly tagCounts: () => ReadonlyMap<string, number>
  /** Resolves when all changes so far are shown. */
  readonly settle: () => Promise<void>
  readonly close: () => void
}

const thingsPerStep = 500

/**
 * Reads the things of a replica and follows its changes until it is closed; `onFault` is told what breaks,
 * `onRename` the `_id` that the server has given to a thing, in the place of its local id.
 */
export const openLibrary = (
  replica: Replica,
  search: Search,
  onFault: (fault: unknown) => void,
  onRename: (id: string, next: string) => void = () => undefined,
): Library => {
  const rows = createRows()
  const state = createObservable<LibraryState>({ revision: 0, isComplete: false })
  let turn: Promise<void> = Promise.resolve()

  const tell = (isComplete = state.read().isComplete) => state.set({ revision: state.read().revision + 1, isComplete })
  const put = (things: readonly ReplicaThing[]) => {
    search.put(things.map((thing) => ({ ...thing, number: rows.put(thing).number })))
  }
  const remove = (ids: readonly string[]) => {
    const numbers = ids.flatMap((id) => rows.remove(id) ?? [])
    if (numbers.length > 0) search.remove(numbers)
  }
  const readAll = async () => {
    let batch: ReplicaThing[] = []
    for await (const thing of replica.listThings()) {
      batch.push(thing)
      if (batch.length < thingsPerStep) continue
      put(batch)
      batch = []
      tell()
      // A store that answers at once would leave the screen no time.
      await new Promise((resolve) => setTimeout(resolve))
    }
    put(batch)
    tell(true)
  }
  const follow = async ({ ids, tags }: ReplicaChange) => {
    // A tag that becomes a todo changes what its things show.
    const carrying = tags.size === 0 ? [] : [...rows.list()].filter((row) => row.tags.some((tag) => tags.has(tag)))
    const changed: ReplicaThing[] = []
    const gone: string[] = []
    for (const id of new Set([...ids, ...carrying.map((row) => row.id)])) {
      const thing = await replica.findThing(id)
      // A thing that has got its _id is told of under both ids.
      if (thing !== undefined && thing.id !== id) {
        onRename(id, thing.id)
        if (!rows.rename(id, thing.id)) gone.push(id)
      }
      if (thing === undefined) gone.push(id)
      else changed.push(thing)
    }
    put(changed)
    remove(gone)
    tell()
  }
  const inTurn = (work: () => Promise<void>) => {
    turn = turn.then(work).catch(onFault)
  }
  const unwatch = replica.watch((change) => inTurn(() => follow(change)))
  inTurn(readAll)
  return {
    state,
    findByNumber: rows.findByNumber,
    findById: rows.findById,
    listRows: rows.list,
    countThings: rows.count,
    tagCounts: rows.tagCounts,
    settle: () => turn,
    close: unwatch,
  }
}
