import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { deleteThings, toggleArchived, toggleDone } from '../data/account-model.ts'
import { cutExcerpt, findMatches } from '../data/excerpts.ts'
import type { Row } from '../data/item-parts.ts'
import { nameThing } from '../data/messages.ts'
import { findPageUrl, readSafeUrl } from '../data/urls.ts'
import { toggleTagIn } from '../search/query.ts'
import { Link, useShared } from './context.tsx'
import { Icon } from './icon.tsx'
import { type AllTagSettings, TagChip } from './tags.tsx'

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

interface ItemRowProps {
  readonly row: Row
  readonly query: string
  /** The folded words of the query, which are marked; the same array while the query stays the same. */
  readonly words: readonly string[]
  /** The text of the note; undefined without a note, or until it is read. */
  readonly note: string | undefined
  readonly settings: AllTagSettings
  readonly isSelected: boolean
  /** Whether any item is selected. */
  readonly isSelecting: boolean
  /** Whether the item is shown beside the list. */
  readonly isOpen: boolean
  /** The number of tags that have room; a number stands for the others. */
  readonly maxTags: number
  readonly onSelect: (isRange: boolean) => void
  readonly onTag: () => void
}

/** Whether an item with these tags and this state is struck through. */
export const isStruck = (row: Pick<Row, 'tags' | 'todoStatus'>, settings: AllTagSettings): boolean =>
  row.todoStatus === true && row.tags.some((tag) => settings.get(tag)?.todo === 'strike')

// A list shows the beginning of a long title; the screen of the item shows the whole title.
const maxTitleCharacters = 300

/** A text with marked words. */
export const Marked = ({ text, words }: { readonly text: string; readonly words: readonly string[] }) => {
  const parts: ComponentChildren[] = []
  let at = 0
  for (const [start, end] of findMatches(text, words)) {
    parts.push(text.slice(at, start), <mark key={start}>{text.slice(start, end)}</mark>)
    at = end
  }
  return <>{[...parts, text.slice(at)]}</>
}

/** An item in a list. It is memoized, because scrolling renders the list in each frame. */
export const ItemRow = (props: ItemRowProps) => {
  const { row, query, words, note, settings, isSelected, isSelecting, isOpen, maxTags } = props
  const { model, formatDay } = useShared()
  const latest = useRef(props)
  latest.current = props
  return useMemo(
    () => (
      <RowContent
        {...props}
        onSelect={(isRange) => latest.current.onSelect(isRange)}
        onTag={() => latest.current.onTag()}
      />
    ),
    [row, query, words, note, settings, isSelected, isSelecting, isOpen, maxTags, model.words, formatDay],
  )
}

/** The actions of a row under the mouse. Keys, swipes and the bulk bar have the same actions. */
const RowActions = ({
  row,
  title,
  onTag,
}: {
  readonly row: Row
  readonly title: string
  readonly onTag: () => void
}) => {
  const { model } = useShared()
  const { many } = model.words
  const archive = row.archived ? many.unarchive : many.archive
  const actions = [
    { icon: 'archive', name: archive, act: () => toggleArchived(model, [row]) },
    { icon: 'tag', name: many.tag, act: onTag },
    { icon: 'trash', name: many.delete, act: () => deleteThings(model, [row]) },
  ] as const
  return (
    <span class="row-actions">
      {actions.map(({ icon, name, act }) => (
        // The keys have the same actions, so the buttons are no stops of the Tab key.
        <button key={icon} type="button" tabIndex={-1} title={name} aria-label={`${name}: ${title}`} onClick={act}>
          <Icon name={icon} />
        </button>
      ))}
    </span>
  )
}

const RowContent = (props: ItemRowProps) => {
  const { row, query, words, note, settings, isSelected, isSelecting, isOpen, maxTags, onSelect, onTag } = props
  const { model, formatDay } = useShared()
  const [isHovered, setHovered] = useState(false)
  const texts = model.words.row
  const title = nameThing(row, model.words).slice(0, maxTitleCharacters)
  const host = readSafeUrl(row.url)?.hostname
  const page = findPageUrl(row)
  const isTodo = row.todoStatus !== undefined
  const { swipe, handlers } = useRowGestures({
    onLeft: () => toggleArchived(model, [row]),
    onRight: isTodo ? () => toggleDone(model, [row]) : undefined,
    onLongPress: () => onSelect(false),
    isSelecting,
  })
  const item = { screen: 'things', query, thing: row.id } as const
  const titleClass = isStruck(row, settings) ? 'title struck' : 'title'
  const heading = <Marked text={title} words={words} />
  const excerpt = note === undefined || note === '' ? undefined : cutExcerpt(note, words)
  const isActing = isHovered && !isSelecting
  const isBare = host === undefined && row.tags.length === 0 && !row.archived && !row.isPending
  // Classes, and no :has(): a row that appears would make the style of all other rows stale.
  const classes = [
    'row',
    isActing && 'acting',
    isBare && 'bare',
    excerpt === undefined && 'brief',
    isTodo && 'is-todo',
    isSelected && 'selected',
    isOpen && 'shown',
    isSelecting && 'choosing',
  ].filter(Boolean)
  return (
    <>
      {swipe !== undefined && (swipe.side === 'left' || isTodo) && (
        <span class={`swipe-action ${swipe.side} ${swipe.isArmed ? 'armed' : ''}`} aria-hidden="true">
          <Icon name={swipe.side === 'left' ? 'archive' : 'check'} />
          {swipe.side === 'right'
            ? row.todoStatus
              ? texts.notDone
              : model.words.item.done
            : row.archived
              ? model.words.many.unarchive
              : model.words.many.archive}
        </span>
      )}
      <div
        class={classes.join(' ')}
        {...handlers}
        onPointerEnter={(event) => event.pointerType === 'mouse' && setHovered(true)}
        onPointerLeave={() => setHovered(false)}
      >
        {isTodo ? (
          <input
            type="checkbox"
            class="todo"
            checked={row.todoStatus}
            aria-label={texts.done(title)}
            onChange={() => toggleDone(model, [row])}
          />
        ) : (
          <Icon name={host === undefined ? 'note' : 'link'} />
        )}
        <input
          type="checkbox"
          class="select"
          checked={isSelected}
          aria-label={texts.select(title)}
          onClick={(event) => onSelect(event.shiftKey)}
        />
        <span class="row-words">
          {page === undefined ? (
            <Link to={item} class={`${titleClass} open`} dir="auto">
              {heading}
            </Link>
          ) : (
            <a class={titleClass} dir="auto" href={page.href} target="_blank" rel="noopener noreferrer">
              {heading}
            </a>
          )}
          {excerpt !== undefined && (
            <span class="excerpt" dir="auto">
              <Marked text={excerpt} words={words} />
            </span>
          )}
        </span>
        {page !== undefined && <Link to={item} class="open" aria-label={texts.open(title)} />}
        <span class="about">
          {host !== undefined && (
            <bdi class="host">
              <Marked text={host.replace(/^www\./u, '')} words={words} />
            </bdi>
          )}
          {row.tags.slice(0, maxTags).map((tag) => (
            <TagChip key={tag} name={tag} settings={settings} query={toggleTagIn(query, tag)} />
          ))}
          {row.tags.length > maxTags && <span>+{row.tags.length - maxTags}</span>}
          {row.archived && <span>{texts.archived}</span>}
          {row.isPending && (
            <span class="pending" role="img" aria-label={texts.pending} title={texts.pending}>
              ↑
            </span>
          )}
        </span>
        <time dateTime={toIso(row.date)}>{formatDay(row.date)}</time>
        {isActing && <RowActions row={row} title={title} onTag={onTag} />}
      </div>
    </>
  )
}

const toIso = (seconds: number): string | undefined => {
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
