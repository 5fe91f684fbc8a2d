import { describeState } from '../data/describe-state.ts'
import { useShared } from './desk-context.ts'
import { formatClock } from './format-date.ts'
import { useObservable } from './use-observable.ts'

/** Says in one quiet line whether everything is safe. */
export const StateLine = () => {
  const { desk, navigation } = useShared()
  const { app, words } = desk
  const { text, tone, offer } = describeState(useObservable(app.state), words, (at) => formatClock(at, words.code))
  const act = {
    signIn: () => desk.attempt(app.signIn),
    tryNow: app.wake,
    look: () => navigation.go({ screen: 'recent', query: '' }),
  }
  return (
    <p class={`state ${tone}`}>
      <span class="dot" aria-hidden="true" />
      <span role="status">{text}</span>
      {offer !== undefined && (
        <button type="button" class="plain" onClick={act[offer]}>
          {words.state[offer]}
        </button>
      )}
    </p>
  )
}
