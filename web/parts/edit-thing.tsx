import { useEffect, useRef, useState } from 'preact/hooks'
import type { ReplicaThing } from '../../client/src/index.ts'
import {
  asNew,
  type EditDraft,
  type EditForm,
  readChangedFields,
  readEditDraft,
  toEditForm,
} from '../data/edit-form.ts'
import { useShared } from './desk-context.ts'
import { readFieldDate, toFieldDate } from './format-date.ts'
import { NoteField } from './note-field.tsx'
import { useKeys } from './use-keys.ts'

interface EditThingProps {
  readonly thing: ReplicaThing
  /** The thing was deleted meanwhile: to save is to make it again. */
  readonly isGone: boolean
  /** Called with the id of the thing that was made in the place of one that is gone. */
  readonly onDone: (made?: string) => void
}

/** The form of a thing. What is typed is kept at each key, and only what was changed is saved. */
export const EditThing = ({ thing, isGone, onDone }: EditThingProps) => {
  const { desk } = useShared()
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
      if (isGone) return [{ kind: 'create', fields: { ...read(asNew({ begun, form })), title } } as const]
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
