import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { ReplicaThing, ThingVersion } from '../../client/src/index.ts'
import { deleteThings, toggleArchived, toggleDone } from '../data/account-model.ts'
import {
  type EditDraft,
  type EditForm,
  readChangedFields,
  readEditDraft,
  toEditForm,
  withoutId,
} from '../data/edit-form.ts'
import { splitTags } from '../data/item-parts.ts'
import { nameThing } from '../data/messages.ts'
import { readSafeUrl } from '../data/view-state.ts'
import { useObservable, useShared } from '../parts/context.tsx'
import { formatMoment, readFieldDate, toFieldDate } from '../parts/format-date.ts'
import { isStruck } from '../parts/item-row.tsx'
import { useKeys } from '../parts/keyboard.ts'
import { Note } from '../parts/note.tsx'
import { TagChip, useTagSettings } from '../parts/tag-chip.tsx'

type Editing = typeof import('../editor/note-editor.tsx')

// Apart, because Vite takes what follows an import for a part of it, and style that cannot be had would be an error of nobody.
const loadEditor = () => import('../editor/note-editor.tsx')

/** The editor, which is loaded when a note is first edited: 'failed' where its files cannot be had. */
const useEditor = (): Editing | 'failed' | undefined => {
  const [editing, setEditing] = useState<Editing | 'failed'>()
  useEffect(() => {
    let isOver = false
    loadEditor().then(
      (loaded) => isOver || setEditing(loaded),
      // The note can be edited without it, and the person is told.
      () => isOver || setEditing('failed'),
    )
    return () => {
      isOver = true
    }
  }, [])
  return editing
}

/** Longer notes are edited as they are written: the editor draws all of a note, and would answer keys late. */
const longestInEditor = 100_000

interface NoteFieldProps {
  readonly note: string
  /** The note when editing began. */
  readonly begun: string
  readonly isSource: boolean
  readonly onNote: (note: string) => void
  readonly onSource: (isSource: boolean) => void
}

/** The field for a note: an editor, or the HTML itself where a person asks for it or the editor would lose something. */
const NoteField = ({ note, begun, isSource, onNote, onSource }: NoteFieldProps) => {
  const { words } = useShared().model
  const editing = useEditor()
  // What the editor is opened with. Later changes come from it.
  const [start, setStart] = useState(note)
  const [accepted, setAccepted] = useState<string>()
  const say = words.editor
  const isLong = start.length > longestInEditor
  const losses = useMemo(
    () => (editing === undefined || editing === 'failed' || isLong ? undefined : editing.readNote(start).losses),
    [editing, isLong, start],
  )
  const reason =
    editing === 'failed'
      ? say.notLoaded
      : isLong
        ? say.tooLong
        : losses !== undefined && accepted !== start
          ? say.wouldLose(losses)
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
        <span class="label">{words.thing.note}</span>
        <div class="editor" />
      </div>
    )
  }
  if (editing === undefined || editing === 'failed' || isSource || reason !== undefined) {
    return (
      <div class="field wide">
        <label for="note">{words.thing.noteSource}</label>
        {reason !== undefined && (
          <p class="note heed" id="note-why">
            {reason}
          </p>
        )}
        <textarea
          id="note"
          // Chromium needs half a minute to find the direction in a line of three megabytes.
          dir={note.length > longestInEditor ? undefined : 'auto'}
          rows={12}
          class="source"
          spellcheck={false}
          aria-describedby={reason === undefined ? undefined : 'note-why'}
          value={note}
          onInput={({ currentTarget }) => onNote(currentTarget.value)}
        />
        {editing !== undefined && editing !== 'failed' && note.length <= longestInEditor && (
          <button type="button" class="plain" onClick={losses === undefined || start !== note ? edit : drop}>
            {losses === undefined || start !== note ? say.useEditor : say.loseThem}
          </button>
        )}
      </div>
    )
  }
  const { NoteEditor } = editing
  return (
    <div class="field wide">
      <span class="label">{words.thing.note}</span>
      <NoteEditor key={start} html={start} begun={begun} label={words.thing.note} say={say} onChange={onNote} />
      <button
        type="button"
        class="plain"
        onClick={() => {
          setStart(note)
          onSource(true)
        }}
      >
        {words.thing.asHtml}
      </button>
    </div>
  )
}

interface EditThingProps {
  readonly thing: ReplicaThing
  /** The thing was deleted meanwhile: to save is to make it again. */
  readonly isGone: boolean
  /** Called with the id of the thing that was made in the place of one that is gone. */
  readonly onDone: (made?: string) => void
}

/** The form of a thing. What is typed is kept at each key, and only what was changed is saved. */
const EditItem = ({ thing, isGone, onDone }: EditThingProps) => {
  const { model: desk } = useShared()
  // The thing may get another id while it is edited.
  const draft = desk.draft(`edit/${thing.id}`)
  const [kept] = useState(() => readEditDraft(draft.read()))
  const [{ begun, form }, setDraft] = useState<EditDraft>(() => {
    const now = toEditForm(thing, toFieldDate)
    return kept ?? { begun: now, form: now }
  })
  const [isKept, setKept] = useState(true)
  const [isWrong, setWrong] = useState(false)
  const title = useRef<HTMLInputElement>(null)
  const say = desk.words.thing
  useEffect(() => title.current?.focus(), [])

  const set = (part: Partial<EditForm>) => {
    const next = { begun, form: { ...form, ...part } }
    setDraft(next)
    setKept(draft.write(JSON.stringify(next)))
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
      if (isGone) return [{ kind: 'create', fields: { ...read(withoutId({ begun, form })), title } } as const]
      const fields = read({ begun, form })
      return Object.keys(fields).length === 0 ? [] : [{ kind: 'change', id: thing.id, fields } as const]
    }
    const done = await desk.perform({ kind: isGone ? 'added' : 'edited', name: title }, plan())
    if (done === undefined) return
    draft.write('')
    onDone(isGone ? done[0] : undefined)
  }
  // Without saving, and without losing: the draft is there when the thing is edited again.
  useKeys({ Escape: () => onDone() })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save(event)
  }
  return (
    <form class="sheet fields edit" onSubmit={save} onKeyDown={onKeyDown}>
      {kept !== undefined && <p class="note heed">{say.draftBack}</p>}
      {isGone && (
        <p class="note heed" role="alert">
          {say.goneMeanwhile}
        </p>
      )}
      {!isKept && (
        <p class="note bad" role="alert">
          {desk.words.add.notKept}
        </p>
      )}
      <div class="field wide">
        <label for="title">{say.title}</label>
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
            {say.needsTitle}
          </span>
        )}
      </div>
      <div class="field wide">
        <label for="url">{say.address}</label>
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
        <label for="tags">{say.tags}</label>
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
        <label for="date">{say.date}</label>
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
          {say.save}
        </button>
        <button type="button" onClick={cancel}>
          {say.cancel}
        </button>
      </div>
    </form>
  )
}

/** What was overwritten of a thing, the latest first, each to be taken back. */
const VersionList = ({ id }: { readonly id: string }) => {
  const { model: desk, navigation } = useShared()
  const { revision } = useObservable(desk.library.state)
  const [versions, setVersions] = useState<readonly ThingVersion[]>([])
  const say = desk.words.thing
  useEffect(() => {
    let isOver = false
    desk.look(async () => {
      const next = await desk.app.replica.listVersions(id)
      if (!isOver) setVersions([...next].reverse())
    })
    return () => {
      isOver = true
    }
  }, [id, revision])
  const takeBack = (version: ThingVersion) =>
    desk.attempt(async () => {
      const thing = await desk.app.replica.restoreVersion(id, version.name)
      // A thing that was gone is another one now.
      if (thing !== id) navigation.replace({ ...navigation.view.read(), thing })
    })
  if (versions.length === 0) return null
  return (
    <section class="versions">
      <h2>{say.versions}</h2>
      <ol class="rows">
        {versions.map((version) => (
          <li key={version.name}>
            <div class="what">
              <span>
                {say.why[version.why]} · {formatMoment(version.replacedAt / 1000, desk.words.code)}
              </span>
              {version.fields.includes('title') && <strong dir="auto">{version.content.title}</strong>}
              {version.fields.includes('url') && <bdi>{version.content.url}</bdi>}
              {version.fields.includes('tags') && <bdi>{version.content.tags}</bdi>}
              {version.fields.includes('html') && <Note html={version.content.html ?? ''} />}
            </div>
            <button type="button" onClick={() => takeBack(version)}>
              {say.takeBack}
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** The thing with this id as it is now: 'reading' before the first answer. */
const useThing = (id: string): ReplicaThing | 'reading' | 'gone' => {
  const { app, library, look } = useShared().model
  const { revision } = useObservable(library.state)
  const [thing, setThing] = useState<ReplicaThing | 'reading' | 'gone'>('reading')
  useEffect(() => {
    let isOver = false
    look(async () => {
      const next = (await app.replica.findThing(id)) ?? 'gone'
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
        <bdi>{url}</bdi> <span class="soft">({words.thing.unsafeAddress})</span>
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

/** Longer titles do not fit on half a screen of a phone. */
const longTitle = 300

/** One thing, to be read. */
const ReadThing = ({ thing, query }: { readonly thing: ReplicaThing; readonly query: string }) => {
  const { model: desk, navigation } = useShared()
  const settings = useTagSettings()
  const heading = useRef<HTMLHeadingElement>(null)
  const say = desk.words.thing
  const tags = splitTags(thing.tags)
  const row = desk.library.findById(thing.id)
  useEffect(() => {
    heading.current?.focus()
    scrollTo({ top: 0, behavior: 'instant' })
  }, [thing.id])
  useEffect(() => {
    document.title = `${nameThing(thing, desk.words).slice(0, 100)} · thingsync`
  }, [thing.title, thing.url, desk.words])

  const back = () => navigation.back({ screen: 'things', query })
  const edit = () => navigation.go({ screen: 'things', query, thing: thing.id, isEditing: true })
  const archive = () => row && toggleArchived(desk, [row])
  const remove = async () => {
    if (row !== undefined && (await deleteThings(desk, [row])) !== undefined) back()
  }
  const finish = () => row && toggleDone(desk, [row])
  useKeys({ e: edit, a: archive, c: finish, Delete: remove, Escape: back, '#': edit })
  return (
    <article class="sheet thing">
      <header class="head">
        <h1
          ref={heading}
          // A long title is scrolled, which has to be possible by keyboard.
          tabIndex={thing.title.length > longTitle ? 0 : -1}
          dir="auto"
          class={isStruck({ ...thing, tags }, settings) ? 'struck' : ''}
        >
          {thing.title.trim() === '' ? desk.words.row.noTitle : thing.title}
        </h1>
        {thing.url !== undefined && <UrlField url={thing.url} />}
        <p class="about">
          {tags.map((tag) => (
            <TagChip key={tag} name={tag} settings={settings} query={`#${tag}`} />
          ))}
          <span>
            {say.made} {formatMoment(thing.date, desk.words.code)}
          </span>
          {thing.archived && <span>{desk.words.row.archived}</span>}
          {thing.isPending && <span>{desk.words.row.pending}</span>}
        </p>
        {thing.todoStatus !== undefined && (
          <div class="choice">
            <input type="checkbox" id="done" checked={thing.todoStatus} onChange={finish} />
            <label for="done">{say.done}</label>
          </div>
        )}
      </header>
      {thing.html !== undefined && <Note html={thing.html} />}
      <div class="buttons">
        <button type="button" class="main" onClick={edit}>
          {say.edit}
        </button>
        <button type="button" onClick={archive}>
          {thing.archived ? say.unarchive : say.archive}
        </button>
        <button type="button" class="grave" onClick={remove}>
          {say.delete}
        </button>
      </div>
      <VersionList id={thing.id} />
    </article>
  )
}

/** A thing of which only a draft is left. */
const missing = { title: '', tags: '', date: 0, archived: false, isPending: false } as const

/** One thing, to be read or edited. */
export const ItemScreen = ({
  id,
  query,
  isEditing,
}: {
  readonly id: string
  readonly query: string
  readonly isEditing: boolean
}) => {
  const { model: desk, navigation } = useShared()
  const thing = useThing(id)
  const say = desk.words.thing
  const last = useRef<ReplicaThing | undefined>(undefined)
  if (typeof thing === 'object') last.current = thing
  const isGone = thing === 'gone'
  // What is being typed stays where it is, whoever has deleted the thing meanwhile.
  const hasDraft = isGone && desk.draft(`edit/${id}`).read() !== ''
  const edited = isEditing || hasDraft ? (last.current ?? (hasDraft ? { ...missing, id } : undefined)) : undefined
  const back = () => navigation.back({ screen: 'things', query })
  const finish = (made?: string) =>
    made === undefined ? back() : navigation.replace({ screen: 'things', query, thing: made })
  return (
    <div class="reading">
      <button type="button" class="plain back" onClick={back}>
        <span aria-hidden="true">←</span> {say.back}
      </button>
      {isGone && edited === undefined && (
        <div class="sheet">
          <p>{say.gone}</p>
          <VersionList id={id} />
        </div>
      )}
      {edited !== undefined && <EditItem key={id} thing={edited} isGone={isGone} onDone={finish} />}
      {typeof thing === 'object' && !isEditing && <ReadThing thing={thing} query={query} />}
    </div>
  )
}
