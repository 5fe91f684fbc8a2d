import { useMemo, useRef } from 'preact/hooks'
import { toggleArchived, toggleDone } from '../data/account-model.ts'
import type { Row } from '../data/item-parts.ts'
import { nameThing } from '../data/messages.ts'
import { readSafeUrl } from '../data/view-state.ts'
import { toggleTagIn } from '../search/query.ts'
import { Link, useShared } from './context.tsx'
import { Icon } from './icon.tsx'
import { type AllTagSettings, TagChip } from './tag-chip.tsx'

/** The minimum distance of a swipe, in CSS pixels. */
const minSwipePixels = 96

interface Swipe {
  readonly x: number
  readonly y: number
  readonly pointer: number
}

/** Calls back after a swipe to either side; until then the element follows the finger. */
const useSwipe = (onSwipe: () => void) => {
  const swipe = useRef<Swipe | undefined>(undefined)
  const move = (element: HTMLElement, by: number) => {
    element.style.translate = by === 0 ? '' : `${by}px 0`
    element.classList.toggle('swiped', Math.abs(by) > minSwipePixels)
  }
  const end = (event: PointerEvent & { readonly currentTarget: HTMLElement }, isComplete: boolean) => {
    const start = swipe.current
    if (start?.pointer !== event.pointerId) return
    swipe.current = undefined
    move(event.currentTarget, 0)
    if (isComplete && Math.abs(event.clientX - start.x) > minSwipePixels) onSwipe()
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
    // The browser cancels the pointer when it scrolls.
    onPointerCancel: (event: PointerEvent & { readonly currentTarget: HTMLElement }) => end(event, false),
  }
}

interface ItemRowProps {
  readonly row: Row
  readonly query: string
  readonly settings: AllTagSettings
  readonly isSelected: boolean
  readonly onSelect: (isRange: boolean) => void
}

/** Whether an item with these tags and this state is struck through. */
export const isStruck = (row: Pick<Row, 'tags' | 'todoStatus'>, settings: AllTagSettings): boolean =>
  row.todoStatus === true && row.tags.some((tag) => settings.get(tag)?.todo === 'strike')

// A list shows the beginning of a long title; the screen of the item shows the whole title.
const maxTitleCharacters = 300

/** An item in a list. It is memoized, because scrolling renders the list in each frame. */
export const ItemRow = ({ row, query, settings, isSelected, onSelect }: ItemRowProps) => {
  const { model, formatDay } = useShared()
  const select = useRef(onSelect)
  select.current = onSelect
  return useMemo(
    () => (
      <RowContent
        row={row}
        query={query}
        settings={settings}
        isSelected={isSelected}
        onSelect={(isRange) => select.current(isRange)}
      />
    ),
    [row, query, settings, isSelected, model.words, formatDay],
  )
}

const RowContent = ({ row, query, settings, isSelected, onSelect }: ItemRowProps) => {
  const { model, formatDay } = useShared()
  const texts = model.words.row
  const title = nameThing(row, model.words).slice(0, maxTitleCharacters)
  const host = readSafeUrl(row.url)?.hostname
  const swipe = useSwipe(() => toggleArchived(model, [row]))
  return (
    <div class={isSelected ? 'row selected' : 'row'} {...swipe}>
      {row.todoStatus === undefined ? (
        <Icon name={host === undefined ? 'note' : 'link'} />
      ) : (
        <input
          type="checkbox"
          class="todo"
          checked={row.todoStatus}
          aria-label={texts.done(title)}
          onChange={() => toggleDone(model, [row])}
        />
      )}
      <div class="row-text">
        <Link
          to={{ screen: 'things', query, thing: row.id }}
          class={isStruck(row, settings) ? 'title struck' : 'title'}
          dir="auto"
        >
          {title}
        </Link>
        <span class="about">
          {row.tags.slice(0, 6).map((tag) => (
            <TagChip key={tag} name={tag} settings={settings} query={toggleTagIn(query, tag)} />
          ))}
          {host !== undefined && <bdi class="host">{host.replace(/^www\./u, '')}</bdi>}
          <time dateTime={toIso(row.date)}>{formatDay(row.date)}</time>
          {row.archived && <span>{texts.archived}</span>}
          {row.isPending && (
            <span class="pending" role="img" aria-label={texts.pending} title={texts.pending}>
              ↑
            </span>
          )}
        </span>
      </div>
      <input
        type="checkbox"
        class="select"
        checked={isSelected}
        aria-label={texts.select(title)}
        onClick={(event) => onSelect(event.shiftKey)}
      />
    </div>
  )
}

const toIso = (seconds: number): string | undefined => {
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
