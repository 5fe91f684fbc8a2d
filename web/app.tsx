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
import { askToKeep } from './ask-to-keep.ts'
import { openFront } from './data/open-front.ts'
import { findPlace } from './data/place.ts'
import { allowOwnScripts } from './own-scripts.ts'
import { keepFocus } from './parts/keep-focus.ts'
import { findStorage } from './parts/preferences.ts'
import { Root } from './root.tsx'
import { watchUpdates } from './watch-updates.ts'

const place = findPlace(location.href)
const page = document.getElementById('app')
if (page === null) throw new Error('the page has no place for the app')

allowOwnScripts(place.home)
const { front } = openFront({
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
askToKeep(front)
keepFocus(page)
render(<Root front={front} updates={watchUpdates(place.home)} />, page)
