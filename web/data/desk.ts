import type { Words } from '../words/en.ts'
import type { Draft } from './drafts.ts'
import { type EditDraft, readEditDraft } from './edit-form.ts'
import type { Deed } from './keep-deeds.ts'
import { type Library, openLibrary } from './library.ts'
import { createObservable, type Observable, type Settable } from './observable.ts'
import type { OpenApp } from './open-app.ts'
import type { ThingPart } from './reading/thing-part.ts'
import type { Search } from './search/search.ts'
import type { Step } from './steps.ts'
import { createUndoList, type UndoList } from './undo.ts'

/** Everything that the screens of an open account share, without any of the screen. */
export interface Desk {
  readonly app: OpenApp
  readonly library: Library
  readonly search: Search
  readonly undo: UndoList
  readonly words: Words
  /** Numbers of the things that are selected. */
  readonly selected: Settable<ReadonlySet<number>>
  /** What went wrong with the last thing that was done; undefined when all is well. */
  readonly problem: Observable<unknown>
  readonly clearProblem: () => void
  readonly draft: (name: string) => Draft
  /** What was typed into the forms of things and not saved, by the id of the thing. */
  readonly listUnsaved: () => ReadonlyMap<string, EditDraft>
  /** Removes what was typed and not added, in all places. */
  readonly forgetDrafts: () => void
  /** Carries out steps that can be taken back; undefined when they failed, which is told in `problem`. */
  readonly perform: (
    deed: Pick<Deed, 'kind' | 'name'>,
    steps: readonly Step[],
  ) => Promise<readonly string[] | undefined>
  /** Carries out anything else; false when it failed, which is told in `problem`. */
  readonly attempt: (work: () => Promise<unknown>) => Promise<boolean>
  /** Reads what is shown. A failure is told in `problem`, too; but that it worked says nothing of what was done before. */
  readonly look: (work: () => Promise<unknown>) => Promise<void>
  readonly close: () => void
}

/** What a desk is made of. */
export interface DeskOptions {
  readonly app: OpenApp
  readonly search: Search
  readonly words: Words
  readonly now: () => number
  /** Resolves when what there is to be shown has been drawn. */
  readonly untilDrawn: () => Promise<void>
  /** Reads all things of the store of this name, without keeping the screen waiting. */
  readonly readEverything: (store: string) => AsyncIterable<ThingPart>
}

/** Opens the things of an account for the screens, until it is closed. */
export const openDesk = ({ app, search, words, now, untilDrawn, readEverything }: DeskOptions): Desk => {
  const problem = createObservable<unknown>(undefined)
  const tell = (fault: unknown) => problem.set(fault ?? new Error())
  const draft = app.drafts.open
  const moveDraft = (id: string, next: string): void => {
    const [from, to] = [draft(`edit/${id}`), draft(`edit/${next}`)]
    const text = from.read()
    if (text !== '' && to.write(text)) from.write('')
  }
  const listUnsaved = (): ReadonlyMap<string, EditDraft> =>
    new Map(
      app.drafts.list().flatMap((name) => {
        const edit = name.startsWith('edit/') ? readEditDraft(draft(name).read()) : undefined
        return edit === undefined ? [] : [[name.slice('edit/'.length), edit] as const]
      }),
    )
  const library = openLibrary(app.replica, search, tell, moveDraft, untilDrawn, () => readEverything(app.store))
  const undo = createUndoList(app.replica, now, app.deeds, tell)
  const attempt = async (work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await app.hold(work)
      problem.set(undefined)
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
    clearProblem: () => problem.set(undefined),
    draft,
    listUnsaved,
    forgetDrafts: app.drafts.forget,
    attempt,
    look: (work) => work().then(() => undefined, tell),
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
