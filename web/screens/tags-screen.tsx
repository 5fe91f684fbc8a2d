import { useEffect, useRef, useState } from 'preact/hooks'
import type { ReplicaTagFields } from '../../client/src/index.ts'
import { type ListedTag, listAllTags, planRename, readTags } from '../data/edit-form.ts'
import { useObservable, useShared } from '../parts/context.tsx'
import { type AllTagSettings, TagChip, useTagSettings } from '../parts/tag-chip.tsx'
import { foldText } from '../search/query.ts'

const maxShownTags = 100

/** `#rgb` as the color field of a browser wants it. */
const toLongColor = (color: string): string =>
  color.length === 4 ? `#${[...color.slice(1)].map((digit) => digit + digit).join('')}` : color

const TagSettingsForm = ({ tag, settings }: { readonly tag: ListedTag; readonly settings: AllTagSettings }) => {
  const { model: desk } = useShared()
  const [name, setName] = useState(tag.name)
  const say = desk.words.tagScreen
  const set = (change: ReplicaTagFields) =>
    desk.perform({ kind: 'setTag', name: tag.name }, [{ kind: 'tag', name: tag.name, change }])
  const rename = (event: SubmitEvent) => {
    event.preventDefault()
    const [next] = readTags(name)
    if (next === undefined || next === tag.name) return
    desk.perform({ kind: 'renamedTag', name: tag.name }, planRename(desk.library.listRows(), settings, tag.name, next))
  }
  return (
    <div class="fields tag-settings">
      <div class="setting">
        <span class="soft" aria-hidden="true">
          {say.colourShort}
        </span>
        <input
          type="color"
          value={tag.color === false ? '#808080' : toLongColor(tag.color)}
          aria-label={say.colour(tag.name)}
          onChange={(event) => set({ color: event.currentTarget.value })}
        />
        {tag.color !== false && (
          <button type="button" class="plain" aria-label={say.noColour(tag.name)} onClick={() => set({ color: false })}>
            {say.noColourShort}
          </button>
        )}
      </div>
      <div class="setting">
        <span class="soft" aria-hidden="true">
          {say.todoShort}
        </span>
        <select
          aria-label={say.todo(tag.name)}
          value={tag.todo === false ? '' : String(tag.todo)}
          onChange={({ currentTarget: { value } }) =>
            set({ todo: value === 'strike' || value === 'dont-strike' ? value : false })
          }
        >
          <option value="">{say.todoNone}</option>
          <option value="strike">{say.todoStrike}</option>
          <option value="dont-strike">{say.todoPlain}</option>
        </select>
      </div>
      <form class="setting" onSubmit={rename}>
        <span class="soft" aria-hidden="true">
          {say.newNameShort}
        </span>
        <input
          type="text"
          value={name}
          aria-label={say.newName(tag.name)}
          autocapitalize="none"
          spellcheck={false}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <button type="submit">{say.rename}</button>
        <p class="soft">{say.mergeHint}</p>
      </form>
    </div>
  )
}

const TagRow = ({ tag, settings }: { readonly tag: ListedTag; readonly settings: AllTagSettings }) => {
  const { model: desk } = useShared()
  const [isOpen, setOpen] = useState(false)
  const say = desk.words.tagScreen
  const favor = () =>
    desk.perform({ kind: 'setTag', name: tag.name }, [
      { kind: 'tag', name: tag.name, change: { favorite: !tag.favorite } },
    ])
  return (
    <li>
      <div class="tag-line">
        <button
          type="button"
          class="star"
          aria-pressed={tag.favorite}
          aria-label={say.favourite(tag.name)}
          onClick={favor}
        >
          {tag.favorite ? '★' : '☆'}
        </button>
        <TagChip name={tag.name} settings={settings} query={`#${tag.name}`} />
        <span class="soft">{say.count(tag.count)}</span>
        <button
          type="button"
          class="plain"
          aria-expanded={isOpen}
          aria-label={say.settings(tag.name)}
          onClick={() => setOpen(!isOpen)}
        >
          {desk.words.settings}
        </button>
      </div>
      {isOpen && <TagSettingsForm tag={tag} settings={settings} />}
    </li>
  )
}

/** All tags with their counts and settings. */
export const TagsScreen = () => {
  const { model: desk } = useShared()
  useObservable(desk.library.state)
  const settings = useTagSettings()
  const [filter, setFilter] = useState('')
  const [shown, setShown] = useState(maxShownTags)
  const list = useRef<HTMLUListElement>(null)
  const more = useRef<HTMLButtonElement>(null)
  const goOnAt = useRef<number | undefined>(undefined)
  useEffect(() => {
    const place = goOnAt.current
    goOnAt.current = undefined
    // The button that was pressed is gone with the last ones: whoever goes by keys goes on with the first of them.
    if (place !== undefined && more.current === null) list.current?.children[place]?.querySelector('button')?.focus()
  }, [shown])
  const showMore = () => {
    goOnAt.current = shown
    setShown(shown + maxShownTags)
  }
  const say = desk.words.tagScreen
  const { compare } = new Intl.Collator(desk.words.code, { numeric: true })
  const wanted = foldText(filter)
  const tags = listAllTags(desk.library.tagCounts(), settings, compare).filter(({ name }) =>
    foldText(name).includes(wanted),
  )
  return (
    <section class="sheet">
      <h1>{desk.words.tags}</h1>
      <div class="field">
        <label for="tag-filter">{say.filter}</label>
        <input
          id="tag-filter"
          type="search"
          value={filter}
          autocapitalize="none"
          spellcheck={false}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
      </div>
      {tags.length === 0 && <p>{filter === '' ? say.none : desk.words.search.nothing}</p>}
      <ul class="rows tag-rows" ref={list}>
        {tags.slice(0, shown).map((tag) => (
          <TagRow key={tag.name} tag={tag} settings={settings} />
        ))}
      </ul>
      {tags.length > shown && (
        <button type="button" ref={more} onClick={showMore}>
          {say.more(Math.min(maxShownTags, tags.length - shown))}
        </button>
      )}
    </section>
  )
}
