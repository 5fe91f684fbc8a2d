// The web app: a client of the API that works offline. This file connects the app to the page and starts it.
// Start reading at data/start-app.ts (sign-in, tabs, stages). Then read data/account-model.ts (the state and actions
// that the screens share) and screens/account-screen.tsx. The folders data/, search/ and transfer/ know no DOM.
// Texts are in words/.

import { render } from 'preact'
import { createObservable, type Observable } from './data/observable.ts'
import { locateApp } from './data/session.ts'
import { type AppStage, startApp } from './data/start-app.ts'
import { InstallContext, watchInstall } from './parts/capture.tsx'
import { keepFocus } from './parts/keyboard.ts'
import { applyTheme, findStorage, loadWords, readLanguages, readTheme } from './parts/preferences.ts'
import { Root, watchUpdates } from './root.tsx'
import type { LoadScreens } from './screens/account-screen.tsx'
import '../src/pages/style/tokens.css'
import '../src/pages/style/base.css'
import '../src/pages/style/parts.css'
import './style/app.css'
import './style/add.css'
import './style/find.css'
import './style/list.css'
import './style/row.css'
import './style/bulk.css'
import './style/thing.css'
import './style/tags.css'
import './style/recent.css'
import './style/help.css'
import './style/start.css'
import './style/state.css'
import './style/phone.css'
import './style/panes.css'
import './style/modes.css'

/**
 * Requests persistent storage once an account is open, so that the browser does not evict its data. A denial changes
 * nothing visible, so the app does not report it.
 */
const requestPersistence = (stage: Observable<AppStage>): void => {
  const persist = async () => {
    if (!(await navigator.storage.persisted())) await navigator.storage.persist()
  }
  const unwatch = stage.watch(() => {
    if (stage.read().kind !== 'open') return
    unwatch()
    persist().catch((error: unknown) => console.info('cannot request persistent storage', error))
  })
}

interface TrustedTypesHere {
  readonly trustedTypes?: { readonly createPolicy: (name: string, rules: object) => unknown }
}

/** Sanitizes pasted HTML; undefined until the screens are loaded, before which nothing parses HTML. */
type Sanitizer = ((html: string) => string) | undefined

/**
 * Installs the default policy for Trusted Types, which the content security policy of the page requires. Only files of
 * this app may become workers. HTML, for example text pasted into a note, is sanitized.
 */
const trustOwnScripts = (home: string, sanitizer: Observable<Sanitizer>): void => {
  const { trustedTypes } = globalThis as TrustedTypesHere
  trustedTypes?.createPolicy('default', {
    // The browser rejects the text after null.
    createHTML: (html: string) => sanitizer.read()?.(html) ?? null,
    createScriptURL: (url: string) => (new URL(url, home).href.startsWith(home) ? url : null),
  })
}

const appLocation = locateApp(location.href)
const page = document.getElementById('app')
if (page === null) throw new Error('the page has no element for the app')

const sanitizer = createObservable<Sanitizer>(undefined)
trustOwnScripts(appLocation.home, sanitizer)
const loadScreens: LoadScreens = async () => {
  const [{ ItemScreen, sanitizePasted }, { TagsScreen }, { RecentScreen }, { HelpScreen, SettingsScreen }] =
    await Promise.all([
      import('./screens/item-screen.tsx'),
      import('./screens/tags-screen.tsx'),
      import('./screens/recent-screen.tsx'),
      import('./screens/settings-screen.tsx'),
    ])
  sanitizer.set(sanitizePasted)
  return { ItemScreen, TagsScreen, RecentScreen, SettingsScreen, HelpScreen }
}
applyTheme(readTheme())
const { stage } = startApp({
  location: appLocation,
  url: location.href,
  goTo: (url) => location.assign(url),
  replaceUrl: (url) => history.replaceState(null, '', url),
  readUrl: () => location.href,
  storage: findStorage(),
  isSeen: () => document.visibilityState === 'visible',
  watchOnline: (listener) => {
    addEventListener('online', listener)
    return () => removeEventListener('online', listener)
  },
  watchSeen: (listener) => {
    document.addEventListener('visibilitychange', listener)
    return () => document.removeEventListener('visibilitychange', listener)
  },
})
requestPersistence(stage)
keepFocus(page)
await loadWords(readLanguages())
render(
  <InstallContext.Provider value={watchInstall()}>
    <Root stage={stage} updates={watchUpdates(appLocation.home)} loadScreens={loadScreens} />
  </InstallContext.Provider>,
  page,
)
