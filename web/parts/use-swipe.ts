import { useRef } from 'preact/hooks'

/** Far enough to be meant, in CSS pixels. */
const swipePixels = 96

interface Swipe {
  readonly x: number
  readonly y: number
  readonly pointer: number
}

/** Calls back when a finger has moved an element far to a side; until then the element follows the finger. */
export const useSwipe = (onSwipe: () => void) => {
  const swipe = useRef<Swipe | undefined>(undefined)
  const move = (element: HTMLElement, by: number) => {
    element.style.translate = by === 0 ? '' : `${by}px 0`
    element.classList.toggle('swiped', Math.abs(by) > swipePixels)
  }
  const end = (event: PointerEvent & { readonly currentTarget: HTMLElement }, isMeant: boolean) => {
    const start = swipe.current
    if (start?.pointer !== event.pointerId) return
    swipe.current = undefined
    move(event.currentTarget, 0)
    if (isMeant && Math.abs(event.clientX - start.x) > swipePixels) onSwipe()
  }
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.pointerType === 'touch')
        swipe.current = { x: event.clientX, y: event.clientY, pointer: event.pointerId }
    },
    onPointerMove: (event: PointerEvent & { readonly currentTarget: HTMLElement }) => {
      const start = swipe.current
      if (start?.pointer !== event.pointerId) return
      const by = event.clientX - start.x
      if (Math.abs(by) > 12 && Math.abs(by) > Math.abs(event.clientY - start.y)) move(event.currentTarget, by)
    },
    onPointerUp: (event: PointerEvent & { readonly currentTarget: HTMLElement }) => end(event, true),
    // The browser scrolls.
    onPointerCancel: (event: PointerEvent & { readonly currentTarget: HTMLElement }) => end(event, false),
  }
}
