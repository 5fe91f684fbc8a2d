import { useLayoutEffect, useRef } from 'preact/hooks'

/** What keys do, by `KeyboardEvent.key`. */
type Keys = Readonly<Record<string, ((event: KeyboardEvent) => void) | undefined>>

const typedInputs = ['text', 'search', 'url', 'datetime-local', 'password', 'email', 'number', 'color']

/** Whether keys write text there. */
const isTypedIn = (target: EventTarget | null): boolean =>
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

/** An element around what had the focus, and the place in it. */
interface Around {
  readonly element: Element
  readonly place: number
}

const reachable = 'a[href], button:enabled, input:enabled, select, summary, [tabindex="0"]'

const listAround = (target: Element): readonly Around[] => {
  const around: Around[] = []
  for (let at = target; at.parentElement !== null && at.tagName !== 'MAIN'; at = at.parentElement)
    around.push({ element: at.parentElement, place: [...at.parentElement.children].indexOf(at) })
  return around
}

/** What can be reached in an element, or is it; a field for text would take the keys of the list, and open a keyboard. */
const listReachable = (element: Element | undefined): readonly HTMLElement[] =>
  element === undefined
    ? []
    : [element, ...element.querySelectorAll('*')].filter(
        (each): each is HTMLElement =>
          each instanceof HTMLElement &&
          each.matches(reachable) &&
          each.checkVisibility() &&
          (each.matches('input[type=color], select') || !isTypedIn(each)),
      )

const findNear = (around: readonly Around[]): HTMLElement | null => {
  for (const { element, place } of around) {
    if (element.tagName === 'MAIN') break
    if (!element.isConnected) continue
    const near = listReachable(element.children[place])[0] ?? listReachable(element.children[place - 1]).at(-1)
    if (near !== undefined) return near
  }
  return document.querySelector('main')
}

/**
 * Watches a page: where an element goes away that has the focus, as a button that has done its work, what is nearest to it is
 * given the focus. Without it, who hears the page or has no mouse would be at the top again. Whatever takes the focus in the
 * next two frames keeps it.
 */
export const keepFocus = (page: HTMLElement): void => {
  let focused: HTMLElement | undefined
  let around: readonly Around[] = []
  const isNowhere = () => document.activeElement === null || document.activeElement === document.body
  page.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return
    focused = target
    around = listAround(target)
  })
  page.addEventListener('focusout', ({ target }) =>
    requestAnimationFrame(() => {
      // It was left, as with Escape, and is not gone.
      if (focused === target && focused?.isConnected === true && isNowhere()) focused = undefined
    }),
  )
  const give = () => {
    if (focused?.isConnected !== false || !isNowhere()) return
    focused = undefined
    findNear(around)?.focus({ preventScroll: true })
  }
  new MutationObserver(() => {
    if (focused?.isConnected === false) requestAnimationFrame(() => requestAnimationFrame(give))
  }).observe(page, { childList: true, subtree: true })
}
