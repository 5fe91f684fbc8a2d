import { type ComponentChildren, type ComponentType, type CSSProperties, createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import type { AccountModel } from '../data/account-model.ts'
import { createObservable, type Observable, type Settable } from '../data/observable.ts'
import { readViewState, type ViewState, writeViewState } from '../data/view-state.ts'
import type { Importer } from '../transfer/importer.ts'

/** The view, stored in the address bar. */
interface Navigation {
  readonly view: Observable<ViewState>
  /** Navigates to a view and adds a history entry. */
  readonly go: (view: ViewState) => void
  /** Replaces the current history entry, for example during typing. */
  readonly replace: (view: ViewState) => void
  /** Goes back in the history if that stays in the app; otherwise shows this view. */
  readonly back: (fallback: ViewState) => void
  /** Returns the URL of a view. */
  readonly href: (view: ViewState) => string
  readonly close: () => void
}

const readDepth = (): number => (history.state as { depth?: number } | null)?.depth ?? 0

/** Opens the navigation of this page; it listens to the history until it is closed. */
export const openNavigation = (): Navigation => {
  const view = createObservable(readViewState(location.search))
  // A link to another view does not change how lists are shown, unless it says so.
  const keepList = (next: ViewState): ViewState => {
    const { list } = view.read()
    return next.list !== undefined || list === undefined ? next : { ...next, list }
  }
  const href = (next: ViewState) => `${location.pathname}${writeViewState(keepList(next))}`
  // The browser goes back a moment later. A second key until then must not leave the next view, too.
  let isGoingBack = false
  const onPop = () => {
    isGoingBack = false
    view.set(readViewState(location.search))
  }
  addEventListener('popstate', onPop)
  return {
    view,
    href,
    go: (next) => {
      history.pushState({ depth: readDepth() + 1 }, '', href(next))
      view.set(keepList(next))
    },
    replace: (next) => {
      history.replaceState({ depth: readDepth() }, '', href(next))
      view.set(keepList(next))
    },
    back: (fallback) => {
      if (isGoingBack) return
      if (readDepth() > 0) {
        isGoingBack = true
        return history.back()
      }
      history.replaceState({ depth: 0 }, '', href(fallback))
      view.set(keepList(fallback))
    },
    close: () => removeEventListener('popstate', onPop),
  }
}

/** Returns the value of an observable, and renders again after each change. */
export const useObservable = <T,>(observable: Observable<T>): T => {
  const [, rerender] = useState({})
  useEffect(() => {
    // The value may have changed between the first rendering and this effect.
    rerender({})
    return observable.watch(() => rerender({}))
  }, [observable])
  return observable.read()
}

/** The context of all screens of an open account. */
export interface Shared {
  readonly model: AccountModel
  readonly navigation: Navigation
  readonly preferences: Preferences
  /** Formats Unix time in seconds as a day, for rows. */
  readonly formatDay: (seconds: number) => string
  /** The import of this page, created on first use; it continues while the user views other screens. */
  readonly importer: Settable<Importer | undefined>
}

/** The settings of this browser. */
export interface Preferences {
  readonly showsImages: boolean
  readonly setLanguage: (code: string) => void
}

/** Provides `Shared` to the screens. */
export const SharedContext = createContext<Shared | undefined>(undefined)

/** Returns the context of the screens. @throws Error outside a `SharedContext` */
export const useShared = (): Shared => {
  const shared = useContext(SharedContext)
  if (shared === undefined) throw new Error('this component is rendered outside an open account')
  return shared
}

interface LinkProps {
  readonly to: ViewState
  readonly children?: ComponentChildren
  readonly class?: string
  /** The name of a link without text. */
  readonly 'aria-label'?: string
  readonly style?: CSSProperties
  readonly dir?: 'auto'
  readonly id?: string
  /** Called before the link is followed in this window. */
  readonly onFollow?: () => void
  readonly 'aria-current'?: 'page' | 'true' | undefined
}

/** A link to another view; a modifier key opens it in a new tab, as for every link. */
export const Link = ({ to, children, onFollow, ...more }: LinkProps) => {
  const { navigation } = useShared()
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return
    event.preventDefault()
    onFollow?.()
    navigation.go(to)
  }
  return (
    <a {...more} href={navigation.href(to)} onClick={follow}>
      {children}
    </a>
  )
}

/** A component that loads on its first rendering. `load` must be the same function in each rendering. */
export const Loaded = ({ load }: { readonly load: () => Promise<ComponentType> }) => {
  const texts = useShared().model.words.transferScreen
  const [part, setPart] = useState<{ readonly Part?: ComponentType; readonly failed?: true }>({})
  useEffect(() => {
    let isOver = false
    const set = (next: typeof part) => {
      if (!isOver) setPart(next)
    }
    load().then(
      (Part) => set({ Part }),
      // The file belongs to an older build, or there is no connection. The user can reload the page in both cases.
      (error: unknown) => {
        console.info('a part of the app could not be loaded', error)
        set({ failed: true })
      },
    )
    return () => {
      isOver = true
    }
  }, [load])
  if (part.failed) {
    return (
      <p class="note bad" role="alert">
        {texts.notLoaded}
      </p>
    )
  }
  if (part.Part === undefined) return <p aria-busy="true">{texts.loading}</p>
  return <part.Part />
}
