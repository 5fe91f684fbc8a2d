import type { Replica, ReplicaChange, ReplicaThing, TagSettings } from '../../client/src/index.ts'
import { createObservable, type Observable } from './observable.ts'
import { readParts } from './reading/read-parts.ts'
import { createParts, type ThingPart } from './reading/thing-part.ts'
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
  /** Numbers of the newest things, the newest first: a first screen, before the search knows of anything. */
  readonly firstNumbers: () => Uint32Array<ArrayBuffer>
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

/** What is read before anything else, so that a first screen is there at once. */
const firstThings = 60
const thingsPerStep = 500
/** From so many on they go to the search as columns. */
const fewestOfPart = 50
/** How often the screen is told while much is read: each time the list is drawn anew. */
const stepsPerTelling = 8

/** As the search orders them. */
const byNewest = (one: Row, other: Row): number => other.date - one.date || other.number - one.number

/** Whether settings make todos of things. */
const isTodo = (settings: TagSettings | undefined): boolean => (settings?.todo ?? false) !== false

// A store that answers at once would leave the screen no time.
const nextTurn = () => new Promise<void>((resolve) => setTimeout(resolve))

/**
 * Reads the things of a replica and follows its changes until it is closed; `onFault` is told what breaks,
 * `onRename` the `_id` that the server has given to a thing, in the place of its local id. Once the first screen can be drawn
 * `untilDrawn` is waited for, and then all that the replica shows is read by `readEverything`.
 */
export const openLibrary = (
  replica: Replica,
  search: Search,
  onFault: (fault: unknown) => void,
  onRename: (id: string, next: string) => void = () => undefined,
  untilDrawn: () => Promise<void> = nextTurn,
  readEverything: () => AsyncIterable<ThingPart> = () => readParts(replica),
): Library => {
  const rows = createRows()
  const state = createObservable<LibraryState>({ revision: 0, isComplete: false })
  let turn: Promise<void> = Promise.resolve()
  let firstNumbers = new Uint32Array()
  let settings: ReadonlyMap<string, TagSettings> = new Map()
  let changed: { readonly ids: Set<string>; readonly tags: Set<string> } | undefined

  const tell = (isComplete = state.read().isComplete) => state.set({ revision: state.read().revision + 1, isComplete })
  const putPart = (part: ThingPart) => search.putPart(rows.putPart(part), part)
  const put = (things: readonly ReplicaThing[]) => {
    if (things.length >= fewestOfPart) for (const part of createParts(things)) putPart(part)
    else if (things.length > 0) search.put(things.map((thing) => ({ ...thing, number: rows.put(thing).number })))
  }
  const remove = (ids: readonly string[]) => {
    const numbers = ids.flatMap((id) => rows.remove(id) ?? [])
    if (numbers.length > 0) search.remove(numbers)
  }
  const readAll = async () => {
    settings = await replica.listTags()
    const newest = await replica.listNewest(firstThings)
    put(newest)
    const first = newest.flatMap(({ id }) => rows.findById(id) ?? []).sort(byNewest)
    firstNumbers = Uint32Array.from(first, ({ number }) => number)
    tell()
    await untilDrawn()
    let steps = 0
    // A worker is not worth its start where these are all.
    for await (const part of newest.length < firstThings ? readParts(replica) : readEverything()) {
      putPart(part)
      steps++
      if (steps % stepsPerTelling === 0) tell()
    }
    tell(true)
  }
  /** Things whose checkboxes come or go with the settings of these tags. */
  const listCarrying = async (tags: ReadonlySet<string>): Promise<readonly string[]> => {
    if (tags.size === 0) return []
    const before = settings
    settings = await replica.listTags()
    const turned = new Set([...tags].filter((tag) => isTodo(before.get(tag)) !== isTodo(settings.get(tag))))
    if (turned.size === 0) return []
    return [...rows.list()].filter((row) => row.tags.some((tag) => turned.has(tag))).map((row) => row.id)
  }
  const take = async (all: readonly string[]) => {
    const found = await replica.findThings(all)
    const gone: string[] = []
    for (const id of all) {
      const thing = found.get(id)
      // A thing that has got its _id is told of under both ids.
      if (thing !== undefined && thing.id !== id) {
        onRename(id, thing.id)
        if (!rows.rename(id, thing.id)) gone.push(id)
      }
      if (thing === undefined) gone.push(id)
    }
    put([...new Map([...found.values()].map((thing) => [thing.id, thing])).values()])
    remove(gone)
  }
  const follow = async () => {
    const { ids = new Set<string>(), tags = new Set<string>() } = changed ?? {}
    changed = undefined
    const all = [...new Set([...ids, ...(await listCarrying(tags))])]
    for (let start = 0; start < all.length; start += thingsPerStep) await take(all.slice(start, start + thingsPerStep))
    tell()
  }
  const inTurn = (work: () => Promise<void>) => {
    turn = turn.then(work).catch(onFault)
  }
  const unwatch = replica.watch(({ ids, tags }: ReplicaChange) => {
    const isWaiting = changed !== undefined
    changed ??= { ids: new Set(), tags: new Set() }
    for (const id of ids) changed.ids.add(id)
    for (const tag of tags) changed.tags.add(tag)
    // What comes while much is read is taken over together.
    if (!isWaiting) inTurn(follow)
  })
  inTurn(readAll)
  return {
    state,
    firstNumbers: () => firstNumbers,
    findByNumber: rows.findByNumber,
    findById: rows.findById,
    listRows: rows.list,
    countThings: rows.count,
    tagCounts: rows.tagCounts,
    settle: () => turn,
    close: unwatch,
  }
}
