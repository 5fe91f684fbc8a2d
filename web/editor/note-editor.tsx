// The editor of notes (TipTap), loaded when a note is first edited. It must lose nothing: note-document.ts lists the
// parts of a note that the editor cannot represent. Such a note is edited as HTML. The editor knows no replica and no
// drafts.
// Start reading at `NoteEditor`.

import { Editor } from '@tiptap/core'
import type { Node as NoteNode } from '@tiptap/pm/model'
import type { EditorView } from '@tiptap/pm/view'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type NotePoint, sanitizePasted } from '../parts/note.tsx'
import type { Words } from '../words/en.ts'
import { extensions, isMarkdown, readNote, writeMarkdownAsHtml, writeNote } from './note-document.ts'
import { LinkField, Toolbar } from './toolbar.tsx'
import '../style/editor.css'

/** Options of `openEditor`. */
export interface EditorOptions {
  readonly element: Element
  /** The initial content of the editor: the HTML, and its document as `readNote` parsed it. */
  readonly html: string
  readonly doc: NoteNode
  /** The note when editing began; `onChange` gets it byte for byte if the content is the same again. */
  readonly begun: string
  readonly label: string
  readonly onChange: (html: string) => void
  /** Called when the user wants to set a link. */
  readonly onLink: () => void
  /** Called when images were pasted or dropped, which a note cannot hold. */
  readonly onImage: () => void
  /** Called when the selection or anything else that the toolbar shows has changed. */
  readonly onMove: () => void
}

// Programs that show code or plain text wrap it in elements without a meaning.
const structured = /<(?:h[1-6]|ul|ol|table|blockquote|pre|a|b|strong|i|em|s|del|hr)[\s/>]/iu

const hasText = (html: string): boolean => html.replace(/<[^>]*>/gu, '').trim() !== ''

/**
 * Inserts pasted Markdown as formatted text. Images are rejected. Returns whether nothing is left to paste. `isPlain`
 * is true if the user pastes without formatting.
 */
const paste = (view: EditorView, event: ClipboardEvent, isPlain: boolean, onImage: () => void): boolean => {
  const data = event.clipboardData
  if (data === null) return false
  const [html, text] = [data.getData('text/html'), data.getData('text/plain')]
  if (hasImage(data) && text === '' && !hasText(html)) {
    onImage()
    return true
  }
  const isCode = view.state.selection.$from.parent.type.spec.code === true
  if (isPlain || isCode || structured.test(html) || !isMarkdown(text)) return false
  // Without the event, whose Markdown would be pasted again.
  return view.pasteHTML(writeMarkdownAsHtml(text))
}

const hasImage = ({ items }: DataTransfer): boolean => [...items].some(({ type }) => type.startsWith('image/'))

/** The heights of the toolbar above a note and of the bar below it, in pixels. */
const covered = { top: 64, bottom: 80, left: 0, right: 0 }

/** Opens an editor in an element of the page, until it is destroyed. */
export const openEditor = ({
  element,
  html,
  doc,
  begun,
  label,
  onChange,
  onLink,
  onImage,
  onMove,
}: EditorOptions): Editor => {
  const initial = (html === begun ? doc : readNote(begun).doc).toJSON()
  let begunDoc: NoteNode | undefined
  // Shift while pasting asks for plain text.
  let isShifted = false
  return new Editor({
    element,
    extensions,
    content: doc.toJSON(),
    // The content security policy of the page allows styles from files only.
    injectCSS: false,
    editorProps: {
      attributes: {
        id: 'note',
        class: 'prose',
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': label,
        dir: 'auto',
      },
      // Needed in browsers without Trusted Types, where the default policy does not sanitize HTML.
      transformPastedHTML: sanitizePasted,
      // What sticks to the edges does not cover the cursor.
      scrollThreshold: covered,
      scrollMargin: covered,
      handlePaste: (view, event) => paste(view, event, isShifted, onImage),
      handleDrop: (_view, { dataTransfer }) => {
        if (dataTransfer === null || !hasImage(dataTransfer) || dataTransfer.types.includes('text/html')) return false
        onImage()
        return true
      },
      handleDOMEvents: {
        // Tab moves to the next field, Ctrl+Enter saves, and Escape leaves.
        keydown: ({ state }, event) => {
          isShifted = event.shiftKey
          const isCommand = event.ctrlKey || event.metaKey
          const leaves = event.key === 'Escape' && !event.isComposing
          if (event.key === 'Tab' || leaves || (event.key === 'Enter' && isCommand)) return true
          if (event.key !== 'k' || !isCommand || state.selection.$from.parent.type.spec.code === true) return false
          event.preventDefault()
          onLink()
          return true
        },
      },
    },
    onUpdate: ({ editor }) => {
      // The editor has its own schema instance, and nodes of different schemas are never equal.
      begunDoc ??= editor.schema.nodeFromJSON(initial)
      onChange(editor.state.doc.eq(begunDoc) ? begun : writeNote(editor.state.doc))
    },
    onTransaction: onMove,
  })
}

export { readNote } from './note-document.ts'

interface NoteEditorProps {
  /** The initial content of the editor; `onChange` receives later content. */
  readonly html: string
  /** The same as `readNote` parsed it. */
  readonly doc: NoteNode
  /** The note when editing began. */
  readonly begun: string
  readonly label: string
  readonly texts: Words['editor']
  readonly onChange: (html: string) => void
  /** Called when the user wants to edit the note as HTML. */
  readonly onSource: () => void
  /** Where the cursor begins; undefined for no focus. */
  readonly focusAt?: NotePoint | undefined
}

/** Gives the note the focus, with the cursor at this point. */
const focusNote = (editor: Editor, point: NotePoint) => {
  const { view } = editor
  const box = view.dom.getBoundingClientRect()
  const found = point === 'end' ? null : view.posAtCoords({ left: box.left + point.left, top: box.top + point.top })
  if (found === null) editor.commands.setTextSelection(editor.state.doc.content.size)
  else editor.commands.setTextSelection(found.pos)
  // TipTap's own command waits for a frame, and keystrokes until then would be lost.
  view.focus()
}

/** The editor of a note, below its toolbar. */
export const NoteEditor = ({ html, doc, begun, label, texts, onChange, onSource, focusAt }: NoteEditorProps) => {
  const container = useRef<HTMLDivElement>(null)
  const change = useRef(onChange)
  change.current = onChange
  const [editor, setEditor] = useState<Editor>()
  const [, setMoves] = useState(0)
  const [isLinking, setLinking] = useState(false)
  const [isImageRejected, setImageRejected] = useState(false)
  // A layout effect, so that the note does not disappear for a frame.
  useLayoutEffect(() => {
    if (container.current === null) return
    const opened = openEditor({
      element: container.current,
      html,
      doc,
      begun,
      label,
      onChange: (next) => {
        setImageRejected(false)
        change.current(next)
      },
      onImage: () => setImageRejected(true),
      onLink: () => setLinking(true),
      onMove: () => setMoves((moves) => moves + 1),
    })
    setEditor(opened)
    if (focusAt !== undefined) focusNote(opened, focusAt)
    return () => opened.destroy()
  }, [])
  return (
    <div class="editor">
      <div class="editor-bar">
        {editor !== undefined && isLinking && (
          <LinkField editor={editor} texts={texts} onDone={() => setLinking(false)} />
        )}
        {editor !== undefined && (
          <Toolbar editor={editor} texts={texts} onLink={() => setLinking(true)} onSource={onSource} />
        )}
      </div>
      {isImageRejected && (
        <p class="note heed" role="alert">
          {texts.noImages}
        </p>
      )}
      <div ref={container} />
    </div>
  )
}
