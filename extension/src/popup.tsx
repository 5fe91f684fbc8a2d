import { render } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon, Mark } from '../../web/parts/icon.tsx'
import { captureTab, completeTag, isEmptyCapture, suggestNextTags } from './capture.ts'
import { type IndexedItem, openItemIndex } from './item-index.ts'
import {
  type Capture,
  findPlatform,
  type Problem,
  readState,
  type Session,
  type SyncStatus,
  type Tab,
} from './platform.ts'
import { chooseWords, describeProblem } from './words.ts'

const platform = findPlatform()
const words = chooseWords(navigator.languages)
const maxSuggestions = 6
/** How long the popup shows that the item is saved, before it closes. */
const doneMilliseconds = 700

const formatDate = (seconds: number): string =>
  new Intl.DateTimeFormat(navigator.languages[0], { dateStyle: 'medium' }).format(seconds * 1000)

/** Describes what waits, and why; undefined when everything is on the server. */
const describeWaiting = ({ pending, problem }: SyncStatus): string | undefined => {
  if (problem !== undefined && problem.code !== 'network') return describeProblem(problem, words)
  if (pending === 0) return undefined
  return problem === undefined ? words.status.sending(pending) : words.status.waiting(pending)
}

/** The line below the form: what waits, or that the session has ended. */
const StatusLine = ({ status }: { readonly status: SyncStatus | undefined }) => {
  if (status === undefined) return null
  if (status.isSignedOut === true) {
    return (
      <p class="notice">
        {words.status.signedOut}{' '}
        <button type="button" class="plain" onClick={() => void openSettings()}>
          {words.status.signIn}
        </button>
      </p>
    )
  }
  const text = describeWaiting(status)
  return text === undefined ? null : <p class="notice">{text}</p>
}

const openSettings = async (): Promise<void> => {
  await platform.runtime.openOptionsPage()
  window.close()
}

const focusMilliseconds = 3_000

/**
 * Gives the first field the focus, until the user moves it. Firefox loads a popup in a hidden panel, where a field cannot
 * have the focus, or loses it when Firefox shows the panel. So this looks at each frame of the first seconds.
 */
const focusFirst = (field: HTMLElement | null): void => {
  if (field?.isConnected !== true || performance.now() > focusMilliseconds) return
  if (document.activeElement === document.body) field.focus()
  requestAnimationFrame(() => focusFirst(field))
}

interface TagFieldProps {
  readonly value: string
  readonly known: readonly string[]
  readonly onChange: (value: string) => void
}

/** The field of the tags. It suggests known tags: the arrow keys choose one, Enter or a click adds it. */
const TagField = ({ value, known, onChange }: TagFieldProps) => {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [active, setActive] = useState(-1)
  const shown = suggestNextTags(value, known, maxSuggestions)
  // Before the first paint, so that no key that the user presses at once is lost.
  useLayoutEffect(() => focusFirst(field.current), [])
  // The suggestions have one line, which the mouse and this scroll.
  useLayoutEffect(() => document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' }), [id, active])
  const add = (tag: string) => {
    onChange(completeTag(value, tag))
    setActive(-1)
    field.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const chosen = shown[active]
    if (step !== 0 && shown.length > 0) {
      event.preventDefault()
      setActive(Math.max(-1, Math.min(shown.length - 1, active + step)))
    } else if (event.key === 'Enter' && chosen !== undefined) {
      // Enter without a chosen tag saves.
      event.preventDefault()
      add(chosen)
    }
  }
  return (
    <div class="field">
      <label for={id}>{words.popup.tags}</label>
      <input
        id={id}
        ref={field}
        role="combobox"
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        aria-expanded={shown.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={active < 0 ? undefined : `${id}-${active}`}
        aria-describedby={`${id}-hint`}
        value={value}
        onInput={({ currentTarget }) => {
          setActive(-1)
          onChange(currentTarget.value)
        }}
        onKeyDown={onKeyDown}
      />
      <small id={`${id}-hint`} class={shown.length > 0 ? 'aside' : 'hint'}>
        {words.popup.tagsHint}
      </small>
      <div id={`${id}-list`} role="listbox" aria-label={words.popup.suggestions} class="suggestions">
        {shown.map((tag, index) => (
          <button
            key={tag}
            id={`${id}-${index}`}
            type="button"
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            class="tag"
            onClick={() => add(tag)}
          >
            <bdi>{tag}</bdi>
          </button>
        ))}
      </div>
    </div>
  )
}

interface SaveFormProps {
  readonly session: Session
  readonly tab: Tab
  readonly firstStatus: SyncStatus | undefined
}

/** What the index knows about this page, as soon as it is read. */
interface Known {
  readonly item: IndexedItem | undefined
  readonly tags: readonly string[]
}

/** Reads what is known about a page from the index of this browser. */
const readKnown = async (url: string): Promise<Known> => {
  const index = await openItemIndex()
  const [item, tags] = await Promise.all([index.findByUrl(url), index.listTags()])
  index.close()
  return { item, tags }
}

/** The form of the popup. It is usable before the index is read: what the user has typed by then stays. */
const SaveForm = ({ session, tab, firstStatus }: SaveFormProps) => {
  const [capture, setCapture] = useState<Capture>(() => captureTab(tab))
  const [item, setItem] = useState<IndexedItem>()
  const [tags, setTags] = useState<readonly string[]>([])
  const [status, setStatus] = useState(firstStatus)
  const [problem, setProblem] = useState<Problem | 'empty'>()
  const [state, setState] = useState<'open' | 'saving' | 'done'>('open')
  const touched = useRef(new Set<keyof Capture>())
  const set = (name: keyof Capture) => (value: string) => {
    touched.current.add(name)
    setCapture((now) => ({ ...now, [name]: value }))
  }

  const fail = (error: unknown) => {
    setState('open')
    setProblem({ code: 'other', reason: error instanceof Error ? error.message : String(error) })
  }

  useEffect(() => {
    const fill = async () => {
      const known = await readKnown(captureTab(tab).url)
      setTags(known.tags)
      if (known.item === undefined) return
      const { title, url = '', tags } = known.item
      const stored = { title, url, tags: tags === '' ? '' : `${tags} ` }
      const changed = Object.entries(stored).filter(([name]) => !touched.current.has(name as keyof Capture))
      setItem(known.item)
      setCapture((now) => ({ ...now, ...Object.fromEntries(changed) }))
    }
    void fill().catch(fail)
    // The first paint needs nothing of the network or of the background.
    requestAnimationFrame(() => void platform.runtime.sendMessage({ kind: 'sync' }))
    const onChanged = (changes: Readonly<Record<string, { readonly newValue?: unknown }>>) => {
      if (changes.status !== undefined) setStatus(changes.status.newValue as SyncStatus | undefined)
    }
    platform.storage.onChanged.addListener(onChanged)
    return () => platform.storage.onChanged.removeListener(onChanged)
  }, [tab])

  const save = async () => {
    if (isEmptyCapture(capture)) return setProblem('empty')
    setState('saving')
    const edited = item === undefined ? {} : { id: item.id }
    const ofTab = tab.id === undefined ? {} : { tabId: tab.id }
    const reply = await platform.runtime.sendMessage({ kind: 'save', capture, ...edited, ...ofTab })
    if (!reply.isDone) {
      setState('open')
      return setProblem(reply.problem)
    }
    setState('done')
    setTimeout(() => window.close(), doneMilliseconds)
  }
  const onSubmit = (event: Event) => {
    event.preventDefault()
    if (state === 'open') void save().catch(fail)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSubmit(event)
  }
  const heading =
    item === undefined
      ? capture.url === '' && !touched.current.has('url')
        ? words.popup.note
        : words.popup.heading
      : (item.archived ? words.popup.savedArchived : words.popup.saved)(formatDate(item.date))
  return (
    <form class="popup" onSubmit={onSubmit} onKeyDown={onKeyDown}>
      <h1>{heading}</h1>
      <TextField label={words.popup.title} value={capture.title} onChange={set('title')} />
      <TagField value={capture.tags} known={tags} onChange={set('tags')} />
      <label class="field">
        <span>{item?.hasNote === true ? words.popup.addToNote : words.popup.noteField}</span>
        <textarea rows={2} value={capture.note} onInput={({ currentTarget }) => set('note')(currentTarget.value)} />
      </label>
      <TextField label={words.popup.url} value={capture.url} onChange={set('url')} type="url" />
      {problem !== undefined && (
        <p role="alert" class="wrong">
          {problem === 'empty' ? words.popup.needsContent : describeProblem(problem, words)}
        </p>
      )}
      {/* The result has the place of the button, so that nothing moves. */}
      <div class="result">
        {state !== 'done' && (
          <button type="submit" class="main" aria-disabled={state !== 'open'}>
            {item === undefined ? words.popup.save : words.popup.saveChanges}
          </button>
        )}
        <p role="status" class="done">
          {state === 'done' && (
            <>
              <Icon name="check" />
              {status?.problem?.code === 'network' ? words.popup.doneOffline : words.popup.done}
            </>
          )}
        </p>
      </div>
      <StatusLine status={status} />
      <p class="links">
        <a href={session.home} target="_blank" rel="noreferrer">
          {words.popup.app}
        </a>
        <button type="button" class="plain" onClick={() => void openSettings()}>
          {words.popup.settings}
        </button>
      </p>
    </form>
  )
}

interface TextFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly type?: 'text' | 'url'
}

const TextField = ({ label, value, onChange, type = 'text' }: TextFieldProps) => (
  <label class="field">
    <span>{label}</span>
    {/* Not the type url: the browser would reject what the extension completes. */}
    <input
      type="text"
      inputMode={type}
      value={value}
      autocomplete="off"
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
    />
  </label>
)

/** The popup before the first sign-in. */
const SetUp = () => (
  <main class="popup">
    <h1>
      <Mark />
    </h1>
    <p>{words.popup.setUp}</p>
    <button type="button" class="main" onClick={() => void openSettings()}>
      {words.popup.setUpButton}
    </button>
  </main>
)

const start = async (): Promise<void> => {
  document.documentElement.lang = words.code
  const [[tab = {}], { session, status }] = await Promise.all([
    platform.tabs.query({ active: true, currentWindow: true }),
    readState(platform.storage.local),
  ])
  const root = document.body
  if (session === undefined) render(<SetUp />, root)
  else render(<SaveForm session={session} tab={tab} firstStatus={status} />, root)
  // For the measurement of the first usable paint; see contributing/browser-extension.md.
  performance.mark('usable')
}

void start()
