import { useEffect, useRef, useState } from 'preact/hooks'
import type { ReplicaTagFields } from '../../client/src/index.ts'
import { type ListedTag, listAllTags, planRename, readTags } from '../data/edit-form.ts'
import { useObservable, useShared } from '../parts/context.tsx'
import { type AllTagSettings, TagChip, useTagSettings } from '../parts/tag-chip.tsx'
import { foldText } from '../search/query.ts'

const maxShownTags = 100

/** Converts `#rgb` to `#rrggbb`, which a color field needs. */
const toLongColor = (color: string): string =>
  color.length === 4 ? `#${[...color.slice(1)].map((digit) => digit + digit).join('')}` : color

const TagSettingsForm = ({ tag, settings }: { readonly tag: ListedTag; readonly settings: AllTagSettings }) => {
  const { model } = useShared()
  const [name, setName] = useState(tag.name)
  const texts = model.words.tagScreen
  const set = (change: ReplicaTagFields) =>
    model.perform({ kind: 'setTag', name: tag.name }, [{ kind: 'tag', name: tag.name, change }])
  const rename = (event: SubmitEvent) => {
    event.preventDefault()
    const [next] = readTags(name)
    if (next === undefined || next === tag.name) return
    const steps = planRename(model.library.listRows(), settings, tag.name, next)
    model.perform({ kind: 'renamedTag', name: tag.name }, steps)
  }
  return (
    <div class="fields tag-settings">
      <div class="setting">
        <span class="soft" aria-hidden="true">
          {texts.colorShort}
        </span>
        <input
          type="color"
          value={tag.color === false ? '#808080' : toLongColor(tag.color)}
          aria-label={texts.color(tag.name)}
          onChange={(event) => set({ color: event.currentTarget.value })}
        />
        {tag.color !== false && (
          <button
            type="button"
            class="plain"
            aria-label={texts.noColor(tag.name)}
            onClick={() => set({ color: false })}
          >
            {texts.noColorShort}
          </button>
        )}
      </div>
      <div class="setting">
        <span class="soft" aria-hidden="true">
          {texts.todoShort}
        </span>
        <select
          aria-label={texts.todo(tag.name)}
          value={tag.todo === false ? '' : String(tag.todo)}
          onChange={({ currentTarget: { value } }) =>
            set({ todo: value === 'strike' || value === 'dont-strike' ? value : false })
          }
        >
          <option value="">{texts.todoNone}</option>
          <option value="strike">{texts.todoStrike}</option>
          <option value="dont-strike">{texts.todoPlain}</option>
        </select>
      </div>
      <form class="setting" onSubmit={rename}>
        <span class="soft" aria-hidden="true">
          {texts.newNameShort}
        </span>
        <input
          type="text"
          value={name}
          aria-label={texts.newName(tag.name)}
          autocapitalize="none"
          spellcheck={false}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <button type="submit">{texts.rename}</button>
        <p class="soft">{texts.mergeHint}</p>
      </form>
    </div>
  )
}

const TagRow = ({ tag, settings }: { readonly tag: ListedTag; readonly settings: AllTagSettings }) => {
  const { model } = useShared()
  const [isOpen, setOpen] = useState(false)
  const texts = model.words.tagScreen
  const toggleFavorite = () =>
    model.perform({ kind: 'setTag', name: tag.name }, [
      { kind: 'tag', name: tag.name, change: { favorite: !tag.favorite } },
    ])
  return (
    <li>
      <div class="tag-line">
        <button
          type="button"
          class="star"
          aria-pressed={tag.favorite}
          aria-label={texts.favorite(tag.name)}
          onClick={toggleFavorite}
        >
          {tag.favorite ? '★' : '☆'}
        </button>
        <TagChip name={tag.name} settings={settings} query={`#${tag.name}`} />
        <span class="soft">{texts.count(tag.count)}</span>
        <button
          type="button"
          class="plain"
          aria-expanded={isOpen}
          aria-label={texts.settings(tag.name)}
          onClick={() => setOpen(!isOpen)}
        >
          {model.words.settings}
        </button>
      </div>
      {isOpen && <TagSettingsForm tag={tag} settings={settings} />}
    </li>
  )
}

/** The screen of all tags with their counts and settings. */
export const TagsScreen = () => {
  const { model } = useShared()
  useObservable(model.library.state)
  const settings = useTagSettings()
  const [filter, setFilter] = useState('')
  const [shown, setShown] = useState(maxShownTags)
  const list = useRef<HTMLUListElement>(null)
  const more = useRef<HTMLButtonElement>(null)
  const focusIndex = useRef<number | undefined>(undefined)
  useEffect(() => {
    const index = focusIndex.current
    focusIndex.current = undefined
    // The button disappears with the last tags. The focus moves to the first of the new tags.
    if (index !== undefined && more.current === null) list.current?.children[index]?.querySelector('button')?.focus()
  }, [shown])
  const showMore = () => {
    focusIndex.current = shown
    setShown(shown + maxShownTags)
  }
  const texts = model.words.tagScreen
  const { compare } = new Intl.Collator(model.words.code, { numeric: true })
  const wanted = foldText(filter)
  const tags = listAllTags(model.library.tagCounts(), settings, compare).filter(({ name }) =>
    foldText(name).includes(wanted),
  )
  return (
    <section class="sheet">
      <h1>{model.words.tags}</h1>
      <div class="field">
        <label for="tag-filter">{texts.filter}</label>
        <input
          id="tag-filter"
          type="search"
          value={filter}
          autocapitalize="none"
          spellcheck={false}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
      </div>
      {tags.length === 0 && <p>{filter === '' ? texts.none : model.words.search.nothing}</p>}
      <ul class="rows tag-rows" ref={list}>
        {tags.slice(0, shown).map((tag) => (
          <TagRow key={tag.name} tag={tag} settings={settings} />
        ))}
      </ul>
      {tags.length > shown && (
        <button type="button" ref={more} onClick={showMore}>
          {texts.more(Math.min(maxShownTags, tags.length - shown))}
        </button>
      )}
    </section>
  )
}
