import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { headingShare, type ListLayout } from '../data/list-layout.ts'

/** The props of `WindowedList`. */
interface WindowedListProps {
  readonly count: number
  readonly layout: ListLayout
  readonly label: string
  /** Returns a key for the row at this index; the key stays the same when the row moves. */
  readonly keyAt: (index: number) => number
  readonly renderRow: (index: number) => ComponentChildren
  /** Formats the date of a heading, in seconds since 1970. */
  readonly formatHeading: (date: number) => string
  /** Whether rows slide to their next position, for example after an item was archived. */
  readonly isMoving: boolean
}

interface VisibleRange {
  readonly first: number
  readonly last: number
}

/** The first visible row, whose place on the screen stays the same when items are added above it. */
interface Anchor {
  readonly key: number
  readonly index: number
  /** The position of the row, in heights of a row. */
  readonly top: number
}

const overscanRows = 8

/** The height of some rows as CSS; `--row` is the height of one (style/app.css). */
const rows = (count: number): string => `calc(var(--row) * ${count})`

/**
 * A list that renders only the visible rows and a few more. All rows have the same height; headings stand among them.
 * The list scrolls with the page, so that the browser of a phone hides its bars.
 */
export const WindowedList = ({
  count,
  layout,
  label,
  keyAt,
  renderRow,
  formatHeading,
  isMoving,
}: WindowedListProps) => {
  const list = useRef<HTMLUListElement>(null)
  const [shown, setShown] = useState<VisibleRange>({ first: 0, last: 30 })
  const rowHeight = useRef(64)
  const anchor = useRef<Anchor | undefined>(undefined)

  const measure = () => {
    const element = list.current
    if (element === null || element.offsetParent === null) return
    rowHeight.current = count === 0 ? rowHeight.current : element.clientHeight / layout.height
    const hidden = -element.getBoundingClientRect().top
    const top = layout.indexAt(hidden / rowHeight.current)
    const first = Math.max(0, top - overscanRows)
    const last = Math.min(count, layout.indexAt((hidden + innerHeight) / rowHeight.current) + 1 + overscanRows)
    // At the very top, no anchor is needed: new items may push the rows down.
    anchor.current = hidden > 0 && count > 0 ? { key: keyAt(top), index: top, top: layout.topOf(top) } : undefined
    setShown((before) => (before.first === first && before.last === last ? before : { first, last }))
  }
  useLayoutEffect(() => {
    const previous = anchor.current
    if (previous !== undefined) {
      const now = findNear(previous, count, keyAt)
      const by = now === undefined ? 0 : layout.topOf(now) - previous.top
      if (by !== 0) scrollBy({ top: by * rowHeight.current, behavior: 'instant' })
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
    <ul
      class={isMoving ? 'windowed moving' : 'windowed'}
      ref={list}
      aria-label={label}
      style={{ height: rows(layout.height) }}
    >
      {indexes.map((index) => {
        const heading = layout.headingAt(index)
        return (
          <li
            key={keyAt(index)}
            aria-setsize={count}
            aria-posinset={index + 1}
            data-index={index}
            style={{
              transform: `translateY(${rows(layout.topOf(index))})`,
              height: rows(heading === undefined ? 1 : 1 + headingShare),
            }}
          >
            {heading !== undefined && <h2 class="month">{formatHeading(heading.date)}</h2>}
            {renderRow(index)}
          </li>
        )
      })}
    </ul>
  )
}

const maxSearchedRows = 2_000

/** Finds the current index of the row with this key, if it has not moved far. */
const findNear = (
  { key, index }: Pick<Anchor, 'key' | 'index'>,
  count: number,
  keyAt: (index: number) => number,
): number | undefined => {
  for (let distance = 0; distance < maxSearchedRows; distance++) {
    for (const other of [index + distance, index - distance]) {
      if (other >= 0 && other < count && keyAt(other) === key) return other
    }
  }
  return undefined
}
