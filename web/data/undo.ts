import type { ReplicaEdit } from '../../client/src/index.ts'
import type { Deed, DeedKeeper, KeptDeed } from './keep-deeds.ts'
import { createObservable, type Observable } from './observable.ts'
import { type Edited, prepare, type Step } from './steps.ts'

/** Carries out edits, and takes them back. */
export interface UndoList {
  /** The latest first, fifty at most. */
  readonly deeds: Observable<readonly Deed[]>
  /** What was done, taken back or done again last since this page was opened. */
  readonly news: Observable<Deed | undefined>
  /**
   * Carries out the steps, some hundreds in one write, and gives the ids of the things that were made. What was done before
   * a write failed, or before the page was closed, can be taken back.
   */
  readonly perform: (deed: Pick<Deed, 'kind' | 'name'>, steps: readonly Step[]) => Promise<readonly string[]>
  /**
   * The same for a deed that takes a while: other deeds do not wait for it, it can be stopped, and what was done until then
   * is one deed.
   */
  readonly performLong: (deed: Pick<Deed, 'kind' | 'name'>, steps: readonly Step[], watched: LongDeed) => Promise<void>
  /** Takes a deed back, also one of an earlier visit; one that was taken back is done again. */
  readonly undo: (key: number) => Promise<void>
}

/** What watches a deed that takes a while. */
export interface LongDeed {
  /** Stops it after what is being written. */
  readonly signal: AbortSignal
  readonly onProgress: (stepsDone: number) => void
  /** Told the key of the deed, also when it was stopped or failed; not when nothing was done. */
  readonly onKept: (key: number) => void
}

/** How many deeds are kept. */
export const keptDeeds = 50

/** How many steps are written at once: so few that a screen is drawn in between. */
export const stepsPerWrite = 250

interface Kept extends KeptDeed {
  /** Absent where it is still to be read. */
  readonly inverse?: readonly Step[]
}

/** The deeds that are kept, as soon as they are read, which `tell` is told when it fails; what is done is kept there, too. */
export const createUndoList = (
  edited: Edited,
  now: () => number,
  keeper: DeedKeeper,
  tell: (fault: unknown) => void,
): UndoList => {
  const deeds = createObservable<readonly Deed[]>([])
  const news = createObservable<Deed | undefined>(undefined)
  // What was deleted and made again has another id, which older deeds do not know.
  const nextIds = new Map<string, string>()
  let kept: readonly Kept[] = []
  let keys = 0

  const set = (next: readonly Kept[]): readonly Kept[] => {
    kept = next.slice(0, keptDeeds)
    deeds.set(kept.map(({ deed }) => deed))
    return next.slice(keptDeeds)
  }
  const takeUp = async () => {
    const found = await keeper.read()
    for (const [id, next] of found.flatMap((one) => one.next)) nextIds.set(id, next)
    keys = found.reduce((most, { deed }) => Math.max(most, deed.key), 0)
    set(found)
  }
  let turn: Promise<unknown> = takeUp().catch(tell)

  /** A deed may know a thing by its local id, and a later one by that of the server, or by that of the thing made again. */
  const newest = async (id: string): Promise<string> => {
    const next = nextIds.get(id) ?? (await edited.resolveId(id))
    return next === id ? id : newest(next)
  }
  const plan = async (steps: readonly Step[]): Promise<Planned> => {
    const { edits, inverse, made } = await prepare(
      edited,
      await Promise.all(steps.map(async (step) => ('id' in step ? { ...step, id: await newest(step.id) } : step))),
    )
    const next = made.flatMap(({ id, step }) => (step.insteadOf === undefined ? [] : [[step.insteadOf, id] as const]))
    return { edits, inverse, next, ids: made.map(({ id }) => id) }
  }
  const carryOut = async (planned: Planned): Promise<Ran> => {
    await edited.editAll(planned.edits)
    for (const [before, id] of planned.next) nextIds.set(before, id)
    return planned
  }
  /** Gives what takes the steps back to `done`, also when one of them fails. */
  const run = async (steps: readonly Step[], done: (ran: Ran) => Promise<unknown>): Promise<void> => {
    const all: Ran[] = []
    try {
      for (const slice of slicesOf(steps)) all.push(await carryOut(await plan(slice)))
    } finally {
      await done(joinRan(all))
    }
  }
  /** A deed in parts. It is kept before a part of it is carried out, so that it can be taken back wherever it is cut off. */
  const begin = ({ kind, name }: Pick<Deed, 'kind' | 'name'>, isShort: boolean) => {
    const key = ++keys
    const all: Ran[] = []
    let parts = 0
    const toKept = ({ inverse, next }: Ran) => {
      const count = inverse.filter((step) => step.kind !== 'tag').length
      const deed: Deed = { key, kind, name, count, at: now(), isUndone: false }
      return { deed, next, ...(parts === 0 ? {} : { parts }) }
    }
    return {
      goOn: async (slice: readonly Step[]) => {
        const planned = await plan(slice)
        if (!isShort && planned.inverse.length > 0) {
          parts++
          await keeper.write(toKept(joinRan([...all, planned])), planned.inverse, [])
        }
        all.push(await carryOut(planned))
      },
      /** It is in the list at once, and kept when this resolves. */
      end: async (tell?: TellKey): Promise<readonly string[]> => {
        const ran = joinRan(all)
        const one = toKept(ran)
        if (ran.inverse.length === 0) {
          if (parts > 0) await keeper.forget([one])
          return ran.ids
        }
        const forgotten = set([{ ...one, inverse: ran.inverse }, ...kept])
        news.set(one.deed)
        tell?.(key)
        const doing = all.filter(({ inverse }) => inverse.length > 0)
        // A part that failed is kept as empty.
        await keeper.write(one, parts === 0 ? ran.inverse : (doing[parts - 1]?.inverse ?? []), forgotten)
        return ran.ids
      },
    }
  }
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(work)
    turn = result.catch(() => undefined)
    return result
  }
  return {
    deeds,
    news,
    perform: (about, steps) =>
      inTurn(async () => {
        const deed = begin(about, steps.length <= stepsPerWrite)
        try {
          for (const slice of slicesOf(steps)) await deed.goOn(slice)
        } catch (error) {
          await deed.end()
          throw error
        }
        return await deed.end()
      }),
    performLong: async (about, steps, { signal, onProgress, onKept }) => {
      const deed = await inTurn(async () => begin(about, false))
      let done = 0
      try {
        for (const slice of slicesOf(steps)) {
          if (signal.aborted) break
          await inTurn(() => deed.goOn(slice))
          done += slice.length
          onProgress(done)
        }
      } finally {
        await inTurn(() => deed.end(onKept))
      }
    },
    undo: (key) =>
      inTurn(async () => {
        const one = kept.find(({ deed }) => deed.key === key)
        if (one === undefined) return
        await run(one.inverse ?? (await keeper.readInverse(key)), async (ran) => {
          const deed = { ...one.deed, isUndone: !one.deed.isUndone }
          const next = [...one.next, ...ran.next]
          set(kept.map((other) => (other.deed.key === key ? { deed, next, inverse: ran.inverse } : other)))
          news.set(deed)
          await keeper.write({ deed, next }, ran.inverse, [one])
        })
      }),
  }
}

type TellKey = (key: number) => void

/** What was carried out. */
interface Ran {
  readonly inverse: readonly Step[]
  readonly next: KeptDeed['next']
  readonly ids: readonly string[]
}

/** What is about to be carried out. */
interface Planned extends Ran {
  readonly edits: readonly ReplicaEdit[]
}

/** The last is taken back first. */
const joinRan = (all: readonly Ran[]): Ran => ({
  inverse: all.toReversed().flatMap(({ inverse }) => inverse),
  next: all.flatMap(({ next }) => next),
  ids: all.flatMap(({ ids }) => ids),
})

const slicesOf = function* (steps: readonly Step[]): Generator<readonly Step[]> {
  for (let from = 0; from < steps.length; from += stepsPerWrite) yield steps.slice(from, from + stepsPerWrite)
}
