import { useEffect, useMemo, useState } from 'preact/hooks'
import { describeProblem } from '../data/describe-problem.ts'
import { openDesk } from '../data/desk.ts'
import { createObservable } from '../data/observable.ts'
import type { OpenApp } from '../data/open-app.ts'
import type { Importer } from '../data/transfer/importer.ts'
import type { Screen } from '../data/view-state.ts'
import { AddLine } from '../parts/add-line.tsx'
import { SharedContext, useShared } from '../parts/desk-context.ts'
import { createDayFormat } from '../parts/format-date.ts'
import { Mark } from '../parts/icon.tsx'
import { Link } from '../parts/link.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { openNavigation } from '../parts/navigation.ts'
import { readPreference, writePreference } from '../parts/preferences.ts'
import { readInWorker } from '../parts/start-read-worker.ts'
import { startSearchWorker } from '../parts/start-search-worker.ts'
import { StateLine } from '../parts/state-line.tsx'
import { UndoToast } from '../parts/undo-toast.tsx'
import { untilDrawn } from '../parts/until-drawn.ts'
import { useKeys } from '../parts/use-keys.ts'
import { useObservable } from '../parts/use-observable.ts'
import { chooseWords } from '../words/choose-words.ts'
import { HelpScreen } from './help-screen.tsx'
import { RecentScreen } from './recent-screen.tsx'
import { SettingsScreen } from './settings-screen.tsx'
import { TagsScreen } from './tags-screen.tsx'
import { ThingScreen } from './thing-screen.tsx'
import { ThingsScreen } from './things-screen.tsx'

/** Its formats are most of what the app weighs. */
const loadTransferScreen = () => import('./transfer-screen.tsx').then(({ TransferScreen }) => TransferScreen)

const screens: readonly Screen[] = ['things', 'tags', 'recent', 'transfer', 'settings', 'help']

const Problem = () => {
  const { desk } = useShared()
  const problem = useObservable(desk.problem)
  return (
    <div class="alerts" role="alert">
      {problem !== undefined && (
        <p class="note bad problem">
          {describeProblem(problem, desk.words)}{' '}
          <button type="button" class="plain" onClick={desk.clearProblem}>
            {desk.words.problem.close}
          </button>
        </p>
      )}
    </div>
  )
}

/** Draws anew only itself when a view is chosen; the list behind stays. */
const Screens = () => {
  const { desk, navigation } = useShared()
  const { screen, query, thing, isEditing = false } = useObservable(navigation.view)
  const { words } = desk
  useEffect(() => {
    document.title = `${words[screen]} · thingsync`
  }, [screen, thing, words])
  useEffect(() => {
    // On a telephone the names are more than a line.
    const show = () =>
      document.querySelector('.app-top [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    show()
    addEventListener('resize', show)
    return () => removeEventListener('resize', show)
  }, [screen, words])
  const focus = (id: string) => {
    // At once where it can be: the next key is typed before the next frame.
    if (screen === 'things' && thing === undefined) return document.getElementById(id)?.focus()
    navigation.go({ screen: 'things', query })
    requestAnimationFrame(() => document.getElementById(id)?.focus())
  }
  useKeys({
    n: () => document.getElementById('add')?.focus(),
    '/': () => focus('search'),
    '?': () => navigation.go({ screen: 'help', query: '' }),
    z: () => {
      const last = desk.undo.deeds.read().find(({ isUndone }) => !isUndone)
      if (last !== undefined) desk.attempt(() => desk.undo.undo(last.key))
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
        <ThingsScreen query={screen === 'things' ? query : ''} isHidden={!isList} />
        {screen === 'things' && thing !== undefined && (
          <ThingScreen key={thing} id={thing} query={query} isEditing={isEditing} />
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
export const DeskScreen = ({ app }: { readonly app: OpenApp }) => {
  const [language, setLanguage] = useState(readPreference('language'))
  const [showsImages] = useState(() => readPreference('images') === 'yes')
  const words = chooseWords([language ?? '', ...navigator.languages])
  const opened = useMemo(() => {
    const worker = startSearchWorker()
    const desk = openDesk({
      app,
      search: worker.search,
      words,
      now: Date.now,
      untilDrawn,
      readEverything: readInWorker,
    })
    return { desk, worker, navigation: openNavigation(), importer: createObservable<Importer | undefined>(undefined) }
  }, [app])
  useEffect(
    () => () => {
      opened.importer.read()?.stop()
      opened.desk.close()
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
    desk: { ...opened.desk, words },
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
