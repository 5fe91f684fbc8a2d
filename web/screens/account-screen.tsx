import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { openAccountModel } from '../data/account-model.ts'
import { type ReadResponse, receiveParts, type ThingPart } from '../data/item-parts.ts'
import { describeProblem, describeState } from '../data/messages.ts'
import { createObservable } from '../data/observable.ts'
import type { OpenApp } from '../data/open-account.ts'
import type { Screen } from '../data/view-state.ts'
import { AddLine } from '../parts/add-line.tsx'
import { ConflictNotice } from '../parts/conflict-notice.tsx'
import { Link, Loaded, openNavigation, SharedContext, useObservable, useShared } from '../parts/context.tsx'
import { createDayFormat, formatClock } from '../parts/format-date.ts'
import { Mark } from '../parts/icon.tsx'
import { useKeys } from '../parts/keyboard.ts'
import { readPreference, writePreference } from '../parts/preferences.ts'
import { createSearch, type Search, type SearchResponse } from '../search/search.ts'
import type { Importer } from '../transfer/importer.ts'
import { chooseWords } from '../words/choose-words.ts'
import { HelpScreen } from './help-screen.tsx'
import { ItemScreen } from './item-screen.tsx'
import { ItemsScreen } from './items-screen.tsx'
import { RecentScreen } from './recent-screen.tsx'
import { SettingsScreen } from './settings-screen.tsx'
import { TagsScreen } from './tags-screen.tsx'

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
            {action.isUndone ? `${texts.undone}: ` : ''}
            {texts.action[action.kind](action.name.slice(0, 60), action.count)}
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

const screens: readonly Screen[] = ['things', 'tags', 'recent', 'transfer', 'settings', 'help']

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

/** The screens. A new view renders only this component; the list behind it stays. */
const Screens = () => {
  const { model, navigation } = useShared()
  const { screen, query, thing, isEditing = false } = useObservable(navigation.view)
  const { words } = model
  useEffect(() => {
    document.title = `${words[screen]} · thingsync`
  }, [screen, thing, words])
  useEffect(() => {
    // On a phone, the navigation is wider than the screen.
    const show = () =>
      document.querySelector('.app-top [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    show()
    addEventListener('resize', show)
    return () => removeEventListener('resize', show)
  }, [screen, words])
  const focus = (id: string) => {
    // At once if possible, because the next key may arrive before the next frame.
    if (screen === 'things' && thing === undefined) return document.getElementById(id)?.focus()
    navigation.go({ screen: 'things', query })
    requestAnimationFrame(() => document.getElementById(id)?.focus())
  }
  useKeys({
    n: () => document.getElementById('add')?.focus(),
    '/': () => focus('search'),
    '?': () => navigation.go({ screen: 'help', query: '' }),
    z: () => {
      const last = model.undo.actions.read().find(({ isUndone }) => !isUndone)
      if (last !== undefined) model.attempt(() => model.undo.undo(last.key))
    },
  })
  const isList = screen === 'things' && thing === undefined
  return (
    <>
      <a class="skip" href="#content">
        {words.skip}
      </a>
      <header class="top app-top">
        <div class="app-bar">
          <Mark />
          <AddLine />
        </div>
        <nav class="nav" aria-label={words.screens}>
          <ul>
            {screens.map((name) => (
              <li key={name}>
                <Link to={{ screen: name, query: '' }} aria-current={name === screen ? 'page' : undefined}>
                  {words[name]}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </header>
      <main id="content" class="page app-page" tabIndex={-1}>
        <Problem />
        <ConflictNotice />
        <ItemsScreen query={screen === 'things' ? query : ''} isHidden={!isList} />
        {screen === 'things' && thing !== undefined && (
          <ItemScreen key={thing} id={thing} query={query} isEditing={isEditing} />
        )}
        {screen === 'tags' && <TagsScreen />}
        {screen === 'recent' && <RecentScreen />}
        {screen === 'help' && <HelpScreen />}
        {screen === 'settings' && <SettingsScreen />}
        {screen === 'transfer' && <Loaded load={loadTransferScreen} />}
      </main>
      <UndoToast />
      <footer class="app-foot">
        <StateLine />
      </footer>
    </>
  )
}

/** The screens of an open account. */
export const AccountScreen = ({ app }: { readonly app: OpenApp }) => {
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
      setLanguage: (code: string) => {
        writePreference('language', code)
        setLanguage(code)
      },
    },
  }
  return (
    <SharedContext.Provider value={shared}>
      <Screens />
    </SharedContext.Provider>
  )
}
