// The editor of notes (TipTap), loaded when a note is first edited. It must lose nothing: note-document.ts lists the
// parts of a note that the editor cannot represent. Such a note is edited as HTML. The editor knows no replica and no
// drafts.
// Start reading at `NoteEditor`.

import { type ChainedCommands, Editor } from '@tiptap/core'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { readSafeUrl } from '../data/view-state.ts'
import { sanitizePasted } from '../parts/note.tsx'
import type { Words } from '../words/en.ts'
import { extensions, readNote, writeNote } from './note-document.ts'
import '../style/editor.css'

/** Parses a typed URL; adds `https://` if it has no scheme. Undefined for a URL that is not safe to open. */
const readTypedUrl = (typed: string): string | undefined => {
  const url = typed.trim()
  if (/^[a-z][a-z0-9+.-]*:/iu.test(url) && !/^[^:/]+:\d+(?:\/|$)/u.test(url)) return readSafeUrl(url)?.href
  return /\s/u.test(url) || url === '' ? undefined : readSafeUrl(`https://${url}`)?.href
}

/** The field for the URL of a link. */
export const LinkField = ({
  editor,
  texts,
  onDone,
}: {
  readonly editor: Editor
  readonly texts: Words['editor']
  readonly onDone: () => void
}) => {
  const [isLink] = useState(() => editor.isActive('link'))
  const [typed, setTyped] = useState<string>(() => editor.getAttributes('link').href ?? '')
  const [isWrong, setWrong] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  // A layout effect, so that the field has the focus before the next keystroke.
  useLayoutEffect(() => {
    field.current?.focus()
    field.current?.select()
  }, [])
  // TipTap's own command waits for a frame, and keystrokes until then would be lost.
  const focusNote = () => editor.view.focus()
  const done = () => {
    onDone()
    focusNote()
  }
  const set = () => {
    const href = readTypedUrl(typed)
    if (href === undefined) return setWrong(true)
    focusNote()
    const chain = editor.chain().extendMarkRange('link')
    if (editor.state.selection.empty && !isLink) {
      chain.insertContent({ type: 'text', text: typed.trim(), marks: [{ type: 'link', attrs: { href } }] }).run()
    } else chain.setLink({ href }).run()
    onDone()
  }
  const remove = () => {
    focusNote()
    editor.chain().extendMarkRange('link').unsetLink().run()
    onDone()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') set()
    else if (event.key === 'Escape') done()
    else return
    event.preventDefault()
    // Otherwise Enter would save the form around the field, and Escape would leave the form.
    event.stopPropagation()
  }
  return (
    <div class="link-field">
      <label for="link-url">{texts.linkUrl}</label>
      <input
        id="link-url"
        ref={field}
        type="text"
        inputMode="url"
        autocapitalize="none"
        spellcheck={false}
        value={typed}
        aria-invalid={isWrong ? 'true' : undefined}
        aria-describedby={isWrong ? 'link-wrong' : undefined}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value)
          setWrong(false)
        }}
        onKeyDown={onKeyDown}
      />
      <button type="button" onClick={set}>
        {texts.setLink}
      </button>
      {isLink && (
        <button type="button" onClick={remove}>
          {texts.removeLink}
        </button>
      )}
      <button type="button" onClick={done}>
        {texts.cancelLink}
      </button>
      {isWrong && (
        <span class="wrong" id="link-wrong" role="alert">
          {texts.wrongLink}
        </span>
      )}
    </div>
  )
}

/** A button above a note. */
export interface Tool {
  readonly name: Exclude<keyof Words['editor']['tool'], 'link'>
  readonly symbol: string
  /** The keys in the format of `aria-keyshortcuts`, with `Mod` for Control or, on a Mac, Meta. */
  readonly keys: string
  readonly isOn?: (editor: Editor) => boolean
  readonly isUsable: (editor: Editor) => boolean
  readonly use: (chain: ChainedCommands) => ChainedCommands
}

const toggle = (
  name: Tool['name'],
  symbol: string,
  keys: string,
  isOn: (editor: Editor) => boolean,
  use: Tool['use'],
): Tool => ({ name, symbol, keys, isOn, isUsable: (editor) => use(editor.can().chain()).run() || isOn(editor), use })

const command = (name: Tool['name'], symbol: string, keys: string, use: Tool['use']): Tool => ({
  name,
  symbol,
  keys,
  isUsable: (editor) => use(editor.can().chain()).run(),
  use,
})

const heading = (level: 1 | 2 | 3): Tool =>
  toggle(
    `heading${level}`,
    `H${level}`,
    `Mod+Alt+${level}`,
    (editor) => editor.isActive('heading', { level }),
    (chain) => chain.toggleHeading({ level }),
  )

/** The tools, in their order in the toolbar. */
export const tools: readonly Tool[] = [
  toggle(
    'bold',
    'B',
    'Mod+B',
    (editor) => editor.isActive('bold'),
    (chain) => chain.toggleBold(),
  ),
  toggle(
    'italic',
    'I',
    'Mod+I',
    (editor) => editor.isActive('italic'),
    (chain) => chain.toggleItalic(),
  ),
  toggle(
    'strike',
    'S',
    'Mod+Shift+S',
    (editor) => editor.isActive('strike'),
    (chain) => chain.toggleStrike(),
  ),
  toggle(
    'code',
    '<>',
    'Mod+E',
    (editor) => editor.isActive('code'),
    (chain) => chain.toggleCode(),
  ),
  heading(1),
  heading(2),
  heading(3),
  toggle(
    'bulletList',
    '•',
    'Mod+Shift+8',
    (editor) => editor.isActive('bulletList'),
    (chain) => chain.toggleBulletList(),
  ),
  toggle(
    'orderedList',
    '1.',
    'Mod+Shift+7',
    (editor) => editor.isActive('orderedList'),
    (chain) => chain.toggleOrderedList(),
  ),
  command('deeper', '→', 'Mod+]', (chain) => chain.sinkListItem('listItem')),
  command('higher', '←', 'Mod+[', (chain) => chain.liftListItem('listItem')),
  toggle(
    'quote',
    '❝',
    'Mod+Shift+B',
    (editor) => editor.isActive('blockquote'),
    (chain) => chain.toggleBlockquote(),
  ),
  toggle(
    'codeBlock',
    '{ }',
    'Mod+Alt+C',
    (editor) => editor.isActive('codeBlock'),
    (chain) => chain.toggleCodeBlock(),
  ),
  command('undo', '↶', 'Mod+Z', (chain) => chain.undo()),
  command('redo', '↷', 'Mod+Shift+Z', (chain) => chain.redo()),
]

const modKey = /Mac|iPhone|iPad/u.test(navigator.userAgent) ? 'Meta' : 'Control'

const shortcut = (keys: string): string => keys.replace('Mod', modKey)

/** The toolbar above a note: one stop for Tab; arrow keys move between its buttons (WAI-ARIA toolbar pattern). */
export const Toolbar = ({
  editor,
  texts,
  onLink,
}: {
  readonly editor: Editor
  readonly texts: Words['editor']
  readonly onLink: () => void
}) => {
  const bar = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState('bold')
  const onKeyDown = (event: KeyboardEvent) => {
    const buttons = [...(bar.current?.querySelectorAll('button') ?? [])]
    const at = buttons.indexOf(event.target as HTMLButtonElement)
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: buttons.length - 1 }[event.key]
    if (to === undefined || at < 0) return
    event.preventDefault()
    buttons[(to + buttons.length) % buttons.length]?.focus()
  }
  const button = (
    name: string,
    symbol: string,
    keys: string,
    isOn: boolean | undefined,
    use: () => void,
    isOff: boolean,
  ) => {
    const label = texts.tool[name as keyof Words['editor']['tool']]
    return (
      <button
        key={name}
        type="button"
        class={`tool ${name}`}
        title={`${label} (${shortcut(keys).replace('Control', 'Ctrl')})`}
        // The style shows the symbol, because a screen reader would read it without a meaning.
        data-sign={symbol}
        aria-label={label}
        aria-keyshortcuts={shortcut(keys)}
        aria-pressed={isOn}
        aria-disabled={isOff ? 'true' : undefined}
        tabIndex={current === name ? 0 : -1}
        onFocus={() => setCurrent(name)}
        // Pressing a button must not clear the selection in the note.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => {
          if (!isOff) use()
        }}
      />
    )
  }
  const applyTool = (use: Tool['use']) => {
    // TipTap's own command waits for a frame, and keystrokes until then would be lost.
    editor.view.focus()
    use(editor.chain()).run()
  }
  return (
    <div class="tools" role="toolbar" aria-label={texts.tools} aria-controls="note" ref={bar} onKeyDown={onKeyDown}>
      {button('link', '↗', 'Mod+K', editor.isActive('link'), onLink, editor.isActive('codeBlock'))}
      {tools.map(({ name, symbol, keys, isOn, isUsable, use }) =>
        button(name, symbol, keys, isOn?.(editor), () => applyTool(use), !isUsable(editor)),
      )}
    </div>
  )
}

/** Options of `openEditor`. */
export interface EditorOptions {
  readonly element: Element
  /** The initial content of the editor. */
  readonly html: string
  /** The note when editing began; `onChange` gets it byte for byte if the content is the same again. */
  readonly begun: string
  readonly label: string
  readonly onChange: (html: string) => void
  /** Called when the user wants to set a link. */
  readonly onLink: () => void
  /** Called when the selection or anything else that the toolbar shows has changed. */
  readonly onMove: () => void
}

/** Opens an editor in an element of the page, until it is destroyed. */
export const openEditor = ({ element, html, begun, label, onChange, onLink, onMove }: EditorOptions): Editor => {
  const initial = readNote(begun).doc.toJSON()
  return new Editor({
    element,
    extensions,
    content: html === begun ? initial : readNote(html).doc.toJSON(),
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
      handleDOMEvents: {
        // Tab moves to the next field, and Ctrl+Enter saves.
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
      // The editor has its own schema instance, and nodes of different schemas are never equal.
      onChange(doc.eq(editor.schema.nodeFromJSON(initial)) ? begun : writeNote(doc))
    },
    onTransaction: onMove,
  })
}

export { readNote } from './note-document.ts'

interface NoteEditorProps {
  /** The initial content of the editor; `onChange` receives later content. */
  readonly html: string
  /** The note when editing began. */
  readonly begun: string
  readonly label: string
  readonly texts: Words['editor']
  readonly onChange: (html: string) => void
}

/** The editor of a note, with its toolbar. */
export const NoteEditor = ({ html, begun, label, texts, onChange }: NoteEditorProps) => {
  const container = useRef<HTMLDivElement>(null)
  const change = useRef(onChange)
  change.current = onChange
  const [editor, setEditor] = useState<Editor>()
  const [, setMoves] = useState(0)
  const [isLinking, setLinking] = useState(false)
  useEffect(() => {
    if (container.current === null) return
    const opened = openEditor({
      element: container.current,
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
      {editor !== undefined && <Toolbar editor={editor} texts={texts} onLink={() => setLinking(true)} />}
      {editor !== undefined && isLinking && (
        <LinkField editor={editor} texts={texts} onDone={() => setLinking(false)} />
      )}
      <div ref={container} />
    </div>
  )
}
