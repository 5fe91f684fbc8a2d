import type { ComponentChildren } from 'preact'
import { describeOpening, describeSignIn } from './data/messages.ts'
import { createObservable, type Observable } from './data/observable.ts'
import type { AppStage } from './data/start-app.ts'
import { useObservable } from './parts/context.tsx'
import { Icon, Logo, Mark } from './parts/icon.tsx'
import { chooseWords, readLanguages } from './parts/preferences.ts'
import { AccountScreen, type LoadScreens } from './screens/account-screen.tsx'

/** A newer build of the app that is ready for use; undefined if there is none. */
type Update = { readonly use: () => void } | undefined

/** The interval at which a page that stays open checks for a newer build. */
const updateIntervalMilliseconds = 3_600_000

/**
 * Registers the service worker, which starts the app without the network. A newer build waits until the user selects
 * it, or until no page of this build is open, so that no work of the user is interrupted.
 */
export const watchUpdates = (home: string): Observable<Update> => {
  const update = createObservable<Update>(undefined)
  const { serviceWorker } = navigator
  if (serviceWorker === undefined) return update
  const offer = (worker: ServiceWorker): void => {
    const use = () => {
      serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
      worker.postMessage('take over')
    }
    if (worker.state === 'installed' && serviceWorker.controller !== null) update.set({ use })
  }
  const follow = (worker: ServiceWorker | null): void => {
    if (worker === null) return
    worker.addEventListener('statechange', () => offer(worker))
    offer(worker)
  }
  const register = async (): Promise<void> => {
    const registration = await serviceWorker.register(`${home}service-worker.js`, {
      scope: home,
      updateViaCache: 'none',
    })
    follow(registration.waiting)
    registration.addEventListener('updatefound', () => follow(registration.installing))
    // Without the network, the check fails, and there is no newer build.
    setInterval(() => registration.update().catch(() => undefined), updateIntervalMilliseconds)
  }
  register().catch((error: unknown) => console.warn('the app will not start without the network', error))
  return update
}

const sampleColors = ['#3f9a55', '#6a68d9', '#c79a1e']

interface SheetProps {
  readonly title: string
  readonly more?: string
  /** Whether this page is the first that a user sees. */
  readonly isWelcome?: true
  readonly children: ComponentChildren
}

const Sheet = ({ title, more, isWelcome, children }: SheetProps) => (
  <>
    <header class="top">
      <div class="top-row">
        <Mark />
      </div>
    </header>
    <main class={`page narrow alone front ${isWelcome ? 'welcome' : ''}`} tabIndex={-1}>
      {isWelcome && <Logo />}
      <div class="head">
        <h1>{title}</h1>
        {more !== undefined && <p>{more}</p>}
      </div>
      {children}
    </main>
  </>
)

interface RootProps {
  readonly stage: Observable<AppStage>
  readonly updates: Observable<Update>
  readonly loadScreens: LoadScreens
}

/** The root of the app: sign-in, another tab, a problem, or the open account. */
export const Root = ({ stage, updates, loadScreens }: RootProps) => {
  const shown = useObservable(stage)
  const update = useObservable(updates)
  const words = chooseWords(readLanguages())
  const texts = words.front
  const renew = update && (
    <button type="button" onClick={update.use}>
      {texts.useNewVersion}
    </button>
  )
  if (shown.kind === 'open') {
    return (
      <>
        {renew && <p class="renew">{renew}</p>}
        <AccountScreen key={shown.app.account} app={shown.app} loadScreens={loadScreens} />
      </>
    )
  }
  if (shown.kind === 'opening') return <main class="front" aria-busy="true" tabIndex={-1} />
  if (shown.kind === 'elsewhere') {
    return (
      <Sheet title={texts.elsewhere} more={texts.elsewhereMore}>
        <button type="button" class="main" onClick={shown.takeOver}>
          {texts.takeOver}
        </button>
      </Sheet>
    )
  }
  if (shown.kind === 'problem') {
    return (
      <Sheet title={texts.cannotOpen}>
        <p class="note bad" role="alert">
          {describeOpening(shown.problem, words)}
        </p>
        <button type="button" onClick={shown.tryAgain}>
          {texts.tryAgain}
        </button>
        {renew}
      </Sheet>
    )
  }
  return (
    <Sheet title={texts.welcome} more={texts.welcomeMore} isWelcome={true}>
      {shown.problem !== undefined && (
        <p class="note bad" role="alert">
          {describeSignIn(shown.problem, words)}
        </p>
      )}
      {shown.isSignOutPending && (
        <p class="note bad" role="status">
          {words.state.signOutPending}
        </p>
      )}
      <button type="button" class="main" onClick={shown.signIn}>
        {texts.signIn}
      </button>
      <p class="soft">{texts.noAccount}</p>
      {/* An example, which only shows what a list looks like. */}
      <ul class="sample" aria-hidden="true">
        {texts.sample.map(([title, tag], index) => (
          <li key={tag}>
            {index === 0 ? <span class="ring" /> : <Icon name={index === 1 ? 'link' : 'note'} />}
            <b>{title}</b>
            <span class="tag" style={{ '--tag': sampleColors[index] }}>
              {tag}
            </span>
          </li>
        ))}
      </ul>
      <ul class="points">
        {texts.points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
    </Sheet>
  )
}
