import { useState } from 'preact/hooks'
import { Bookmarklet, useInstall } from '../parts/capture.tsx'
import { useObservable, useShared } from '../parts/context.tsx'
import {
  applyTheme,
  chooseImages,
  languages,
  readTheme,
  type Theme,
  themes,
  writePreference,
} from '../parts/preferences.ts'

/** The choice of a theme; it shows at once. */
const ThemeField = () => {
  const texts = useShared().model.words.settingsScreen
  const [theme, setTheme] = useState(readTheme)
  const choose = (next: Theme) => {
    setTheme(next)
    writePreference('theme', next)
    applyTheme(next)
  }
  return (
    <fieldset class="field themes">
      <legend>{texts.theme}</legend>
      {themes.map((one) => (
        <div class="choice" key={one}>
          <input type="radio" id={`theme-${one}`} name="theme" checked={one === theme} onChange={() => choose(one)} />
          <label for={`theme-${one}`}>{texts.themes[one]}</label>
        </div>
      ))}
    </fieldset>
  )
}

/** The settings of this browser, and the sign-out. */
export const SettingsScreen = () => {
  const { model, preferences } = useShared()
  const { pending, status } = useObservable(model.app.state)
  const isSignedOut = status === 'signed_out'
  const [mustConfirm, setMustConfirm] = useState(false)
  const [removesAll, setRemovesAll] = useState(true)
  const [cannotLoad, setCannotLoad] = useState(false)
  const install = useInstall()
  const texts = model.words.settingsScreen
  const setImages = (shows: boolean) =>
    model.attempt(async () => {
      if (await chooseImages(shows)) location.reload()
      else setCannotLoad(true)
    })
  // The add line is visible, so its draft does not count. Unsaved forms count.
  const unsent = pending + model.listUnsaved().size
  const signOut = (forget: boolean) => {
    if (forget && unsent > 0 && !mustConfirm) return setMustConfirm(true)
    setMustConfirm(false)
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
          {languages.map(({ code, name }) => (
            <option key={code} value={code} lang={code}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <ThemeField />
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
      <h2 class="for-mouse">{texts.bookmarklet}</h2>
      <p class="for-mouse">{texts.bookmarkletHint}</p>
      <p class="for-mouse">
        <Bookmarklet />
      </p>
      {install && (
        <>
          <h2>{model.words.start.install}</h2>
          <p>{model.words.start.installText}</p>
          <p>
            <button type="button" onClick={install}>
              {model.words.start.install}
            </button>
          </p>
        </>
      )}
      <h2>{texts.account}</h2>
      <p>{isSignedOut ? texts.signedOutFrom(model.app.account) : texts.signedInAs(model.app.account)}</p>
      <p>
        <a href="./account">{texts.accountLink}</a>
      </p>
      {!isSignedOut && (
        <div class="choice">
          <input
            type="checkbox"
            id="remove-all"
            checked={removesAll}
            aria-labelledby="remove-all-name"
            aria-describedby="remove-all-hint"
            onChange={({ currentTarget }) => setRemovesAll(currentTarget.checked)}
          />
          <label for="remove-all">
            <span id="remove-all-name">{texts.removeAll}</span>
            <span class="hint" id="remove-all-hint">
              {texts.removeAllHint}
            </span>
          </label>
        </div>
      )}
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
          <button type="button" id="sign-out" onClick={() => signOut(removesAll)}>
            {texts.signOut}
          </button>
        )}
        {isSignedOut && (
          <button type="button" class="grave" onClick={() => signOut(true)}>
            {texts.forget}
          </button>
        )}
      </div>
    </section>
  )
}

interface FactsProps {
  readonly facts: readonly (readonly [string, string])[]
  /** The element of each term. */
  readonly as?: 'code' | 'kbd' | 'span'
}

const Facts = ({ facts, as: Term = 'code' }: FactsProps) => (
  <dl class="facts keys">
    {facts.map(([term, meaning]) => (
      <div key={term}>
        <dt>
          <Term>{term}</Term>
        </dt>
        <dd>{meaning}</dd>
      </div>
    ))}
  </dl>
)

/** The help: how to add and to search, all keys, and the gestures, which are first on a touch screen. */
export const HelpScreen = () => {
  const { words } = useShared().model
  const texts = words.helpScreen
  const [hasKeys] = useState(() => !matchMedia('(hover: none), (width < 48rem)').matches)
  const gestures = (
    <>
      <h2>{texts.touch}</h2>
      <Facts facts={texts.gestures} as="span" />
    </>
  )
  return (
    <section class="sheet help">
      <h1>{words.help}</h1>
      {!hasKeys && gestures}
      <h2>{texts.adding}</h2>
      <p>{texts.addingText}</p>
      <Facts facts={Object.entries(texts.add)} />
      <p>{texts.todos}</p>
      <h2>{texts.searching}</h2>
      <Facts facts={Object.entries(texts.search)} />
      <details class="help-keys" open={hasKeys}>
        <summary>
          <h2>{texts.keys}</h2>
        </summary>
        <Facts facts={Object.entries(texts.key)} as="kbd" />
      </details>
      {hasKeys && gestures}
    </section>
  )
}
