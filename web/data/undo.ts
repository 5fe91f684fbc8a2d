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
   * Carries out the steps one after the other and gives the ids of the things that were made. What was done before one of
   * them failed can be taken back.
   */
  readonly perform: (deed: Pick<Deed, 'kind' | 'name'>, steps: readonly Step[]) => Promise<readonly string[]>
  /** Takes a deed back; one that was taken back is done again. */
  readonly undo: (key: number) => Promise<void>
}

/** How many deeds are kept. */
export const keptDeeds = 50

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
  /** Gives what takes the steps back to `done`, also when one of them fails. */
  const run = async (steps: readonly Step[], done: (inverse: readonly Step[]) => void): Promise<readonly string[]> => {
    const inverse: Step[] = []
    const ids: string[] = []
    try {
      for (const step of steps) {
        const now = 'id' in step ? { ...step, id: newest(step.id) } : step
        const back = await carryOut(edited, now, (id, { insteadOf }) => {
          ids.push(id)
          if (insteadOf !== undefined) nextIds.set(insteadOf, id)
        })
        if (back !== undefined) inverse.unshift(back)
      }
    } finally {
      done(inverse)
    }
    return ids
  }
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(work)
    turn = result.catch(() => undefined)
    return result
  }
  return {
    deeds,
    perform: ({ kind, name }, steps) =>
      inTurn(() =>
        run(steps, (inverse) => {
          if (inverse.length === 0) return
          const deed = { key: ++keys, kind, name, count: inverse.length, at: now(), isUndone: false }
          set([{ deed, inverse }, ...kept])
        }),
      ),
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
