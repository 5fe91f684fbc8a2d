import type { ComponentChildren, CSSProperties } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { TagSettings } from '../../client/src/index.ts'
import { listAllTags } from '../data/edit-form.ts'
import { buildTagTree, type TagNode } from '../data/tags.ts'
import { toggleTagIn } from '../search/query.ts'
import { Link, useObservable, useShared } from './context.tsx'
import { Icon } from './icon.tsx'
import { readPreference, writePreference } from './preferences.ts'

/** The settings of all tags, by name. */
export type AllTagSettings = ReadonlyMap<string, TagSettings>

/**
 * Returns the style that gives an element of class `tag` its color; `style/tags.css` derives readable colors from it,
 * for light and dark.
 */
export const tagStyle = (name: string, settings: AllTagSettings): CSSProperties => {
  const color = settings.get(name)?.color ?? false
  return color === false ? {} : ({ '--tag': color } as CSSProperties)
}

/** A tag in its color, as a link to a search. */
export const TagChip = ({
  name,
  label = name,
  settings,
  isCurrent = false,
  query,
}: {
  readonly name: string
  /** The shown text; by default the name. */
  readonly label?: string
  readonly settings: AllTagSettings
  readonly isCurrent?: boolean
  readonly query: string
}) => (
  <Link
    to={{ screen: 'things', query }}
    class={isCurrent ? 'tag chip current' : 'tag chip'}
    style={tagStyle(name, settings)}
    aria-current={isCurrent ? 'true' : undefined}
  >
    <bdi>{label}</bdi>
  </Link>
)

/** Returns the current settings of all tags, and renders again after changes. */
export const useTagSettings = (): AllTagSettings => {
  const { app, load } = useShared().model
  const [settings, setSettings] = useState<AllTagSettings>(new Map())
  useEffect(() => {
    let isOver = false
    const read = () =>
      load(async () => {
        const next = await app.replica.listTags()
        if (!isOver) setSettings(next)
      })
    read()
    const unwatch = app.replica.watch(({ tags }) => {
      if (tags.size > 0) read()
    })
    return () => {
      isOver = true
      unwatch()
    }
  }, [app, load])
  return settings
}

const openPreference = 'open tags'

/** The names of the tags whose nested tags are shown; this browser remembers them. */
const useOpenTags = () => {
  const [open, setOpen] = useState<ReadonlySet<string>>(
    () => new Set((readPreference(openPreference) ?? '').split(' ')),
  )
  const toggle = (name: string) => {
    const next = new Set(open)
    if (!next.delete(name)) next.add(name)
    writePreference(openPreference, [...next].join(' '))
    setOpen(next)
  }
  return { open, toggle }
}

interface TagTreeProps {
  readonly nodes: readonly TagNode[]
  readonly settings: AllTagSettings
  /** The current query; a tag in it is marked. */
  readonly query: string
  /** Shows all nested tags, for example while the user filters the tree. */
  readonly isAllOpen?: boolean
  /** Renders the actions behind the count of a tag. */
  readonly renderActions?: (node: TagNode) => ComponentChildren
  /** Renders more under the line of a tag, for example its settings. */
  readonly renderMore?: (node: TagNode) => ComponentChildren
}

/** A tree of tags. Each tag links to its items, and a button opens its nested tags. */
export const TagTree = (props: TagTreeProps) => {
  const { open, toggle } = useOpenTags()
  return <TagLevel {...props} open={open} onToggle={toggle} />
}

interface TagLevelProps extends TagTreeProps {
  readonly open: ReadonlySet<string>
  readonly onToggle: (name: string) => void
}

const TagLevel = (props: TagLevelProps) => {
  const { nodes, settings, query, isAllOpen = false, renderActions, renderMore, open, onToggle } = props
  const { tagScreen: texts } = useShared().model.words
  const words = query.split(/\s+/u)
  const isNested = nodes.some(({ children }) => children.length > 0)
  return (
    <ul class="tag-tree">
      {nodes.map((node) => {
        const hasChildren = node.children.length > 0
        const isOpen = hasChildren && (isAllOpen || open.has(node.name))
        return (
          <li key={node.name} data-tag={node.name}>
            <div class="tag-line">
              {hasChildren ? (
                <button
                  type="button"
                  class="twist"
                  aria-expanded={isOpen}
                  aria-label={texts.nested(node.name)}
                  onClick={() => onToggle(node.name)}
                >
                  <Icon name="chevron" />
                </button>
              ) : (
                isNested && <span class="twist" />
              )}
              <TagChip
                name={node.name}
                label={node.label}
                settings={settings}
                isCurrent={words.includes(`#${node.name}`)}
                query={`#${node.name}`}
              />
              <span class="tag-count" role="img" aria-label={texts.count(node.count)}>
                {node.count}
              </span>
              {renderActions && node.tag?.todo && <span class="todo-mark">{texts.todoShort}</span>}
              {renderActions?.(node)}
            </div>
            {renderMore?.(node)}
            {isOpen && <TagLevel {...props} nodes={node.children} />}
          </li>
        )
      })}
    </ul>
  )
}

/** The tags that the user pinned, as chips that add the tag to the query or remove it. */
export const PinnedTags = ({ query, settings }: { readonly query: string; readonly settings: AllTagSettings }) => {
  const words = query.split(/\s+/u)
  const pinned = [...settings].filter(([, { favorite }]) => favorite).map(([name]) => name)
  return (
    <>
      {pinned.map((name) => (
        <TagChip
          key={name}
          name={name}
          settings={settings}
          isCurrent={words.includes(`#${name}`)}
          query={toggleTagIn(query, name)}
        />
      ))}
    </>
  )
}

/** The saved searches of this device, as chips. */
export const SavedSearchChips = ({ query }: { readonly query: string }) => {
  const { savedSearches } = useShared().model
  return (
    <>
      {useObservable(savedSearches.all).map((search) => (
        <Link
          key={search.query}
          to={{ screen: 'things', query: search.query }}
          class="chip plain-chip saved-search"
          aria-current={search.query === query.trim() ? 'true' : undefined}
        >
          <Icon name="search" />
          <bdi>{search.name}</bdi>
        </Link>
      ))}
    </>
  )
}

/** Saves the current search with a name, or removes it if it is saved; nothing for an empty query. */
export const SaveSearch = ({ query }: { readonly query: string }) => {
  const { savedSearches, words } = useShared().model
  const saved = useObservable(savedSearches.all).find((search) => search.query === query.trim())
  const [name, setName] = useState<string>()
  const [isFull, setFull] = useState(false)
  const texts = words.savedSearch
  if (query.trim() === '') return null
  const save = (event: Event) => {
    event.preventDefault()
    setFull(!savedSearches.save({ name: name ?? '', query }))
    setName(undefined)
  }
  if (name !== undefined) {
    return (
      <form class="save-search" onSubmit={save}>
        <label class="aside" for="search-name">
          {texts.name}
        </label>
        <input
          id="search-name"
          // The form replaces the button that the user has just pressed.
          ref={(field) => field?.focus()}
          type="text"
          maxLength={60}
          value={name}
          placeholder={query}
          autocomplete="off"
          dir="auto"
          onInput={(event) => setName(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            event.stopPropagation()
            setName(undefined)
          }}
        />
        <button type="submit">{texts.save}</button>
      </form>
    )
  }
  return (
    <>
      <button
        type="button"
        class="plain"
        onClick={() => (saved === undefined ? setName('') : setFull(!savedSearches.remove(saved.query)))}
      >
        {saved === undefined ? texts.begin : texts.remove}
      </button>
      {isFull && (
        <span class="wrong" role="alert">
          {texts.full}
        </span>
      )}
    </>
  )
}

/** The tags and saved searches for a pane at the side of the list. */
export const TagPane = ({ query }: { readonly query: string }) => {
  const { library, savedSearches, words } = useShared().model
  const { revision } = useObservable(library.state)
  const settings = useTagSettings()
  const searches = useObservable(savedSearches.all)
  const tags = useMemo(() => {
    const { compare } = new Intl.Collator(words.code, { numeric: true })
    const all = listAllTags(library.tagCounts(), settings, compare)
    return [...all].sort((one, other) => compare(one.name, other.name))
  }, [library, revision, settings, words])
  const pinned = tags.filter(({ favorite }) => favorite)
  const nodes = useMemo(() => {
    // Each tag is here once: a pinned tag only with tags inside it.
    const others = tags.filter(({ count, favorite }) => count > 0 && !favorite)
    return buildTagTree(
      tags.filter((tag) => others.includes(tag) || others.some(({ name }) => name.startsWith(`${tag.name}/`))),
    )
  }, [tags])
  return (
    <nav class="tag-pane" aria-label={words.savedSearch.pane}>
      {pinned.length > 0 && (
        <section>
          <h2>{words.tagScreen.pinned}</h2>
          <TagTree
            nodes={pinned.map((tag) => ({ name: tag.name, label: tag.name, tag, count: tag.count, children: [] }))}
            settings={settings}
            query={query}
          />
        </section>
      )}
      {searches.length > 0 && (
        <section>
          <h2>{words.savedSearch.all}</h2>
          <div class="saved-searches">
            <SavedSearchChips query={query} />
          </div>
        </section>
      )}
      {nodes.length > 0 && (
        <section>
          <h2>{words.tags}</h2>
          <TagTree nodes={nodes} settings={settings} query={query} />
        </section>
      )}
    </nav>
  )
}
