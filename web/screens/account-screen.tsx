import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { openAccountModel } from '../data/account-model.ts'
import { type ReadResponse, receiveParts, type ThingPart } from '../data/item-parts.ts'
import { describeProblem, describeState } from '../data/messages.ts'
import { createObservable } from '../data/observable.ts'
import type { OpenApp } from '../data/open-account.ts'
import { defaultListOptions, type Screen, type ViewState } from '../data/view-state.ts'
import { AddLine } from '../parts/add-line.tsx'
import {
  BackToMore,
  ConflictNotice,
  closeAddLine,
  MoreScreen,
  openAddLine,
  PullToRefresh,
  ScreenNavigation,
  SidePane,
  TabBar,
  useMedia,
  wideWindow,
} from '../parts/app-layout.tsx'
import { Loaded, openNavigation, SharedContext, useObservable, useShared } from '../parts/context.tsx'
import { createDayFormat, formatClock } from '../parts/format-date.ts'
import { Mark } from '../parts/icon.tsx'
import { focusById, useKeys } from '../parts/keyboard.ts'
import { chooseWords, loadWords, readPreference, writePreference } from '../parts/preferences.ts'
import { createSearch, type Search, type SearchResponse } from '../search/search.ts'
import type { Importer } from '../transfer/importer.ts'
import type { CommandPalette } from './command-palette.tsx'
import type { ItemScreen } from './item-screen.tsx'
import { ItemsScreen } from './items-screen.tsx'
import type { RecentScreen } from './recent-screen.tsx'
import type { HelpScreen, SettingsScreen } from './settings-screen.tsx'
import type { TagsScreen } from './tags-screen.tsx'

/** Reads all items of the store of this name in a worker, which ends after the reading. */
const readInWorker = (store: string): AsyncGenerator<ThingPart, void> => {
  const worker = new Worker(new URL('../workers/read-worker.ts', import.meta.url), { type: 'module' })
  return receiveParts(
    {
      send: (request) => worker.postMessage(request),
      listen: (listener) => {
        worker.addEventListener('message', ({ data }: MessageEvent<ReadResponse>) => listener(data))
        worker.addEventListener('error', ({ message }) => listener({ kind: 'failure', message }))
      },
      stop: () => worker.terminate(),
    },
    store,
  )
}

/** Starts a worker for the search; it runs until it is stopped. */
const startSearchWorker = (): { readonly search: Search; readonly stop: () => void } => {
  const worker = new Worker(new URL('../workers/search-worker.ts', import.meta.url), { type: 'module' })
  const search = createSearch({
    send: (message) => worker.postMessage(message),
    listen: (listener) =>
      worker.addEventListener('message', ({ data }: MessageEvent<SearchResponse>) => listener(data)),
  })
  return { search, stop: () => worker.terminate() }
}

// The browser does not paint a hidden page.
const maxPaintMilliseconds = 200

/** Resolves after the next paint, or after a timeout in a hidden page. */
const untilDrawn = (): Promise<void> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve))
    setTimeout(resolve, maxPaintMilliseconds)
  })

/** The state line: says whether everything is saved. */
const StateLine = () => {
  const { model, navigation } = useShared()
  const { app, words } = model
  const { text, tone, offer } = describeState(useObservable(app.state), words, (at) => formatClock(at, words.code))
  const act = {
    signIn: () => model.attempt(app.signIn),
    tryNow: app.syncNow,
    look: () => navigation.go({ screen: 'recent', query: '' }),
  }
  return (
    <p class={`state ${tone}`}>
      <span class="dot" aria-hidden="true" />
      <span role="status">{text}</span>
      {offer !== undefined && (
        <button type="button" class="plain" onClick={act[offer]}>
          {words.state[offer]}
        </button>
      )}
    </p>
  )
}

const toastMilliseconds = 10_000

/** Shows the last action for ten seconds, with a button that undoes it. */
const UndoToast = () => {
  const { model } = useShared()
  const action = useObservable(model.undo.latest)
  const [overKey, setOverKey] = useState<string>()
  const toast = useRef<HTMLDivElement>(null)
  const texts = model.words
  // An undone action is shown again, as undone.
  const key = action === undefined ? undefined : `${action.key} ${action.isUndone}`
  useEffect(() => {
    if (key === undefined) return
    // The toast stays while its button has the keyboard focus.
    const hide = () => toast.current?.querySelector(':focus-visible') === null && setOverKey(key)
    const timer = setInterval(hide, toastMilliseconds)
    return () => clearInterval(timer)
  }, [key])
  const isShown = action !== undefined && key !== overKey
  return (
    <div class="toast" role="status" ref={toast}>
      {isShown && (
        <p>
          <bdi class="action">
            {(action.isUndone ? texts.undoneAction : texts.action)[action.kind](action.name.slice(0, 60), action.count)}
          </bdi>
          <button type="button" class="plain" onClick={() => model.attempt(() => model.undo.undo(action.key))}>
            {action.isUndone ? texts.recentScreen.redo : texts.recentScreen.undo}
          </button>
        </p>
      )}
    </div>
  )
}

// Loaded on demand, because its formats are the largest part of the app.
const loadTransferScreen = () => import('./transfer-screen.tsx').then(({ TransferScreen }) => TransferScreen)

const loadShareScreen = () => import('./share-screen.tsx').then(({ ShareScreen }) => ShareScreen)

// Loaded on demand: few users press its keys.
const loadCommandPalette = () => import('./command-palette.tsx')

const Problem = () => {
  const { model } = useShared()
  const problem = useObservable(model.problem)
  return (
    <div class="alerts" role="alert">
      {problem !== undefined && (
        <p class="note bad problem">
          {describeProblem(problem, model.words)}{' '}
          <button type="button" class="plain" onClick={model.clearProblem}>
            {model.words.problem.close}
          </button>
        </p>
      )}
    </div>
  )
}

/** The screens that the first load leaves out: it needs the list only. */
interface LaterScreens {
  readonly ItemScreen: typeof ItemScreen
  readonly TagsScreen: typeof TagsScreen
  readonly RecentScreen: typeof RecentScreen
  readonly SettingsScreen: typeof SettingsScreen
  readonly HelpScreen: typeof HelpScreen
}

/** Loads all other screens than the list. */
export type LoadScreens = () => Promise<LaterScreens>

/** How long the app waits after its first rows, before it loads the other screens in advance. */
const preloadMilliseconds = 500

/**
 * Returns the other screens once they are loaded: as soon as one is wanted, or a moment after the list is on the screen.
 * 'failed' if their files cannot be loaded.
 */
const useLaterScreens = (load: LoadScreens, isWanted: boolean): LaterScreens | 'failed' | undefined => {
  const { app, library } = useShared().model
  const [screens, setScreens] = useState<LaterScreens | 'failed'>()
  const isReady = useObservable(library.state).isComplete
  const isListed = useObservable(app.state).syncedAt !== undefined || library.countThings() > 0
  const isDue = isWanted || (isReady && isListed)
  const isLoaded = screens !== undefined && screens !== 'failed'
  useEffect(() => {
    if (!isDue || isLoaded) return
    let isOver = false
    const start = () =>
      load().then(
        (loaded) => isOver || setScreens(loaded),
        (error: unknown) => {
          console.info('the other screens could not be loaded', error)
          // The next screen that the user opens tries again.
          if (!isOver && isWanted) setScreens('failed')
        },
      )
    const timer = setTimeout(start, isWanted ? 0 : preloadMilliseconds)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [isDue, isWanted])
  return screens
}

const laterScreens: ReadonlySet<Screen> = new Set(['tags', 'recent', 'settings', 'help'])

interface LaterScreenProps {
  readonly screens: LaterScreens | 'failed' | undefined
  readonly view: ViewState
  readonly isWide: boolean
}

/** A screen that is loaded later, or the sentence why it is not there. */
const LaterScreen = ({ screens, view, isWide }: LaterScreenProps) => {
  const { words } = useShared().model
  const { screen, thing = '', query, isEditing = false } = view
  if (screens === undefined) return <p aria-busy="true" />
  if (screens === 'failed') {
    return (
      <p class="note bad" role="alert">
        {words.transferScreen.notLoaded}
      </p>
    )
  }
  if (screen === 'tags') return <screens.TagsScreen />
  if (screen === 'recent') return <screens.RecentScreen />
  if (screen === 'help') return <screens.HelpScreen />
  if (screen === 'settings') return <screens.SettingsScreen />
  return (
    <div class="pane">
      <screens.ItemScreen key={thing} id={thing} query={query} isEditing={isEditing} isPane={isWide} />
    </div>
  )
}

/** The screens. A new view renders only this component; the list behind it stays. */
const Screens = ({ loadScreens }: { readonly loadScreens: LoadScreens }) => {
  const { model, navigation } = useShared()
  const view = useObservable(navigation.view)
  const { screen, query, thing, added, list = defaultListOptions } = view
  const { words } = model
  // A layout effect, because the effect of an item sets its own title.
  useLayoutEffect(() => {
    document.title = `${words[screen]} · thingsync`
  }, [screen, thing, words])
  const isWide = useMedia(wideWindow)
  useLayoutEffect(() => {
    // A phone hides the line, and a shared text must be seen.
    if (added !== undefined) openAddLine()
  }, [added])
  useEffect(() => {
    // In a narrow window, the navigation is wider than the screen.
    const show = () =>
      document.querySelector('.app-top [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    show()
    addEventListener('resize', show)
    return () => removeEventListener('resize', show)
  }, [screen, words, isWide])
  const isPane = isWide && screen === 'things' && thing !== undefined
  const isListShown = screen === 'things' && (thing === undefined || isWide)
  const isLater = screen === 'things' ? thing !== undefined : laterScreens.has(screen)
  const later = useLaterScreens(loadScreens, isLater)
  const focus = (id: string) => {
    if (!isListShown) navigation.go({ screen: 'things', query })
    focusById(id)
  }
  const [palette, setPalette] = useState<{ readonly Palette: typeof CommandPalette }>()
  const openPalette = () =>
    model.attempt(async () => setPalette({ Palette: (await loadCommandPalette()).CommandPalette }))
  useKeys({
    n: openAddLine,
    '/': () => focus('search'),
    'Mod+k': openPalette,
    'Mod+z': model.undoLast,
    z: model.undoLast,
    Escape: () => (screen === 'things' ? false : navigation.back({ screen: 'things', query: '' })),
    '?': () => navigation.go({ screen: 'help', query: '' }),
  })
  return (
    <>
      <a class="skip" href="#content">
        {words.skip}
      </a>
      <header class="top app-top" onFocusOut={closeAddLine}>
        <div class="app-bar">
          <Mark />
          <AddLine />
        </div>
        {!isWide && <ScreenNavigation screen={screen} />}
      </header>
      <div class="shell">
        {isWide && <SidePane screen={screen} query={query} />}
        <main id="content" class={isPane ? 'page app-page with-pane' : 'page app-page'} tabIndex={-1}>
          <BackToMore screen={screen} />
          <Problem />
          <ConflictNotice />
          <ItemsScreen
            query={screen === 'things' ? query : ''}
            list={list}
            isHidden={!isListShown}
            openId={isPane ? thing : undefined}
            hasPane={isWide}
          />
          {isLater && <LaterScreen screens={later} view={view} isWide={isWide} />}
          {screen === 'transfer' && <Loaded load={loadTransferScreen} />}
          {screen === 'more' && <MoreScreen />}
        </main>
      </div>
      <PullToRefresh onRefresh={model.app.syncNow} />
      <TabBar view={view} onSearch={() => focus('search')} />
      {palette !== undefined && <palette.Palette onClose={() => setPalette(undefined)} />}
      <UndoToast />
      <footer class="app-foot">
        <StateLine />
      </footer>
    </>
  )
}

/** The window that saves what another program shares, or all screens. */
const View = ({ loadScreens }: { readonly loadScreens: LoadScreens }) => {
  const { shared } = useObservable(useShared().navigation.view)
  return shared === undefined ? <Screens loadScreens={loadScreens} /> : <Loaded load={loadShareScreen} />
}

interface AccountScreenProps {
  readonly app: OpenApp
  readonly loadScreens: LoadScreens
}

/** The screens of an open account. */
export const AccountScreen = ({ app, loadScreens }: AccountScreenProps) => {
  const [language, setLanguage] = useState(readPreference('language'))
  const [showsImages] = useState(() => readPreference('images') === 'yes')
  const words = chooseWords([language ?? '', ...navigator.languages])
  const opened = useMemo(() => {
    const worker = startSearchWorker()
    const model = openAccountModel({
      app,
      search: worker.search,
      words,
      now: Date.now,
      untilDrawn,
      readEverything: readInWorker,
    })
    return { model, worker, navigation: openNavigation(), importer: createObservable<Importer | undefined>(undefined) }
  }, [app])
  useEffect(
    () => () => {
      opened.importer.read()?.stop()
      opened.model.close()
      opened.worker.stop()
      opened.navigation.close()
    },
    [opened],
  )
  useEffect(() => {
    document.documentElement.lang = words.code
  }, [words])
  const formatDay = useMemo(() => createDayFormat(words.code), [words])
  const shared = {
    formatDay,
    model: { ...opened.model, words },
    navigation: opened.navigation,
    importer: opened.importer,
    preferences: {
      showsImages,
      setLanguage: async (code: string) => {
        writePreference('language', code)
        await loadWords([code])
        setLanguage(code)
      },
    },
  }
  return (
    <SharedContext.Provider value={shared}>
      <View loadScreens={loadScreens} />
    </SharedContext.Provider>
  )
}
