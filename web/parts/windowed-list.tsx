import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** A list of which only what can be seen, and a little more, is in the document. All rows have the same height. */
interface WindowedListProps {
  readonly count: number
  readonly label: string
  /** Names the row at this place, whatever moves before it. */
  readonly keyAt: (place: number) => number
  readonly draw: (place: number) => ComponentChildren
}

interface VisibleRange {
  readonly first: number
  readonly last: number
}

const extraRows = 8

/** Scrolls with the page, so that a phone's browser hides its bars; rows are `--row` high (style/app.css). */
export const WindowedList = ({ count, label, keyAt, draw }: WindowedListProps) => {
  const list = useRef<HTMLUListElement>(null)
  const [shown, setShown] = useState<VisibleRange>({ first: 0, last: 30 })
  const rowHeight = useRef(64)
  const anchor = useRef<{ readonly key: number; readonly place: number } | undefined>(undefined)

  const measure = () => {
    const element = list.current
    if (element === null || element.offsetParent === null) return
    rowHeight.current = element.clientHeight / Math.max(1, count)
    const hidden = -element.getBoundingClientRect().top
    const top = Math.max(0, Math.min(count - 1, Math.floor(hidden / rowHeight.current)))
    const first = Math.max(0, top - extraRows)
    const last = Math.min(count, Math.ceil((hidden + innerHeight) / rowHeight.current) + extraRows)
    // At the very top nothing is being read that new things could push away.
    anchor.current = hidden > 0 && count > 0 ? { key: keyAt(top), place: top } : undefined
    setShown((before) => (before.first === first && before.last === last ? before : { first, last }))
  }
  useLayoutEffect(() => {
    const held = anchor.current
    if (held !== undefined && (held.place >= count || keyAt(held.place) !== held.key)) {
      const moved = findNear(held, count, keyAt)
      if (moved !== undefined) scrollBy({ top: (moved - held.place) * rowHeight.current, behavior: 'instant' })
    }
    measure()
  })
  useLayoutEffect(() => {
    addEventListener('scroll', measure, { passive: true })
    addEventListener('resize', measure)
    return () => {
      removeEventListener('scroll', measure)
      removeEventListener('resize', measure)
    }
  })
  const places = Array.from(
    { length: Math.max(0, Math.min(shown.last, count) - shown.first) },
    (_, index) => shown.first + index,
  )
  return (
    <ul class="windowed" ref={list} aria-label={label} style={{ height: `calc(var(--row) * ${count})` }}>
      {places.map((place) => (
        <li
          key={keyAt(place)}
          aria-setsize={count}
          aria-posinset={place + 1}
          data-place={place}
          style={{ transform: `translateY(calc(var(--row) * ${place}))` }}
        >
          {draw(place)}
        </li>
      ))}
    </ul>
  )
}

const searchedRows = 2_000

/** Where the row with this key is now, if it has not moved far. */
const findNear = (
  { key, place }: { readonly key: number; readonly place: number },
  count: number,
  keyAt: (place: number) => number,
): number | undefined => {
  for (let distance = 1; distance < searchedRows; distance++) {
    for (const other of [place + distance, place - distance]) {
      if (other >= 0 && other < count && keyAt(other) === key) return other
    }
  }
  return undefined
}
