import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

/** The heading at a change of the month in a list that is sorted by date. */
export interface Heading {
  /** The index of the first row of the month. */
  readonly index: number
  /** The date of this row, in seconds since 1970. */
  readonly date: number
}

/** A shorter list needs no headings. */
const minHeadedRows = 20

const monthOf = (seconds: number): readonly [year: number, month: number] => {
  const date = new Date(seconds * 1000)
  return [date.getFullYear(), date.getMonth()]
}

/** Returns the first index from `from` on at which `isPast` holds; it must hold for all later indexes. */
const findFirst = (from: number, count: number, isPast: (index: number) => boolean): number => {
  let [low, high] = [from, count]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isPast(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/**
 * Finds the months of a list of rows, which is sorted by date in either direction. It reads the dates of few rows: about
 * 17 for each month of 100,000 rows. Returns no heading for the first month, whose rows begin the list, and none for a
 * short list or invalid dates.
 */
export const findMonths = (count: number, dateAt: (index: number) => number): readonly Heading[] => {
  if (count < minHeadedRows) return []
  const isNewestFirst = dateAt(0) >= dateAt(count - 1)
  const headings: Heading[] = []
  for (let index = 0; index < count; ) {
    const date = dateAt(index)
    const [year, month] = monthOf(date)
    if (Number.isNaN(year)) return []
    if (index > 0) headings.push({ index, date })
    const begin = new Date(year, month, 1).getTime() / 1000
    const end = new Date(year, month + 1, 1).getTime() / 1000
    index = findFirst(index + 1, count, (other) => (isNewestFirst ? dateAt(other) < begin : dateAt(other) >= end))
  }
  return headings
}

/** The height of a heading, as a share of the height of a row (style/list.css). */
export const headingShare = 0.5

/** The positions of rows and headings, in heights of a row. */
export interface ListLayout {
  /** The height of the whole list. */
  readonly height: number
  /** Returns the position of the row at this index, or of the heading above it. */
  readonly topOf: (index: number) => number
  /** Returns the index of the row at this position. */
  readonly indexAt: (position: number) => number
  /** Returns the heading above the row at this index. */
  readonly headingAt: (index: number) => Heading | undefined
}

/** Creates the layout of a list: rows of one height, with headings among them. */
export const createListLayout = (count: number, headings: readonly Heading[]): ListLayout => {
  const tops = headings.map(({ index }, order) => index + order * headingShare)
  /** Returns the number of headings before the row, without the one above it. */
  const countBefore = (index: number) =>
    findFirst(0, headings.length, (order) => (headings[order]?.index ?? count) >= index)
  const topOf = (index: number) => index + countBefore(index) * headingShare
  return {
    height: count + headings.length * headingShare,
    topOf,
    indexAt: (position) => {
      const passed = findFirst(0, tops.length, (order) => (tops[order] ?? 0) > position)
      const index = Math.floor(position - passed * headingShare)
      // A position in a heading belongs to the row below it.
      return Math.max(0, headings[passed - 1]?.index ?? 0, Math.min(count - 1, index))
    },
    headingAt: (index) => {
      const heading = headings[countBefore(index)]
      return heading?.index === index ? heading : undefined
    },
  }
}

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

/** Rows above and below the visible ones, so that scrolling finds them there. */
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
  // The first paint has only the visible rows.
  const overscan = useRef(0)

  const measure = () => {
    const element = list.current
    if (element === null || element.offsetParent === null) return
    rowHeight.current = count === 0 ? rowHeight.current : element.clientHeight / layout.height
    const hidden = -element.getBoundingClientRect().top
    const top = layout.indexAt(hidden / rowHeight.current)
    const first = Math.max(0, top - overscan.current)
    const last = Math.min(count, layout.indexAt((hidden + innerHeight) / rowHeight.current) + 1 + overscan.current)
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
  const hasRows = count > 0
  useEffect(() => {
    if (!hasRows) return
    const addOverscan = () => {
      overscan.current = overscanRows
      measure()
    }
    const frame = requestAnimationFrame(() => setTimeout(addOverscan))
    return () => cancelAnimationFrame(frame)
  }, [hasRows])
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
