import type { Observable } from './data/observable.ts'
import { type AppStage, startApp } from './data/start-app.ts'
import { sanitizePasted } from './parts/note.tsx'
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
import './style/state.css'
import './style/modes.css'
import { render } from 'preact'
import { locateApp } from './data/session.ts'
import { keepFocus } from './parts/keyboard.ts'
import { findStorage } from './parts/preferences.ts'
import { Root, watchUpdates } from './root.tsx'

/**
 * Once there are things, asks the browser not to clear them when it wants room. Some ask the person, others decide by
 * themselves; a no changes nothing that can be seen, so nobody is told.
 */
const requestPersistence = (front: Observable<AppStage>): void => {
  const ask = async () => {
    if (!(await navigator.storage.persisted())) await navigator.storage.persist()
  }
  const unwatch = front.watch(() => {
    if (front.read().kind !== 'open') return
    unwatch()
    ask().catch((error: unknown) => console.info('the browser does not say whether it keeps what is here', error))
  })
}

interface TrustedTypesHere {
  readonly trustedTypes?: { readonly createPolicy: (name: string, rules: object) => unknown }
}

/**
 * Only files of this app become scripts: its workers. What becomes HTML, as what is pasted into a note does, is sanitised.
 * The policy of the page lets nothing else be either (Trusted Types).
 */
const trustOwnScripts = (home: string): void => {
  const { trustedTypes } = globalThis as TrustedTypesHere
  trustedTypes?.createPolicy('default', {
    createHTML: sanitizePasted,
    createScriptURL: (address: string) => (new URL(address, home).href.startsWith(home) ? address : null),
  })
}

const place = locateApp(location.href)
const page = document.getElementById('app')
if (page === null) throw new Error('the page has no place for the app')

trustOwnScripts(place.home)
const { stage: front } = startApp({
  place,
  address: location.href,
  goTo: (address) => location.assign(address),
  showAddress: (address) => history.replaceState(null, '', address),
  readAddress: () => location.href,
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
requestPersistence(front)
keepFocus(page)
render(<Root front={front} updates={watchUpdates(place.home)} />, page)
