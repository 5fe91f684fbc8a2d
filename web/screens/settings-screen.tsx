import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Link, useObservable, useShared } from '../parts/context.tsx'
import { chooseImages } from '../parts/preferences.ts'
import { languages } from '../words/choose-words.ts'

const bookmarkletFor = (home: string): string =>
  `javascript:void open('${home}?title='+encodeURIComponent(document.title)+'&url='+encodeURIComponent(location.href))`

/** The settings of this browser, and the sign-out. */
export const SettingsScreen = () => {
  const { model, preferences } = useShared()
  const { pending, status } = useObservable(model.app.state)
  const isSignedOut = status === 'signed_out'
  const [mustConfirm, setMustConfirm] = useState(false)
  const [cannotLoad, setCannotLoad] = useState(false)
  const bookmarklet = useRef<HTMLAnchorElement>(null)
  const texts = model.words.settingsScreen
  useLayoutEffect(() => {
    // A `javascript:` URL that the user drags to the bookmarks; the policy of the page blocks it here.
    bookmarklet.current?.setAttribute('href', bookmarkletFor(`${location.origin}${location.pathname}`))
  }, [])
  const setImages = (shows: boolean) =>
    model.attempt(async () => {
      if (await chooseImages(shows)) location.reload()
      else setCannotLoad(true)
    })
  // The add line is visible, so its draft does not count. Unsaved forms count.
  const unsent = pending + model.listUnsaved().size
  const signOut = (forget: boolean) => {
    if (forget && unsent > 0 && !mustConfirm) return setMustConfirm(true)
    model.attempt(async () => {
      if (forget) model.forgetDrafts()
      await model.app.signOut({ forget })
    })
  }
  return (
    <section class="sheet">
      <h1>{model.words.settings}</h1>
      <div class="field">
        <label for="language">{texts.language}</label>
        <select
          id="language"
          value={model.words.code}
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
          <span id="images-name">{texts.images}</span>
          <span class="hint" id="images-hint">
            {texts.imagesHint}
          </span>
        </label>
      </div>
      {cannotLoad && (
        <p class="note bad" role="alert">
          {texts.imagesLater}
        </p>
      )}
      <h2>{model.words.transfer}</h2>
      <p>
        <Link to={{ screen: 'transfer', query: '' }}>{model.words.transferScreen.link}</Link>
      </p>
      <h2>{texts.bookmarklet}</h2>
      <p>{texts.bookmarkletHint}</p>
      <p>
        {/* biome-ignore lint/a11y/useValidAnchor: a bookmarklet is a link to be dragged; the policy lets nothing run it here */}
        <a class="button" ref={bookmarklet}>
          {texts.bookmarkletName}
        </a>
      </p>
      <h2>{texts.account}</h2>
      <p>{isSignedOut ? texts.signedOutFrom(model.app.account) : texts.signedInAs(model.app.account)}</p>
      <p>
        <a href="./account">{texts.accountLink}</a>
      </p>
      {mustConfirm && (
        <p class="note bad" role="alert">
          {texts.signOutPending(unsent)}
        </p>
      )}
      <div class="buttons">
        {isSignedOut ? (
          <button type="button" class="main" onClick={() => model.attempt(model.app.signIn)}>
            {model.words.state.signIn}
          </button>
        ) : (
          <button type="button" onClick={() => signOut(false)}>
            {texts.signOut}
          </button>
        )}
        <button type="button" class="grave" onClick={() => signOut(true)}>
          {isSignedOut ? texts.forget : texts.signOutForget}
        </button>
      </div>
    </section>
  )
}
