import { useEffect, useRef, useState } from 'preact/hooks'
import { useShared } from './desk-context.ts'
import { useObservable } from './use-observable.ts'

const shownMilliseconds = 10_000

/** What was done last, for ten seconds, with a button that takes it back. */
export const UndoToast = () => {
  const { desk } = useShared()
  const deed = useObservable(desk.undo.news)
  const [overKey, setOverKey] = useState<string>()
  const toast = useRef<HTMLDivElement>(null)
  const say = desk.words
  // A deed that was taken back is news again.
  const key = deed === undefined ? undefined : `${deed.key} ${deed.isUndone}`
  useEffect(() => {
    if (key === undefined) return
    // It stays for as long as somebody has come to its button by keyboard.
    const hide = () => toast.current?.querySelector(':focus-visible') === null && setOverKey(key)
    const timer = setInterval(hide, shownMilliseconds)
    return () => clearInterval(timer)
  }, [key])
  const isShown = deed !== undefined && key !== overKey
  return (
    <div class="toast" role="status" ref={toast}>
      {isShown && (
        <p>
          <bdi class="deed">
            {deed.isUndone ? `${say.undone}: ` : ''}
            {say.deed[deed.kind](deed.name.slice(0, 60), deed.count)}
          </bdi>
          <button type="button" class="plain" onClick={() => desk.attempt(() => desk.undo.undo(deed.key))}>
            {deed.isUndone ? say.recentScreen.redo : say.recentScreen.undo}
          </button>
        </p>
      )}
    </div>
  )
}
