import { useLayoutEffect, useRef } from 'preact/hooks'

/** What keys do, by `KeyboardEvent.key`. */
export type Keys = Readonly<Record<string, ((event: KeyboardEvent) => void) | undefined>>

const typedInputs = ['text', 'search', 'url', 'datetime-local', 'password', 'email', 'number', 'color']

/** Whether keys write text there. */
export const isTypedIn = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement ||
  (target instanceof HTMLInputElement && typedInputs.includes(target.type)) ||
  (target instanceof HTMLElement && target.isContentEditable)

/** Listens to keys while it is drawn and `isOn`, wherever the focus is, but where text is typed. */
export const useKeys = (keys: Keys, isOn = true): void => {
  // The next key may come before an effect of this drawing runs.
  const latest = useRef(keys)
  latest.current = keys
  // Before it is seen: the next key may come before the next frame, too.
  useLayoutEffect(() => {
    if (!isOn) return
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
      if (isTypedIn(event.target)) {
        if (event.key === 'Escape') (event.target as HTMLElement).blur()
        return
      }
      const act = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : undefined
      if (act === undefined) return
      event.preventDefault()
      act(event)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [isOn])
}
