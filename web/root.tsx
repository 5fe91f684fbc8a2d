import type { ComponentChildren } from 'preact'
import { describeOpening, describeSignIn } from './data/describe-problem.ts'
import type { Observable } from './data/observable.ts'
import type { Front } from './data/open-front.ts'
import { Mark } from './parts/icon.tsx'
import { readPreference } from './parts/preferences.ts'
import { useObservable } from './parts/use-observable.ts'
import { DeskScreen } from './screens/desk-screen.tsx'
import type { Update } from './watch-updates.ts'
import { chooseWords } from './words/choose-words.ts'

interface SheetProps {
  readonly title: string
  readonly more?: string
  readonly children: ComponentChildren
}

const Sheet = ({ title, more, children }: SheetProps) => (
  <>
    <header class="top">
      <div class="top-row">
        <Mark />
      </div>
    </header>
    <main class="page narrow front" tabIndex={-1}>
      <div class="head">
        <h1>{title}</h1>
        {more !== undefined && <p>{more}</p>}
      </div>
      {children}
    </main>
  </>
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
  if (shown.kind === 'opening') return <main class="front" aria-busy="true" tabIndex={-1} />
  if (shown.kind === 'elsewhere') {
    return (
      <Sheet title={say.elsewhere} more={say.elsewhereMore}>
        <button type="button" class="main" onClick={shown.takeOver}>
          {say.takeOver}
        </button>
      </Sheet>
    )
  }
  if (shown.kind === 'problem') {
    return (
      <Sheet title={say.cannotOpen}>
        <p class="note bad" role="alert">
          {describeOpening(shown.problem, words)}
        </p>
        <button type="button" onClick={shown.tryAgain}>
          {say.tryAgain}
        </button>
        {renew}
      </Sheet>
    )
  }
  return (
    <Sheet title={say.welcome} more={say.welcomeMore}>
      {shown.problem !== undefined && (
        <p class="note bad" role="alert">
          {describeSignIn(shown.problem, words)}
        </p>
      )}
      {shown.isLeaving && (
        <p class="note bad" role="status">
          {words.state.leaving}
        </p>
      )}
      <button type="button" class="main" onClick={shown.signIn}>
        {say.signIn}
      </button>
    </Sheet>
  )
}
