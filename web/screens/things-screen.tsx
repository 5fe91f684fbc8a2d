import { useLayoutEffect, useRef } from 'preact/hooks'
import { deleteThings, toggleArchived, toggleDone } from '../data/deeds.ts'
import type { Row } from '../data/rows.ts'
import { BulkBar } from '../parts/bulk-bar.tsx'
import { useShared } from '../parts/desk-context.ts'
import { findFocusedPlace, focusRow } from '../parts/focus-row.ts'
import { Icon } from '../parts/icon.tsx'
import { Link } from '../parts/link.tsx'
import { SearchBox } from '../parts/search-box.tsx'
import { ThingRow } from '../parts/thing-row.tsx'
import { useFound } from '../parts/use-found.ts'
import { useKeys } from '../parts/use-keys.ts'
import { useObservable } from '../parts/use-observable.ts'
import { useTagSettings } from '../parts/use-tag-settings.ts'
import { WindowedList } from '../parts/windowed-list.tsx'

/** Where the list was left, and the thing that had the focus there. */
interface Left {
  readonly scroll: number
  readonly place: number
  readonly number: number | undefined
}

/** The list of things. While something else is shown it stays as it is, to be there again at once. */
export const ThingsScreen = ({ query, isHidden }: { readonly query: string; readonly isHidden: boolean }) => {
  const { desk, navigation } = useShared()
  const { library, words } = desk
  const found = useFound(query)
  const settings = useTagSettings()
  const selected = useObservable(desk.selected)
  const { isComplete } = useObservable(library.state)
  const numbers = found?.numbers ?? new Uint32Array()
  const lastSelected = useRef<number | undefined>(undefined)
  const left = useRef<Left>({ scroll: 0, place: 0, number: undefined })
  const acted = useRef<Omit<Left, 'scroll'> | undefined>(undefined)

  useLayoutEffect(() => {
    if (isHidden) return
    const { scroll, place, number } = left.current
    scrollTo({ top: scroll, behavior: 'instant' })
    // Others may have moved the row meanwhile; where it is gone, the one in its place is the next best.
    const now = number === undefined ? -1 : numbers.indexOf(number)
    if (number !== undefined) focusRow(now >= 0 ? now : Math.min(place, numbers.length - 1))
    const remember = () => {
      left.current = { ...left.current, scroll: scrollY }
    }
    addEventListener('scroll', remember, { passive: true })
    return () => removeEventListener('scroll', remember)
  }, [isHidden])

  useLayoutEffect(() => {
    const last = acted.current
    if (last?.number === undefined || numbers.includes(last.number)) return
    acted.current = undefined
    // What had the focus has left the list by a key: the next one takes it, as long as nothing else has.
    if (document.activeElement === document.body) focusRow(Math.min(last.place, numbers.length - 1))
  }, [found])

  const rowAt = (place: number): Row | undefined => library.findByNumber(numbers[place] ?? -1)
  const select = (place: number, isRange: boolean) => {
    const number = numbers[place]
    if (number === undefined) return
    const next = new Set(desk.selected.read())
    const from = isRange ? (lastSelected.current ?? place) : place
    const isOn = isRange || !next.has(number)
    for (const one of numbers.subarray(Math.min(from, place), Math.max(from, place) + 1)) {
      if (isOn) next.add(one)
      else next.delete(one)
    }
    lastSelected.current = place
    desk.selected.set(next)
  }
  const readSelected = () => [...desk.selected.read()].flatMap((number) => library.findByNumber(number) ?? [])
  const selectedRows = readSelected()
  /** What a key is about: all that is selected, or the row with the focus. */
  const withRows = (act: (rows: readonly Row[]) => void) => () => {
    const place = findFocusedPlace() ?? -1
    const focused = rowAt(place)
    acted.current = { place, number: focused?.number }
    const chosen = readSelected()
    const rows = chosen.length > 0 ? chosen : focused === undefined ? [] : [focused]
    if (rows.length > 0) act(rows)
  }
  const step = (by: number) => () => {
    const place = findFocusedPlace()
    const next = place === undefined ? 0 : place + by
    if (next >= 0 && next < numbers.length) focusRow(next)
  }
  const selectFocused = (isRange: boolean) => () => {
    const place = findFocusedPlace()
    if (place !== undefined) select(place, isRange)
  }
  const leave = (place: number | undefined) => {
    left.current = { scroll: scrollY, place: place ?? 0, number: rowAt(place ?? -1)?.number }
  }
  const open = (isEditing: boolean) => () => {
    const place = findFocusedPlace()
    const row = rowAt(place ?? -1)
    if (row === undefined) return
    leave(place)
    navigation.go({ screen: 'things', query, thing: row.id, ...(isEditing ? { isEditing } : {}) })
  }
  const selectNone = () => {
    desk.selected.set(new Set())
    // The bar is gone, and keys are about the list again.
    focusRow(Math.min(lastSelected.current ?? 0, numbers.length - 1))
  }
  const tagRows = (rows: readonly Row[]) => {
    desk.selected.set(new Set(rows.map(({ number }) => number)))
    const focus = () => document.getElementById('bulk-tags')?.focus()
    // At once where the field is there: the next key is typed before the next frame.
    focus()
    requestAnimationFrame(focus)
  }
  const leaveField = (rows: readonly Row[]) => {
    const field = document.getElementById('bulk-tags')
    // Whoever is somewhere else by now stays there.
    if (field?.closest('form')?.contains(document.activeElement) !== true) return
    const chosen = new Set(rows.map(({ number }) => number))
    const last = acted.current
    const isThere = last?.number !== undefined && chosen.has(last.number)
    const place = numbers.findIndex((number) => (isThere ? number === last.number : chosen.has(number)))
    // What was tagged may not be in the list any more.
    if (place >= 0) focusRow(place)
    else field?.blur()
  }
  useKeys(
    {
      j: step(1),
      k: step(-1),
      ArrowDown: findFocusedPlace() === undefined ? undefined : step(1),
      ArrowUp: findFocusedPlace() === undefined ? undefined : step(-1),
      x: selectFocused(false),
      X: selectFocused(true),
      e: open(true),
      a: withRows((rows) => toggleArchived(desk, rows)),
      c: withRows((rows) => toggleDone(desk, rows)),
      '#': withRows(tagRows),
      Delete: withRows((rows) => deleteThings(desk, rows)),
      Escape: () => {
        if (desk.selected.read().size > 0) desk.selected.set(new Set())
        else if (query !== '') navigation.go({ screen: 'things', query: '' })
      },
    },
    !isHidden,
  )
  const all = library.countThings()
  return (
    <section
      hidden={isHidden}
      class="things"
      onClickCapture={() => leave(findFocusedPlace())}
      aria-busy={!isComplete || found?.query !== query || !found.isWhole}
      data-shown={found?.query}
    >
      <h1 class="aside">{words.things}</h1>
      <SearchBox query={query} />
      {selectedRows.length > 0 && (
        <BulkBar
          rows={selectedRows}
          onAll={() => desk.selected.set(new Set(numbers))}
          onNone={selectNone}
          onTagged={() => leaveField(readSelected())}
        />
      )}
      <p class="soft count" role="status">
        {found === undefined || all === 0 ? '' : words.search.found(numbers.length, all)}
        {isComplete && found?.isWhole !== false ? '' : ` · ${words.search.reading}`}
      </p>
      {query !== '' && numbers.length > 0 && (
        <p class="soft count">
          <Link to={{ screen: 'transfer', query }}>{words.transferScreen.exportFound}</Link>
        </p>
      )}
      {found?.isWhole === true && isComplete && numbers.length === 0 && (
        <div class="nothing">
          <Icon name={all === 0 ? 'mark' : 'search'} />
          <p>{all === 0 ? words.search.empty : words.search.nothing}</p>
        </div>
      )}
      <WindowedList
        count={numbers.length}
        label={words.row.list}
        keyAt={(place) => numbers[place] ?? -1}
        draw={(place) => {
          const row = rowAt(place)
          return (
            row && (
              <ThingRow
                row={row}
                query={query}
                settings={settings}
                isSelected={selected.has(row.number)}
                onSelect={(isRange) => select(place, isRange)}
              />
            )
          )
        }}
      />
    </section>
  )
}
