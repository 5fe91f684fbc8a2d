import { useEffect, useMemo, useState } from 'preact/hooks'
import { useShared } from './desk-context.ts'

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
export const NoteField = ({ note, begun, isSource, onNote, onSource }: NoteFieldProps) => {
  const { words } = useShared().desk
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
