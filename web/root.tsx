import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Observable } from './data/observable.ts'
import type { OpenApp } from './data/open-app.ts'
import { type Front, isDenied } from './data/open-front.ts'
import type { Update } from './watch-updates.ts'

const useObservable = <T,>(observable: Observable<T>): T => {
  const [value, setValue] = useState(observable.read)
  useEffect(() => {
    const take = () => setValue(() => observable.read())
    take()
    return observable.watch(take)
  }, [observable])
  return value
}

const Sheet = ({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) => (
  <main class="page narrow">
    <section class="sheet">
      <h1>{title}</h1>
      {children}
    </section>
  </main>
)

const Things = ({ app }: { readonly app: OpenApp }) => {
  const state = useObservable(app.state)
  const [titles, setTitles] = useState<readonly (readonly [string, string])[]>([])
  useEffect(() => {
    const draw = async () => {
      const all: [string, string][] = []
      for await (const { id, title } of app.replica.listThings()) all.push([id, title])
      setTitles(all)
    }
    void draw()
    return app.replica.watch(() => void draw())
  }, [app])
  const add = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const field = form.elements.namedItem('title') as HTMLInputElement
    await app.replica.create({ title: field.value })
    form.reset()
  }
  return (
    <Sheet title={app.account}>
      <p role="status">
        {state.status} {state.pending}
      </p>
      <form onSubmit={add}>
        <label>
          New thing <input name="title" required />
        </label>
        <button type="submit">Add</button>
      </form>
      <ul>
        {titles.map(([id, title]) => (
          <li key={id}>{title}</li>
        ))}
      </ul>
    </Sheet>
  )
}

/** What the app shows before it has things to show. */
export const Root = ({ front, updates }: { front: Observable<Front>; updates: Observable<Update> }) => {
  const shown = useObservable(front)
  const update = useObservable(updates)
  if (shown.kind === 'open') return <Things app={shown.app} />
  if (shown.kind === 'opening') return <main aria-busy="true" />
  if (shown.kind === 'elsewhere') {
    return (
      <Sheet title="Open in another tab">
        <p>Your things are shown in another tab of this browser.</p>
        <button type="button" onClick={shown.takeOver}>
          Use them here
        </button>
      </Sheet>
    )
  }
  if (shown.kind === 'problem') {
    return (
      <Sheet title="Your things cannot be opened">
        <p role="alert">{shown.problem instanceof Error ? shown.problem.message : String(shown.problem)}</p>
        <button type="button" onClick={shown.tryAgain}>
          Try again
        </button>
        {update && (
          <button type="button" onClick={update.use}>
            Use the new version
          </button>
        )}
      </Sheet>
    )
  }
  return (
    <Sheet title="Your things, wherever you are">
      {shown.problem !== undefined && (
        <p role="alert">
          {isDenied(shown.problem) ? 'You did not allow it.' : 'The sign-in did not work. Please try again.'}
        </p>
      )}
      <button type="button" onClick={shown.signIn}>
        Sign in
      </button>
    </Sheet>
  )
}
