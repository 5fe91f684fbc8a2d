import { isTypedIn } from './use-keys.ts'

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
