import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { addLatest, deleteThings, toggleArchived, toggleDone } from '../data/account-model.ts'
import { planTagging, readTags } from '../data/edit-form.ts'
import { createExcerpts, readSearchedWords } from '../data/excerpts.ts'
import type { Row } from '../data/item-parts.ts'
import { nameThing } from '../data/messages.ts'
import { findTypedTag, type TypedTag, takeTag } from '../data/tags.ts'
import { findPageUrl } from '../data/urls.ts'
import { defaultListOptions, type ListOptions } from '../data/view-state.ts'
import { NoTodos } from '../parts/add-line.tsx'
import { useMedia } from '../parts/app-layout.tsx'
import { EmptyList, NoMatches } from '../parts/capture.tsx'
import { Link, useObservable, useShared } from '../parts/context.tsx'
import { createMonthFormat } from '../parts/format-date.ts'
import { Icon } from '../parts/icon.tsx'
import { ItemRow } from '../parts/item-row.tsx'
import { focusById, isTypedIn, useKeys } from '../parts/keyboard.ts'
import { TagField, useTagSuggestions } from '../parts/tag-field.tsx'
import { PinnedTags, SavedSearchChips, SaveSearch, useTagSettings } from '../parts/tags.tsx'
import { createListLayout, findMonths, type ListLayout, WindowedList } from '../parts/windowed-list.tsx'
import { hideDoneIn, maxQueryCharacters, type Sort, sorts } from '../search/query.ts'

/** The result of a search: item numbers in the order of the list. */
interface Found {
  readonly numbers: Uint32Array<ArrayBuffer>
  /** The query that the items match. */
  readonly query: string
  readonly list: ListOptions
  /** False while the search continues. */
  readonly isWhole: boolean
}

const isSame = (one: ListOptions, other: ListOptions): boolean =>
  one.sort === other.sort && one.hidesDone === other.hidesDone

/** Returns the items that match the query; before the first result the newest items (empty query) or undefined. */
const useFound = (query: string, list: ListOptions): Found | undefined => {
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
      if (isLate) return
      const next = { numbers, query, list, isWhole }
      setFound((before) => (isWhole || before?.query !== query || !isSame(before.list, list) ? next : before))
    }
    const find = async (): Promise<void> => {
      const wanted = list.hidesDone ? hideDoneIn(query) : query
      const { found: numbers, isWhole } = await search.search(wanted, show(false), list.sort)
      show(isWhole)(numbers)
      // Another search, for example in the command palette, has ended this one.
      if (!isWhole && !isLate) await find()
    }
    find()
    return () => {
      isLate = true
    }
  }, [search, query, list.sort, list.hidesDone, revision])
  return useMemo((): Found | undefined => {
    const isDefault = query === '' && isSame(list, defaultListOptions)
    if (found === undefined) {
      const numbers = library.firstNumbers()
      return isDefault && numbers.length > 0 ? { numbers, query, list, isWhole: false } : undefined
    }
    if (!isDefault || found.query !== query || !isSame(found.list, list) || !found.isWhole) return found
    const numbers = addLatest(found.numbers, library.findByNumber)
    return numbers === found.numbers ? found : { ...found, numbers }
  }, [library, found, query, list.sort, list.hidesDone, revision])
}

// The row is rendered a moment after the page was scrolled to it.
const maxTries = 10

/** Returns the index of the row with the focus. */
const findFocusedIndex = (): number | undefined => {
  const index = document.activeElement?.closest<HTMLElement>('.windowed > li')?.dataset.index
  return index === undefined ? undefined : Number(index)
}

/** Focuses the row at this index of the list, and scrolls to it if it is not visible. */
const focusRow = (index: number, layout: ListLayout, left = maxTries): void => {
  const list = document.querySelector<HTMLElement>('.windowed')
  if (list === null || left === 0) return
  const link = list.querySelector<HTMLElement>(`li[data-index="${index}"] .open`)
  if (link !== null) {
    link.focus({ preventScroll: true })
    link.closest('li')?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
    return
  }
  const rowHeight = list.clientHeight / layout.height
  const top = list.getBoundingClientRect().top + scrollY + layout.topOf(index) * rowHeight
  scrollTo({ top: top - innerHeight / 2, behavior: 'instant' })
  requestAnimationFrame(() => focusRow(index, layout, left - 1))
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
    // On a phone, the field stays at the top while the list scrolls.
    if (scrollY > 0) scrollTo({ top: 0, behavior: 'instant' })
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
  const states = query.split(/\s+/u).filter((word) => /^-?is:/iu.test(word))
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
            aria-current={(filter === '' ? states.length === 0 : states.includes(filter)) ? 'true' : undefined}
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

/** The order of the list, and whether it shows done items. */
const ListTools = ({ query, list }: { readonly query: string; readonly list: ListOptions }) => {
  const { model, navigation } = useShared()
  const settings = useTagSettings()
  const texts = model.words.list
  const set = (change: Partial<ListOptions>) =>
    navigation.replace({ screen: 'things', query, list: { ...list, ...change } })
  const hasTodos = [...settings.values()].some(({ todo }) => todo !== false)
  return (
    <div class="list-tools">
      {(hasTodos || list.hidesDone) && (
        <button
          type="button"
          class="chip plain-chip"
          aria-pressed={list.hidesDone}
          onClick={() => set({ hidesDone: !list.hidesDone })}
        >
          {texts.hideDone}
        </button>
      )}
      <select
        class="sort"
        aria-label={texts.sort}
        value={list.sort}
        onChange={({ currentTarget: { value } }) => set({ sort: value as Sort })}
      >
        {sorts.map((sort) => (
          <option key={sort} value={sort}>
            {texts[sort]}
          </option>
        ))}
      </select>
    </div>
  )
}

/** Saves or exports the results of a search; on a phone, a menu, so that the line has room for the order. */
const SearchTools = ({ query }: { readonly query: string }) => {
  const { words } = useShared().model
  const isPhone = useMedia('(width < 48rem)')
  const menu = useRef<HTMLDivElement>(null)
  const tools = (
    <>
      <SaveSearch key={query} query={query} />
      <Link to={{ screen: 'transfer', query }}>{words.transferScreen.exportFound}</Link>
    </>
  )
  if (!isPhone) return <div class="search-tools">{tools}</div>
  return (
    // The Escape key closes the open menu only.
    // biome-ignore lint/a11y/noStaticElementInteractions: its buttons have the focus
    <div
      onKeyDown={(event) => event.key === 'Escape' && menu.current?.matches(':popover-open') && event.stopPropagation()}
    >
      <button type="button" class="plain" popovertarget="search-tools">
        {words.search.more}
      </button>
      <div id="search-tools" class="search-tools" popover="auto" ref={menu}>
        {tools}
      </div>
    </div>
  )
}

interface BulkBarProps {
  readonly rows: readonly Row[]
  readonly onAll: () => void
  readonly onNone: () => void
  /** Called after tagging, when keys should act on the list again. */
  readonly onTagged: () => void
}

/** The maximum number of selected items whose titles are shown. */
const maxChosenTitles = 8
const maxChosenCharacters = 120

/** The actions for all selected items. In a wide window with an item beside the list, they take the item's place. */
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
  const archiveText = rows.every((row) => row.archived) ? texts.unarchive : texts.archive
  const thenClear = (isDone: unknown) => {
    if (isDone !== undefined) onNone()
  }
  return (
    <section class="bulk" aria-label={texts.selected(rows.length)}>
      <p>
        <button type="button" class="none" title={texts.none} aria-label={texts.none} onClick={onNone}>
          <Icon name="close" />
        </button>
        <strong aria-live="polite">{texts.selected(rows.length)}</strong>
        <button type="button" class="plain" onClick={onAll}>
          {texts.all}
        </button>
      </p>
      <ul class="chosen">
        {rows.slice(0, maxChosenTitles).map((row) => (
          <li key={row.number} dir="auto">
            {nameThing(row, model.words).slice(0, maxChosenCharacters)}
          </li>
        ))}
        {rows.length > maxChosenTitles && <li class="soft">+{rows.length - maxChosenTitles}</li>}
      </ul>
      <form onSubmit={tag}>
        <label class="aside" for="bulk-tags">
          {texts.tagLabel}
        </label>
        <TagField
          id="bulk-tags"
          value={text}
          onValue={setText}
          settings={settings}
          placeholder={texts.tagHint}
          title={texts.tagLabel}
          opensUp
        />
        <button type="submit">{texts.tag}</button>
      </form>
      <div class="buttons">
        <button type="button" title={archiveText} onClick={() => toggleArchived(model, rows).then(thenClear)}>
          <Icon name="archive" />
          <span class="name">{archiveText}</span>
        </button>
        <button
          type="button"
          class="grave"
          title={texts.delete}
          onClick={() => deleteThings(model, rows).then(thenClear)}
        >
          <Icon name="trash" />
          <span class="name">{texts.delete}</span>
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

/** Excerpts wait until the rows under the eyes of the user stay the same for a moment. */
const excerptMilliseconds = 40
/** As long as the rows move (style/list.css). */
const moveMilliseconds = 200

/** True for a moment after each action of the user, while the other rows move to their next positions. */
const useIsMoving = (): boolean => {
  const action = useObservable(useShared().model.undo.latest)
  const [isMoving, setMoving] = useState(false)
  // A layout effect, so that the rows have their transition before they move.
  useLayoutEffect(() => {
    // An added item appears at once.
    if (action === undefined || (action.kind === 'added' && !action.isUndone)) return
    setMoving(true)
    const timer = setTimeout(() => setMoving(false), moveMilliseconds)
    return () => clearTimeout(timer)
  }, [action])
  return isMoving
}

interface ItemsScreenProps {
  readonly query: string
  readonly list: ListOptions
  readonly isHidden: boolean
  /** The ID of the item that is shown beside the list. */
  readonly openId: string | undefined
  /** Whether the focused item is shown beside the list. */
  readonly hasPane: boolean
}

/** The list of items. It stays rendered while another screen is shown, so that it reappears at once. */
export const ItemsScreen = ({ query, list, isHidden, openId, hasPane }: ItemsScreenProps) => {
  const { model, navigation } = useShared()
  const { library, words, app, load } = model
  const found = useFound(query, list)
  const settings = useTagSettings()
  const selected = useObservable(model.selected)
  const { isComplete, revision } = useObservable(library.state)
  const [excerpts] = useState(() =>
    createExcerpts({
      findThings: app.replica.findThings,
      later: (work) => void setTimeout(() => load(work), excerptMilliseconds),
    }),
  )
  useObservable(excerpts.revision)
  const isMoving = useIsMoving()
  const isNarrow = useMedia('(width < 36rem)')
  const maxTags = isNarrow ? 2 : openId === undefined ? 6 : 3
  const formatMonth = useMemo(() => createMonthFormat(words.code), [words])
  const searchedWords = useMemo(() => readSearchedWords(query), [query])
  const numbers = found?.numbers ?? new Uint32Array()
  const lastSelected = useRef<number | undefined>(undefined)
  const left = useRef<ListPosition>({ scroll: 0, index: 0, number: undefined })
  const acted = useRef<Omit<ListPosition, 'scroll'> | undefined>(undefined)
  // The number of the row that should have the focus, but is not in the list yet.
  const awaited = useRef<number | undefined>(undefined)

  const rowAt = (index: number): Row | undefined => library.findByNumber(numbers[index] ?? -1)
  const isByDate = found?.list.sort === 'newest' || found?.list.sort === 'oldest'
  const layout = useMemo(() => {
    const headings = isByDate ? findMonths(numbers.length, (index) => rowAt(index)?.date ?? 0) : []
    return createListLayout(numbers.length, headings)
  }, [found])
  const focusAt = (index: number) => focusRow(index, layout)
  const openRow = openId === undefined ? undefined : library.findById(openId)

  useLayoutEffect(() => {
    if (isHidden) return
    const { scroll, index, number } = left.current
    scrollTo({ top: scroll, behavior: 'instant' })
    // The row may have moved meanwhile. If it was removed, the row at its index gets the focus.
    const now = number === undefined ? -1 : numbers.indexOf(number)
    if (number !== undefined) focusAt(now >= 0 ? now : Math.min(index, numbers.length - 1))
    // For example an item that the user has just unarchived.
    awaited.current = now >= 0 ? undefined : number
    const remember = () => {
      left.current = { ...left.current, scroll: scrollY }
    }
    addEventListener('scroll', remember, { passive: true })
    return () => removeEventListener('scroll', remember)
  }, [isHidden])

  useLayoutEffect(() => {
    const index = awaited.current === undefined ? -1 : numbers.indexOf(awaited.current)
    if (index === -1 || findFocusedIndex() === undefined) return
    awaited.current = undefined
    focusAt(index)
  }, [found])
  useLayoutEffect(() => {
    const last = acted.current
    if (last?.number === undefined || numbers.includes(last.number)) return
    acted.current = undefined
    // A key removed the focused row from the list. The next row gets the focus, unless an element outside the list has it.
    if (document.activeElement !== document.body && findFocusedIndex() === undefined) return
    const next = Math.min(last.index, numbers.length - 1)
    focusAt(next)
    // The item beside the list follows the focus.
    if (openRow?.number !== last.number) return
    const row = rowAt(next)
    navigation.replace({ screen: 'things', query, ...(row && { thing: row.id }) })
  }, [found])

  const beside = useRef<Row | undefined>(undefined)
  useLayoutEffect(() => {
    const closed = beside.current
    beside.current = openRow
    if (isHidden || openId !== undefined || closed === undefined) return
    // The item beside the list was closed, with the element that had the focus.
    const index = numbers.indexOf(closed.number)
    if (document.activeElement === document.body && index >= 0) focusAt(index)
  }, [openId, isHidden])

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
  /** Calls back with the rows for a key: the selected rows, the focused row, or the item beside the list. */
  const withRows = (act: (rows: readonly Row[]) => void) => () => {
    const index = findFocusedIndex() ?? -1
    const focused = rowAt(index)
    acted.current = { index, number: focused?.number }
    const chosen = readSelected()
    const row = focused ?? openRow
    const rows = chosen.length > 0 ? chosen : row === undefined ? [] : [row]
    if (rows.length > 0) act(rows)
  }
  /** Returns the index from which `j` and `k` move: of the focused row, or of the item beside the list. */
  const findCurrentIndex = (): number | undefined => {
    const index = findFocusedIndex() ?? (openRow === undefined ? -1 : numbers.indexOf(openRow.number))
    return index === -1 ? undefined : index
  }
  const step = (by: number) => () => {
    const index = findCurrentIndex()
    const next = index === undefined ? 0 : index + by
    const row = rowAt(next)
    if (row === undefined) return
    focusAt(next)
    if (hasPane) navigation.replace({ screen: 'things', query, thing: row.id })
  }
  const selectFocused = (isRange: boolean) => () => {
    const index = findFocusedIndex()
    if (index !== undefined) select(index, isRange)
  }
  const leave = (index: number | undefined) => {
    left.current = { scroll: scrollY, index: index ?? 0, number: rowAt(index ?? -1)?.number }
  }
  const edit = () => {
    const index = findFocusedIndex()
    const row = rowAt(index ?? -1)
    // The screen of the item beside the list has the same key.
    if (row === undefined) return false
    leave(index)
    return navigation.go({ screen: 'things', query, thing: row.id, isEditing: true })
  }
  const openPage = () => {
    const row = rowAt(findFocusedIndex() ?? -1) ?? openRow
    const url = row === undefined ? undefined : findPageUrl(row)
    if (url !== undefined) open(url, '_blank', 'noopener,noreferrer')
  }
  const selectNone = () => {
    model.selected.set(new Set())
    // The bar disappears, and keys act on the list again.
    focusAt(Math.min(lastSelected.current ?? 0, numbers.length - 1))
  }
  const tag = () => {
    // The item beside the list has the same key.
    if (findFocusedIndex() === undefined && model.selected.read().size === 0) return false
    return withRows(tagRows)()
  }
  const tagRows = (rows: readonly Row[]) => {
    model.selected.set(new Set(rows.map(({ number }) => number)))
    focusById('bulk-tags')
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
    if (index >= 0) focusAt(index)
    else field?.blur()
  }
  const remove = withRows((rows) => {
    deleteThings(model, rows).then((isDone) => {
      // The next item in the list is not the one that the user wants to read.
      if (isDone !== undefined && rows.some(({ number }) => number === openRow?.number))
        navigation.replace({ screen: 'things', query })
    })
  })
  /** Moves with the arrows only from a focused row: otherwise they scroll the page. */
  const stepFromRow = (by: number) => () => (findFocusedIndex() === undefined ? false : step(by)())
  const stepBack = () => {
    if (model.selected.read().size > 0) return model.selected.set(new Set())
    // The item beside the list has the same key: it ends its editing, or closes.
    if (openRow !== undefined || (openId === undefined && query === '')) return false
    return navigation.go({ screen: 'things', query: openId === undefined ? '' : query })
  }
  useKeys(
    {
      j: step(1),
      k: step(-1),
      ArrowDown: stepFromRow(1),
      ArrowUp: stepFromRow(-1),
      x: selectFocused(false),
      X: selectFocused(true),
      e: edit,
      o: openPage,
      a: withRows((rows) => toggleArchived(model, rows)),
      c: withRows((rows) => toggleDone(model, rows)),
      '#': tag,
      Delete: remove,
      Escape: stepBack,
    },
    !isHidden,
  )
  const all = library.countThings()
  const isWholeList = query === '' && !list.hidesDone
  // A search leaves the archive out, unless it asks for it.
  const hasArchive = /\bis:archived/iu.test(query)
  const searched = useMemo(() => {
    if (isWholeList || hasArchive) return 0
    return [...library.listRows()].filter(({ archived }) => !archived).length
  }, [library, revision, isWholeList, hasArchive])
  const outOf = isWholeList || hasArchive ? numbers.length : searched
  const isSelecting = selectedRows.length > 0
  const isSearching = query !== '' && numbers.length > 0
  const noneLeft = list.hidesDone ? words.search.allDone : words.search.allArchived
  const nothingText = query.trim() === '' ? noneLeft : words.search.nothingFor(query.trim(), outOf)
  return (
    <>
      <section
        hidden={isHidden}
        class={searchedWords.length > 0 ? 'things with-words' : 'things'}
        onClickCapture={() => leave(findFocusedIndex())}
        onKeyDownCapture={({ target }) => {
          // Before the key acts. From now on the user may move the focus.
          if (isTypedIn(target)) return
          acted.current = undefined
          awaited.current = undefined
        }}
        aria-busy={!isComplete || found?.query !== query || !isSame(found.list, list) || !found.isWhole}
        data-shown={found?.query}
      >
        <h1 class="aside">{words.things}</h1>
        <SearchBox query={query} />
        {/* One line: what appears with a search must not push the list down. */}
        <div class={isSearching ? 'list-line searching' : 'list-line'}>
          <p class="soft count">
            <span role="status">
              {found === undefined || all === 0 ? '' : words.search.found(numbers.length, outOf)}
              {isComplete && found?.isWhole !== false ? '' : ` · ${words.search.reading}`}
            </span>
          </p>
          {isSearching && <SearchTools query={query} />}
          {all > 1 && (numbers.length > 0 || list.hidesDone) && <ListTools query={query} list={list} />}
        </div>
        {found?.isWhole === true && isComplete && all === 0 && <EmptyList />}
        {found?.isWhole === true && isComplete && all > 0 && numbers.length === 0 && (
          <div class="nothing">
            <Icon name="search" />
            {query.trim() === 'is:open' ? <NoTodos /> : <p>{nothingText}</p>}
            {query.trim() !== '' && <NoMatches query={query} />}
          </div>
        )}
        <WindowedList
          count={numbers.length}
          layout={layout}
          label={words.row.list}
          isMoving={isMoving}
          formatHeading={formatMonth}
          keyAt={(index) => numbers[index] ?? -1}
          renderRow={(index) => {
            const row = rowAt(index)
            return (
              row && (
                <ItemRow
                  row={row}
                  query={query}
                  words={searchedWords}
                  note={excerpts.read(row)}
                  settings={settings}
                  isSelected={selected.has(row.number)}
                  isSelecting={isSelecting}
                  isOpen={row.number === openRow?.number}
                  maxTags={maxTags}
                  onSelect={(isRange) => select(index, isRange)}
                  onTag={() => tagRows([row])}
                />
              )
            )
          }}
        />
      </section>
      {isSelecting && !isHidden && (
        <BulkBar
          rows={selectedRows}
          onAll={() => model.selected.set(new Set(numbers))}
          onNone={selectNone}
          onTagged={() => leaveField(readSelected())}
        />
      )}
    </>
  )
}
