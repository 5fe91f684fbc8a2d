import type { TagSettings } from '../../generated/types.ts'
import { type Batch, type PendingEdits, readPendingEdits } from './edits.ts'
import type { RunInOrder } from './environment.ts'
import { type LocalStore, readMany } from './local-store.ts'
import {
  applyFields,
  applyTagChange,
  blankThing,
  type KnownThing,
  keys,
  type ReplicaFields,
  type ReplicaThing,
  type ThingContent,
} from './replica-records.ts'

/** What the replica shows: what the server is known to have, and on top of it what waits to be sent. */
export interface ReplicaView {
  /** The thing with this `_id` or local id; undefined when there is none, or when it is deleted. */
  readonly findThing: (id: string) => Promise<ReplicaThing | undefined>
  /**
   * Many things at once, by the ids that were asked for; those that are not there are left out. In IndexedDB a hundred of
   * them cost little more than one.
   */
  readonly findThings: (ids: Iterable<string>) => Promise<ReadonlyMap<string, ReplicaThing>>
  readonly listThings: () => AsyncGenerator<ReplicaThing, void>
  /** The same, as many together as the store reads at once: less work for each thing, where there are many. */
  readonly listThingParts: () => AsyncGenerator<readonly ReplicaThing[], void>
  /** Tags that differ from a tag that was never set. */
  readonly listTags: () => Promise<ReadonlyMap<string, TagSettings>>
  /** Whether one of the tags in this text makes its thing a todo (interface 2.2). */
  readonly isTodo: (tags: string) => Promise<boolean>
  /** The id under which the thing is known now. */
  readonly resolveId: (id: string) => Promise<string>
}

/** A view of the store and of the edits that come on top. */
export const createReplicaView = (store: LocalStore, { sending, queued, changeCount }: PendingEdits): ReplicaView => {
  const stages = [sending, queued]

  /** Reads again where an answer confirmed edits meanwhile: the store was read without them, and they wait no more. */
  const readSteadily = async <T>(read: () => Promise<T>): Promise<T> => {
    for (;;) {
      const before = changeCount()
      const found = await read()
      if (changeCount() === before) return found
    }
  }

  const applyEdits = (name: string, known: TagSettings | undefined): TagSettings =>
    stages.reduce((settings, { tags }) => applyTagChange(settings, tags.get(name)), applyTagChange(known))
  /** Settings of these tags, read together. */
  const readSettings = async (names: readonly string[]): Promise<Map<string, TagSettings>> => {
    const known = await readMany(store, names.map(keys.tag))
    return new Map(names.map((name, place) => [name, applyEdits(name, known[place] as TagSettings | undefined)]))
  }
  const applyAll = (id: string, known: KnownThing | undefined) => {
    let thing: ThingContent | undefined = known && applyFields(known, {})
    let isPending = false
    for (const { things } of stages) {
      const edit = things.get(id)
      if (edit === undefined) continue
      if (edit.kind === 'delete') return undefined
      if (edit.kind === 'new') thing ??= blankThing
      if (thing === undefined) return undefined
      thing = applyFields(thing, edit.fields)
      isPending = true
    }
    return thing === undefined ? undefined : { thing, isPending }
  }
  /** The things as they are shown; `settings` holds what is known of tags already, and is added to. */
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
    return ids.map((id, place) => given[place] ?? id)
  }
  const readKnown = async (ids: readonly string[]): Promise<ReadonlyMap<string, KnownThing>> => {
    const known = await readMany(store, ids.map(keys.thing))
    return new Map(ids.flatMap((id, place) => (known[place] === undefined ? [] : [[id, known[place] as KnownThing]])))
  }
  const look = async (ids: readonly string[]): Promise<ReadonlyMap<string, ReplicaThing>> => {
    const known = await readKnown(ids)
    // What is there under the id that was asked for has no other one.
    const unknown = ids.filter((id) => !known.has(id))
    const given = await resolveIds(unknown)
    const now = new Map(unknown.map((id, place) => [id, given[place] ?? id]))
    const renamed = await readKnown(given.filter((id, place) => id !== unknown[place]))
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
  const findThings = (asked: Iterable<string>) => {
    const ids = [...new Set(asked)]
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
    // The server may have given it an _id while the others were listed.
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

/** The tags that a text of tags names, each once (interface 2.1). */
export const tagsOf = (text: string): ReadonlySet<string> => new Set(text.split(' ').filter((name) => name !== ''))

/** Which of the known things that are not archived are the newest, the newest first. */
interface NewestThings {
  readonly things: readonly (readonly [id: string, date: number])[]
  /** Things of earlier dates may be missing; nothing is when it is absent. */
  readonly floor?: number
}

/** Keeps the ids of the newest things beside the things. */
interface Newest {
  /** Adds to a batch what it changes; what it gives is to be called when the batch was written. */
  readonly follow: (batch: Batch) => () => void
  /** So many at least, if there are so many, the newest first; reads everything when it has to. */
  readonly read: (count: number) => Promise<NewestThings['things']>
}

const kept = 200

const none: NewestThings = { things: [] }

/** The newest of these, and no more than need be kept. */
const cut = (dates: ReadonlyMap<string, number>, floor: number | undefined, most: number): NewestThings => {
  const things = [...dates].sort(([, one], [, other]) => other - one)
  // Not at each step: the next ones would have to be sorted in again.
  const last = things.length > 2 * most ? things[most - 1] : undefined
  if (last !== undefined) return { things: things.slice(0, most), floor: last[1] }
  return floor === undefined ? { things } : { things, floor }
}

/** Takes up what the store has of them. Batches must be written one after the other. */
export const openNewest = async (store: LocalStore, inTurn: RunInOrder): Promise<Newest> => {
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
    return hasChanged ? cut(dates, floor, kept) : undefined
  }
  const readAll = async (count: number): Promise<void> => {
    const most = Math.max(kept, count)
    let dates = new Map<string, number>()
    let floor: number | undefined
    for await (const [key, value] of store.list(prefix)) {
      const { archived, date } = value as KnownThing
      if (archived || (floor !== undefined && date < floor)) continue
      dates.set(key.slice(prefix.length), date)
      if (dates.size < 8 * most) continue
      const less = cut(dates, floor, most)
      dates = new Map(less.things)
      floor = less.floor
    }
    const next = cut(dates, floor, most)
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
        await inTurn(async () => {
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

/** The newest things as they are shown, with everything that waits to be sent. */
export const listNewest = async (
  { view, pending, newest }: NewestSources,
  count: number,
): Promise<readonly ReplicaThing[]> => {
  // Edits that may make one of the newest of a thing that the server does not know as one.
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
  // More are known than are asked for, and each may be in another place of the store.
  for (let rest = known; rest.length > 0; rest = rest.slice(Math.max(1, count))) {
    const last = listTaken()[count - 1]
    // What edits have raised is taken already, so the others are no newer than they are known to be.
    if (last !== undefined && rest[0] !== undefined && last.date >= rest[0][1]) break
    await take(rest.slice(0, Math.max(1, count)).map(([id]) => id))
  }
  return listTaken()
}

const isRaising = ({ date, archived }: ReplicaFields): boolean => date !== undefined || archived === false

/** What a replica shows, without what changes it. */
export type ReplicaReader = Pick<
  ReplicaView,
  'findThing' | 'findThings' | 'listThings' | 'listThingParts' | 'listTags' | 'resolveId'
>

/**
 * Reads what a replica shows in a store that another program has open and perhaps writes: a worker reads everything while
 * the page that has the replica does not wait. Edits that wait are those of now; of what is written later some may be seen,
 * and `watch` of the replica tells of all of it.
 */
export const openReplicaReader = async (store: LocalStore): Promise<ReplicaReader> => {
  const { findThing, findThings, listThings, listThingParts, listTags, resolveId } = createReplicaView(
    store,
    await readPendingEdits(store),
  )
  return { findThing, findThings, listThings, listThingParts, listTags, resolveId }
}
