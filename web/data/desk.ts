import { isClientError } from '../../src/client/index.ts'
import type { Words } from '../words/en.ts'
import { type DraftStorage, openDraft } from './drafts.ts'
import { type Library, openLibrary } from './library.ts'
import { createObservable, type Observable, type Settable } from './observable.ts'
import type { OpenApp } from './open-app.ts'
import type { Search } from './search/search.ts'
import type { Step } from './steps.ts'
import { createUndoList, type Deed, type UndoList } from './undo.ts'

/** Everything that the screens of an open account share, without any of the screen. */
export interface Desk {
  readonly app: OpenApp
  readonly library: Library
  readonly search: Search
  readonly undo: UndoList
  readonly words: Words
  /** Numbers of the things that are selected. */
  readonly selected: Settable<ReadonlySet<number>>
  /** What went wrong with the last thing that was done; `''` when all is well. */
  readonly problem: Observable<string>
  readonly clearProblem: () => void
  readonly draft: (name: string) => ReturnType<typeof openDraft>
  /** Carries out steps that can be taken back; undefined when they failed, which is told in `problem`. */
  readonly perform: (
    deed: Pick<Deed, 'kind' | 'name'>,
    steps: readonly Step[],
  ) => Promise<readonly string[] | undefined>
  /** Carries out anything else; false when it failed, which is told in `problem`. */
  readonly attempt: (work: () => Promise<unknown>) => Promise<boolean>
  readonly close: () => void
}

/** What a desk is made of. */
export interface DeskOptions {
  readonly app: OpenApp
  readonly search: Search
  readonly words: Words
  readonly storage: DraftStorage | undefined
  readonly now: () => number
}

const describeProblem = (problem: unknown, words: Words): string => {
  const say = words.problem
  if (isClientError(problem, 'store_full')) return say.store_full
  if (isClientError(problem, 'store_forbidden')) return say.store_forbidden
  if (isClientError(problem, 'store_gone')) return say.store_gone
  if (isClientError(problem, 'unknown_thing')) return say.unknown_thing
  return say.other(problem instanceof Error ? problem.message : String(problem))
}

/** Opens the things of an account for the screens, until it is closed. */
export const openDesk = ({ app, search, words, storage, now }: DeskOptions): Desk => {
  const problem = createObservable('')
  const tell = (fault: unknown) => problem.set(describeProblem(fault, words))
  const library = openLibrary(app.replica, search, tell)
  const undo = createUndoList(app.replica, now)
  const attempt = async (work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await work()
      problem.set('')
      return true
    } catch (fault) {
      tell(fault)
      return false
    }
  }
  return {
    app,
    library,
    search,
    undo,
    words,
    selected: createObservable<ReadonlySet<number>>(new Set()),
    problem,
    clearProblem: () => problem.set(''),
    draft: (name) => openDraft(storage, app.account, name),
    attempt,
    perform: async (deed, steps) => {
      let ids: readonly string[] = []
      const isDone = await attempt(async () => {
        ids = await undo.perform(deed, steps)
      })
      return isDone ? ids : undefined
    },
    close: library.close,
  }
}
