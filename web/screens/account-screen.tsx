import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { openAccountModel } from '../data/account-model.ts'
import { describeProblem, describeState } from '../data/messages.ts'
import { createObservable } from '../data/observable.ts'
import type { OpenApp } from '../data/open-account.ts'
import {
  type AddLines,
  dropWaiting,
  readAddLine,
  readWaiting,
  type Screen,
  takeShared,
  takeWaiting,
  writeWaiting,
} from '../data/view-state.ts'
import { Link, Loaded, openNavigation, SharedContext, useObservable, useShared } from '../parts/context.tsx'
import { createDayFormat, formatClock } from '../parts/format-date.ts'
import { Mark } from '../parts/icon.tsx'
import { useKeys } from '../parts/keyboard.ts'
import { readPreference, writePreference } from '../parts/preferences.ts'
import { readInWorker, startSearchWorker } from '../parts/start-workers.ts'
import type { Importer } from '../transfer/importer.ts'
import { chooseWords } from '../words/choose-words.ts'
import { HelpScreen } from './help-screen.tsx'
import { ItemScreen } from './item-screen.tsx'
import { ItemsScreen } from './items-screen.tsx'
import { RecentScreen } from './recent-screen.tsx'
import { SettingsScreen } from './settings-screen.tsx'
import { TagsScreen } from './tags-screen.tsx'

// A page that nobody looks at is not drawn.
const maxMilliseconds = 200

/** Resolves when what is to be drawn now has been drawn, or the page is not drawn at all. */
const untilDrawn = (): Promise<void> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve))
    setTimeout(resolve, maxMilliseconds)
  })

/** One line to add a thing. What is typed is kept at each key, and goes only once the thing is kept. */
const AddLine = () => {
  const { model: desk, navigation } = useShared()
  const { added } = useObservable(navigation.view)
  const say = desk.words.add
  const [draft] = useState(() => desk.draft('add'))
  const [line, setLine] = useState(draft.read)
  const [waitingDraft] = useState(() => desk.draft('add waiting'))
  const [waiting, setWaiting] = useState(() => readWaiting(waitingDraft.read()))
  const [isKept, setKept] = useState(true)
  const [needsTitle, setNeedsTitle] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const isAdding = useRef(false)
  const latest = useRef(line)

  const take = (next: string) => {
    latest.current = next
    setLine(next)
    setKept(draft.write(next))
    setNeedsTitle(false)
  }
  const takeAll = (next: AddLines) => {
    setWaiting(next.waiting)
    // Before the line that it stood in is written over.
    const areKept = waitingDraft.write(writeWaiting(next.waiting))
    take(next.line)
    if (!areKept) setKept(false)
    field.current?.focus()
  }
  useEffect(() => {
    if (added === undefined) return
    takeAll(takeShared({ line: draft.read(), waiting: readWaiting(waitingDraft.read()) }, added))
    const { added: _, ...view } = navigation.view.read()
    // From now on the draft has it: a reload must not add it once more.
    navigation.replace(view)
  }, [added])

  const add = async (event: SubmitEvent) => {
    event.preventDefault()
    const fields = readAddLine(line)
    if (fields === undefined) return setNeedsTitle(line.trim() !== '')
    if (isAdding.current) return
    isAdding.current = true
    const ids = await desk.perform({ kind: 'added', name: fields.title }, [{ kind: 'create', fields }])
    isAdding.current = false
    // Whoever types on while it is saved keeps what was typed since.
    if (ids !== undefined && latest.current === line) take('')
    field.current?.focus()
  }
  return (
    <form class="add" onSubmit={add}>
      <label class="aside" for="add">
        {say.label}
      </label>
      <input
        id="add"
        ref={field}
        type="text"
        value={line}
        placeholder={say.hint}
        autocomplete="off"
        enterkeyhint="done"
        dir="auto"
        aria-invalid={needsTitle ? 'true' : undefined}
        aria-describedby={needsTitle || !isKept ? 'add-remark' : undefined}
        onInput={(event) => take(event.currentTarget.value)}
      />
      <button type="submit" class="main">
        {say.button}
      </button>
      {waiting[0] !== undefined && (
        <p class="add-waiting">
          <span>{say.waiting(waiting.length)}</span>
          <button type="button" class="plain" onClick={() => takeAll(takeWaiting({ line, waiting }))}>
            {waiting[0]}
          </button>
          <button
            type="button"
            class="plain"
            aria-label={say.dropLine(waiting[0])}
            onClick={() => takeAll(dropWaiting({ line, waiting }))}
          >
            {say.drop}
          </button>
        </p>
      )}
      {(needsTitle || !isKept) && (
        <p id="add-remark" class="wrong" role="alert">
          {needsTitle ? say.needsTitle : say.notKept}
        </p>
      )}
    </form>
  )
}

/** Says in one quiet line whether everything is safe. */
const StateLine = () => {
  const { model: desk, navigation } = useShared()
  const { app, words } = desk
  const { text, tone, offer } = describeState(useObservable(app.state), words, (at) => formatClock(at, words.code))
  const act = {
    signIn: () => desk.attempt(app.signIn),
    tryNow: app.wake,
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

const shownMilliseconds = 10_000

/** What was done last, for ten seconds, with a button that takes it back. */
const UndoToast = () => {
  const { model: desk } = useShared()
  const deed = useObservable(desk.undo.news)
  const [overKey, setOverKey] = useState<string>()
  const toast = useRef<HTMLDivElement>(null)
  const say = desk.words
  // A deed that was taken back is news again.
  const key = deed === undefined ? undefined : `${deed.key} ${deed.isUndone}`
  useEffect(() => {
    if (key === undefined) return
    // It stays for as long as somebody has come to its button by keyboard.
    const hide = () => toast.current?.querySelector(':focus-visible') === null && setOverKey(key)
    const timer = setInterval(hide, shownMilliseconds)
    return () => clearInterval(timer)
  }, [key])
  const isShown = deed !== undefined && key !== overKey
  return (
    <div class="toast" role="status" ref={toast}>
      {isShown && (
        <p>
          <bdi class="deed">
            {deed.isUndone ? `${say.undone}: ` : ''}
            {say.deed[deed.kind](deed.name.slice(0, 60), deed.count)}
          </bdi>
          <button type="button" class="plain" onClick={() => desk.attempt(() => desk.undo.undo(deed.key))}>
            {deed.isUndone ? say.recentScreen.redo : say.recentScreen.undo}
          </button>
        </p>
      )}
    </div>
  )
}

/** Its formats are most of what the app weighs. */
const loadTransferScreen = () => import('./transfer-screen.tsx').then(({ TransferScreen }) => TransferScreen)

const screens: readonly Screen[] = ['things', 'tags', 'recent', 'transfer', 'settings', 'help']

const Problem = () => {
  const { model: desk } = useShared()
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
  const { model: desk, navigation } = useShared()
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
    const desk = openAccountModel({
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
    model: { ...opened.desk, words },
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
