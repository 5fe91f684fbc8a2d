import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ReplicaThing } from '../../client/src/index.ts'
import { deleteThings, toggleArchived, toggleDone } from '../data/account-model.ts'
import {
  type EditDraft,
  type EditForm,
  type ItemPart,
  listChangedParts,
  readChangedFields,
  readEditDraft,
  toEditForm,
  toNewItemDraft,
} from '../data/edit-form.ts'
import { splitTags } from '../data/item-parts.ts'
import { nameThing } from '../data/messages.ts'
import { useObservable, useShared } from '../parts/context.tsx'
import { formatMoment, readFieldDate, toFieldDate } from '../parts/format-date.ts'
import { Icon } from '../parts/icon.tsx'
import { isStruck } from '../parts/item-row.tsx'
import { isTypedIn, useKeys } from '../parts/keyboard.ts'
import type { NotePoint } from '../parts/note.tsx'
import { NoteField, preloadEditor } from '../parts/note-field.tsx'
import { TagField } from '../parts/tag-field.tsx'
import { TagChip, useTagSettings } from '../parts/tags.tsx'
import { BackButton, isUnselected, ReadNote, UrlLine, VersionList } from './item-reading.tsx'

/** The maximum length of a title that fits on half of a phone's screen. */
const maxStaticTitleCharacters = 300

/** The maximum length of a text whose direction browsers find quickly. */
const maxDirectedCharacters = 10_000

/** The length of the value of a date field to the minute. */
const minuteCharacters = 16

/** The parts that are edited where they are read. */
const partsInPlace: readonly ItemPart[] = ['title', 'tags', 'note']

const allParts: readonly ItemPart[] = [...partsInPlace, 'details']

interface Editing {
  /** The parts that are edited now. */
  readonly parts: ReadonlySet<ItemPart>
  /** The values of the form; undefined until the whole item is read. */
  readonly form: EditForm | undefined
  readonly begun: EditForm | undefined
  /** Whether the draft was typed earlier and not saved. */
  readonly isRestored: boolean
  /** Whether the browser has saved the draft. */
  readonly isKept: boolean
  readonly isChanged: boolean
  readonly open: (part: ItemPart) => void
  /** Closes a part and takes back what was typed in it. */
  readonly restore: (part: 'title' | 'tags') => void
  readonly set: (part: Partial<EditForm>) => void
  /** Ends the editing; the draft is removed. */
  readonly end: () => void
  /** Removes the stored draft after these values were saved, unless the user typed more meanwhile. */
  readonly removeSavedDraft: (saved: EditForm) => void
  /** Ends the editing after these values were saved; false if the user typed more meanwhile, which stays. */
  readonly endSaved: (saved: EditForm) => boolean
}

/** The editing of an item: which parts are open, and the draft, which each keystroke saves. */
const useEditing = (thing: ReplicaThing, isComplete: boolean, opensAll: boolean): Editing => {
  const { model } = useShared()
  // The item may get another ID during editing.
  const draft = model.draft(`edit/${thing.id}`)
  const [stored, setStored] = useState(() => {
    const found = readEditDraft(draft.read())
    const begun = toEditForm(thing, toFieldDate)
    if (found === undefined || !isComplete || listChangedParts({ begun, form: found.form }).length > 0) return found
    // It was saved, and the page was left before its draft was removed.
    draft.write('')
    return undefined
  })
  const [edit, setEdit] = useState<EditDraft | undefined>(stored)
  const [parts, setParts] = useState<ReadonlySet<ItemPart>>(
    () => new Set([...(opensAll ? allParts : []), ...(stored === undefined ? [] : listChangedParts(stored))]),
  )
  const [isKept, setKept] = useState(true)
  const fresh = () => {
    const form = toEditForm(thing, toFieldDate)
    return { begun: form, form }
  }
  const isOpen = parts.size > 0
  const current = edit ?? (isOpen && isComplete ? fresh() : undefined)
  useLayoutEffect(() => {
    // From now on, a change of another device must not count as a change of the user.
    if (edit === undefined && current !== undefined) setEdit(current)
  }, [isOpen, isComplete])
  // What is typed while the values are being saved arrives after the rendering that saves them.
  const latest = useRef(current)
  latest.current = current
  const write = (next: EditDraft) => {
    latest.current = next
    setEdit(next)
    setKept(draft.write(listChangedParts(next).length === 0 ? '' : JSON.stringify(next)))
  }
  const hasTypedMore = (saved: EditForm): boolean =>
    latest.current !== undefined && JSON.stringify(latest.current.form) !== JSON.stringify(saved)
  const end = () => {
    draft.write('')
    setEdit(undefined)
    setStored(undefined)
    setParts(new Set())
    setKept(true)
  }
  return {
    parts,
    form: current?.form,
    begun: current?.begun,
    isRestored: stored !== undefined,
    isKept,
    isChanged: current !== undefined && listChangedParts(current).length > 0,
    open: (part) => setParts((open) => new Set([...open, part])),
    restore: (part) => {
      if (current === undefined) return
      const left = new Set([...parts].filter((other) => other !== part))
      if (left.size === 0) return end()
      write({ ...current, form: { ...current.form, [part]: current.begun[part] } })
      setParts(left)
    },
    set: (part) => {
      const before = latest.current
      if (before !== undefined) write({ ...before, form: { ...before.form, ...part } })
    },
    end,
    removeSavedDraft: (saved) => {
      if (!hasTypedMore(saved)) draft.write('')
    },
    endSaved: (saved) => {
      const form = latest.current?.form
      if (form !== undefined && hasTypedMore(saved)) {
        write({ begun: saved, form })
        return false
      }
      end()
      return true
    },
  }
}

interface ItemSheetProps {
  readonly thing: ReplicaThing
  /** Whether the note is known; a row of the list has none. */
  readonly isComplete: boolean
  /** Whether the item was deleted meanwhile; saving then creates it again. */
  readonly isMissing: boolean
  /** Whether all parts are open at the beginning. */
  readonly isEditing: boolean
  /** Whether the item is beside the list, which then keeps the focus and the scroll position. */
  readonly isPane: boolean
  readonly reload: () => Promise<void>
  readonly onBack: () => void
  /** Called after saving or canceling; receives the ID of the new item if the item was deleted. */
  readonly onDone: (createdId?: string) => void
}

/** An item. Title, tags and note are edited where they are read; URL and date are behind "Details". */
export const ItemSheet = (props: ItemSheetProps) => {
  const { thing, isComplete, isMissing, isEditing, isPane, reload, onBack, onDone } = props
  const { model } = useShared()
  const settings = useTagSettings()
  const unseen = useObservable(model.conflicts.unseen)
  const editing = useEditing(thing, isComplete, isEditing)
  const { parts, form, begun } = editing
  const isOpen = form !== undefined && begun !== undefined && parts.size > 0
  const [isWrong, setWrong] = useState(false)
  const [notePoint, setNotePoint] = useState<NotePoint>()
  const heading = useRef<HTMLHeadingElement>(null)
  const title = useRef<HTMLTextAreaElement>(null)
  const tagsField = useRef<HTMLInputElement>(null)
  // The part that was opened last, which takes the focus.
  const toFocus = useRef<ItemPart | undefined>(isEditing ? 'title' : undefined)
  const texts = model.words.item
  const row = model.library.findById(thing.id)
  const tags = splitTags(thing.tags)

  useEffect(() => {
    if (isPane) return
    if (!isEditing) heading.current?.focus()
    scrollTo({ top: 0, behavior: 'instant' })
  }, [])
  useEffect(() => {
    document.title = `${nameThing(thing, model.words).slice(0, 100)} · thingsync`
  }, [thing.title, thing.url, model.words])
  // A layout effect, because the next key may arrive before the next frame.
  useLayoutEffect(() => {
    const field = { title, tags: tagsField }[toFocus.current as 'title' | 'tags']?.current
    if (!field) return
    toFocus.current = undefined
    field.focus()
    field.setSelectionRange(field.value.length, field.value.length)
  })

  const open = (part: ItemPart) => {
    toFocus.current = part
    editing.open(part)
  }
  const openNote = (point: NotePoint) => {
    setNotePoint(point)
    editing.open('note')
  }
  const edit = () => {
    for (const part of allParts) editing.open(part)
    toFocus.current = 'title'
  }
  // The list opens the editing of an item that is shown already.
  const wasEditing = useRef(isEditing)
  useLayoutEffect(() => {
    if (isEditing === wasEditing.current) return
    wasEditing.current = isEditing
    if (isEditing) edit()
    else if (!editing.isChanged) editing.end()
  }, [isEditing])
  const set = (part: Partial<EditForm>) => {
    setWrong(false)
    editing.set(part)
  }
  const leaveEditing = (createdId?: string) => {
    setNotePoint(undefined)
    onDone(createdId)
    requestAnimationFrame(() => heading.current?.focus())
  }
  const save = async () => {
    if (form === undefined || begun === undefined) return
    const name = form.title.trim()
    if (name === '') {
      setWrong(true)
      return open('title')
    }
    const read = (edited: EditDraft) => readChangedFields(edited, readFieldDate)
    const plan = () => {
      if (isMissing)
        return [{ kind: 'create', fields: { ...read(toNewItemDraft({ begun, form })), title: name } } as const]
      const fields = read({ begun, form })
      return Object.keys(fields).length === 0 ? [] : [{ kind: 'change', id: thing.id, fields } as const]
    }
    const done = await model.perform({ kind: isMissing ? 'added' : 'edited', name }, plan())
    if (done === undefined) return
    // At once: the user may leave the page before the rest.
    editing.removeSavedDraft(form)
    // What was typed stays in sight until the saved content is read.
    if (!isMissing) await reload()
    if (editing.endSaved(form) || isMissing) leaveEditing(isMissing ? done[0] : undefined)
  }
  const cancel = () => {
    editing.end()
    leaveEditing()
  }
  const tickNote = (html: string) => {
    if (isOpen) return set({ note: html })
    model.perform({ kind: 'edited', name: thing.title }, [{ kind: 'change', id: thing.id, fields: { html } }])
  }
  const archive = () => row && toggleArchived(model, [row])
  const remove = async () => {
    if (row !== undefined && (await deleteThings(model, [row])) !== undefined) onBack()
  }
  const check = () => row && toggleDone(model, [row])
  // What was typed is no longer saved by leaving, but the draft stays for the next visit.
  const leave = () => {
    const isIdle = editing.parts.size > 0 && !editing.isChanged
    if (isIdle && (isPane || !isEditing)) cancel()
    else onBack()
  }
  useKeys({
    e: edit,
    a: archive,
    c: check,
    Delete: remove,
    Escape: leave,
    '#': () => open('tags'),
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isTypedIn(event.target) && !event.defaultPrevented && !event.isComposing) {
      event.preventDefault()
      return leave()
    }
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || form === undefined) return
    event.preventDefault()
    save()
  }
  /** The keys of a field of one line: Enter saves, Escape restores the field. */
  const onFieldKey = (part: 'title' | 'tags') => (event: KeyboardEvent) => {
    if (event.isComposing) return
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
      event.preventDefault()
      save()
    }
    if (event.key !== 'Escape') return
    event.preventDefault()
    if (isEditing && !editing.isChanged) return leave()
    // The form of all fields stays as it is.
    if (isWhole) return form[part] === begun[part] ? leave() : set({ [part]: begun[part] })
    editing.restore(part)
    requestAnimationFrame(() => heading.current?.focus())
  }
  const shown = form ?? toEditForm(thing, toFieldDate)
  const hasBar = isOpen && (editing.isChanged || partsInPlace.some((part) => parts.has(part)))
  const isWhole = isOpen && allParts.every((part) => parts.has(part))
  const urlField = (
    <div class="field wide">
      <label for="url">{texts.url}</label>
      <input
        id="url"
        type="text"
        inputMode="url"
        autocapitalize="none"
        spellcheck={false}
        value={shown.url}
        onInput={({ currentTarget }) => set({ url: currentTarget.value })}
        onKeyDown={saveOnEnter}
      />
    </div>
  )
  const dateField = (
    <div class="field">
      <label for="date">{texts.date}</label>
      <input
        id="date"
        type="datetime-local"
        // Without the seconds, which stay if the minute does.
        value={shown.date.slice(0, minuteCharacters)}
        onInput={({ currentTarget: { value } }) =>
          set({ date: begun?.date.slice(0, minuteCharacters) === value ? begun.date : value })
        }
        onKeyDown={saveOnEnter}
      />
    </div>
  )
  // Below the only field that is edited, or below all.
  const barPlace = !hasBar
    ? undefined
    : parts.has('note') || parts.has('details')
      ? 'end'
      : parts.has('tags')
        ? 'tags'
        : 'title'
  const buttons = (
    <div class={barPlace === 'end' ? 'edit-bar' : 'near-bar'}>
      <button type="button" class="main" onClick={save}>
        {texts.save}
      </button>
      <button type="button" onClick={cancel}>
        {texts.cancel}
      </button>
    </div>
  )
  const isReplaced = unseen.some(({ id }) => id === thing.id)
  return (
    <>
      {!isWhole && (
        <div class="item-bar">
          <BackButton isPane={isPane} onBack={onBack} />
          {!isMissing && (
            <div class="acts">
              <button
                type="button"
                class="quiet"
                disabled={hasBar}
                onClick={edit}
                onPointerEnter={preloadEditor}
                onFocus={preloadEditor}
              >
                <Icon name="edit" />
                {texts.edit}
              </button>
              <button type="button" class="quiet" disabled={hasBar} onClick={archive}>
                <Icon name="archive" />
                {thing.archived ? texts.unarchive : texts.archive}
              </button>
              <button type="button" class="quiet grave" title={texts.delete} disabled={hasBar} onClick={remove}>
                <Icon name="trash" />
                <span class="name">{texts.delete}</span>
              </button>
            </div>
          )}
        </div>
      )}
      <form
        class={`sheet thing${isOpen ? ' edit' : ''}${isWhole ? ' whole' : ''}`}
        onSubmit={(event) => event.preventDefault()}
        onKeyDown={onKeyDown}
      >
        {editing.isRestored && <p class="note heed">{texts.draftBack}</p>}
        {isMissing && (
          <p class="note heed" role="alert">
            {texts.deletedMeanwhile}
          </p>
        )}
        {!editing.isKept && (
          <p class="note bad" role="alert">
            {model.words.add.notSaved}
          </p>
        )}
        <header class="head">
          <div class="headline">
            {thing.todoStatus !== undefined && !isWhole && (
              <span class="choice">
                <input
                  type="checkbox"
                  class="todo"
                  checked={thing.todoStatus}
                  aria-label={texts.done}
                  onChange={check}
                />
              </span>
            )}
            {isOpen && parts.has('title') ? (
              <div class="title-line">
                <label class={isWhole ? undefined : 'aside'} for="title">
                  {texts.title}
                </label>
                <textarea
                  id="title"
                  ref={title}
                  class="in-place"
                  dir={form.title.length > maxDirectedCharacters ? undefined : 'auto'}
                  rows={1}
                  enterkeyhint="done"
                  value={form.title}
                  aria-invalid={isWrong ? 'true' : undefined}
                  aria-describedby={isWrong ? 'title-wrong' : undefined}
                  onInput={({ currentTarget }) => set({ title: currentTarget.value.replace(/[\r\n]+/gu, ' ') })}
                  onKeyDown={onFieldKey('title')}
                />
                {isWrong && (
                  <span class="wrong" id="title-wrong" role="alert">
                    {texts.needsTitle}
                  </span>
                )}
                {barPlace === 'title' && buttons}
              </div>
            ) : (
              <h1
                ref={heading}
                // A long title scrolls, so it needs the keyboard focus.
                tabIndex={shown.title.length > maxStaticTitleCharacters ? 0 : -1}
                dir="auto"
                class={isStruck({ ...thing, tags }, settings) ? 'in-place struck' : 'in-place'}
                title={isMissing ? undefined : texts.editTitle}
                onClick={() => isUnselected() && open('title')}
                onKeyDown={(event) => event.key === 'Enter' && !event.ctrlKey && !event.metaKey && take(event, 'title')}
              >
                {shown.title.trim() === '' ? model.words.row.noTitle : shown.title}
              </h1>
            )}
          </div>
          {isWhole ? urlField : shown.url.trim() !== '' && <UrlLine url={shown.url.trim()} />}
          {isOpen && parts.has('tags') ? (
            <div class="tags-line">
              <label for="tags">{texts.tags}</label>
              <TagField
                id="tags"
                fieldRef={tagsField}
                value={form.tags}
                onValue={(tags) => set({ tags })}
                onKey={onFieldKey('tags')}
                settings={settings}
              />
              {barPlace === 'tags' && buttons}
            </div>
          ) : (
            <p class="about">
              {tags.map((tag) => (
                <TagChip key={tag} name={tag} settings={settings} query={`#${tag}`} />
              ))}
              <button type="button" class="plain add-tags" onClick={() => open('tags')}>
                {tags.length === 0 ? texts.addTags : texts.changeTags}
              </button>
            </p>
          )}
          <p class="about">
            {!isWhole && (
              <span>
                {texts.created} {formatMoment(thing.date, model.words.code)}
              </span>
            )}
            {thing.archived && <span>{model.words.row.archived}</span>}
            {thing.isPending && <span>{model.words.row.pending}</span>}
            {isReplaced && <span class="replaced">{model.words.conflict.mark}</span>}
          </p>
          {thing.todoStatus !== undefined && isWhole && (
            <div class="choice">
              <input type="checkbox" class="todo" id="done" checked={thing.todoStatus} onChange={check} />
              <label for="done">{texts.done}</label>
            </div>
          )}
        </header>
        {isOpen && parts.has('note') ? (
          <NoteField
            note={form.note}
            begun={begun.note}
            isSource={form.isSource}
            onNote={(note) => set({ note })}
            onSource={(isSource) => set({ isSource })}
            focusAt={notePoint}
          />
        ) : (
          isComplete && <ReadNote html={shown.note} onEdit={openNote} onTick={tickNote} />
        )}
        {isWhole ? (
          dateField
        ) : (
          <details
            class="item-details"
            open={parts.has('details')}
            onToggle={({ currentTarget }) => currentTarget.open && editing.open('details')}
          >
            {/* biome-ignore lint/a11y/noStaticElementInteractions: the browser makes a summary a button */}
            <summary onClick={openDetails}>{texts.details}</summary>
            <div class="fields">
              {urlField}
              {dateField}
            </div>
          </details>
        )}
        {barPlace === 'end' && buttons}
        <VersionList id={thing.id} />
      </form>
    </>
  )

  function openDetails(event: Event) {
    if (parts.has('details')) return
    // The browser would show the fields before they count as edited.
    event.preventDefault()
    editing.open('details')
  }
  function take(event: Event, part: ItemPart) {
    event.preventDefault()
    open(part)
  }
  function saveOnEnter(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.isComposing) return
    event.preventDefault()
    save()
  }
}
