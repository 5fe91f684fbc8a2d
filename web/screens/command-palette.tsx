import type { ComponentProps } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { readSearchedWords } from '../data/excerpts.ts'
import { nameThing } from '../data/messages.ts'
import { readSafeUrl } from '../data/urls.ts'
import { defaultListOptions, navigationScreens } from '../data/view-state.ts'
import { openAddLine } from '../parts/app-layout.tsx'
import { useObservable, useShared } from '../parts/context.tsx'
import { Icon } from '../parts/icon.tsx'
import { isStruck, Marked } from '../parts/item-row.tsx'
import { useTagSettings } from '../parts/tags.tsx'
import { foldText, sorts } from '../search/query.ts'
import '../style/palette.css'

interface Command {
  readonly key: string
  /** The kind of the command or item; the circle of a to-do. */
  readonly icon: ComponentProps<typeof Icon>['name'] | 'ring' | 'ring done'
  readonly isStruck?: boolean
  readonly name: string
  /** The tags of an item, or the key of a command. */
  readonly detail: string
  readonly run: () => void
}

/** More commands and items than fit on a screen help nobody. */
const maxItems = 8
const maxTags = 3

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

/** Finds the items for the typed text, the newest first. */
const useItems = (text: string): readonly Command[] => {
  const { model, navigation } = useShared()
  const { library, search, words } = model
  const settings = useTagSettings()
  const { revision } = useObservable(library.state)
  const [numbers, setNumbers] = useState<readonly number[]>([])
  useEffect(() => {
    if (text.trim() === '') return setNumbers([])
    let isLate = false
    search.search(text).then(({ found }) => {
      if (!isLate) setNumbers([...found.subarray(0, maxItems)])
    })
    return () => {
      isLate = true
    }
  }, [text, search, revision])
  return numbers.flatMap((number) => {
    const row = library.findByNumber(number)
    if (row === undefined) return []
    return [
      {
        key: `item ${number}`,
        icon:
          row.todoStatus === undefined
            ? readSafeUrl(row.url) === undefined
              ? 'note'
              : 'link'
            : row.todoStatus
              ? 'ring done'
              : 'ring',
        isStruck: isStruck(row, settings),
        name: nameThing(row, words).slice(0, 200),
        detail: row.tags.map((tag) => `#${tag}`).join(' '),
        run: () => navigation.go({ screen: 'things', query: '', thing: row.id }),
      },
    ]
  })
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
  const { words } = useShared().model
  const dialog = useRef<HTMLDialogElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const items = useItems(text)
  const wanted = foldText(text.trim())
  const tags = useTags(wanted)
  const marked = useMemo(() => readSearchedWords(text), [text])
  const commands = useCommands().filter(({ name }) => foldText(name).includes(wanted))
  const isNamed = ({ name }: Command) => wanted !== '' && foldText(name).startsWith(wanted)
  // A command is meant when its name begins with the text; other items come before other commands.
  const options = [...commands.filter(isNamed), ...tags, ...items, ...commands.filter((command) => !isNamed(command))]
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
        <div id="palette-options" role="listbox" aria-label={words.palette.title} ref={list}>
          {options.map((command, at) => (
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
              <bdi class={command.isStruck ? 'name struck' : 'name'}>
                <Marked text={command.name} words={marked} />
              </bdi>
              <bdi class={command.isStruck === undefined ? 'detail' : 'detail tags'}>{command.detail}</bdi>
            </div>
          ))}
        </div>
        {options.length === 0 && <p class="soft">{words.search.nothing}</p>}
      </div>
    </dialog>
  )
}
