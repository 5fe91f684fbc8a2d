import { readSafeAddress } from '../data/add-line.ts'
import { inkOn } from '../data/ink-on.ts'
import { nameThing } from '../data/name-thing.ts'
import { useShared } from './desk-context.ts'
import type { AllTagSettings } from './tag-chip.tsx'
import { isStruck } from './thing-row.tsx'

/** What is shown of a thing that is not there yet. */
export interface StillThing {
  readonly title: string
  readonly tags: readonly string[]
  readonly date?: number
  readonly url?: string
  readonly archived: boolean
  readonly todoStatus?: boolean
}

const shownCharacters = 300
const shownTags = 6

const StillTag = ({ name, settings }: { readonly name: string; readonly settings: AllTagSettings }) => {
  const color = settings.get(name)?.color ?? false
  const style = color === false ? {} : { background: color, borderColor: color, color: inkOn(color) }
  return (
    <bdi class="tag" style={style}>
      {name}
    </bdi>
  )
}

/** A thing as it will look in the list, with nothing to press. */
export const StillRow = ({ thing, settings }: { readonly thing: StillThing; readonly settings: AllTagSettings }) => {
  const { desk, formatDay } = useShared()
  const { words } = desk
  const title = nameThing(thing, words).slice(0, shownCharacters)
  const host = readSafeAddress(thing.url)?.hostname
  const struck = isStruck(thing.todoStatus === undefined ? { tags: thing.tags } : { ...thing }, settings)
  return (
    <li class="row">
      {thing.todoStatus !== undefined && (
        <input type="checkbox" class="todo" checked={thing.todoStatus} disabled aria-label={words.row.done(title)} />
      )}
      <div class="row-text">
        <bdi class={struck ? 'title struck' : 'title'}>{title}</bdi>
        <span class="about">
          {thing.tags.slice(0, shownTags).map((tag) => (
            <StillTag key={tag} name={tag} settings={settings} />
          ))}
          {host !== undefined && <bdi class="host">{host}</bdi>}
          {thing.date !== undefined && <span>{formatDay(thing.date)}</span>}
          {thing.archived && <span>{words.row.archived}</span>}
        </span>
      </div>
    </li>
  )
}
