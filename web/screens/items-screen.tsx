import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { deleteThings, toggleArchived, toggleDone } from '../data/account-model.ts'
import { planTagging, readTags } from '../data/edit-form.ts'
import type { Row } from '../data/item-parts.ts'
import { findTypedTag, type TypedTag, takeTag } from '../data/tags.ts'
import { NoTodos } from '../parts/add-line.tsx'
import { Link, useObservable, useShared } from '../parts/context.tsx'
import { Icon } from '../parts/icon.tsx'
import { ItemRow } from '../parts/item-row.tsx'
import { useKeys } from '../parts/keyboard.ts'
import { useTagSettings } from '../parts/tag-chip.tsx'
import { TagField, useTagSuggestions } from '../parts/tag-field.tsx'
import { PinnedTags, SavedSearchChips, SaveSearch } from '../parts/tag-tree.tsx'
import { WindowedList } from '../parts/windowed-list.tsx'
import { maxQueryCharacters } from '../search/query.ts'

/** The result of a search: item numbers in the order of the list. */
interface Found {
  readonly numbers: Uint32Array<ArrayBuffer>
  /** The query that the items match. */
  readonly query: string
  /** False while the search continues. */
  readonly isWhole: boolean
}

/** Returns the items that match the query; before the first result the newest items (empty query) or undefined. */
const useFound = (query: string): Found | undefined => {
  const { library, search } = useShared().model
  const { revision } = useObservable(library.state)
  const [found, setFound] = useState<Found>()
  // A layout effect, so that the worker searches while the browser paints this frame.
  useLayoutEffect(() => {
    // The library has read nothing yet.
    if (revision === 0) return
    let isLate = false
    const show = (isWhole: boolean) => (numbers: Uint32Array<ArrayBuffer>) => {
      // A partial result must not replace a whole result of the same query: visible rows would move.
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

// The row is rendered a moment after the page was scrolled to it.
const maxTries = 10

/** Returns the index of the row with the focus. */
const findFocusedIndex = (): number | undefined => {
  const index = document.activeElement?.closest<HTMLElement>('.windowed > li')?.dataset.index
  return index === undefined ? undefined : Number(index)
}

/** Focuses the row at this index of the list, and scrolls to it if it is not visible. */
const focusRow = (index: number, left = maxTries): void => {
  const list = document.querySelector<HTMLElement>('.windowed')
  if (list === null || left === 0) return
  const link = list.querySelector<HTMLElement>(`li[data-index="${index}"] .title`)
  if (link !== null) {
    link.focus({ preventScroll: true })
    link.closest('li')?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
    return
  }
  const rowHeight = list.querySelector('li')?.offsetHeight ?? 0
  const top = list.getBoundingClientRect().top + scrollY + index * rowHeight
  scrollTo({ top: top - innerHeight / 2, behavior: 'instant' })
  requestAnimationFrame(() => focusRow(index, left - 1))
}

/** The search field, the usual filters, and the favorite tags. */
const SearchBox = ({ query }: { readonly query: string }) => {
  const { model, navigation } = useShared()
  const texts = model.words.search
  const settings = useTagSettings()
  const began = useRef(false)
  const field = useRef<HTMLInputElement>(null)

  useEffect(() => {
    // Back and forward change the query. The rendered query may be a keystroke behind the field.
    const now = navigation.view.read().query
    if (query === now && field.current !== null && field.current.value !== now) field.current.value = now
  }, [query])
  const type = (text: string) => {
    const next = { screen: 'things', query: text } as const
    // The first keystroke adds a history entry; the others replace it.
    if (began.current) navigation.replace(next)
    else navigation.go(next)
    began.current = true
  }
  const typed = useRef<TypedTag | undefined>(undefined)
  const suggestions = useTagSuggestions('search', settings, (name) => {
    if (typed.current === undefined || field.current === null) return
    const [next, caret] = takeTag(field.current.value, typed.current, name)
    field.current.value = next
    field.current.setSelectionRange(caret, caret)
    type(next)
  })
  const suggest = ({ value, selectionStart }: HTMLInputElement) => {
    typed.current = findTypedTag(value, selectionStart ?? value.length)
    suggestions.show(typed.current && { text: typed.current.text, taken: new Set(), isEager: true })
  }
  const filters = [
    ['', texts.all],
    ['is:open', texts.open],
    ['is:archived', texts.archived],
  ] as const
  return (
    <search class="find">
      <label class="aside" for="search">
        {texts.label}
      </label>
      <div class="search-field suggested">
        <Icon name="search" />
        <input
          {...suggestions.attributes}
          id="search"
          ref={field}
          type="search"
          defaultValue={query}
          maxLength={maxQueryCharacters}
          placeholder={texts.hint}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          enterkeyhint="search"
          dir="auto"
          onInput={(event) => {
            type(event.currentTarget.value)
            suggest(event.currentTarget)
          }}
          onKeyDown={suggestions.handleKey}
          onBlur={() => {
            began.current = false
            suggestions.show(undefined)
          }}
        />
        {suggestions.list}
      </div>
      <nav class="chips" aria-label={texts.filters}>
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
        <PinnedTags query={query} settings={settings} />
        <SavedSearchChips query={query} />
      </nav>
    </search>
  )
}

interface BulkBarProps {
  readonly rows: readonly Row[]
  readonly onAll: () => void
  readonly onNone: () => void
  /** Called after tagging, when keys should act on the list again. */
  readonly onTagged: () => void
}

/** The actions for all selected items. */
const BulkBar = ({ rows, onAll, onNone, onTagged }: BulkBarProps) => {
  const { model } = useShared()
  const [text, setText] = useState('')
  const settings = useTagSettings()
  const texts = model.words.many

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
    const isDone = await model.perform({ kind: 'tagged', name: rows[0]?.title ?? '' }, planTagging(rows, add, drop))
    if (isDone === undefined) return
    setText('')
    onTagged()
  }
  const isAllArchived = rows.every((row) => row.archived)
  const thenClear = (isDone: unknown) => {
    if (isDone !== undefined) onNone()
  }
  return (
    <section class="bulk" aria-label={texts.selected(rows.length)}>
      <p>
        <strong aria-live="polite">{texts.selected(rows.length)}</strong>
        <button type="button" class="plain" onClick={onAll}>
          {texts.all}
        </button>
        <button type="button" class="plain" onClick={onNone}>
          {texts.none}
        </button>
      </p>
      <form onSubmit={tag}>
        <label class="aside" for="bulk-tags">
          {texts.tagLabel}
        </label>
        <TagField
          id="bulk-tags"
          value={text}
          onValue={setText}
          settings={settings}
          placeholder="home -work"
          title={texts.tagLabel}
          opensUp
        />
        <button type="submit">{texts.tag}</button>
      </form>
      <div class="buttons">
        <button type="button" onClick={() => toggleArchived(model, rows).then(thenClear)}>
          {isAllArchived ? texts.unarchive : texts.archive}
        </button>
        <button type="button" class="grave" onClick={() => deleteThings(model, rows).then(thenClear)}>
          {texts.delete}
        </button>
      </div>
    </section>
  )
}

/** The scroll position and the focused row when the user left the list. */
interface ListPosition {
  readonly scroll: number
  readonly index: number
  readonly number: number | undefined
}

/** The list of items. It stays rendered while another screen is shown, so that it reappears at once. */
export const ItemsScreen = ({ query, isHidden }: { readonly query: string; readonly isHidden: boolean }) => {
  const { model, navigation } = useShared()
  const { library, words } = model
  const found = useFound(query)
  const settings = useTagSettings()
  const selected = useObservable(model.selected)
  const { isComplete } = useObservable(library.state)
  const numbers = found?.numbers ?? new Uint32Array()
  const lastSelected = useRef<number | undefined>(undefined)
  const left = useRef<ListPosition>({ scroll: 0, index: 0, number: undefined })
  const acted = useRef<Omit<ListPosition, 'scroll'> | undefined>(undefined)

  useLayoutEffect(() => {
    if (isHidden) return
    const { scroll, index, number } = left.current
    scrollTo({ top: scroll, behavior: 'instant' })
    // The row may have moved meanwhile. If it was removed, the row at its index gets the focus.
    const now = number === undefined ? -1 : numbers.indexOf(number)
    if (number !== undefined) focusRow(now >= 0 ? now : Math.min(index, numbers.length - 1))
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
    // A key removed the focused row from the list. The next row gets the focus, unless another element has it.
    if (document.activeElement === document.body) focusRow(Math.min(last.index, numbers.length - 1))
  }, [found])

  const rowAt = (index: number): Row | undefined => library.findByNumber(numbers[index] ?? -1)
  const select = (index: number, isRange: boolean) => {
    const number = numbers[index]
    if (number === undefined) return
    const next = new Set(model.selected.read())
    const from = isRange ? (lastSelected.current ?? index) : index
    const isOn = isRange || !next.has(number)
    for (const one of numbers.subarray(Math.min(from, index), Math.max(from, index) + 1)) {
      if (isOn) next.add(one)
      else next.delete(one)
    }
    lastSelected.current = index
    model.selected.set(next)
  }
  const readSelected = () => [...model.selected.read()].flatMap((number) => library.findByNumber(number) ?? [])
  const selectedRows = readSelected()
  /** Calls back with the rows for a key: the selected rows, or the focused row. */
  const withRows = (act: (rows: readonly Row[]) => void) => () => {
    const index = findFocusedIndex() ?? -1
    const focused = rowAt(index)
    acted.current = { index, number: focused?.number }
    const chosen = readSelected()
    const rows = chosen.length > 0 ? chosen : focused === undefined ? [] : [focused]
    if (rows.length > 0) act(rows)
  }
  const step = (by: number) => () => {
    const index = findFocusedIndex()
    const next = index === undefined ? 0 : index + by
    if (next >= 0 && next < numbers.length) focusRow(next)
  }
  const selectFocused = (isRange: boolean) => () => {
    const index = findFocusedIndex()
    if (index !== undefined) select(index, isRange)
  }
  const leave = (index: number | undefined) => {
    left.current = { scroll: scrollY, index: index ?? 0, number: rowAt(index ?? -1)?.number }
  }
  const open = (isEditing: boolean) => () => {
    const index = findFocusedIndex()
    const row = rowAt(index ?? -1)
    if (row === undefined) return
    leave(index)
    navigation.go({ screen: 'things', query, thing: row.id, ...(isEditing ? { isEditing } : {}) })
  }
  const selectNone = () => {
    model.selected.set(new Set())
    // The bar disappears, and keys act on the list again.
    focusRow(Math.min(lastSelected.current ?? 0, numbers.length - 1))
  }
  const tagRows = (rows: readonly Row[]) => {
    model.selected.set(new Set(rows.map(({ number }) => number)))
    const focus = () => document.getElementById('bulk-tags')?.focus()
    // At once if the field exists, because the next key may arrive before the next frame.
    focus()
    requestAnimationFrame(focus)
  }
  const leaveField = (rows: readonly Row[]) => {
    const field = document.getElementById('bulk-tags')
    // The focus stays where the user has moved it.
    if (field?.closest('form')?.contains(document.activeElement) !== true) return
    const chosen = new Set(rows.map(({ number }) => number))
    const last = acted.current
    const hasLast = last?.number !== undefined && chosen.has(last.number)
    const index = hasLast ? numbers.indexOf(last.number) : numbers.findIndex((number) => chosen.has(number))
    // The tagged rows may have left the list.
    if (index >= 0) focusRow(index)
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
      a: withRows((rows) => toggleArchived(model, rows)),
      c: withRows((rows) => toggleDone(model, rows)),
      '#': withRows(tagRows),
      Delete: withRows((rows) => deleteThings(model, rows)),
      Escape: () => {
        if (model.selected.read().size > 0) model.selected.set(new Set())
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
          onAll={() => model.selected.set(new Set(numbers))}
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
          <SaveSearch key={query} query={query} />{' '}
          <Link to={{ screen: 'transfer', query }}>{words.transferScreen.exportFound}</Link>
        </p>
      )}
      {found?.isWhole === true && isComplete && numbers.length === 0 && (
        <div class="nothing">
          <Icon name={all === 0 ? 'mark' : 'search'} />
          {all === 0 ? (
            <p>{words.search.empty}</p>
          ) : query.trim() === 'is:open' ? (
            <NoTodos />
          ) : (
            <p>{words.search.nothing}</p>
          )}
        </div>
      )}
      <WindowedList
        count={numbers.length}
        label={words.row.list}
        keyAt={(index) => numbers[index] ?? -1}
        renderRow={(index) => {
          const row = rowAt(index)
          return (
            row && (
              <ItemRow
                row={row}
                query={query}
                settings={settings}
                isSelected={selected.has(row.number)}
                onSelect={(isRange) => select(index, isRange)}
              />
            )
          )
        }}
      />
    </section>
  )
}
