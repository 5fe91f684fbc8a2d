import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Link, useObservable, useShared } from '../parts/context.tsx'
import { chooseImages } from '../parts/preferences.ts'
import { languages } from '../words/choose-words.ts'

const bookmarkletFor = (home: string): string =>
  `javascript:void open('${home}?title='+encodeURIComponent(document.title)+'&url='+encodeURIComponent(location.href))`

/** What a person chooses for this browser, and the way out. */
export const SettingsScreen = () => {
  const { model: desk, preferences } = useShared()
  const { pending, status } = useObservable(desk.app.state)
  const isSignedOut = status === 'signed_out'
  const [mustConfirm, setMustConfirm] = useState(false)
  const [cannotLoad, setCannotLoad] = useState(false)
  const bookmarklet = useRef<HTMLAnchorElement>(null)
  const say = desk.words.settingsScreen
  useLayoutEffect(() => {
    // A script as an address: only to be dragged away.
    bookmarklet.current?.setAttribute('href', bookmarkletFor(`${location.origin}${location.pathname}`))
  }, [])
  const setImages = (shows: boolean) =>
    desk.attempt(async () => {
      if (await chooseImages(shows)) location.reload()
      else setCannotLoad(true)
    })
  // The line is in sight at the top; what was typed into a form is not.
  const unsent = pending + desk.listUnsaved().size
  const signOut = (forget: boolean) => {
    if (forget && unsent > 0 && !mustConfirm) return setMustConfirm(true)
    desk.attempt(async () => {
      if (forget) desk.forgetDrafts()
      await desk.app.signOut({ forget })
    })
  }
  return (
    <section class="sheet">
      <h1>{desk.words.settings}</h1>
      <div class="field">
        <label for="language">{say.language}</label>
        <select
          id="language"
          value={desk.words.code}
          onChange={({ currentTarget }) => preferences.setLanguage(currentTarget.value)}
        >
          {languages.map(({ code, language }) => (
            <option key={code} value={code} lang={code}>
              {language}
            </option>
          ))}
        </select>
      </div>
      <div class="choice">
        <input
          type="checkbox"
          id="images"
          checked={preferences.showsImages}
          aria-labelledby="images-name"
          aria-describedby="images-hint"
          onChange={({ currentTarget }) => setImages(currentTarget.checked)}
        />
        <label for="images">
          <span id="images-name">{say.images}</span>
          <span class="hint" id="images-hint">
            {say.imagesHint}
          </span>
        </label>
      </div>
      {cannotLoad && (
        <p class="note bad" role="alert">
          {say.imagesLater}
        </p>
      )}
      <h2>{desk.words.transfer}</h2>
      <p>
        <Link to={{ screen: 'transfer', query: '' }}>{desk.words.transferScreen.link}</Link>
      </p>
      <h2>{say.bookmarklet}</h2>
      <p>{say.bookmarkletHint}</p>
      <p>
        {/* biome-ignore lint/a11y/useValidAnchor: a bookmarklet is a link to be dragged; the policy lets nothing run it here */}
        <a class="button" ref={bookmarklet}>
          {say.bookmarkletName}
        </a>
      </p>
      <h2>{say.account}</h2>
      <p>{isSignedOut ? say.signedOutFrom(desk.app.account) : say.signedInAs(desk.app.account)}</p>
      <p>
        <a href="./account">{say.accountLink}</a>
      </p>
      {mustConfirm && (
        <p class="note bad" role="alert">
          {say.signOutPending(unsent)}
        </p>
      )}
      <div class="buttons">
        {isSignedOut ? (
          <button type="button" class="main" onClick={() => desk.attempt(desk.app.signIn)}>
            {desk.words.state.signIn}
          </button>
        ) : (
          <button type="button" onClick={() => signOut(false)}>
            {say.signOut}
          </button>
        )}
        <button type="button" class="grave" onClick={() => signOut(true)}>
          {isSignedOut ? say.forget : say.signOutForget}
        </button>
      </div>
    </section>
  )
}
