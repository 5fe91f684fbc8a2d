import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ThingVersion } from '../../client/src/index.ts'
import { readSearchedWords } from '../data/excerpts.ts'
import { describeState, nameThing } from '../data/messages.ts'
import { navigationScreens, type Screen, type ViewState } from '../data/view-state.ts'
import { Link, useObservable, useShared } from './context.tsx'
import { formatClock } from './format-date.ts'
import { Icon } from './icon.tsx'
import { TagPane } from './tags.tsx'

/** The width from which tags, list and item are side by side (style/panes.css). */
export const wideWindow = '(width >= 68.75rem)'

/** Whether the window matches a media query; renders again when that changes. */
export const useMedia = (query: string): boolean => {
  const [media] = useState(() => matchMedia(query))
  const [matches, setMatches] = useState(media.matches)
  useLayoutEffect(() => {
    const read = () => setMatches(media.matches)
    read()
    media.addEventListener('change', read)
    return () => media.removeEventListener('change', read)
  }, [media])
  return matches
}

/** The links to all screens. */
export const ScreenNavigation = ({ screen }: { readonly screen: Screen }) => {
  const { words } = useShared().model
  return (
    <nav class="nav" aria-label={words.screens}>
      <ul>
        {navigationScreens.map((name) => (
          <li key={name}>
            <Link to={{ screen: name, query: '' }} aria-current={name === screen ? 'page' : undefined}>
              {words[name]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** The left pane of a wide window: the screens, the saved searches, and the tags. */
export const SidePane = ({ screen, query }: { readonly screen: Screen; readonly query: string }) => (
  <div class="side">
    <ScreenNavigation screen={screen} />
    <TagPane query={screen === 'things' ? query : ''} />
  </div>
)

/** Shows the line that adds an item, and moves the focus there. On a phone, the line is hidden until then. */
export const openAddLine = (): void => {
  document.documentElement.dataset.adding = ''
  document.getElementById('add')?.focus()
}

/** Hides the line that adds an item, on a phone, when the focus leaves it. The typed text stays in its draft. */
export const closeAddLine = ({ relatedTarget, currentTarget }: FocusEvent): void => {
  const isInside =
    relatedTarget instanceof Node && currentTarget instanceof Node && currentTarget.contains(relatedTarget)
  // The field of a window in the background keeps the focus.
  if (!isInside && document.hasFocus()) delete document.documentElement.dataset.adding
}

const linksOfMore = navigationScreens.filter((name) => name !== 'things' && name !== 'tags')

/** The link back from a screen that a phone reaches by its screen "More". */
export const BackToMore = ({ screen }: { readonly screen: Screen }) => {
  const { words } = useShared().model
  if (!linksOfMore.some((name) => name === screen)) return null
  return (
    <Link class="to-more" to={{ screen: 'more', query: '' }}>
      <span aria-hidden="true">←</span> {words.more}
    </Link>
  )
}
const screensOfMore: readonly Screen[] = ['more', ...linksOfMore]

/** The bar at the bottom of a phone. Its dot shows that something waits or is wrong; the state line says it. */
export const TabBar = ({ view, onSearch }: { readonly view: ViewState; readonly onSearch: () => void }) => {
  const { model } = useShared()
  const { app, words } = model
  const { screen } = view
  const { tone } = describeState(useObservable(app.state), words, (at) => formatClock(at, words.code))
  const current = (isCurrent: boolean) => (isCurrent ? 'page' : undefined)
  // An open item is an item, also if a search has found it.
  const isSearch = screen === 'things' && view.thing === undefined && readSearchedWords(view.query).length > 0
  return (
    <nav class="tab-bar" aria-label={words.screens}>
      <Link class="tab" to={{ screen: 'things', query: '' }} aria-current={current(screen === 'things' && !isSearch)}>
        <Icon name="list" />
        {words.things}
      </Link>
      <Link class="tab" to={{ screen: 'tags', query: '' }} aria-current={current(screen === 'tags')}>
        <Icon name="tag" />
        {words.tags}
      </Link>
      <button type="button" class="main" onClick={openAddLine}>
        <Icon name="plus" />
        <span class="aside">{words.add.button}</span>
      </button>
      <button type="button" class="search" aria-current={current(isSearch)} onClick={onSearch}>
        <Icon name="search" />
        {words.search.label}
      </button>
      <Link class="tab" to={{ screen: 'more', query: '' }} aria-current={current(screensOfMore.includes(screen))}>
        <Icon name="more" />
        {tone !== 'quiet' && <span class={`dot ${tone}`} aria-hidden="true" />}
        {`${words.more} `}
        <span class="aside">{words.moreScreens}</span>
      </Link>
    </nav>
  )
}

/** The screen of a phone with the links that its bar has no room for, and the sentence of its dot. */
export const MoreScreen = () => {
  const { app, words } = useShared().model
  const state = useObservable(app.state)
  const { text } = describeState(state, words, (at) => formatClock(at, words.code))
  const { account, signOut } = words.settingsScreen
  // The settings may still be loading.
  const focusSignOut = (frames = 120) => {
    requestAnimationFrame(() => {
      const button = document.getElementById('sign-out')
      if (button === null && frames > 0) focusSignOut(frames - 1)
      button?.focus()
      // The bar covers the lower edge of the page.
      button?.scrollIntoView({ block: 'center' })
    })
  }
  return (
    <section class="sheet">
      <h1>{words.more}</h1>
      <p class="soft">{text}</p>
      <ul class="rows more-links">
        {linksOfMore.map((name) => (
          <li key={name}>
            <Link to={{ screen: name, query: '' }}>
              {words[name]}
              <Icon name="chevron" />
            </Link>
          </li>
        ))}
        <li>
          <a href="./account">
            {account}
            <Icon name="chevron" />
          </a>
        </li>
        {state.status !== 'signed_out' && (
          <li>
            <Link to={{ screen: 'settings', query: '' }} onFollow={() => focusSignOut()}>
              {signOut}
            </Link>
          </li>
        )}
      </ul>
    </section>
  )
}

/** The distance of a pull, in CSS pixels: the page follows at half the speed. */
const minPullPixels = 140

/** Synchronizes when a finger pulls the list down at the top of the page; shows a turning icon. */
export const PullToRefresh = ({ onRefresh }: { readonly onRefresh: () => void }) => {
  const indicator = useRef<HTMLDivElement>(null)
  const refresh = useRef(onRefresh)
  refresh.current = onRefresh
  useEffect(() => {
    let from: number | undefined
    let pulled = 0
    const show = (pixels: number) => {
      pulled = pixels
      const element = indicator.current
      if (element === null) return
      element.classList.toggle('armed', pixels >= minPullPixels)
      element.style.translate = pixels === 0 ? '' : `0 ${Math.min(pixels, minPullPixels * 1.2) / 2}px`
      element.style.rotate = pixels === 0 ? '' : `${pixels * 2}deg`
    }
    const begin = ({ touches, target }: TouchEvent) => {
      const isList = target instanceof Element && target.closest('.things') !== null
      from = touches.length === 1 && isList && scrollY <= 0 ? touches[0]?.clientY : undefined
    }
    const move = ({ touches }: TouchEvent) => {
      if (from === undefined) return
      show(scrollY > 0 ? 0 : Math.max(0, (touches[0]?.clientY ?? from) - from))
    }
    const end = () => {
      if (from !== undefined && pulled >= minPullPixels) refresh.current()
      from = undefined
      show(0)
    }
    const listeners = [
      ['touchstart', begin],
      ['touchmove', move],
      ['touchend', end],
      ['touchcancel', end],
    ] as const
    for (const [name, listener] of listeners) addEventListener(name, listener as EventListener, { passive: true })
    return () => {
      for (const [name, listener] of listeners) removeEventListener(name, listener as EventListener)
    }
  }, [])
  return (
    <div class="pull" ref={indicator} aria-hidden="true">
      <Icon name="refresh" />
    </div>
  )
}

const maxNameCharacters = 60

/**
 * A quiet notice of edits of this device that other devices replaced or deleted. It stays until the user dismisses it,
 * or restores the version of this device. Screen readers announce it once, because its text is in a status region.
 */
export const ConflictNotice = () => {
  const { model, navigation } = useShared()
  const unseen = useObservable(model.conflicts.unseen)
  const { screen, thing } = useObservable(navigation.view)
  const texts = model.words.conflict
  // The screen "History" lists all of them.
  const [first, second] = screen === 'recent' ? [] : unseen
  const describe = ({ why, content }: ThingVersion) => {
    const name = nameThing(content, model.words).slice(0, maxNameCharacters)
    return why === 'deleted' ? texts.deleted(name) : texts.overwritten(name)
  }
  const show = () => {
    if (second !== undefined) return navigation.go({ screen: 'recent', query: '' })
    if (first !== undefined) navigation.go({ screen: 'things', query: '', thing: first.id })
  }
  const restore = async ({ id, name }: ThingVersion) => {
    if (await model.attempt(() => model.app.replica.restoreVersion(id, name))) model.conflicts.dismissItem(id)
  }
  return (
    <div class="conflict" role="status">
      {first !== undefined && (
        <>
          <p>
            <bdi>{second === undefined ? describe(first) : texts.many(unseen.length)}</bdi>
          </p>
          <div class="acts">
            {(second !== undefined || thing !== first.id) && (
              <button type="button" class="plain" onClick={show}>
                {texts.show}
              </button>
            )}
            {second === undefined && (
              <button type="button" class="plain" onClick={() => restore(first)}>
                {texts.restore}
              </button>
            )}
            <button type="button" class="plain" onClick={() => model.conflicts.dismiss(unseen)}>
              {texts.dismiss}
            </button>
          </div>
        </>
      )}
    </div>
  )
}
