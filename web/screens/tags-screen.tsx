import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ReplicaTagFields } from '../../client/src/index.ts'
import { type ListedTag, listAllTags, planRename, planTagging, readTags } from '../data/edit-form.ts'
import { buildTagTree, type TagColorName, tagColors } from '../data/tags.ts'
import { useObservable, useShared } from '../parts/context.tsx'
import { Icon } from '../parts/icon.tsx'
import { type AllTagSettings, TagTree, useTagSettings } from '../parts/tags.tsx'
import { foldText } from '../search/query.ts'

const maxShownTags = 100

const colorNames = Object.keys(tagColors) as readonly TagColorName[]

/** Converts `#rgb` to `#rrggbb`, which a color field needs. */
const toLongColor = (color: string): string =>
  color.length === 4 ? `#${[...color.slice(1)].map((digit) => digit + digit).join('')}` : color

const TagSettingsForm = ({ tag, settings }: { readonly tag: ListedTag; readonly settings: AllTagSettings }) => {
  const { model } = useShared()
  const [name, setName] = useState(tag.name)
  const panel = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => panel.current?.scrollIntoView({ block: 'nearest' }), [])
  const texts = model.words.tagScreen
  const set = (change: ReplicaTagFields) =>
    model.perform({ kind: 'setTag', name: tag.name }, [{ kind: 'tag', name: tag.name, change }])
  const [next] = readTags(name)
  const isMerge =
    next !== tag.name && (settings.has(next ?? '') || (model.library.tagCounts().get(next ?? '') ?? 0) > 0)
  const rename = (event: SubmitEvent) => {
    event.preventDefault()
    if (next === undefined || next === tag.name) return
    const steps = planRename(model.library.listRows(), settings, tag.name, next)
    model.perform({ kind: 'renamedTag', name: tag.name }, steps)
  }
  const removeFromAll = () => {
    const rows = [...model.library.listRows()].filter(({ tags }) => tags.includes(tag.name))
    model.perform({ kind: 'tagged', name: rows[0]?.title ?? '' }, planTagging(rows, [], [tag.name]))
  }
  return (
    <div class="fields tag-settings" ref={panel}>
      <ColorField tag={tag} onColor={(color) => set({ color })} />
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
      <form class="setting apart" onSubmit={rename}>
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
        <button type="submit">{isMerge && next !== undefined ? texts.merge(next) : texts.rename}</button>
        <p class="soft">{texts.mergeHint}</p>
      </form>
      {tag.count > 0 && (
        <div class="setting apart">
          <button type="button" class="grave" onClick={removeFromAll}>
            {texts.removeFrom(tag.count)}
          </button>
        </div>
      )}
    </div>
  )
}

interface ColorFieldProps {
  readonly tag: ListedTag
  /** Saves a color; undefined after an error. */
  readonly onColor: (color: string | false) => Promise<unknown>
}

/** The twelve colors of the palette, no color, and the free choice. */
const ColorField = ({ tag, onColor }: ColorFieldProps) => {
  const { tagScreen: texts } = useShared().model.words
  // Until it is saved. A rendering with the saved color would uncheck the chosen one for a moment.
  const [chosen, setChosen] = useState<string | false>()
  useEffect(() => {
    if (chosen === tag.color) setChosen(undefined)
  }, [chosen, tag.color])
  const choose = async (next: string | false) => {
    setChosen(next)
    if ((await onColor(next)) === undefined) setChosen(undefined)
  }
  const shown = chosen ?? tag.color
  const color = shown === false ? undefined : toLongColor(shown).toLowerCase()
  const isFree = color !== undefined && !Object.values<string>(tagColors).includes(color)
  const group = `color of ${tag.name}`
  return (
    <fieldset class="setting color-setting">
      <legend class="aside">{texts.color(tag.name)}</legend>
      <span class="soft" aria-hidden="true">
        {texts.colorShort}
      </span>
      <div class="swatches">
        <label class="swatch no-color" title={texts.noColorShort}>
          <input
            type="radio"
            name={group}
            checked={color === undefined}
            aria-label={texts.noColorShort}
            onChange={() => choose(false)}
          />
        </label>
        {colorNames.map((name) => (
          <label key={name} class="swatch" style={{ '--tag': tagColors[name] }} title={texts.palette[name]}>
            <input
              type="radio"
              name={group}
              checked={color === tagColors[name]}
              aria-label={texts.palette[name]}
              onChange={() => choose(tagColors[name])}
            />
          </label>
        ))}
        <label
          class={isFree ? 'swatch free current' : 'swatch free'}
          style={isFree ? { '--tag': color } : {}}
          title={texts.otherColor}
        >
          <input
            type="color"
            value={color ?? '#808080'}
            aria-label={texts.otherColor}
            onChange={(event) => choose(event.currentTarget.value)}
          />
        </label>
      </div>
    </fieldset>
  )
}

interface TagActionsProps {
  readonly tag: ListedTag
  readonly isOpen: boolean
  readonly onOpen: () => void
}

const TagActions = ({ tag, isOpen, onOpen }: TagActionsProps) => {
  const { model } = useShared()
  const texts = model.words.tagScreen
  const togglePin = () =>
    model.perform({ kind: 'setTag', name: tag.name }, [
      { kind: 'tag', name: tag.name, change: { favorite: !tag.favorite } },
    ])
  const pin = (tag.favorite ? texts.unpin : texts.pin)(tag.name)
  return (
    <span class="tag-actions">
      <button type="button" class={tag.favorite ? 'pin pinned' : 'pin'} aria-label={pin} onClick={togglePin}>
        <Icon name="pin" />
        <span class="word">{tag.favorite ? texts.unpinShort : texts.pinShort}</span>
      </button>
      <button type="button" class="pin" aria-expanded={isOpen} aria-label={texts.settings(tag.name)} onClick={onOpen}>
        <Icon name="settings" />
        <span class="word">{model.words.settings}</span>
      </button>
    </span>
  )
}

/** The screen of all tags with their counts and settings. */
export const TagsScreen = () => {
  const { model } = useShared()
  useObservable(model.library.state)
  const settings = useTagSettings()
  const [filter, setFilter] = useState('')
  const [shown, setShown] = useState(maxShownTags)
  const [openName, setOpenName] = useState<string>()
  const list = useRef<HTMLDivElement>(null)
  const more = useRef<HTMLButtonElement>(null)
  const focusIndex = useRef<number | undefined>(undefined)
  useEffect(() => {
    const index = focusIndex.current
    focusIndex.current = undefined
    // The button disappears with the last tags. The focus moves to the first of the new tags.
    if (index !== undefined && more.current === null)
      list.current?.querySelectorAll<HTMLElement>(':scope > .tag-tree > li')[index]?.querySelector('a')?.focus()
  }, [shown])
  const showMore = () => {
    focusIndex.current = shown
    setShown(shown + maxShownTags)
  }
  const texts = model.words.tagScreen
  const { compare } = new Intl.Collator(model.words.code, { numeric: true })
  const wanted = foldText(filter)
  const tags = listAllTags(model.library.tagCounts(), settings, compare)
    .filter(({ name }) => foldText(name).includes(wanted))
    // A pinned tag stays where it is, under the finger that pinned it.
    .sort((one, other) => compare(one.name, other.name))
  const nodes = buildTagTree(tags)
  return (
    <section class="sheet tag-screen">
      <h1>{model.words.tags}</h1>
      <div class="search-field">
        <Icon name="search" />
        <input
          type="search"
          aria-label={texts.filter}
          placeholder={texts.filter}
          value={filter}
          autocapitalize="none"
          spellcheck={false}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
      </div>
      {tags.length === 0 && <p>{filter === '' ? texts.none : model.words.search.nothing}</p>}
      <div ref={list}>
        <TagTree
          nodes={nodes.slice(0, shown)}
          settings={settings}
          query=""
          isAllOpen={filter !== ''}
          renderActions={({ tag }) =>
            tag && (
              <TagActions
                tag={tag}
                isOpen={tag.name === openName}
                onOpen={() => setOpenName(tag.name === openName ? undefined : tag.name)}
              />
            )
          }
          renderMore={({ tag }) =>
            tag?.name === openName && tag && <TagSettingsForm key={tag.name} tag={tag} settings={settings} />
          }
        />
      </div>
      {nodes.length > shown && (
        <button type="button" ref={more} onClick={showMore}>
          {texts.more(Math.min(maxShownTags, nodes.length - shown))}
        </button>
      )}
    </section>
  )
}
