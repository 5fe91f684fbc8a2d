import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import {
  type AddedLine,
  type AddLines,
  dropWaiting,
  planAdding,
  readAddLine,
  readPastedLines,
  readWaiting,
  splitPasted,
  takeShared,
  takeWaiting,
  writeWaiting,
} from '../data/add-line.ts'
import { type Row, splitTags } from '../data/item-parts.ts'
import { nameThing } from '../data/messages.ts'
import { findTypedTag, listUnsetTodoTags, type TypedTag, takeTag } from '../data/tags.ts'
import { findKnownUrls, readSafeUrl } from '../data/urls.ts'
import { Link, useObservable, useShared } from './context.tsx'
import { formatAgo } from './format-date.ts'
import { Icon } from './icon.tsx'
import { useTagSuggestions } from './tag-field.tsx'
import { tagStyle, useTagSettings } from './tags.tsx'

/** Wait until the user stops typing a URL, before the app looks for it among all items. */
const knownDelayMilliseconds = 150

/** Adds items in one action that can be undone; undefined after an error. */
const useAdd = () => {
  const { model } = useShared()
  return async (lines: readonly AddedLine[]): Promise<readonly string[] | undefined> => {
    const hasTodo = lines.some(({ todo }) => todo !== undefined)
    const settings = hasTodo ? await model.app.replica.listTags() : new Map()
    const steps = planAdding(lines, settings, model.library.tagCounts())
    return await model.perform({ kind: 'added', name: lines[0]?.title ?? '' }, steps)
  }
}

const maxNameCharacters = 80

/** Says that the account has this URL already. */
const KnownUrl = ({
  row,
  onOpen,
  onAdd,
}: {
  readonly row: Row
  readonly onOpen: () => void
  readonly onAdd: () => void
}) => {
  const { words } = useShared().model
  const texts = words.add
  const describe = row.archived ? texts.knownArchived : texts.known
  return (
    <p class="add-known">
      <Icon name="link" />
      <bdi>{describe(formatAgo(row.date, words.code), nameThing(row, words).slice(0, maxNameCharacters))}</bdi>
      <Link
        id="add-known-open"
        class="button main"
        to={{ screen: 'things', query: '', thing: row.id }}
        onFollow={onOpen}
      >
        {texts.open}
      </Link>
      <button type="button" onClick={onAdd}>
        {texts.addAnyway}
      </button>
    </p>
  )
}

const maxShownLines = 5

interface PastedLinesProps {
  readonly lines: readonly string[]
  /** What the field had before, and keeps. */
  readonly kept: string
  /** Called after the lines were added, or when the user does not want them. */
  readonly onEnd: () => void
  /** Puts all lines into the field, as one item. */
  readonly onJoin: () => void
}

/** The preview of pasted lines, each of which becomes an item. */
const PastedLines = ({ lines, kept, onEnd, onJoin }: PastedLinesProps) => {
  const { model } = useShared()
  const { library, words } = model
  const { revision } = useObservable(library.state)
  const settings = useTagSettings()
  const add = useAdd()
  const isAdding = useRef(false)
  const main = useRef<HTMLButtonElement>(null)
  const texts = words.add
  const added = useMemo(() => readPastedLines(lines), [lines])
  const known = useMemo(
    () =>
      findKnownUrls(
        library.listRows(),
        added.flatMap(({ url }) => url ?? []),
      ),
    [library, revision, added],
  )
  const fresh = added.filter(({ url }) => url === undefined || !known.has(url))
  const hasKnown = fresh.length < added.length
  // What will be added comes first.
  const shown = added
    .map((line) => ({ ...line, row: known.get(line.url ?? '') }))
    .sort((one, other) => Number(one.row !== undefined) - Number(other.row !== undefined))
    .slice(0, maxShownLines)
  useEffect(() => main.current?.focus(), [lines])
  const addAll = async (chosen: readonly AddedLine[]) => {
    if (isAdding.current) return
    isAdding.current = true
    const ids = await add(chosen)
    isAdding.current = false
    if (ids !== undefined) onEnd()
  }
  const cancel = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    onEnd()
  }
  return (
    <section class="add-pasted" aria-labelledby="add-pasted-title" onKeyDown={cancel}>
      <h2 id="add-pasted-title">{texts.pasted(fresh.length, added.length - fresh.length)}</h2>
      {kept.trim() !== '' && <p class="soft">{texts.kept}</p>}
      <ol>
        {shown.map(({ title, tags, url = '', todo, row }, index) => (
          <li key={index} class={row && 'known'}>
            {todo !== undefined ? (
              <span class={todo === 'done' ? 'ring done' : 'ring'} />
            ) : (
              <Icon name={url === '' ? 'note' : 'link'} />
            )}
            <span class="pasted-title" dir="auto">
              {row === undefined ? title : nameThing(row, words).slice(0, maxNameCharacters)}
            </span>
            {url !== '' && (title !== url || row !== undefined) && (
              <bdi class="soft">{readSafeUrl(url)?.hostname ?? url}</bdi>
            )}
            {splitTags(tags).map((tag) => (
              <span key={tag} class="tag" style={tagStyle(tag, settings)}>
                <bdi>{tag}</bdi>
              </span>
            ))}
            {row && <span class="soft">{texts.isKnown}</span>}
          </li>
        ))}
      </ol>
      {added.length > maxShownLines && <p class="soft">{texts.moreLines(added.length - maxShownLines)}</p>}
      <div class="buttons">
        {fresh.length > 0 && (
          <button type="button" class="main" ref={main} onClick={() => addAll(fresh)}>
            {hasKnown ? texts.addNew(fresh.length) : texts.addAll(added.length, 0)}
          </button>
        )}
        {hasKnown && (
          <button
            type="button"
            {...(fresh.length === 0 ? { ref: main } : { class: 'quiet' })}
            onClick={() => addAll(added)}
          >
            {texts.addAll(added.length, added.length - fresh.length)}
          </button>
        )}
        <button type="button" class="quiet" onClick={onJoin}>
          {texts.asOne}
        </button>
        <button type="button" class="quiet" onClick={onEnd}>
          {texts.cancel}
        </button>
      </div>
    </section>
  )
}

/** Finds the item that has the URL of this line; after a moment, because the user may still be typing. */
const useKnownUrl = (line: string): Row | undefined => {
  const { library } = useShared().model
  const { revision } = useObservable(library.state)
  const url = useMemo(() => readAddLine(line)?.url, [line])
  const [known, setKnown] = useState<{ readonly url: string; readonly row: Row | undefined }>()
  useEffect(() => {
    if (url === undefined) return
    const timer = setTimeout(
      () => setKnown({ url, row: findKnownUrls(library.listRows(), [url]).get(url) }),
      knownDelayMilliseconds,
    )
    return () => clearTimeout(timer)
  }, [library, url, revision])
  return known?.url === url ? known?.row : undefined
}

/** Moves the focus to the bar of a phone; the line disappears when the focus leaves it. */
const focusBar = (): void => document.querySelector<HTMLElement>('.tab-bar > .main')?.focus()

/**
 * The line that adds an item. Each keystroke saves the draft; the draft is removed once the item is stored. Several
 * pasted lines become several items, after a preview. A URL that the account has needs a second confirmation.
 */
export const AddLine = () => {
  const { model, navigation } = useShared()
  const { added } = useObservable(navigation.view)
  const texts = model.words.add
  const settings = useTagSettings()
  const addItems = useAdd()
  const [draft] = useState(() => model.draft('add'))
  const [line, setLine] = useState(draft.read)
  const [waitingDraft] = useState(() => model.draft('add waiting'))
  const [waiting, setWaiting] = useState(() => readWaiting(waitingDraft.read()))
  const [pastedDraft] = useState(() => model.draft('add pasted'))
  const [pasted, setPasted] = useState(() => readWaiting(pastedDraft.read()))
  const [isSaved, setSaved] = useState(true)
  const [needsTitle, setNeedsTitle] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const isAdding = useRef(false)
  const latest = useRef(line)
  const typed = useRef<TypedTag | undefined>(undefined)
  const known = useKnownUrl(line)

  const take = (next: string) => {
    latest.current = next
    setLine(next)
    setSaved(draft.write(next))
    setNeedsTitle(false)
  }
  const takePasted = (next: readonly string[]) => {
    setPasted(next)
    if (!pastedDraft.write(writeWaiting(next))) setSaved(false)
    if (next.length === 0) field.current?.focus()
  }
  const takeAll = (next: AddLines) => {
    setWaiting(next.waiting)
    // The waiting lines are saved before the draft of the line is overwritten.
    const areSaved = waitingDraft.write(writeWaiting(next.waiting))
    take(next.line)
    if (!areSaved) setSaved(false)
    field.current?.focus()
  }
  const suggestions = useTagSuggestions('add', settings, (name) => {
    if (typed.current === undefined || field.current === null) return
    const [next, caret] = takeTag(field.current.value, typed.current, name)
    take(next)
    // The next key may arrive before the next rendering.
    field.current.value = next
    field.current.setSelectionRange(caret, caret)
  })
  useEffect(() => {
    if (added === undefined) return
    takeAll(takeShared({ line: draft.read(), waiting: readWaiting(waitingDraft.read()) }, added))
    const { added: _, ...view } = navigation.view.read()
    // The draft has the shared line now. A reload must not add it again.
    navigation.replace(view)
  }, [added])

  const add = async (isConfirmed: boolean) => {
    const fields = readAddLine(line)
    if (fields === undefined) return setNeedsTitle(line.trim() !== '')
    if (isAdding.current) return
    const { url } = fields
    if (!isConfirmed && url !== undefined && findKnownUrls(model.library.listRows(), [url]).size > 0) {
      // The hint may still wait for the end of the typing.
      const focus = () => document.getElementById('add-known-open')?.focus()
      focus()
      setTimeout(focus, 2 * knownDelayMilliseconds)
      return
    }
    isAdding.current = true
    const ids = await addItems([fields])
    isAdding.current = false
    // Text that the user typed during the saving stays.
    if (ids !== undefined && latest.current === line) take('')
    field.current?.focus()
  }
  const onInput = (input: HTMLInputElement) => {
    take(input.value)
    typed.current = findTypedTag(input.value, input.selectionStart ?? input.value.length)
    const { text = '' } = typed.current ?? {}
    const taken = new Set(splitTags(readAddLine(input.value)?.tags ?? '').filter((tag) => tag !== text))
    suggestions.show(typed.current && { text, taken, isEager: true })
  }
  const onPaste = (event: ClipboardEvent) => {
    const lines = splitPasted(event.clipboardData?.getData('text/plain') ?? '')
    if (lines.length < 2) return
    event.preventDefault()
    takePasted([...pasted, ...lines])
  }
  const isRemarked = needsTitle || !isSaved
  return (
    <form
      class="add"
      onSubmit={(event) => {
        event.preventDefault()
        add(false)
      }}
    >
      <label class="aside" for="add">
        {texts.label}
      </label>
      <div class="suggested">
        <input
          {...suggestions.attributes}
          id="add"
          ref={field}
          type="text"
          value={line}
          placeholder={texts.hint}
          autocomplete="off"
          enterkeyhint="done"
          dir="auto"
          aria-invalid={needsTitle ? 'true' : undefined}
          aria-describedby={isRemarked ? 'add-remark' : undefined}
          onInput={(event) => onInput(event.currentTarget)}
          onKeyDown={suggestions.handleKey}
          onPaste={onPaste}
          onBlur={() => suggestions.show(undefined)}
        />
        {suggestions.list}
      </div>
      {/* The notice of a known URL has buttons of its own; this one and the Enter key move the focus to them. */}
      <button type="submit" class={known === undefined ? 'main' : 'main later'} disabled={pasted.length > 0}>
        {texts.button}
      </button>
      <button type="button" class="add-close" aria-label={texts.close} onClick={focusBar}>
        <Icon name="close" />
      </button>
      {waiting[0] !== undefined && (
        <p class="add-waiting">
          <span>{texts.waiting(waiting.length)}</span>
          <button type="button" class="plain" onClick={() => takeAll(takeWaiting({ line, waiting }))}>
            {waiting[0]}
          </button>
          <button
            type="button"
            class="plain"
            aria-label={texts.dropLine(waiting[0])}
            onClick={() => takeAll(dropWaiting({ line, waiting }))}
          >
            {texts.drop}
          </button>
        </p>
      )}
      <div class="add-hints" role="status">
        {known !== undefined && (
          <KnownUrl
            row={known}
            onAdd={() => add(true)}
            // Nothing but the URL was typed, and the account has it.
            onOpen={() => readAddLine(line)?.title === readAddLine(line)?.url && take('')}
          />
        )}
      </div>
      {pasted.length > 0 && (
        <PastedLines
          lines={pasted}
          kept={line}
          onEnd={() => takePasted([])}
          onJoin={() => {
            take([line, ...pasted].filter((part) => part.trim() !== '').join(' '))
            takePasted([])
          }}
        />
      )}
      {isRemarked && (
        <p id="add-remark" class="wrong" role="alert">
          {needsTitle ? texts.needsTitle : texts.notSaved}
        </p>
      )}
    </form>
  )
}

/** Explains how to make a to-do, in an empty list of to-dos. */
export const NoTodos = () => {
  const { model } = useShared()
  const settings = useTagSettings()
  const texts = model.words.noTodos
  const counts = model.library.tagCounts()
  const [unset] = listUnsetTodoTags(settings, counts)
  const hasTag = [...settings.values()].some(({ todo }) => todo !== false)
  const set = () => {
    if (unset === undefined) return
    model.perform({ kind: 'setTag', name: unset }, [{ kind: 'tag', name: unset, change: { todo: 'strike' } }])
  }
  return (
    <>
      <p>{hasTag ? texts.allDone : texts.none}</p>
      <p>{texts.how}</p>
      {unset !== undefined && (
        <button type="button" onClick={set}>
          {texts.setTag(unset, counts.get(unset) ?? 0)}
        </button>
      )}
    </>
  )
}
