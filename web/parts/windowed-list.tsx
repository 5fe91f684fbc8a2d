import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** The props of `WindowedList`. */
interface WindowedListProps {
  readonly count: number
  readonly label: string
  /** Returns a key for the row at this index; the key stays the same when the row moves. */
  readonly keyAt: (index: number) => number
  readonly renderRow: (index: number) => ComponentChildren
}

interface VisibleRange {
  readonly first: number
  readonly last: number
}

const overscanRows = 8

/**
 * A list that renders only the visible rows and a few more. All rows have the same height, `--row` (style/app.css). The
 * list scrolls with the page, so that the browser of a phone hides its bars.
 */
export const WindowedList = ({ count, label, keyAt, renderRow }: WindowedListProps) => {
  const list = useRef<HTMLUListElement>(null)
  const [shown, setShown] = useState<VisibleRange>({ first: 0, last: 30 })
  const rowHeight = useRef(64)
  const anchor = useRef<{ readonly key: number; readonly index: number } | undefined>(undefined)

  const measure = () => {
    const element = list.current
    if (element === null || element.offsetParent === null) return
    rowHeight.current = element.clientHeight / Math.max(1, count)
    const hidden = -element.getBoundingClientRect().top
    const top = Math.max(0, Math.min(count - 1, Math.floor(hidden / rowHeight.current)))
    const first = Math.max(0, top - overscanRows)
    const last = Math.min(count, Math.ceil((hidden + innerHeight) / rowHeight.current) + overscanRows)
    // At the very top, no anchor is needed: new items may push the rows down.
    anchor.current = hidden > 0 && count > 0 ? { key: keyAt(top), index: top } : undefined
    setShown((before) => (before.first === first && before.last === last ? before : { first, last }))
  }
  useLayoutEffect(() => {
    const previous = anchor.current
    if (previous !== undefined && (previous.index >= count || keyAt(previous.index) !== previous.key)) {
      const moved = findNear(previous, count, keyAt)
      if (moved !== undefined) scrollBy({ top: (moved - previous.index) * rowHeight.current, behavior: 'instant' })
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
  const indexes = Array.from(
    { length: Math.max(0, Math.min(shown.last, count) - shown.first) },
    (_, index) => shown.first + index,
  )
  return (
    <ul class="windowed" ref={list} aria-label={label} style={{ height: `calc(var(--row) * ${count})` }}>
      {indexes.map((index) => (
        <li
          key={keyAt(index)}
          aria-setsize={count}
          aria-posinset={index + 1}
          data-index={index}
          style={{ transform: `translateY(calc(var(--row) * ${index}))` }}
        >
          {renderRow(index)}
        </li>
      ))}
    </ul>
  )
}

const maxSearchedRows = 2_000

/** Finds the current index of the row with this key, if it has not moved far. */
const findNear = (
  { key, index }: { readonly key: number; readonly index: number },
  count: number,
  keyAt: (index: number) => number,
): number | undefined => {
  for (let distance = 1; distance < maxSearchedRows; distance++) {
    for (const other of [index + distance, index - distance]) {
      if (other >= 0 && other < count && keyAt(other) === key) return other
    }
  }
  return undefined
}
