import type { LocalStore } from './local-store.ts'
import type { Batch, PendingEdits } from './pending-edits.ts'
import { type KnownThing, keys, type ReplicaFields, type ReplicaThing } from './replica-records.ts'
import type { ReplicaView } from './replica-view.ts'
import type { InTurn } from './turns.ts'

/** Which of the known things that are not archived are the newest, the newest first. */
interface NewestThings {
  readonly things: readonly (readonly [id: string, date: number])[]
  /** Things of earlier dates may be missing; nothing is when it is absent. */
  readonly floor?: number
}

/** Keeps the ids of the newest things beside the things. */
export interface Newest {
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
export const openNewest = async (store: LocalStore, inTurn: InTurn): Promise<Newest> => {
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
