import type { ComponentChildren } from 'preact'
import { describeOpening, describeSignIn } from './data/describe-problem.ts'
import type { Observable } from './data/observable.ts'
import type { Front } from './data/open-front.ts'
import { readPreference } from './parts/preferences.ts'
import { useObservable } from './parts/use-observable.ts'
import { DeskScreen } from './screens/desk-screen.tsx'
import type { Update } from './watch-updates.ts'
import { chooseWords } from './words/choose-words.ts'

const Sheet = ({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) => (
  <main class="page narrow">
    <section class="sheet">
      <h1>{title}</h1>
      {children}
    </section>
  </main>
)

/** What the app shows before it has things to show. */
export const Root = ({ front, updates }: { front: Observable<Front>; updates: Observable<Update> }) => {
  const shown = useObservable(front)
  const update = useObservable(updates)
  const words = chooseWords([readPreference('language') ?? '', ...navigator.languages])
  const say = words.front
  const renew = update && (
    <button type="button" onClick={update.use}>
      {say.useNewVersion}
    </button>
  )
  if (shown.kind === 'open') {
    return (
      <>
        {renew && <p class="renew">{renew}</p>}
        <DeskScreen key={shown.app.account} app={shown.app} />
      </>
    )
  }
  if (shown.kind === 'opening') return <main aria-busy="true" />
  if (shown.kind === 'elsewhere') {
    return (
      <Sheet title={say.elsewhere}>
        <p>{say.elsewhereMore}</p>
        <button type="button" onClick={shown.takeOver}>
          {say.takeOver}
        </button>
      </Sheet>
    )
  }
  if (shown.kind === 'problem') {
    return (
      <Sheet title={say.cannotOpen}>
        <p role="alert">{describeOpening(shown.problem, words)}</p>
        <button type="button" onClick={shown.tryAgain}>
          {say.tryAgain}
        </button>
        {renew}
      </Sheet>
    )
  }
  return (
    <Sheet title={say.welcome}>
      {shown.problem !== undefined && <p role="alert">{describeSignIn(shown.problem, words)}</p>}
      <button type="button" class="main" onClick={shown.signIn}>
        {say.signIn}
      </button>
    </Sheet>
  )
}
