import { useLayoutEffect, useRef } from 'preact/hooks'

/**
 * The actions of keys, by `KeyboardEvent.key`; `Mod+` stands for Control or, on a Mac, Command. An action that returns
 * false leaves the key to others.
 */
type Keys = Readonly<Record<string, ((event: KeyboardEvent) => unknown) | undefined>>

/** Whether this is an Apple device, which has a Command key, and no Delete key on its laptops. */
const isMac = (): boolean => /mac|iphone|ipad/iu.test(navigator.platform)

/** Returns the name of a pressed key in `Keys`; undefined for a key with other modifiers. */
const nameKey = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): string | undefined => {
  if (altKey || (ctrlKey && metaKey)) return undefined
  if (ctrlKey || metaKey) return metaKey === isMac() ? `Mod+${key}` : undefined
  return key === 'Backspace' && isMac() ? 'Delete' : key
}

/** The keys that act in text fields, too, where they type no text. */
const keysOfFields: readonly string[] = ['Mod+k']

const typedInputs = ['text', 'search', 'url', 'datetime-local', 'password', 'email', 'number', 'color']

/** Whether keys type text into the target. */
export const isTypedIn = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement ||
  (target instanceof HTMLInputElement && typedInputs.includes(target.type)) ||
  (target instanceof HTMLElement && target.isContentEditable)

/** Gives the element with this ID the focus, also if the current event causes its rendering. */
export const focusById = (id: string): void => {
  const focus = (): boolean => {
    const element = document.getElementById(id)
    element?.focus()
    // A hidden element cannot have it.
    return element !== null && element === document.activeElement
  }
  if (focus()) return
  // After the rendering, which is a microtask as well. The next key may arrive before the next frame.
  queueMicrotask(() => {
    if (!focus()) requestAnimationFrame(focus)
  })
}

/** Handles keys of the whole page while the component is rendered and `isOn`, in text fields only `keysOfFields`. */
export const useKeys = (keys: Keys, isOn = true): void => {
  // The next key may arrive before an effect of this rendering runs.
  const latest = useRef(keys)
  latest.current = keys
  // A layout effect, because the next key may arrive before the next frame.
  useLayoutEffect(() => {
    if (!isOn) return
    const onKey = (event: KeyboardEvent) => {
      const name = nameKey(event)
      if (event.defaultPrevented || event.isComposing || name === undefined) return
      if (isTypedIn(event.target) && !keysOfFields.includes(name)) {
        if (name === 'Escape') (event.target as HTMLElement).blur()
        return
      }
      const act = Object.hasOwn(latest.current, name) ? latest.current[name] : undefined
      if (act !== undefined && act(event) !== false) event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [isOn])
}

/** An ancestor of the focused element, and the index of the child on the path. */
interface Ancestor {
  readonly element: Element
  readonly index: number
}

const focusableSelector = 'a[href], button:enabled, input:enabled, select, summary, [tabindex="0"]'

const listAncestors = (target: Element): readonly Ancestor[] => {
  const ancestors: Ancestor[] = []
  for (let at = target; at.parentElement !== null && at.tagName !== 'MAIN'; at = at.parentElement)
    ancestors.push({ element: at.parentElement, index: [...at.parentElement.children].indexOf(at) })
  return ancestors
}

/** Lists the focusable elements in an element and itself; text fields are excluded, because they take all keys. */
const listFocusable = (element: Element | undefined): readonly HTMLElement[] =>
  element === undefined
    ? []
    : [element, ...element.querySelectorAll('*')].filter(
        (each): each is HTMLElement =>
          each instanceof HTMLElement &&
          each.matches(focusableSelector) &&
          each.checkVisibility() &&
          (each.matches('input[type=color], select') || !isTypedIn(each)),
      )

const findNearest = (ancestors: readonly Ancestor[]): HTMLElement | null => {
  for (const { element, index } of ancestors) {
    if (element.tagName === 'MAIN') break
    if (!element.isConnected) continue
    const near = listFocusable(element.children[index])[0] ?? listFocusable(element.children[index - 1]).at(-1)
    if (near !== undefined) return near
  }
  return document.querySelector('main')
}

/**
 * Moves the focus to the nearest element when the focused element is removed, for example a button after its action.
 * Otherwise users of a keyboard or a screen reader would be at the top of the page again. An element that gets the
 * focus in the next two frames keeps it.
 */
export const keepFocus = (page: HTMLElement): void => {
  let focused: HTMLElement | undefined
  let ancestors: readonly Ancestor[] = []
  const isFocusLost = () => document.activeElement === null || document.activeElement === document.body
  page.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return
    focused = target
    ancestors = listAncestors(target)
  })
  page.addEventListener('focusout', ({ target }) =>
    requestAnimationFrame(() => {
      // The element lost the focus, for example by Escape, but was not removed.
      if (focused === target && focused?.isConnected === true && isFocusLost()) focused = undefined
    }),
  )
  const restoreFocus = () => {
    if (focused?.isConnected !== false || !isFocusLost()) return
    focused = undefined
    findNearest(ancestors)?.focus({ preventScroll: true })
  }
  new MutationObserver(() => {
    if (focused?.isConnected === false) requestAnimationFrame(() => requestAnimationFrame(restoreFocus))
  }).observe(page, { childList: true, subtree: true })
}
