import '../style/editor.css'
import type { Editor } from '@tiptap/core'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Words } from '../words/en.ts'
import { LinkField } from './link-field.tsx'
import { openEditor } from './open-editor.ts'
import { Toolbar } from './toolbar.tsx'

export { readNote } from './read-note.ts'

interface NoteEditorProps {
  /** What is in the editor at first; what comes later is only told by `onChange`. */
  readonly html: string
  /** The note when editing began. */
  readonly begun: string
  readonly label: string
  readonly say: Words['editor']
  readonly onChange: (html: string) => void
}

/** A note as it is written. */
export const NoteEditor = ({ html, begun, label, say, onChange }: NoteEditorProps) => {
  const place = useRef<HTMLDivElement>(null)
  const change = useRef(onChange)
  change.current = onChange
  const [editor, setEditor] = useState<Editor>()
  const [, setMoves] = useState(0)
  const [isLinking, setLinking] = useState(false)
  useEffect(() => {
    if (place.current === null) return
    const opened = openEditor({
      place: place.current,
      html,
      begun,
      label,
      onChange: (next) => change.current(next),
      onLink: () => setLinking(true),
      onMove: () => setMoves((moves) => moves + 1),
    })
    setEditor(opened)
    return () => opened.destroy()
  }, [])
  return (
    <div class="editor">
      {editor !== undefined && <Toolbar editor={editor} say={say} onLink={() => setLinking(true)} />}
      {editor !== undefined && isLinking && <LinkField editor={editor} say={say} onDone={() => setLinking(false)} />}
      <div ref={place} />
    </div>
  )
}
