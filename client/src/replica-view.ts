import type { TagSettings } from '../../generated/types.ts'
import { type Batch, type PendingEdits, readPendingEdits } from './edits.ts'
import type { RunInOrder } from './environment.ts'
import { type LocalStore, readMany } from './local-store.ts'
import {
  applyFields,
  applyTagChange,
  createBlankThing,
  type KnownThing,
  keys,
  type ReplicaFields,
  type ReplicaThing,
  type ThingContent,
} from './replica-records.ts'

/** The view of a replica: the last known state of the server with all waiting edits applied. */
export interface ReplicaView {
  /** Returns the thing with this `_id` or client-assigned ID; undefined when there is none, or when it is deleted. */
  readonly findThing: (id: string) => Promise<ReplicaThing | undefined>
  /**
   * Returns many things at once, by the requested ids; missing things are left out. In IndexedDB a hundred things cost
   * little more than one.
   */
  readonly findThings: (ids: Iterable<string>) => Promise<ReadonlyMap<string, ReplicaThing>>
  readonly listThings: () => AsyncGenerator<ReplicaThing, void>
  /** Lists the things in parts, as many together as the store reads at once, which is faster for many things. */
  readonly listThingParts: () => AsyncGenerator<readonly ReplicaThing[], void>
  /** Lists the tags whose settings differ from the defaults. */
  readonly listTags: () => Promise<ReadonlyMap<string, TagSettings>>
  /** Returns whether one of the tags in this text makes its thing a to-do (interface 2.2). */
  readonly isTodo: (tags: string) => Promise<boolean>
  /** Returns the current id of a thing: its `_id` for a client-assigned ID, if the server has assigned one. */
  readonly resolveId: (id: string) => Promise<string>
}

/** Creates a view of the store and of the waiting edits. */
export const createReplicaView = (store: LocalStore, { sending, queued, changeCount }: PendingEdits): ReplicaView => {
  const stages = [sending, queued]

  /**
   * Reads again when a response confirmed edits meanwhile: the first read saw them neither in the store nor as waiting.
   */
  const readSteadily = async <T>(read: () => Promise<T>): Promise<T> => {
    for (;;) {
      const before = changeCount()
      const found = await read()
      if (changeCount() === before) return found
    }
  }

  const applyEdits = (name: string, known: TagSettings | undefined): TagSettings =>
    stages.reduce((settings, { tags }) => applyTagChange(settings, tags.get(name)), applyTagChange(known))
  /** Reads the settings of these tags together. */
  const readSettings = async (names: readonly string[]): Promise<Map<string, TagSettings>> => {
    const known = await readMany(store, names.map(keys.tag))
    return new Map(names.map((name, index) => [name, applyEdits(name, known[index] as TagSettings | undefined)]))
  }
  const applyAll = (id: string, known: KnownThing | undefined) => {
    let thing: ThingContent | undefined = known && applyFields(known, {})
    let isPending = false
    for (const { things } of stages) {
      const edit = things.get(id)
      if (edit === undefined) continue
      if (edit.kind === 'delete') return undefined
      if (edit.kind === 'new') thing ??= createBlankThing
      if (thing === undefined) return undefined
      thing = applyFields(thing, edit.fields)
      isPending = true
    }
    return thing === undefined ? undefined : { thing, isPending }
  }
  /** Returns the things as they are shown; `settings` is a cache of tag settings, to which it adds. */
  const showMany = async (
    things: Iterable<readonly [id: string, known: KnownThing | undefined]>,
    settings = new Map<string, TagSettings>(),
  ): Promise<readonly ReplicaThing[]> => {
    const edited = Array.from(things, ([id, known]) => ({ id, shown: applyAll(id, known) }))
    const names = new Set(edited.flatMap(({ shown }) => (shown === undefined ? [] : [...tagsOf(shown.thing.tags)])))
    const unread = [...names].filter((name) => !settings.has(name))
    if (unread.length > 0) for (const [name, one] of await readSettings(unread)) settings.set(name, one)
    return edited.flatMap(({ id, shown }) => {
      if (shown === undefined) return []
      const { todoStatus, ...fields } = shown.thing
      const isOne = isTodoBy(settings, shown.thing.tags)
      return { id, ...fields, ...(isOne ? { todoStatus } : {}), isPending: shown.isPending }
    })
  }
  const resolveIds = async (ids: readonly string[]): Promise<readonly string[]> => {
    const given = (await readMany(store, ids.map(keys.givenId))) as (string | undefined)[]
    return ids.map((id, index) => given[index] ?? id)
  }
  const readKnown = async (ids: readonly string[]): Promise<ReadonlyMap<string, KnownThing>> => {
    const known = await readMany(store, ids.map(keys.thing))
    return new Map(ids.flatMap((id, index) => (known[index] === undefined ? [] : [[id, known[index] as KnownThing]])))
  }
  const look = async (ids: readonly string[]): Promise<ReadonlyMap<string, ReplicaThing>> => {
    const known = await readKnown(ids)
    // A thing that exists under the requested id has no other id.
    const unknown = ids.filter((id) => !known.has(id))
    const given = await resolveIds(unknown)
    const now = new Map(unknown.map((id, index) => [id, given[index] ?? id]))
    const renamed = await readKnown(given.filter((id, index) => id !== unknown[index]))
    const nowOf = (id: string) => now.get(id) ?? id
    const shown = await showMany(ids.map((id) => [nowOf(id), known.get(id) ?? renamed.get(nowOf(id))]))
    const byId = new Map(shown.map((thing) => [thing.id, thing]))
    return new Map(
      ids.flatMap((id) => {
        const thing = byId.get(nowOf(id))
        return thing === undefined ? [] : [[id, thing] as const]
      }),
    )
  }
  const findThings = (requested: Iterable<string>) => {
    const ids = [...new Set(requested)]
    return readSteadily(() => look(ids))
  }
  const listTags = async (): Promise<ReadonlyMap<string, TagSettings>> => {
    const names = new Set(stages.flatMap(({ tags }) => [...tags.keys()]))
    for await (const [key] of store.list(keys.tag(''))) names.add(key.slice(keys.tag('').length))
    const settings = await readSettings([...names])
    return new Map(
      [...settings].filter(([, { favorite, color, todo }]) => favorite || color !== false || todo !== false),
    )
  }

  async function* listThingParts() {
    const local = stages.flatMap(({ things }) => [...things]).filter(([, { kind }]) => kind === 'new')
    const prefix = keys.thing('')
    const settings = new Map<string, TagSettings>()
    for await (const part of listStoreParts(store, prefix)) {
      const known = part.map(([key, value]) => [key.slice(prefix.length), value as KnownThing] as const)
      yield await showMany(known, settings)
    }
    // The server may have assigned an _id to a new thing while the others were listed.
    const still = local.filter(([id]) => stages.some(({ things }) => things.get(id)?.kind === 'new'))
    yield await showMany(
      still.map(([id]) => [id, undefined]),
      settings,
    )
  }

  return {
    isTodo: async (tags) => isTodoBy(await readSettings([...tagsOf(tags)]), tags),
    resolveId: async (id) => (await resolveIds([id]))[0] ?? id,
    findThing: async (id) => (await findThings([id])).get(id),
    findThings,
    async *listThings() {
      for await (const part of listThingParts()) yield* part
    },
    listThingParts,
    listTags: () => readSteadily(listTags),
  }
}

const entriesPerPart = 100

const listStoreParts = (store: LocalStore, prefix: string) =>
  store.listParts?.(prefix) ?? gatherParts(store.list(prefix))

async function* gatherParts(entries: ReturnType<LocalStore['list']>) {
  let part: (readonly [key: string, value: unknown])[] = []
  for await (const entry of entries) {
    part.push(entry)
    if (part.length < entriesPerPart) continue
    yield part
    part = []
  }
  yield part
}

const isTodoBy = (settings: ReadonlyMap<string, TagSettings>, tags: string): boolean => {
  for (const name of tagsOf(tags)) if ((settings.get(name)?.todo ?? false) !== false) return true
  return false
}

/** Returns the tags in a text of tags, each once (interface 2.1). */
export const tagsOf = (text: string): ReadonlySet<string> => new Set(text.split(' ').filter((name) => name !== ''))

/** The newest known things that are not archived, the newest first. The local store has this as JSON. */
interface NewestThings {
  readonly things: readonly (readonly [id: string, date: number])[]
  /** Things with earlier dates may be missing; undefined: none is missing. */
  readonly floor?: number
}

/** An index of the newest things. */
interface Newest {
  /** Adds the changes of the index to a batch. Call the returned function when the batch is written. */
  readonly follow: (batch: Batch) => () => void
  /** Returns at least `count` things, if there are as many, the newest first. It reads all things only if it must. */
  readonly read: (count: number) => Promise<NewestThings['things']>
}

const maxIndexed = 200

const none: NewestThings = { things: [] }

/** Sorts the things by date, and keeps the newest `max` when there are more than twice as many. */
const cut = (dates: ReadonlyMap<string, number>, floor: number | undefined, max: number): NewestThings => {
  const things = [...dates].sort(([, one], [, other]) => other - one)
  // Not after each change: that would need the index to be read again more often.
  const last = things.length > 2 * max ? things[max - 1] : undefined
  if (last !== undefined) return { things: things.slice(0, max), floor: last[1] }
  return floor === undefined ? { things } : { things, floor }
}

/** Opens the index in the store. Write batches one after the other. */
export const openNewest = async (store: LocalStore, runInOrder: RunInOrder): Promise<Newest> => {
  let newest = ((await store.get(keys.newest)) as NewestThings | undefined) ?? none
  const prefix = keys.thing('')

  const change = (batch: Batch): NewestThings | undefined => {
    const { floor } = newest
    const dates = new Map(newest.things)
    let hasChanged = false
    for (const [key, value] of batch) {
      if (!key.startsWith(prefix)) continue
      const id = key.slice(prefix.length)
      const thing = value as KnownThing | undefined
      const isIn = thing !== undefined && !thing.archived && (floor === undefined || thing.date >= floor)
      if (isIn ? dates.get(id) === thing.date : !dates.has(id)) continue
      hasChanged = true
      if (isIn) dates.set(id, thing.date)
      else dates.delete(id)
    }
    return hasChanged ? cut(dates, floor, maxIndexed) : undefined
  }
  const readAll = async (count: number): Promise<void> => {
    const max = Math.max(maxIndexed, count)
    let dates = new Map<string, number>()
    let floor: number | undefined
    for await (const [key, value] of store.list(prefix)) {
      const { archived, date } = value as KnownThing
      if (archived || (floor !== undefined && date < floor)) continue
      dates.set(key.slice(prefix.length), date)
      if (dates.size < 8 * max) continue
      const fewer = cut(dates, floor, max)
      dates = new Map(fewer.things)
      floor = fewer.floor
    }
    const next = cut(dates, floor, max)
    await store.write(new Map([[keys.newest, next]]))
    newest = next
  }
  const has = (count: number): boolean => newest.floor === undefined || newest.things.length >= count
  return {
    follow: (batch) => {
      const next = change(batch)
      if (next === undefined) return () => undefined
      batch.set(keys.newest, next)
      return () => {
        newest = next
      }
    },
    read: async (count) => {
      if (!has(count)) {
        await runInOrder(async () => {
          if (!has(count)) await readAll(count)
        })
      }
      return newest.things
    },
  }
}

interface NewestSources {
  readonly view: Pick<ReplicaView, 'findThings'>
  readonly pending: Pick<PendingEdits, 'sending' | 'queued'>
  readonly newest: Newest
}

/** Lists the newest things that are not archived, with all waiting edits applied, the newest first. */
export const listNewest = async (
  { view, pending, newest }: NewestSources,
  count: number,
): Promise<readonly ReplicaThing[]> => {
  // Edits that may move a thing among the newest, although its known state is not.
  const raised = [pending.sending, pending.queued].flatMap(({ things }) =>
    [...things].filter(([, edit]) => edit.kind === 'new' || (edit.kind === 'change' && isRaising(edit.fields))),
  )
  const things = new Map<string, ReplicaThing>()
  const take = async (ids: readonly string[]) => {
    if (ids.length === 0) return
    for (const thing of (await view.findThings(ids)).values()) things.set(thing.id, thing)
  }
  const listTaken = () =>
    [...things.values()]
      .filter(({ archived }) => !archived)
      .sort((one, other) => other.date - one.date)
      .slice(0, count)
  const known = await newest.read(count)
  await take(raised.map(([id]) => id))
  // Not all known things at once: there are more than requested, and each costs a read.
  for (let rest = known; rest.length > 0; rest = rest.slice(Math.max(1, count))) {
    const last = listTaken()[count - 1]
    // Things that edits have moved up are taken already, so all others have their known dates or earlier ones.
    if (last !== undefined && rest[0] !== undefined && last.date >= rest[0][1]) break
    await take(rest.slice(0, Math.max(1, count)).map(([id]) => id))
  }
  return listTaken()
}

const isRaising = ({ date, archived }: ReplicaFields): boolean => date !== undefined || archived === false

/** The reading functions of a replica. */
export type ReplicaReader = Pick<
  ReplicaView,
  'findThing' | 'findThings' | 'listThings' | 'listThingParts' | 'listTags' | 'resolveId'
>

/**
 * Opens a reader on the store of a replica that another program has open, for example in a worker, so that the page
 * with the replica does not wait. The reader shows the edits that wait when it opens. It may show some later writes;
 * `watch` of the replica reports all of them.
 */
export const openReplicaReader = async (store: LocalStore): Promise<ReplicaReader> => {
  const { findThing, findThings, listThings, listThingParts, listTags, resolveId } = createReplicaView(
    store,
    await readPendingEdits(store),
  )
  return { findThing, findThings, listThings, listThingParts, listTags, resolveId }
}
