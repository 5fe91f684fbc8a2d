// Ways into the app: the empty list (of an account, and of a search), which teaches them, the bookmarklet, and the installation.

import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { readSearchedWords } from '../data/excerpts.ts'
import { createObservable, type Observable } from '../data/observable.ts'
import { openAddLine } from './app-layout.tsx'
import { Link, useObservable, useShared } from './context.tsx'
import { Logo } from './icon.tsx'

/** Asks the browser to install the app; undefined while the browser offers no installation. */
type Install = (() => void) | undefined

/** The event of browsers that let a page offer its installation (not in all browsers). */
interface BeforeInstallPromptEvent extends Event {
  readonly prompt: () => Promise<unknown>
}

/** Follows whether the browser offers to install the app. Call it once, before the page is rendered. */
export const watchInstall = (): Observable<Install> => {
  const install = createObservable<Install>(undefined)
  addEventListener('beforeinstallprompt', (event) => {
    // The app has a button of its own.
    event.preventDefault()
    install.set(() => {
      // A prompt works once; the browser sends the event again if the user declines.
      install.set(undefined)
      void (event as BeforeInstallPromptEvent).prompt()
    })
  })
  addEventListener('appinstalled', () => install.set(undefined))
  return install
}

/** Provides the offer of an installation to the screens. */
export const InstallContext = createContext<Observable<Install>>(createObservable<Install>(undefined))

/** Returns the function that installs the app, if the browser offers that. */
export const useInstall = (): Install => useObservable(useContext(InstallContext))

const bookmarkletFor = (home: string): string =>
  `javascript:void open('${home}?share_title='+encodeURIComponent(document.title)+'&share_url='+encodeURIComponent(location.href),'_blank','width=420,height=560')`

/** A link that the user drags to the bookmarks bar. There, a click adds the page that is open. */
export const Bookmarklet = () => {
  const link = useRef<HTMLAnchorElement>(null)
  useLayoutEffect(() => {
    // A `javascript:` URL that the user drags to the bookmarks; the policy of the page blocks it here.
    link.current?.setAttribute('href', bookmarkletFor(`${location.origin}${location.pathname}`))
  }, [])
  return (
    // biome-ignore lint/a11y/useValidAnchor: a bookmarklet is a link to be dragged; the policy lets nothing run it here
    <a class="button draggable" ref={link}>
      {useShared().model.words.settingsScreen.bookmarkletName}
    </a>
  )
}

interface WayProps {
  readonly title: string
  readonly text: string
  readonly class?: string
  readonly children: ComponentChildren
}

const Way = ({ title, text, class: className = '', children }: WayProps) => (
  <li class={`way ${className}`}>
    <h3>{title}</h3>
    <p>{text}</p>
    {children}
  </li>
)

/** The list of an account without items: it says how to fill it. */
export const EmptyList = () => {
  const { model } = useShared()
  const { status, syncedAt } = useObservable(model.app.state)
  const install = useInstall()
  const { start, settingsScreen, add } = model.words
  // Before its first response, the server may have items that are not here yet.
  if (status === 'connecting' && syncedAt === undefined) return null
  return (
    <section class="start" aria-labelledby="start-heading">
      <Logo />
      <h2 id="start-heading">{start.heading}</h2>
      <p>{start.intro}</p>
      <ul class="ways">
        <Way title={start.add} text={start.addText}>
          <button type="button" class="main" onClick={openAddLine}>
            {add.label}
          </button>
        </Way>
        <Way title={start.import} text={start.importText}>
          <Link class="button" to={{ screen: 'transfer', query: '' }}>
            {start.importButton}
          </Link>
        </Way>
        <Way class="for-mouse" title={settingsScreen.bookmarklet} text={settingsScreen.bookmarkletHint}>
          <Bookmarklet />
        </Way>
        {install && (
          <Way title={start.install} text={start.installText}>
            <button type="button" onClick={install}>
              {start.install}
            </button>
          </Way>
        )}
      </ul>
    </section>
  )
}

/** What to do when no item matches: clear the search, or add an item with its words. */
export const NoMatches = ({ query }: { readonly query: string }) => {
  const { model, navigation } = useShared()
  const texts = model.words.search
  const text = query.trim()
  const isTitle = !/(^|\s)-|is:/iu.test(text) && readSearchedWords(text).length > 0
  const go = (next: string, added?: string) =>
    navigation.go({ screen: 'things', query: next, ...(added === undefined ? {} : { added }) })
  const inArchive = `${text} is:archived`
  const [archived, setArchived] = useState(0)
  useEffect(() => {
    setArchived(0)
    if (/is:/iu.test(text)) return
    let isLate = false
    model.search.search(inArchive).then(({ found }) => isLate || setArchived(found.length))
    return () => {
      isLate = true
    }
  }, [inArchive])
  return (
    <div class="buttons">
      {isTitle && (
        <button type="button" class="main" onClick={() => go('', text)}>
          {texts.addIt(text)}
        </button>
      )}
      {archived > 0 && (
        <button type="button" onClick={() => go(inArchive)}>
          {texts.inArchive(archived)}
        </button>
      )}
      <button type="button" onClick={() => go('')}>
        {texts.clear}
      </button>
    </div>
  )
}
