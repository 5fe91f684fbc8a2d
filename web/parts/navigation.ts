import { createObservable, type Observable } from '../data/observable.ts'
import { readViewState, type ViewState, writeViewState } from '../data/view-state.ts'

/** The view, kept in the address bar. */
export interface Navigation {
  readonly view: Observable<ViewState>
  /** Goes to a view; the browser's back button leads here again. */
  readonly go: (view: ViewState) => void
  /** Takes a view in the place of this one, as while typing. */
  readonly replace: (view: ViewState) => void
  /** As the browser's back button, if that stays in the app; to this view otherwise. */
  readonly back: (otherwise: ViewState) => void
  /** The address of a view, for links. */
  readonly href: (view: ViewState) => string
  readonly close: () => void
}

const readDepth = (): number => (history.state as { depth?: number } | null)?.depth ?? 0

/** The navigation of this page. */
export const openNavigation = (): Navigation => {
  const view = createObservable(readViewState(location.search))
  const href = (next: ViewState) => `${location.pathname}${writeViewState(next)}`
  const onPop = () => view.set(readViewState(location.search))
  addEventListener('popstate', onPop)
  return {
    view,
    href,
    go: (next) => {
      history.pushState({ depth: readDepth() + 1 }, '', href(next))
      view.set(next)
    },
    replace: (next) => {
      history.replaceState({ depth: readDepth() }, '', href(next))
      view.set(next)
    },
    back: (otherwise) => {
      if (readDepth() > 0) return history.back()
      history.replaceState({ depth: 0 }, '', href(otherwise))
      view.set(otherwise)
    },
    close: () => removeEventListener('popstate', onPop),
  }
}
