// The window of the bookmarklet and of the share target: it saves one page or text, says so, and closes.

import { useEffect, useRef, useState } from 'preact/hooks'
import { toNoteHtml } from '../../src/transfer/note-html.ts'
import { readAddLine } from '../data/add-line.ts'
import { nameThing } from '../data/messages.ts'
import { describeUrl, findKnownUrls } from '../data/urls.ts'
import { Link, useObservable, useShared } from '../parts/context.tsx'
import { formatAgo } from '../parts/format-date.ts'
import { Icon, Mark } from '../parts/icon.tsx'
import { TagField } from '../parts/tag-field.tsx'
import { useTagSettings } from '../parts/tags.tsx'
import '../style/share.css'

/** What the user types; each key stores it, until it is saved. */
interface ShareForm {
  readonly title: string
  readonly tags: string
  readonly note: string
}

/** A draft of another page must not fill the form of this one. */
interface ShareDraft extends ShareForm {
  readonly line: string
}

/** How long the window says that the item is saved, before it closes. */
const closeMilliseconds = 900
/** How long the window waits for the server, before it says that the item is on this device. */
const syncMilliseconds = 3_000

/** Closes the window. A browser closes no window that the user has opened, and complains; the link to the list stays there. */
const closeOwnWindow = (): void => {
  if (opener !== null || history.length <= 1) close()
}

const readDraft = (text: string, line: string): ShareForm | undefined => {
  if (text === '') return undefined
  const { line: of, ...form } = JSON.parse(text) as ShareDraft
  return of === line ? form : undefined
}

/** The form that saves the shared line of the view. */
export const ShareScreen = () => {
  const { model, navigation } = useShared()
  const { shared: line = '' } = useObservable(navigation.view)
  const { app, library } = model
  const texts = model.words.share
  const settings = useTagSettings()
  const { isComplete } = useObservable(library.state)
  const state = useObservable(app.state)
  const draft = model.draft('share')
  const shared = readAddLine(line)
  const { url = '' } = shared ?? {}
  const pageTitle = shared === undefined || shared.title === url ? '' : shared.title
  const [form, setForm] = useState<ShareForm>(
    () => readDraft(draft.read(), line) ?? { title: pageTitle, tags: '', note: '' },
  )
  const [savedAt, setSavedAt] = useState<number>()
  const [isWrong, setWrong] = useState(false)
  const title = useRef<HTMLInputElement>(null)
  const known =
    isComplete && url !== '' && savedAt === undefined ? findKnownUrls(library.listRows(), [url]).get(url) : undefined

  useEffect(() => title.current?.focus(), [])
  useEffect(() => {
    if (savedAt === undefined) return
    const isSent = state.pending === 0
    const timer = setTimeout(closeOwnWindow, isSent ? closeMilliseconds : syncMilliseconds + closeMilliseconds)
    return () => clearTimeout(timer)
  }, [savedAt, state.pending === 0])

  const set = (part: Partial<ShareForm>) => {
    const next = { ...form, ...part }
    setForm(next)
    setWrong(false)
    draft.write(JSON.stringify({ ...next, line }))
  }
  const save = async () => {
    const name = form.title.trim() || url
    if (name === '') {
      setWrong(true)
      return title.current?.focus()
    }
    const html = toNoteHtml(form.note)
    const fields = { title: name, tags: form.tags, ...(url === '' ? {} : { url }), ...(html === '' ? {} : { html }) }
    const isDone = await model.perform({ kind: 'added', name }, [{ kind: 'create', fields }])
    if (isDone === undefined) return
    draft.write('')
    setSavedAt(Date.now())
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isEnter = event.key === 'Enter' && !event.isComposing
    const isInField = event.target instanceof HTMLInputElement
    if (event.defaultPrevented || !isEnter || !(isInField || event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    save()
  }
  if (savedAt !== undefined) {
    return (
      <main id="content" class="page share" tabIndex={-1}>
        <p class="share-saved" role="status">
          <Icon name="check" />
          {state.pending === 0 ? texts.saved : texts.savedHere}
        </p>
        <Link to={{ screen: 'things', query: '' }}>{texts.openList}</Link>
      </main>
    )
  }
  return (
    <main id="content" class="page share" tabIndex={-1}>
      <Mark />
      <form onSubmit={(event) => event.preventDefault()} onKeyDown={onKeyDown}>
        <h1 class="aside">{texts.heading}</h1>
        {known && (
          <p class="note heed">
            {model.words.add.known(
              formatAgo(known.date, model.words.code),
              nameThing(known, model.words).slice(0, 100),
            )}{' '}
            <Link to={{ screen: 'things', query: '', thing: known.id }}>{texts.edit}</Link>
          </p>
        )}
        <div class="field">
          <label for="share-title">{model.words.item.title}</label>
          <input
            id="share-title"
            ref={title}
            type="text"
            dir="auto"
            value={form.title}
            placeholder={url === '' ? '' : describeUrl(url)}
            aria-invalid={isWrong ? 'true' : undefined}
            aria-describedby={isWrong ? 'share-wrong' : undefined}
            onInput={({ currentTarget }) => set({ title: currentTarget.value })}
          />
          {isWrong && (
            <span class="wrong" id="share-wrong" role="alert">
              {model.words.item.needsTitle}
            </span>
          )}
        </div>
        {url !== '' && (
          <p class="soft share-url">
            <bdi>{url}</bdi>
          </p>
        )}
        <div class="field">
          <label for="share-tags">{model.words.item.tags}</label>
          <TagField id="share-tags" value={form.tags} onValue={(tags) => set({ tags })} settings={settings} />
        </div>
        <div class="field">
          <label for="share-note">{model.words.item.note}</label>
          <textarea
            id="share-note"
            rows={3}
            dir="auto"
            value={form.note}
            onInput={({ currentTarget }) => set({ note: currentTarget.value })}
          />
        </div>
        <div class="buttons">
          <button type="button" class="main" onClick={save}>
            {known === undefined ? texts.save : model.words.add.addAnyway}
          </button>
          <button type="button" onClick={closeOwnWindow}>
            {model.words.add.cancel}
          </button>
        </div>
      </form>
    </main>
  )
}
