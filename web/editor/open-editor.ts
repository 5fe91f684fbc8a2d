import { Editor } from '@tiptap/core'
import { sanitizePasted } from '../parts/sanitize-html.ts'
import { extensions } from './extensions.ts'
import { readNote, writeNote } from './read-note.ts'

/** How an editor is opened. */
export interface EditorOptions {
  readonly place: Element
  /** What is in the editor at first. */
  readonly html: string
  /** The note when editing began: what is the same again is given back byte for byte. */
  readonly begun: string
  readonly label: string
  readonly onChange: (html: string) => void
  /** Called when a person wants to set a link. */
  readonly onLink: () => void
  /** Called when another part of the note is selected, or anything else that buttons show has changed. */
  readonly onMove: () => void
}

/** Opens an editor in a place of the page, until it is destroyed. */
export const openEditor = ({ place, html, begun, label, onChange, onLink, onMove }: EditorOptions): Editor => {
  const first = readNote(begun).doc.toJSON()
  return new Editor({
    element: place,
    extensions,
    content: html === begun ? first : readNote(html).doc.toJSON(),
    // The policy of the page takes styles from files only.
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
      // In every browser, and not only where the policy of the page sends what becomes HTML through the sanitiser.
      transformPastedHTML: sanitizePasted,
      handleDOMEvents: {
        // Tab goes on to what comes next, and Ctrl+Enter saves.
        keydown: ({ state }, event) => {
          const isCommand = event.ctrlKey || event.metaKey
          if (event.key === 'Tab' || (event.key === 'Enter' && isCommand)) return true
          if (event.key !== 'k' || !isCommand || state.selection.$from.parent.type.spec.code === true) return false
          event.preventDefault()
          onLink()
          return true
        },
      },
    },
    onUpdate: ({ editor }) => {
      const { doc } = editor.state
      // The editor has a schema of its own, and nodes of two schemas are never equal.
      onChange(doc.eq(editor.schema.nodeFromJSON(first)) ? begun : writeNote(doc))
    },
    onTransaction: onMove,
  })
}
