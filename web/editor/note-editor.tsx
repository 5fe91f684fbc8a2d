import { type ChainedCommands, Editor } from '@tiptap/core'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { readSafeUrl } from '../data/view-state.ts'
import { sanitizePasted } from '../parts/note.tsx'
import type { Words } from '../words/en.ts'
import { extensions, readNote, writeNote } from './note-document.ts'
import '../style/editor.css'

/** The address that a person means: one without a scheme is a page. Undefined for what may not be opened by a click. */
const readTypedUrl = (typed: string): string | undefined => {
  const address = typed.trim()
  if (/^[a-z][a-z0-9+.-]*:/iu.test(address) && !/^[^:/]+:\d+(?:\/|$)/u.test(address)) return readSafeUrl(address)?.href
  return /\s/u.test(address) || address === '' ? undefined : readSafeUrl(`https://${address}`)?.href
}

/** Asks for the address of a link. */
export const LinkField = ({
  editor,
  say,
  onDone,
}: {
  readonly editor: Editor
  readonly say: Words['editor']
  readonly onDone: () => void
}) => {
  const [isLink] = useState(() => editor.isActive('link'))
  const [typed, setTyped] = useState<string>(() => editor.getAttributes('link').href ?? '')
  const [isWrong, setWrong] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  // Before the next key is typed.
  useLayoutEffect(() => {
    field.current?.focus()
    field.current?.select()
  }, [])
  // At once: TipTap's own command waits for a frame, and the keys until then would be lost.
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
    // Not the form around it, which would be saved, nor the page, which would leave it.
    event.stopPropagation()
  }
  return (
    <div class="link-field">
      <label for="link-address">{say.linkAddress}</label>
      <input
        id="link-address"
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
        {say.setLink}
      </button>
      {isLink && (
        <button type="button" onClick={remove}>
          {say.removeLink}
        </button>
      )}
      <button type="button" onClick={done}>
        {say.cancelLink}
      </button>
      {isWrong && (
        <span class="wrong" id="link-wrong" role="alert">
          {say.wrongLink}
        </span>
      )}
    </div>
  )
}

/** A button above a note. */
export interface Tool {
  readonly name: Exclude<keyof Words['editor']['tool'], 'link'>
  readonly sign: string
  /** As `aria-keyshortcuts` writes it, with `Mod` for Control or, on a Mac, Meta. */
  readonly keys: string
  readonly isOn?: (editor: Editor) => boolean
  readonly isUsable: (editor: Editor) => boolean
  readonly use: (chain: ChainedCommands) => ChainedCommands
}

const toggle = (
  name: Tool['name'],
  sign: string,
  keys: string,
  isOn: (editor: Editor) => boolean,
  use: Tool['use'],
): Tool => ({ name, sign, keys, isOn, isUsable: (editor) => use(editor.can().chain()).run() || isOn(editor), use })

const command = (name: Tool['name'], sign: string, keys: string, use: Tool['use']): Tool => ({
  name,
  sign,
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

/** The tools, in their order. */
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

/** The buttons above a note: one stop for Tab, arrows go from one to the next. */
export const Toolbar = ({
  editor,
  say,
  onLink,
}: {
  readonly editor: Editor
  readonly say: Words['editor']
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
    sign: string,
    keys: string,
    isOn: boolean | undefined,
    use: () => void,
    isOff: boolean,
  ) => {
    const label = say.tool[name as keyof Words['editor']['tool']]
    return (
      <button
        key={name}
        type="button"
        class={`tool ${name}`}
        title={`${label} (${shortcut(keys).replace('Control', 'Ctrl')})`}
        // Drawn by the style: read aloud it would say nothing.
        data-sign={sign}
        aria-label={label}
        aria-keyshortcuts={shortcut(keys)}
        aria-pressed={isOn}
        aria-disabled={isOff ? 'true' : undefined}
        tabIndex={current === name ? 0 : -1}
        onFocus={() => setCurrent(name)}
        // The selection in the note stays while a button is pressed.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => {
          if (!isOff) use()
        }}
      />
    )
  }
  const applyTool = (use: Tool['use']) => {
    // At once: TipTap's own command waits for a frame, and the keys until then would be lost.
    editor.view.focus()
    use(editor.chain()).run()
  }
  return (
    <div class="tools" role="toolbar" aria-label={say.tools} aria-controls="note" ref={bar} onKeyDown={onKeyDown}>
      {button('link', '↗', 'Mod+K', editor.isActive('link'), onLink, editor.isActive('codeBlock'))}
      {tools.map(({ name, sign, keys, isOn, isUsable, use }) =>
        button(name, sign, keys, isOn?.(editor), () => applyTool(use), !isUsable(editor)),
      )}
    </div>
  )
}

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

export { readNote } from './note-document.ts'

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
