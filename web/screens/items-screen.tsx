import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { deleteThings, toggleArchived, toggleDone } from '../data/account-model.ts'
import { planTagging, readTags } from '../data/edit-form.ts'
import type { Row } from '../data/item-parts.ts'
import { Link, useObservable, useShared } from '../parts/context.tsx'
import { Icon } from '../parts/icon.tsx'
import { ItemRow } from '../parts/item-row.tsx'
import { useKeys } from '../parts/keyboard.ts'
import { TagChip, useTagSettings } from '../parts/tag-chip.tsx'
import { WindowedList } from '../parts/windowed-list.tsx'
import { maxQueryCharacters, toggleTagIn } from '../search/query.ts'

/** Numbers of things in the order of a list. */
interface Found {
  readonly numbers: Uint32Array<ArrayBuffer>
  /** The query that they meet. */
  readonly query: string
  /** False while more of the same is looked for. */
  readonly isWhole: boolean
}

/** What meets the query now; until the first answer the newest things, where all are asked for, or undefined. */
const useFound = (query: string): Found | undefined => {
  const { library, search } = useShared().model
  const { revision } = useObservable(library.state)
  const [found, setFound] = useState<Found>()
  // Not after the next frame, as an effect would: the worker looks while this one is drawn.
  useLayoutEffect(() => {
    // Nothing was read yet.
    if (revision === 0) return
    let isLate = false
    const show = (isWhole: boolean) => (numbers: Uint32Array<ArrayBuffer>) => {
      // A part in the place of all that is shown of the same would move what is being read.
      if (!isLate) setFound((before) => (isWhole || before?.query !== query ? { numbers, query, isWhole } : before))
    }
    search.search(query, show(false)).then(({ found: numbers, isWhole }) => show(isWhole)(numbers))
    return () => {
      isLate = true
    }
  }, [search, query, revision])
  const first = useMemo((): Found | undefined => {
    const numbers = library.firstNumbers()
    return query === '' && numbers.length > 0 ? { numbers, query, isWhole: false } : undefined
  }, [library, query, revision])
  return found ?? first
}

// The row is drawn a moment after the page was scrolled to it.
const tries = 10

/** The place of the row that has the focus. */
const findFocusedIndex = (): number | undefined => {
  const place = document.activeElement?.closest<HTMLElement>('.windowed > li')?.dataset.place
  return place === undefined ? undefined : Number(place)
}

/** Puts the focus on the row at this place of the list, and scrolls to it if it cannot be seen. */
const focusRow = (place: number, left = tries): void => {
  const list = document.querySelector<HTMLElement>('.windowed')
  if (list === null || left === 0) return
  const link = list.querySelector<HTMLElement>(`li[data-place="${place}"] .title`)
  if (link !== null) {
    link.focus({ preventScroll: true })
    link.closest('li')?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
    return
  }
  const rowHeight = list.querySelector('li')?.offsetHeight ?? 0
  const top = list.getBoundingClientRect().top + scrollY + place * rowHeight
  scrollTo({ top: top - innerHeight / 2, behavior: 'instant' })
  requestAnimationFrame(() => focusRow(place, left - 1))
}

/** The search, its usual filters, and the favourite tags. */
const SearchBox = ({ query }: { readonly query: string }) => {
  const { model: desk, navigation } = useShared()
  const say = desk.words.search
  const settings = useTagSettings()
  const began = useRef(false)
  const favourites = [...settings].filter(([, { favorite }]) => favorite).map(([name]) => name)
  const words = query.split(/\s+/u)
  const field = useRef<HTMLInputElement>(null)

  useEffect(() => {
    // Back and forward change it, too. What this was drawn with may be a key behind what is being typed by now.
    const now = navigation.view.read().query
    if (query === now && field.current !== null && field.current.value !== now) field.current.value = now
  }, [query])
  const type = (text: string) => {
    const next = { screen: 'things', query: text } as const
    // The first key begins a new step for the back button, the others go on with it.
    if (began.current) navigation.replace(next)
    else navigation.go(next)
    began.current = true
  }
  const filters = [
    ['', say.all],
    ['is:open', say.open],
    ['is:archived', say.archived],
  ] as const
  return (
    <search class="find">
      <label class="aside" for="search">
        {say.label}
      </label>
      <div class="search-field">
        <Icon name="search" />
        <input
          id="search"
          ref={field}
          type="search"
          defaultValue={query}
          maxLength={maxQueryCharacters}
          placeholder={say.hint}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          enterkeyhint="search"
          dir="auto"
          onInput={(event) => type(event.currentTarget.value)}
          onBlur={() => {
            began.current = false
          }}
        />
      </div>
      <nav class="chips" aria-label={say.filters}>
        {filters.map(([filter, name]) => (
          <Link
            key={filter}
            to={{ screen: 'things', query: filter }}
            class="chip plain-chip"
            aria-current={query.trim() === filter ? 'true' : undefined}
          >
            {name}
          </Link>
        ))}
        {favourites.map((name) => (
          <TagChip
            key={name}
            name={name}
            settings={settings}
            isCurrent={words.includes(`#${name}`)}
            query={toggleTagIn(query, name)}
          />
        ))}
      </nav>
    </search>
  )
}

interface BulkBarProps {
  readonly rows: readonly Row[]
  readonly onAll: () => void
  readonly onNone: () => void
  /** They have been tagged: keys are about the list again. */
  readonly onTagged: () => void
}

/** What can be done with all that is selected. */
const BulkBar = ({ rows, onAll, onNone, onTagged }: BulkBarProps) => {
  const { model: desk } = useShared()
  const [text, setText] = useState('')
  const say = desk.words.many

  const tag = async (event: SubmitEvent) => {
    event.preventDefault()
    const words = text.split(/[\s,]+/u)
    const add = readTags(words.filter((word) => !word.startsWith('-')).join(' '))
    const drop = readTags(
      words
        .filter((word) => word.startsWith('-'))
        .map((word) => word.slice(1))
        .join(' '),
    )
    const isDone = await desk.perform({ kind: 'tagged', name: rows[0]?.title ?? '' }, planTagging(rows, add, drop))
    if (isDone === undefined) return
    setText('')
    onTagged()
  }
  const isAllArchived = rows.every((row) => row.archived)
  const thenClear = (isDone: unknown) => {
    if (isDone !== undefined) onNone()
  }
  return (
    <section class="bulk" aria-label={say.selected(rows.length)}>
      <p>
        <strong aria-live="polite">{say.selected(rows.length)}</strong>
        <button type="button" class="plain" onClick={onAll}>
          {say.all}
        </button>
        <button type="button" class="plain" onClick={onNone}>
          {say.none}
        </button>
      </p>
      <form onSubmit={tag}>
        <label class="aside" for="bulk-tags">
          {say.tagLabel}
        </label>
        <input
          id="bulk-tags"
          type="text"
          value={text}
          placeholder="home -work"
          title={say.tagLabel}
          autocapitalize="none"
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit">{say.tag}</button>
      </form>
      <div class="buttons">
        <button type="button" onClick={() => toggleArchived(desk, rows).then(thenClear)}>
          {isAllArchived ? say.unarchive : say.archive}
        </button>
        <button type="button" class="grave" onClick={() => deleteThings(desk, rows).then(thenClear)}>
          {say.delete}
        </button>
      </div>
    </section>
  )
}

/** Where the list was left, and the thing that had the focus there. */
interface Left {
  readonly scroll: number
  readonly place: number
  readonly number: number | undefined
}

/** The list of things. While something else is shown it stays as it is, to be there again at once. */
export const ItemsScreen = ({ query, isHidden }: { readonly query: string; readonly isHidden: boolean }) => {
  const { model: desk, navigation } = useShared()
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
    const place = findFocusedIndex() ?? -1
    const focused = rowAt(place)
    acted.current = { place, number: focused?.number }
    const chosen = readSelected()
    const rows = chosen.length > 0 ? chosen : focused === undefined ? [] : [focused]
    if (rows.length > 0) act(rows)
  }
  const step = (by: number) => () => {
    const place = findFocusedIndex()
    const next = place === undefined ? 0 : place + by
    if (next >= 0 && next < numbers.length) focusRow(next)
  }
  const selectFocused = (isRange: boolean) => () => {
    const place = findFocusedIndex()
    if (place !== undefined) select(place, isRange)
  }
  const leave = (place: number | undefined) => {
    left.current = { scroll: scrollY, place: place ?? 0, number: rowAt(place ?? -1)?.number }
  }
  const open = (isEditing: boolean) => () => {
    const place = findFocusedIndex()
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
      ArrowDown: findFocusedIndex() === undefined ? undefined : step(1),
      ArrowUp: findFocusedIndex() === undefined ? undefined : step(-1),
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
      onClickCapture={() => leave(findFocusedIndex())}
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
              <ItemRow
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
