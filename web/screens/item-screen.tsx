import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { ReplicaThing, ThingVersion } from '../../client/src/index.ts'
import { deleteThings, toggleArchived, toggleDone } from '../data/account-model.ts'
import {
  type EditDraft,
  type EditForm,
  readChangedFields,
  readEditDraft,
  toEditForm,
  toNewItemDraft,
} from '../data/edit-form.ts'
import { splitTags } from '../data/item-parts.ts'
import { nameThing } from '../data/messages.ts'
import { readSafeUrl } from '../data/view-state.ts'
import { useObservable, useShared } from '../parts/context.tsx'
import { formatMoment, readFieldDate, toFieldDate } from '../parts/format-date.ts'
import { Icon } from '../parts/icon.tsx'
import { isStruck } from '../parts/item-row.tsx'
import { useKeys } from '../parts/keyboard.ts'
import { Note } from '../parts/note.tsx'
import { TagChip, useTagSettings } from '../parts/tag-chip.tsx'

type Editing = typeof import('../editor/note-editor.tsx')

// A separate function, because Vite adds the loading of styles to the expression around `import()`, and a style that
// fails to load would be an unhandled error.
const loadEditor = () => import('../editor/note-editor.tsx')

/** Loads the editor when a note is first edited; 'failed' if its files cannot be loaded. */
const useEditor = (): Editing | 'failed' | undefined => {
  const [editing, setEditing] = useState<Editing | 'failed'>()
  useEffect(() => {
    let isOver = false
    loadEditor().then(
      (loaded) => isOver || setEditing(loaded),
      // The user can edit the note as HTML, and the field says why.
      () => isOver || setEditing('failed'),
    )
    return () => {
      isOver = true
    }
  }, [])
  return editing
}

/** The maximum length of a note in the editor, which renders the whole note; longer notes are edited as HTML. */
const maxEditorCharacters = 100_000

interface NoteFieldProps {
  readonly note: string
  /** The note when editing began. */
  readonly begun: string
  readonly isSource: boolean
  readonly onNote: (note: string) => void
  readonly onSource: (isSource: boolean) => void
}

/** The field for a note: the editor, or the HTML if the user wants it or the editor would lose something. */
const NoteField = ({ note, begun, isSource, onNote, onSource }: NoteFieldProps) => {
  const { words } = useShared().model
  const editing = useEditor()
  // The initial content of the editor, which reports later changes.
  const [start, setStart] = useState(note)
  const [accepted, setAccepted] = useState<string>()
  const texts = words.editor
  const isLong = start.length > maxEditorCharacters
  const losses = useMemo(
    () => (editing === undefined || editing === 'failed' || isLong ? undefined : editing.readNote(start).losses),
    [editing, isLong, start],
  )
  const reason =
    editing === 'failed'
      ? texts.notLoaded
      : isLong
        ? texts.tooLong
        : losses !== undefined && accepted !== start
          ? texts.wouldLose(losses)
          : undefined
  const edit = () => {
    setStart(note)
    onSource(false)
  }
  const drop = () => {
    setAccepted(note)
    edit()
  }
  if (editing === undefined && !isSource && !isLong) {
    return (
      <div class="field wide" aria-busy="true">
        <span class="label">{words.item.note}</span>
        <div class="editor" />
      </div>
    )
  }
  if (editing === undefined || editing === 'failed' || isSource || reason !== undefined) {
    return (
      <div class="field wide">
        <label for="note">{words.item.noteSource}</label>
        {reason !== undefined && (
          <p class="note heed" id="note-why">
            {reason}
          </p>
        )}
        <textarea
          id="note"
          // Chromium takes very long to find the text direction of a long line.
          dir={note.length > maxEditorCharacters ? undefined : 'auto'}
          rows={12}
          class="source"
          spellcheck={false}
          aria-describedby={reason === undefined ? undefined : 'note-why'}
          value={note}
          onInput={({ currentTarget }) => onNote(currentTarget.value)}
        />
        {editing !== undefined && editing !== 'failed' && note.length <= maxEditorCharacters && (
          <button type="button" class="plain" onClick={losses === undefined || start !== note ? edit : drop}>
            {losses === undefined || start !== note ? texts.useEditor : texts.loseThem}
          </button>
        )}
      </div>
    )
  }
  const { NoteEditor } = editing
  return (
    <div class="field wide">
      <span class="label">{words.item.note}</span>
      <NoteEditor key={start} html={start} begun={begun} label={words.item.note} texts={texts} onChange={onNote} />
      <button
        type="button"
        class="plain"
        onClick={() => {
          setStart(note)
          onSource(true)
        }}
      >
        {words.item.asHtml}
      </button>
    </div>
  )
}

interface EditItemProps {
  readonly thing: ReplicaThing
  /** Whether the item was deleted meanwhile; saving then creates it again. */
  readonly isMissing: boolean
  /** Called at the end; receives the ID of the new item if the item was deleted. */
  readonly onDone: (createdId?: string) => void
}

/** The edit form of an item. Each keystroke saves the draft, and only changed fields are saved. */
const EditItem = ({ thing, isMissing, onDone }: EditItemProps) => {
  const { model } = useShared()
  // The item may get another ID during editing.
  const draft = model.draft(`edit/${thing.id}`)
  const [stored] = useState(() => readEditDraft(draft.read()))
  const [{ begun, form }, setDraft] = useState<EditDraft>(() => {
    const now = toEditForm(thing, toFieldDate)
    return stored ?? { begun: now, form: now }
  })
  const [isSaved, setSaved] = useState(true)
  const [isWrong, setWrong] = useState(false)
  const title = useRef<HTMLInputElement>(null)
  const texts = model.words.item
  useEffect(() => title.current?.focus(), [])

  const set = (part: Partial<EditForm>) => {
    const next = { begun, form: { ...form, ...part } }
    setDraft(next)
    setSaved(draft.write(JSON.stringify(next)))
    setWrong(false)
  }
  const cancel = () => {
    draft.write('')
    onDone()
  }
  const save = async (event?: Event) => {
    event?.preventDefault()
    if (form.title.trim() === '') return setWrong(true)
    const title = form.title.trim()
    const read = (edited: EditDraft) => readChangedFields(edited, readFieldDate)
    const plan = () => {
      if (isMissing) return [{ kind: 'create', fields: { ...read(toNewItemDraft({ begun, form })), title } } as const]
      const fields = read({ begun, form })
      return Object.keys(fields).length === 0 ? [] : [{ kind: 'change', id: thing.id, fields } as const]
    }
    const done = await model.perform({ kind: isMissing ? 'added' : 'edited', name: title }, plan())
    if (done === undefined) return
    draft.write('')
    onDone(isMissing ? done[0] : undefined)
  }
  // Escape does not save, but the draft stays for the next editing.
  useKeys({ Escape: () => onDone() })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save(event)
  }
  return (
    <form class="sheet fields edit" onSubmit={save} onKeyDown={onKeyDown}>
      {stored !== undefined && <p class="note heed">{texts.draftBack}</p>}
      {isMissing && (
        <p class="note heed" role="alert">
          {texts.deletedMeanwhile}
        </p>
      )}
      {!isSaved && (
        <p class="note bad" role="alert">
          {model.words.add.notSaved}
        </p>
      )}
      <div class="field wide">
        <label for="title">{texts.title}</label>
        <input
          id="title"
          ref={title}
          type="text"
          dir="auto"
          value={form.title}
          aria-invalid={isWrong ? 'true' : undefined}
          aria-describedby={isWrong ? 'title-wrong' : undefined}
          onInput={(event) => set({ title: event.currentTarget.value })}
        />
        {isWrong && (
          <span class="wrong" id="title-wrong" role="alert">
            {texts.needsTitle}
          </span>
        )}
      </div>
      <div class="field wide">
        <label for="url">{texts.url}</label>
        <input
          id="url"
          type="text"
          inputMode="url"
          autocapitalize="none"
          spellcheck={false}
          value={form.url}
          onInput={(event) => set({ url: event.currentTarget.value })}
        />
      </div>
      <div class="field wide">
        <label for="tags">{texts.tags}</label>
        <input
          id="tags"
          type="text"
          autocapitalize="none"
          spellcheck={false}
          dir="auto"
          value={form.tags}
          onInput={(event) => set({ tags: event.currentTarget.value })}
        />
      </div>
      <div class="field">
        <label for="date">{texts.date}</label>
        <input
          id="date"
          type="datetime-local"
          step={1}
          value={form.date}
          onInput={(event) => set({ date: event.currentTarget.value })}
        />
      </div>
      <NoteField
        note={form.note}
        begun={begun.note}
        isSource={form.isSource}
        onNote={(note) => set({ note })}
        onSource={(isSource) => set({ isSource })}
      />
      <div class="buttons">
        <button type="submit" class="main">
          {texts.save}
        </button>
        <button type="button" onClick={cancel}>
          {texts.cancel}
        </button>
      </div>
    </form>
  )
}

/** The overwritten versions of an item, the latest first, each with a button that restores it. */
const VersionList = ({ id }: { readonly id: string }) => {
  const { model, navigation } = useShared()
  const { revision } = useObservable(model.library.state)
  const [versions, setVersions] = useState<readonly ThingVersion[]>([])
  const texts = model.words.item
  useEffect(() => {
    let isOver = false
    model.load(async () => {
      const next = await model.app.replica.listVersions(id)
      if (!isOver) setVersions([...next].reverse())
    })
    return () => {
      isOver = true
    }
  }, [id, revision])
  const takeBack = (version: ThingVersion) =>
    model.attempt(async () => {
      const thing = await model.app.replica.restoreVersion(id, version.name)
      // A deleted item gets a new ID.
      if (thing !== id) navigation.replace({ ...navigation.view.read(), thing })
    })
  if (versions.length === 0) return null
  return (
    <section class="versions">
      <h2>{texts.versions}</h2>
      <ol class="rows">
        {versions.map((version) => (
          <li key={version.name}>
            <div class="what">
              <span>
                {texts.why[version.why]} · {formatMoment(version.replacedAt / 1000, model.words.code)}
              </span>
              {version.fields.includes('title') && <strong dir="auto">{version.content.title}</strong>}
              {version.fields.includes('url') && <bdi>{version.content.url}</bdi>}
              {version.fields.includes('tags') && <bdi>{version.content.tags}</bdi>}
              {version.fields.includes('html') && <Note html={version.content.html ?? ''} />}
            </div>
            <button type="button" onClick={() => takeBack(version)}>
              {texts.takeBack}
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Returns the current item with this ID; 'reading' before the store has responded. */
const useThing = (id: string): ReplicaThing | 'reading' | 'missing' => {
  const { app, library, load } = useShared().model
  const { revision } = useObservable(library.state)
  const [thing, setThing] = useState<ReplicaThing | 'reading' | 'missing'>('reading')
  useEffect(() => {
    let isOver = false
    load(async () => {
      const next = (await app.replica.findThing(id)) ?? 'missing'
      if (!isOver) setThing(next)
    })
    return () => {
      isOver = true
    }
  }, [id, revision])
  return thing
}

const UrlField = ({ url }: { readonly url: string }) => {
  const { words } = useShared().model
  const safe = readSafeUrl(url)
  if (safe === undefined) {
    return (
      <p>
        <bdi>{url}</bdi> <span class="soft">({words.item.unsafeUrl})</span>
      </p>
    )
  }
  return (
    <p>
      <a href={safe.href} rel="noopener noreferrer" target="_blank">
        <bdi>{url}</bdi>
      </a>
    </p>
  )
}

/** The maximum length of a title that fits on half of a phone's screen. */
const maxStaticTitleCharacters = 300

/** An item for reading. */
interface ReadItemProps {
  readonly thing: ReplicaThing
  readonly query: string
  readonly isPane: boolean
}

const ReadItem = ({ thing, query, isPane }: ReadItemProps) => {
  const { model, navigation } = useShared()
  const settings = useTagSettings()
  const heading = useRef<HTMLHeadingElement>(null)
  const texts = model.words.item
  const tags = splitTags(thing.tags)
  const row = model.library.findById(thing.id)
  useEffect(() => {
    // Beside the list, the focus and the scroll position of the list stay.
    if (isPane) return
    heading.current?.focus()
    scrollTo({ top: 0, behavior: 'instant' })
  }, [thing.id, isPane])
  useEffect(() => {
    document.title = `${nameThing(thing, model.words).slice(0, 100)} · thingsync`
  }, [thing.title, thing.url, model.words])

  const list = { screen: 'things', query } as const
  const back = () => (isPane ? navigation.go(list) : navigation.back(list))
  const edit = () => navigation.go({ screen: 'things', query, thing: thing.id, isEditing: true })
  const archive = () => row && toggleArchived(model, [row])
  const remove = async () => {
    if (row !== undefined && (await deleteThings(model, [row])) !== undefined) back()
  }
  const finish = () => row && toggleDone(model, [row])
  useKeys({ e: edit, a: archive, c: finish, Delete: remove, Escape: back, '#': edit })
  return (
    <article class="sheet thing">
      <header class="head">
        <h1
          ref={heading}
          // A long title scrolls, so it needs the keyboard focus.
          tabIndex={thing.title.length > maxStaticTitleCharacters ? 0 : -1}
          dir="auto"
          class={isStruck({ ...thing, tags }, settings) ? 'struck' : ''}
        >
          {thing.title.trim() === '' ? model.words.row.noTitle : thing.title}
        </h1>
        {thing.url !== undefined && <UrlField url={thing.url} />}
        <p class="about">
          {tags.map((tag) => (
            <TagChip key={tag} name={tag} settings={settings} query={`#${tag}`} />
          ))}
          <span>
            {texts.created} {formatMoment(thing.date, model.words.code)}
          </span>
          {thing.archived && <span>{model.words.row.archived}</span>}
          {thing.isPending && <span>{model.words.row.pending}</span>}
        </p>
        {thing.todoStatus !== undefined && (
          <div class="choice">
            <input type="checkbox" id="done" checked={thing.todoStatus} onChange={finish} />
            <label for="done">{texts.done}</label>
          </div>
        )}
      </header>
      {thing.html !== undefined && <Note html={thing.html} />}
      <div class="buttons">
        <button type="button" class="main" onClick={edit}>
          {texts.edit}
        </button>
        <button type="button" onClick={archive}>
          {thing.archived ? texts.unarchive : texts.archive}
        </button>
        <button type="button" class="grave" onClick={remove}>
          {texts.delete}
        </button>
      </div>
      <VersionList id={thing.id} />
    </article>
  )
}

/** The fields of a deleted item of which only a draft exists. */
const deletedThing = { title: '', tags: '', date: 0, archived: false, isPending: false } as const

/** The screen of one item, for reading or editing. */
export const ItemScreen = ({
  id,
  query,
  isEditing,
  isPane,
}: {
  readonly id: string
  readonly query: string
  readonly isEditing: boolean
  /** Whether the item is beside the list. */
  readonly isPane: boolean
}) => {
  const { model, navigation } = useShared()
  const thing = useThing(id)
  const texts = model.words.item
  const last = useRef<ReplicaThing | undefined>(undefined)
  if (typeof thing === 'object') last.current = thing
  const isMissing = thing === 'missing'
  // A draft stays in its form, even if the item was deleted meanwhile.
  const hasDraft = isMissing && model.draft(`edit/${id}`).read() !== ''
  const edited = isEditing || hasDraft ? (last.current ?? (hasDraft ? { ...deletedThing, id } : undefined)) : undefined
  const back = () => navigation.back({ screen: 'things', query })
  const finish = (createdId?: string) =>
    createdId === undefined ? back() : navigation.replace({ screen: 'things', query, thing: createdId })
  const close = () => navigation.go({ screen: 'things', query })
  return (
    <div class="reading">
      {isPane ? (
        <button type="button" class="plain back" aria-label={texts.close} title={texts.close} onClick={close}>
          <Icon name="close" />
        </button>
      ) : (
        <button type="button" class="plain back" onClick={back}>
          <span aria-hidden="true">←</span> {texts.back}
        </button>
      )}
      {isMissing && edited === undefined && (
        <div class="sheet">
          <p>{texts.itemMissing}</p>
          <VersionList id={id} />
        </div>
      )}
      {edited !== undefined && <EditItem key={id} thing={edited} isMissing={isMissing} onDone={finish} />}
      {typeof thing === 'object' && !isEditing && <ReadItem thing={thing} query={query} isPane={isPane} />}
    </div>
  )
}
