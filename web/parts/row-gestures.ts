import { useEffect, useRef, useState } from 'preact/hooks'

/** The minimum distance of a swipe, in CSS pixels. */
const minSwipePixels = 96
/** A finger that moves less than this rests. */
const maxRestPixels = 12
const longPressMilliseconds = 500
/** A row without an action on this side follows the finger only this far. */
const maxFreePixels = 32

/** A swipe of a finger over a row. */
interface Swipe {
  readonly side: 'left' | 'right'
  /** Whether the action follows when the finger leaves the screen now. */
  readonly isArmed: boolean
}

interface RowGestures {
  /** The action of a swipe to the left; it resolves when it is done. */
  readonly onLeft: () => Promise<unknown>
  /** The action of a swipe to the right; undefined if the row has none. */
  readonly onRight: (() => Promise<unknown>) | undefined
  readonly onLongPress: () => void
  /** Whether a tap selects the row instead of opening it. */
  readonly isSelecting: boolean
}

interface Touch {
  readonly x: number
  readonly y: number
  readonly pointer: number
}

type RowEvent = PointerEvent & { readonly currentTarget: HTMLElement }

/** Handles swipes and long presses of fingers on a row, which follows the finger until the end of the swipe. */
export const useRowGestures = ({ onLeft, onRight, onLongPress, isSelecting }: RowGestures) => {
  const [swipe, setSwipe] = useState<Swipe>()
  const touch = useRef<Touch | undefined>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const isLongPress = useRef(false)
  const wasTouched = useRef(false)
  useEffect(() => () => clearTimeout(timer.current), [])

  const place = (element: HTMLElement, by: number) => {
    element.style.translate = by === 0 ? '' : `${by}px 0`
  }
  const end = async (event: RowEvent, isComplete: boolean) => {
    const start = touch.current
    clearTimeout(timer.current)
    if (start?.pointer !== event.pointerId) return
    touch.current = undefined
    const row = event.currentTarget
    const by = event.clientX - start.x
    const act = by < 0 ? onLeft : onRight
    row.classList.remove('dragged')
    if (isComplete && swipe?.isArmed === true && act !== undefined) {
      // The row leaves on its side. It comes back if it stays in the list.
      if (by < 0) place(row, -row.offsetWidth)
      await act()
    }
    place(row, 0)
    setSwipe(undefined)
  }
  const move = (event: RowEvent) => {
    const start = touch.current
    if (start?.pointer !== event.pointerId) return
    const by = event.clientX - start.x
    const isSideways = Math.abs(by) > maxRestPixels && Math.abs(by) > Math.abs(event.clientY - start.y)
    if (Math.abs(by) > maxRestPixels || Math.abs(event.clientY - start.y) > maxRestPixels) clearTimeout(timer.current)
    if ((!isSideways && swipe === undefined) || isLongPress.current) return
    const hasAction = by < 0 || onRight !== undefined
    event.currentTarget.classList.add('dragged')
    place(event.currentTarget, hasAction ? by : Math.min(by / 4, maxFreePixels))
    const [side, isArmed] = [by < 0 ? 'left' : 'right', hasAction && Math.abs(by) > minSwipePixels] as const
    if (swipe?.side !== side || swipe.isArmed !== isArmed) setSwipe({ side, isArmed })
  }
  return {
    swipe,
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        isLongPress.current = false
        wasTouched.current = event.pointerType === 'touch'
        if (!wasTouched.current) return
        touch.current = { x: event.clientX, y: event.clientY, pointer: event.pointerId }
        timer.current = setTimeout(() => {
          isLongPress.current = true
          onLongPress()
        }, longPressMilliseconds)
      },
      onPointerMove: move,
      onPointerUp: (event: RowEvent) => end(event, true),
      // The browser cancels the pointer when it scrolls.
      onPointerCancel: (event: RowEvent) => end(event, false),
      // A long press selects. The browser's menu for links would be in front of the row.
      onContextMenu: (event: Event) => wasTouched.current && event.preventDefault(),
      onClickCapture: (event: MouseEvent) => {
        const isOwn = isSelecting && wasTouched.current && !(event.target as Element).matches('.select')
        if (!isLongPress.current && !isOwn) return
        event.preventDefault()
        event.stopPropagation()
        if (!isLongPress.current) onLongPress()
        isLongPress.current = false
      },
    },
  }
}
