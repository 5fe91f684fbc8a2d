import { useEffect, useMemo, useState } from 'preact/hooks'
import { useShared } from './context.tsx'
import { Note, type NotePoint } from './note.tsx'

type Editing = typeof import('../editor/note-editor.tsx')

// A separate function, because Vite adds the loading of styles to the expression around `import()`, and a style that
// fails to load would be an unhandled error.
const loadEditor = () => import('../editor/note-editor.tsx')

/** Loads the files of the editor, so that it opens at once. */
export const preloadEditor = (): void => {
  // The field loads them again, and says what went wrong.
  loadEditor().catch(() => undefined)
}

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

/** The maximum length of a note that is shown while the editor is loaded. */
const maxWaitingCharacters = 20_000

/** The maximum length of a note in the editor, which renders the whole note; longer notes are edited as HTML. */
const maxEditorCharacters = 100_000

interface NoteFieldProps {
  readonly note: string
  /** The note when editing began. */
  readonly begun: string
  readonly isSource: boolean
  readonly onNote: (note: string) => void
  readonly onSource: (isSource: boolean) => void
  /** Where the cursor begins: at a point of the window, relative to the note; undefined for no focus. */
  readonly focusAt?: NotePoint | undefined
}

/** The field for a note: the editor, or the HTML if the user wants it or the editor would lose something. */
export const NoteField = ({ note, begun, isSource, onNote, onSource, focusAt }: NoteFieldProps) => {
  const { words } = useShared().model
  const editing = useEditor()
  // The initial content of the editor, which reports later changes.
  const [start, setStart] = useState(note)
  const [accepted, setAccepted] = useState<string>()
  const texts = words.editor
  const isLong = start.length > maxEditorCharacters
  const parsed = useMemo(
    () => (editing === undefined || editing === 'failed' || isLong ? undefined : editing.readNote(start)),
    [editing, isLong, start],
  )
  const losses = parsed?.losses
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
      <div class="note-field" aria-busy="true">
        {note.length <= maxWaitingCharacters && <Note html={note} />}
      </div>
    )
  }
  if (editing === undefined || editing === 'failed' || parsed === undefined || isSource || reason !== undefined) {
    return (
      <div class="note-field field wide">
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
    <div class="note-field field wide">
      {/* The editor has the same name. */}
      <span class="label" aria-hidden="true">
        {words.item.note}
      </span>
      <NoteEditor
        key={start}
        html={start}
        doc={parsed.doc}
        begun={begun}
        label={words.item.note}
        texts={texts}
        onChange={onNote}
        onSource={() => {
          setStart(note)
          onSource(true)
        }}
        focusAt={focusAt}
      />
    </div>
  )
}
