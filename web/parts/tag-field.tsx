import type { ComponentChildren, RefObject } from 'preact'
import { useMemo, useRef, useState } from 'preact/hooks'
import { splitTags } from '../data/item-parts.ts'
import { listRecentTags, suggestTags } from '../data/tags.ts'
import { foldText } from '../search/query.ts'
import { useShared } from './context.tsx'
import { Icon } from './icon.tsx'
import { type AllTagSettings, tagStyle } from './tags.tsx'

/** What the user is typing: the beginning of a tag, and the tags that the field has already. */
interface TypedText {
  readonly text: string
  readonly taken: ReadonlySet<string>
  /** Whether Enter takes the first suggestion before the user typed a letter. */
  readonly isEager: boolean
}

/** Suggestions for a text field, as the combobox pattern of ARIA describes. */
interface TagSuggestions {
  /** Attributes of the field. */
  readonly attributes: Readonly<Record<string, string | boolean | undefined>>
  /** The list of suggestions; nothing while it is closed. It stands in an element of class `suggested`. */
  readonly list: ComponentChildren
  /** Shows suggestions for a typed text, or closes the list. */
  readonly show: (typed: TypedText | undefined) => void
  /** Handles Tab, Enter, Escape and the arrows while the list is open; true if it handled the key. */
  readonly handleKey: (event: KeyboardEvent) => boolean
}

/**
 * Suggests tags in the field with this ID: recent tags, or those that match the typed text. Tab and Enter take the
 * active one, and `onTake` receives its name. Enter has its usual effect if the typed text is a whole tag.
 */
export const useTagSuggestions = (
  id: string,
  settings: AllTagSettings,
  onTake: (name: string) => void,
): TagSuggestions => {
  const { library, words } = useShared().model
  const [typed, setTyped] = useState<TypedText>()
  const [moved, setMoved] = useState<number>()
  const isOpen = typed !== undefined
  const known = useMemo(
    () => (isOpen ? [...new Set([...listRecentTags(library.listRows()), ...settings.keys()])] : []),
    [isOpen, library, settings],
  )
  const names = useMemo(() => (typed === undefined ? [] : suggestTags(known, typed.text, typed.taken)), [known, typed])
  const { text = '', isEager = false } = typed ?? {}
  const isWhole = foldText(names[0] ?? '') === foldText(text)
  const isNumber = /^\d+$/u.test(text)
  const first = isWhole || isNumber || (text === '' && !isEager) ? -1 : 0
  const active = names.length === 0 ? -1 : (moved ?? first)
  const show = (next: TypedText | undefined) => {
    setTyped(next)
    setMoved(undefined)
  }
  const take = (name: string) => {
    show(undefined)
    onTake(name)
  }
  const step = (by: number) => setMoved((active + by + names.length) % names.length)
  const handleKey = (event: KeyboardEvent): boolean => {
    if (names.length === 0 || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return false
    const chosen = names[active] ?? (event.key === 'Tab' && isWhole ? names[0] : undefined)
    if (event.key === 'ArrowDown') step(1)
    else if (event.key === 'ArrowUp') step(active === -1 ? 0 : -1)
    else if (event.key === 'Escape') show(undefined)
    else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && chosen !== undefined) take(chosen)
    else return false
    // Otherwise Escape would also leave the field.
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  const listId = `${id}-suggestions`
  const isShown = names.length > 0
  return {
    attributes: {
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-expanded': isShown ? 'true' : 'false',
      'aria-controls': isShown ? listId : undefined,
      'aria-activedescendant': isShown && active >= 0 ? `${listId}-${active}` : undefined,
    },
    list: isShown && (
      <div class="suggestions" role="listbox" id={listId} aria-label={words.tagField.suggestions}>
        {typed?.text === '' && (
          <span class="aside-title" aria-hidden="true">
            {words.tagField.recent}
          </span>
        )}
        {names.map((name, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active option
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the field take the active option
          <div
            key={name}
            role="option"
            id={`${listId}-${index}`}
            aria-selected={index === active}
            // The field keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(name)}
          >
            <span class="tag" style={tagStyle(name, settings)}>
              <bdi>{name}</bdi>
            </span>
            <span class="tag-count">{library.tagCounts().get(name) ?? 0}</span>
          </div>
        ))}
      </div>
    ),
    show,
    handleKey,
  }
}

interface TagFieldProps {
  /** The ID of the text field, for a label. */
  readonly id: string
  /** The tags, separated by spaces. */
  readonly value: string
  /** Receives the tags after each keystroke, with the tag that the user is typing. */
  readonly onValue: (value: string) => void
  readonly settings: AllTagSettings
  /** Receives the text field, so that the owner can give it the focus. */
  readonly fieldRef?: RefObject<HTMLInputElement | null>
  /** Receives the keys that the suggestions do not handle. */
  readonly onKey?: (event: KeyboardEvent) => void
  readonly placeholder?: string
  readonly title?: string
  /** Whether the list opens above the field. */
  readonly opensUp?: boolean
}

const separators = /[\s,]+/u

/** Removes `#` from a typed tag, but not the minus before it; '' if nothing is left. */
const cleanTag = (typed: string): string => typed.replace(/^(-?)#+/u, '$1').replace(/^-$/u, '')

/** A field of tags: a chip for each, and a text field with suggestions. Backspace removes the last chip. */
export const TagField = (props: TagFieldProps) => {
  const { id, value, onValue, settings, fieldRef, onKey, placeholder, title, opensUp = false } = props
  const { tagField: texts } = useShared().model.words
  const ownRef = useRef<HTMLInputElement>(null)
  const field = fieldRef ?? ownRef
  const [text, setText] = useState('')
  const emitted = useRef(value)
  const [chips, setChips] = useState(() => splitTags(value))
  const suggestions = useTagSuggestions(id, settings, (name) => {
    // A minus stays: it marks a tag to remove.
    set([...chips, text.startsWith('-') ? `-${name}` : name], '')
    field.current?.focus()
  })
  if (value !== emitted.current) {
    // The owner changed the value, for example after saving.
    emitted.current = value
    setChips(splitTags(value))
    setText('')
  }
  const set = (nextChips: readonly string[], nextText: string) => {
    const unique = [...new Set(nextChips)]
    const next = [...new Set([...unique, cleanTag(nextText)])].filter((tag) => tag !== '').join(' ')
    setChips(unique)
    setText(nextText)
    // A chip made of the typed text, for example when a removed field loses the focus, is no change.
    if (next === emitted.current) return
    emitted.current = next
    onValue(next)
  }
  const showFor = (typed: string) =>
    suggestions.show({ text: typed.replace(/^-?#*/u, ''), taken: new Set(chips), isEager: false })
  const type = (typed: string) => {
    const words = typed.split(separators)
    const last = words.pop() ?? ''
    const whole = words.map(cleanTag).filter((word) => word !== '')
    set([...chips, ...whole], last)
    showFor(last)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (suggestions.handleKey(event)) return
    if (event.key === 'Backspace' && text === '' && chips.length > 0) set(chips.slice(0, -1), '')
    if (event.key === 'ArrowDown') showFor(text)
    onKey?.(event)
  }
  return (
    <div class={opensUp ? 'suggested up' : 'suggested'}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a click beside the chips is a click on the field */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field itself has the keyboard */}
      <div
        class="tag-field"
        onClick={({ target, currentTarget }) => target === currentTarget && field.current?.focus()}
      >
        {chips.map((name) => (
          <span key={name} class={name.startsWith('-') ? 'tag removed' : 'tag'} style={tagStyle(name, settings)}>
            <bdi>{name}</bdi>
            <button
              type="button"
              class="remove"
              aria-label={texts.remove(name)}
              onClick={() => {
                set(
                  chips.filter((other) => other !== name),
                  text,
                )
                field.current?.focus()
              }}
            >
              <Icon name="close" />
            </button>
          </span>
        ))}
        <input
          {...suggestions.attributes}
          id={id}
          ref={field}
          type="text"
          value={text}
          placeholder={chips.length === 0 ? placeholder : undefined}
          title={title}
          autocapitalize="none"
          autocomplete="off"
          spellcheck={false}
          dir="auto"
          onInput={(event) => type(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onBlur={() => {
            if (text !== '') type(`${text} `)
            suggestions.show(undefined)
          }}
        />
      </div>
      {suggestions.list}
    </div>
  )
}
