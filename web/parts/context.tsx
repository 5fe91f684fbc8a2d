import { type ComponentChildren, type ComponentType, type CSSProperties, createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import type { AccountModel } from '../data/account-model.ts'
import { createObservable, type Observable, type Settable } from '../data/observable.ts'
import { readViewState, type ViewState, writeViewState } from '../data/view-state.ts'
import type { Importer } from '../transfer/importer.ts'

/** The view, kept in the address bar. */
interface Navigation {
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

/** The value of an observable; draws anew when it changes. */
export const useObservable = <T,>(observable: Observable<T>): T => {
  const [, draw] = useState({})
  useEffect(() => {
    // It may have changed between the first drawing and now.
    draw({})
    return observable.watch(() => draw({}))
  }, [observable])
  return observable.read()
}

/** What all screens of an open account are given. */
export interface Shared {
  readonly model: AccountModel
  readonly navigation: Navigation
  readonly preferences: Preferences
  /** A day as rows show it, of Unix time in seconds. */
  readonly formatDay: (seconds: number) => string
  /** The import of this page, which goes on while other screens are shown; made when it is first needed. */
  readonly importer: Settable<Importer | undefined>
}

/** What a person has chosen for this browser. */
export interface Preferences {
  readonly showsImages: boolean
  readonly setLanguage: (code: string) => void
}

/** Hands `Shared` down. */
export const SharedContext = createContext<Shared | undefined>(undefined)

/** What the screens share; only below a `SharedContext`. */
export const useShared = (): Shared => {
  const shared = useContext(SharedContext)
  if (shared === undefined) throw new Error('this part is drawn outside of an open account')
  return shared
}

interface LinkProps {
  readonly to: ViewState
  readonly children: ComponentChildren
  readonly class?: string
  readonly style?: CSSProperties
  readonly dir?: 'auto'
  readonly 'aria-current'?: 'page' | 'true' | undefined
}

/** A link to another view, which opens in a new tab where a person asks for one. */
export const Link = ({ to, children, ...more }: LinkProps) => {
  const { navigation } = useShared()
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return
    event.preventDefault()
    navigation.go(to)
  }
  return (
    <a {...more} href={navigation.href(to)} onClick={follow}>
      {children}
    </a>
  )
}

/** A part of the app that is loaded when it is first drawn. `load` has to be the same function each time. */
export const Loaded = ({ load }: { readonly load: () => Promise<ComponentType> }) => {
  const say = useShared().model.words.transferScreen
  const [part, setPart] = useState<{ readonly Part?: ComponentType; readonly failed?: true }>({})
  useEffect(() => {
    let isOver = false
    const set = (next: typeof part) => {
      if (!isOver) setPart(next)
    }
    load().then(
      (Part) => set({ Part }),
      // The file is gone with an older build, or there is no connection: a person can do the same about both.
      (fault: unknown) => {
        console.info('a part of the app could not be loaded', fault)
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
        {say.notLoaded}
      </p>
    )
  }
  if (part.Part === undefined) return <p aria-busy="true">{say.loading}</p>
  return <part.Part />
}
