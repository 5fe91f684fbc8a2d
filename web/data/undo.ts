import { createObservable, type Observable } from './observable.ts'
import { carryOut, type Edited, type Step } from './steps.ts'

/** What a person did, in a word; `words/` says it. */
export type DeedKind =
  | 'added'
  | 'edited'
  | 'archived'
  | 'unarchived'
  | 'deleted'
  | 'done'
  | 'opened'
  | 'tagged'
  | 'renamedTag'
  | 'setTag'
  | 'restored'
  | 'imported'

/** Something that was done and can be taken back. */
export interface Deed {
  readonly key: number
  readonly kind: DeedKind
  /** How many things it concerned. */
  readonly count: number
  /** The title of the thing, or the name of the tag. */
  readonly name: string
  /** When, in milliseconds since 1970. */
  readonly at: number
  readonly isUndone: boolean
}

/** Carries out edits, and takes them back. */
export interface UndoList {
  /** The latest first, fifty at most. */
  readonly deeds: Observable<readonly Deed[]>
  /**
   * Carries out the steps, some hundreds in one write, and gives the ids of the things that were made. What was done before
   * a write failed can be taken back.
   */
  readonly perform: (deed: Pick<Deed, 'kind' | 'name'>, steps: readonly Step[]) => Promise<readonly string[]>
  /**
   * The same for a deed that takes a while: other deeds do not wait for it, it can be stopped, and what was done until then
   * is one deed.
   */
  readonly performLong: (deed: Pick<Deed, 'kind' | 'name'>, steps: readonly Step[], watched: LongDeed) => Promise<void>
  /** Takes a deed back; one that was taken back is done again. */
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

interface Kept {
  readonly deed: Deed
  readonly inverse: readonly Step[]
}

/** No deeds yet. They are kept as long as the page is open. */
export const createUndoList = (edited: Edited, now: () => number): UndoList => {
  const deeds = createObservable<readonly Deed[]>([])
  // What was deleted and made again has another id, which older deeds do not know.
  const nextIds = new Map<string, string>()
  let kept: readonly Kept[] = []
  let keys = 0
  let turn: Promise<unknown> = Promise.resolve()

  const newest = (id: string): string => {
    const next = nextIds.get(id)
    return next === undefined ? id : newest(next)
  }
  const set = (next: readonly Kept[]) => {
    kept = next.slice(0, keptDeeds)
    deeds.set(kept.map(({ deed }) => deed))
  }
  const runSlice = async (steps: readonly Step[]) => {
    const { inverse, made } = await carryOut(
      edited,
      steps.map((step) => ('id' in step ? { ...step, id: newest(step.id) } : step)),
    )
    for (const { id, step } of made) if (step.insteadOf !== undefined) nextIds.set(step.insteadOf, id)
    return { inverse, ids: made.map(({ id }) => id) }
  }
  /** Gives what takes the steps back to `done`, also when one of them fails. */
  const run = async (steps: readonly Step[], done: (inverse: readonly Step[]) => void): Promise<readonly string[]> => {
    const inverses: (readonly Step[])[] = []
    const ids: string[] = []
    try {
      for (const slice of slicesOf(steps)) {
        const ran = await runSlice(slice)
        inverses.push(ran.inverse)
        for (const id of ran.ids) ids.push(id)
      }
    } finally {
      done(inverses.reverse().flat())
    }
    return ids
  }
  const keep = ({ kind, name }: Pick<Deed, 'kind' | 'name'>, inverse: readonly Step[]): number | undefined => {
    if (inverse.length === 0) return undefined
    const key = ++keys
    const count = inverse.filter((step) => step.kind !== 'tag').length
    set([{ deed: { key, kind, name, count, at: now(), isUndone: false }, inverse }, ...kept])
    return key
  }
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(work)
    turn = result.catch(() => undefined)
    return result
  }
  return {
    deeds,
    perform: (deed, steps) => inTurn(() => run(steps, (inverse) => void keep(deed, inverse))),
    performLong: async (deed, steps, { signal, onProgress, onKept }) => {
      const inverses: (readonly Step[])[] = []
      let done = 0
      try {
        for (const slice of slicesOf(steps)) {
          if (signal.aborted) break
          inverses.push((await inTurn(() => runSlice(slice))).inverse)
          done += slice.length
          onProgress(done)
        }
      } finally {
        const key = keep(deed, inverses.reverse().flat())
        if (key !== undefined) onKept(key)
      }
    },
    undo: (key) =>
      inTurn(async () => {
        const one = kept.find(({ deed }) => deed.key === key)
        if (one === undefined) return
        await run(one.inverse, (inverse) => {
          const deed = { ...one.deed, isUndone: !one.deed.isUndone }
          set(kept.map((other) => (other.deed.key === key ? { deed, inverse } : other)))
        })
      }),
  }
}

const slicesOf = function* (steps: readonly Step[]): Generator<readonly Step[]> {
  for (let from = 0; from < steps.length; from += stepsPerWrite) yield steps.slice(from, from + stepsPerWrite)
}
