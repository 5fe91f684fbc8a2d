import { useMemo, useRef } from 'preact/hooks'
import { readSafeAddress } from '../data/add-line.ts'
import { toggleArchived, toggleDone } from '../data/deeds.ts'
import { nameThing } from '../data/name-thing.ts'
import { toggleTagIn } from '../data/query.ts'
import type { Row } from '../data/rows.ts'
import { useShared } from './desk-context.ts'
import { Icon } from './icon.tsx'
import { Link } from './link.tsx'
import { type AllTagSettings, TagChip } from './tag-chip.tsx'
import { useSwipe } from './use-swipe.ts'

interface ThingRowProps {
  readonly row: Row
  readonly query: string
  readonly settings: AllTagSettings
  readonly isSelected: boolean
  readonly onSelect: (isRange: boolean) => void
}

/** Whether done things that carry these tags are struck through. */
export const isStruck = (row: Pick<Row, 'tags' | 'todoStatus'>, settings: AllTagSettings): boolean =>
  row.todoStatus === true && row.tags.some((tag) => settings.get(tag)?.todo === 'strike')

// A title of 100,000 characters is read on its own page.
const shownCharacters = 300

/** A thing in a list. It is not drawn anew as long as it shows the same: scrolling asks for it at each frame. */
export const ThingRow = ({ row, query, settings, isSelected, onSelect }: ThingRowProps) => {
  const { desk, formatDay } = useShared()
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
    [row, query, settings, isSelected, desk.words, formatDay],
  )
}

const RowContent = ({ row, query, settings, isSelected, onSelect }: ThingRowProps) => {
  const { desk, formatDay } = useShared()
  const say = desk.words.row
  const title = nameThing(row, desk.words).slice(0, shownCharacters)
  const host = readSafeAddress(row.url)?.hostname
  const swipe = useSwipe(() => toggleArchived(desk, [row]))
  return (
    <div class={isSelected ? 'row selected' : 'row'} {...swipe}>
      {row.todoStatus === undefined ? (
        <Icon name={host === undefined ? 'note' : 'link'} />
      ) : (
        <input
          type="checkbox"
          class="todo"
          checked={row.todoStatus}
          aria-label={say.done(title)}
          onChange={() => toggleDone(desk, [row])}
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
          {row.archived && <span>{say.archived}</span>}
          {row.isPending && (
            <span class="pending" role="img" aria-label={say.pending} title={say.pending}>
              ↑
            </span>
          )}
        </span>
      </div>
      <input
        type="checkbox"
        class="select"
        checked={isSelected}
        aria-label={say.select(title)}
        onClick={(event) => onSelect(event.shiftKey)}
      />
    </div>
  )
}

const toIso = (seconds: number): string | undefined => {
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
