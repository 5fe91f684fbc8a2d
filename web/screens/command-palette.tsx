import type { ComponentProps } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { createExcerpts, cutExcerpt, findMatches, readSearchedWords } from '../data/excerpts.ts'
import type { Row } from '../data/item-parts.ts'
import { nameThing } from '../data/messages.ts'
import { readSafeUrl } from '../data/urls.ts'
import { defaultListOptions, navigationScreens } from '../data/view-state.ts'
import { openAddLine } from '../parts/app-layout.tsx'
import { useObservable, useShared } from '../parts/context.tsx'
import { Icon } from '../parts/icon.tsx'
import { isStruck, Marked } from '../parts/item-row.tsx'
import { tagStyle, useTagSettings } from '../parts/tags.tsx'
import { foldText, sorts } from '../search/query.ts'
import '../style/palette.css'

interface Command {
  readonly key: string
  /** The kind of the command or item; the circle of a to-do. */
  readonly icon: ComponentProps<typeof Icon>['name'] | 'ring' | 'ring done'
  readonly isStruck?: boolean
  readonly name: string
  /** The number of items with a tag, or the key or the query of a command. */
  readonly detail: string
  /** The tags of an item that have room, the ones that match first; then the number of the others. */
  readonly tags?: { readonly shown: readonly string[]; readonly left: number }
  /** Where an item matches whose title does not: a part of its note, or its URL. */
  readonly excerpt?: string
  /** The heading of the group. */
  readonly group?: string
  readonly run: () => void
}

/** More commands and items than fit on a screen help nobody. */
const maxItems = 7
const maxElsewhere = 4
/** The newest items that match are put in order. */
const maxRanked = 500
const maxTags = 3
/** The beginning of a title that is visible on a phone. */
const seenTitleCharacters = 36
/** The tags that have room beside a title, whole. */
const maxShownTags = 2
const maxTagCharacters = 22

const chooseTags = (tags: readonly string[], words: readonly string[]): NonNullable<Command['tags']> => {
  const isMatch = (tag: string) => findMatches(tag, words).length > 0
  const sorted = [...tags.filter(isMatch), ...tags.filter((tag) => !isMatch(tag))]
  let room = maxTagCharacters
  const shown = sorted.slice(0, maxShownTags).filter((tag, index) => {
    room -= tag.length
    return index === 0 || room >= 0
  })
  return { shown, left: sorted.length - shown.length }
}

/** How well an item matches: 0 if words of its title begin with the searched ones, 3 if only its note or URL has them. */
const rankItem = ({ title, tags }: Row, words: readonly string[]): number => {
  const parts = foldText(title).split(/[^\p{L}\p{N}]+/u)
  if (words.every((word) => parts.some((part) => part.startsWith(word)))) return 0
  if (words.every((word) => findMatches(title, [word]).length > 0)) return 1
  return words.every((word) => [title, ...tags].some((text) => findMatches(text, [word]).length > 0)) ? 2 : 3
}

const useCommands = (): readonly Command[] => {
  const { model, navigation } = useShared()
  const { words } = model
  return useMemo(() => {
    const { query, list = defaultListOptions } = navigation.view.read()
    const go = (name: string, next: string): Command => ({
      key: `filter ${next}`,
      icon: 'search',
      name,
      detail: next,
      run: () => navigation.go({ screen: 'things', query: next }),
    })
    const sort = (by: (typeof sorts)[number]): Command => ({
      key: `sort ${by}`,
      icon: 'list',
      name: `${words.list.sort}: ${words.list[by]}`,
      detail: '',
      run: () => navigation.go({ screen: 'things', query, list: { ...list, sort: by } }),
    })
    const screen = (name: (typeof navigationScreens)[number]): Command => ({
      key: `screen ${name}`,
      icon: 'chevron',
      name: words[name],
      detail: name === 'help' ? '?' : '',
      run: () => navigation.go({ screen: name, query: '' }),
    })
    return [
      { key: 'add', icon: 'plus', name: words.add.label, detail: 'n', run: openAddLine },
      go(words.things, ''),
      go(words.search.open, 'is:open'),
      go(words.search.archived, 'is:archived'),
      ...model.savedSearches.all.read().map((search) => go(search.name, search.query)),
      {
        key: 'undo',
        icon: 'refresh',
        name: words.recentScreen.undo,
        detail: 'z',
        run: model.undoLast,
      },
      ...sorts.map(sort),
      {
        key: 'hide done',
        icon: 'list',
        name: list.hidesDone ? words.palette.showDone : words.list.hideDone,
        detail: '',
        run: () => navigation.go({ screen: 'things', query, list: { ...list, hidesDone: !list.hidesDone } }),
      },
      ...navigationScreens.filter((name) => name !== 'things').map(screen),
    ]
  }, [model, navigation, words])
}

/**
 * Finds the items for the typed text: matches at the beginning of a word of the title first, then the newest. The
 * previous items stay until the search is over.
 */
const useItems = (text: string, words: readonly string[]) => {
  const { model, navigation } = useShared()
  const { app, library, load, search } = model
  const settings = useTagSettings()
  const { revision } = useObservable(library.state)
  const [found, setFound] = useState<{ readonly text: string; readonly rows: readonly (readonly [Row, number])[] }>({
    text: '',
    rows: [],
  })
  const [excerpts] = useState(() =>
    createExcerpts({ findThings: app.replica.findThings, later: (work) => void setTimeout(() => load(work)) }),
  )
  useObservable(excerpts.revision)
  useEffect(() => {
    if (text.trim() === '') return setFound({ text, rows: [] })
    let isLate = false
    search.search(text).then(({ found: numbers }) => {
      if (isLate) return
      const ranked = [...numbers.subarray(0, maxRanked)].flatMap((number) => {
        const row = library.findByNumber(number)
        return row === undefined ? [] : [[row, rankItem(row, words)] as const]
      })
      ranked.sort(([, one], [, other]) => one - other)
      const isElsewhere = ([, rank]: readonly [Row, number]) => rank === 3
      const inTitle = ranked.filter((one) => !isElsewhere(one)).slice(0, maxItems)
      setFound({ text, rows: [...inTitle, ...ranked.filter(isElsewhere).slice(0, maxElsewhere)] })
    })
    return () => {
      isLate = true
    }
  }, [text, search, revision])
  const chooseIcon = ({ todoStatus, url }: Row): Command['icon'] => {
    if (todoStatus !== undefined) return todoStatus ? 'ring done' : 'ring'
    return readSafeUrl(url) === undefined ? 'note' : 'link'
  }
  const isIn = (part: string) => findMatches(part, words).length > 0
  const findExcerpt = (row: Row, rank: number): string | undefined => {
    if (rank < 3) {
      const isSeen = words.length === 0 || isIn(row.title.slice(0, seenTitleCharacters)) || row.tags.some(isIn)
      return isSeen ? undefined : cutExcerpt(row.title, words)
    }
    const note = excerpts.read(row) ?? ''
    const url = row.url?.replace(/^https?:\/\/(www\.)?/u, '') ?? ''
    return isIn(note) ? cutExcerpt(note, words) : isIn(url) ? cutExcerpt(url, words) : ''
  }
  const items = found.rows.map(([row, rank]): Command => {
    const excerpt = findExcerpt(row, rank)
    return {
      key: `item ${row.number}`,
      icon: chooseIcon(row),
      isStruck: isStruck(row, settings),
      name: nameThing(row, model.words).slice(0, 200),
      detail: '',
      tags: chooseTags(row.tags, words),
      ...(excerpt !== undefined && { excerpt }),
      group: rank === 3 ? model.words.palette.elsewhere : model.words.things,
      run: () => navigation.go({ screen: 'things', query: '', thing: row.id }),
    }
  })
  return { items, isSearched: found.text === text }
}

/** Finds the tags whose names begin with the typed text. */
const useTags = (wanted: string): readonly Command[] => {
  const { model, navigation } = useShared()
  const start = wanted.replace(/^#/u, '')
  if (start === '') return []
  const names = [...model.library.tagCounts().keys()].filter((name) => foldText(name).startsWith(start))
  return names.slice(0, maxTags).map((name) => ({
    key: `tag ${name}`,
    icon: 'tag',
    name: `#${name}`,
    detail: model.words.tagScreen.count(model.library.tagCounts().get(name) ?? 0),
    run: () => navigation.go({ screen: 'things', query: `#${name}` }),
  }))
}

/** A dialog that finds items, tags and commands by name. */
export const CommandPalette = ({ onClose }: { readonly onClose: () => void }) => {
  const { model, navigation } = useShared()
  const { words } = model
  const settings = useTagSettings()
  const dialog = useRef<HTMLDialogElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const marked = useMemo(() => readSearchedWords(text), [text])
  const { items, isSearched } = useItems(text, marked)
  const wanted = foldText(text.trim())
  const tags = useTags(wanted)
  const commands = useCommands().filter(({ name }) => foldText(name).includes(wanted))
  const isNamed = ({ name }: Command) => wanted !== '' && foldText(name).startsWith(wanted)
  const all: Command = {
    key: 'all',
    icon: 'search',
    name: words.palette.all(text.trim()),
    detail: '',
    run: () => navigation.go({ screen: 'things', query: text.trim() }),
  }
  const others = commands.filter((command) => !isNamed(command))
  // A command is meant when its name begins with the text; other items come before other commands.
  const matches = [
    ...commands.filter(isNamed),
    ...tags,
    ...items,
    ...(items.length > 0 ? [all] : []),
    ...(wanted === '' ? others : others.map((command) => ({ ...command, group: words.palette.commands }))),
  ]
  const add: Command = {
    key: 'add it',
    icon: 'plus',
    name: words.search.addIt(text.trim()),
    detail: '',
    run: () => navigation.go({ screen: 'things', query: '', added: text.trim() }),
  }
  const hasNone = isSearched && matches.length === 0
  const options = hasNone && marked.length > 0 ? [add] : matches
  const index = Math.min(active, options.length - 1)

  useLayoutEffect(() => {
    dialog.current?.showModal()
  }, [])
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [index])
  const run = (command: Command | undefined) => {
    if (command === undefined) return
    // The dialog returns the focus before the command moves it.
    dialog.current?.close()
    command.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setActive((index + step + options.length) % Math.max(1, options.length))
    else if (event.key === 'Enter') run(options[index])
    else return
    event.preventDefault()
  }
  const groups: { readonly name: string; readonly first: number; readonly commands: Command[] }[] = []
  for (const [first, command] of options.entries()) {
    const { group = '' } = command
    if (groups.at(-1)?.name === group) groups.at(-1)?.commands.push(command)
    else groups.push({ name: group, first, commands: [command] })
  }
  const renderOption = (command: Command, at: number) => (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys act in the field
    <div
      key={command.key}
      id={`palette-${at}`}
      role="option"
      tabIndex={-1}
      aria-selected={at === index}
      onClick={() => run(command)}
      onPointerMove={() => setActive(at)}
    >
      {command.icon.startsWith('ring') ? (
        <span class={command.icon} />
      ) : (
        <Icon name={command.icon as ComponentProps<typeof Icon>['name']} />
      )}
      <span class="palette-words">
        <bdi class={command.isStruck ? 'name struck' : 'name'}>
          <Marked text={command.name} words={command.key === 'all' || command === add ? [] : marked} />
        </bdi>
        {command.excerpt !== undefined && (
          <bdi class="excerpt">
            <Marked text={command.excerpt} words={marked} />
          </bdi>
        )}
      </span>
      {command.tags === undefined ? (
        command.detail !== '' &&
        (command.detail.length === 1 ? <kbd>{command.detail}</kbd> : <bdi class="detail">{command.detail}</bdi>)
      ) : (
        <span class="detail tags">
          {command.tags.shown.map((tag) => (
            <bdi key={tag} class="tag" style={tagStyle(tag, settings)}>
              <Marked text={tag} words={marked} />
            </bdi>
          ))}
          {command.tags.left > 0 && <span>+{command.tags.left}</span>}
        </span>
      )}
    </div>
  )
  return (
    // A click outside of the field and the list closes the dialog, as Escape does.
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the key
    <dialog
      class="palette"
      ref={dialog}
      aria-label={words.palette.title}
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && event.currentTarget.close()}
    >
      <div class="palette-box">
        <div class="palette-field">
          <Icon name="search" />
          <input
            type="text"
            role="combobox"
            aria-label={words.palette.title}
            aria-expanded="true"
            aria-controls="palette-options"
            aria-activedescendant={options.length === 0 ? undefined : `palette-${index}`}
            aria-autocomplete="list"
            placeholder={words.palette.hint}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            dir="auto"
            value={text}
            onInput={(event) => {
              setText(event.currentTarget.value)
              setActive(0)
            }}
            onKeyDown={onKeyDown}
          />
          <button type="button" class="plain" aria-label={words.palette.close} onClick={() => dialog.current?.close()}>
            <Icon name="close" />
          </button>
        </div>
        {hasNone && <p class="soft">{words.search.nothingFor(text.trim(), 0)}</p>}
        <div id="palette-options" role="listbox" aria-label={words.palette.title} ref={list}>
          {groups.map(({ name, first, commands: members }) => {
            const content = members.map((command, at) => renderOption(command, first + at))
            if (name === '') return content
            return (
              // biome-ignore lint/a11y/useSemanticElements: a group of options
              <div key={name} role="group" aria-label={name}>
                <div class="palette-heading" aria-hidden="true">
                  {name}
                </div>
                {content}
              </div>
            )
          })}
        </div>
        <p class="palette-keys" aria-hidden="true">
          {words.palette.keys.map(([key, act]) => (
            <span key={key}>
              <kbd>{key}</kbd> {act}
            </span>
          ))}
        </p>
      </div>
    </dialog>
  )
}
