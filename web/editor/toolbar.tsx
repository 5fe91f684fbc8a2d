import type { ChainedCommands, Editor } from '@tiptap/core'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { readSafeUrl } from '../data/urls.ts'
import type { Words } from '../words/en.ts'
import { isInTask } from './note-blocks.ts'

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

/** SVG paths of the tools: lines on a square of 24. */
const drawings: Readonly<Record<keyof Words['editor']['tool'], string>> = {
  asHtml: 'M6 3.5h8l4 4v13H6zM13.5 3.5v4.5H18M10.5 12 8.5 14.2l2 2.3M13.5 12l2 2.2-2 2.3',
  link: 'M9.5 14.5l5-5M11 6.5l1.8-1.8a4.6 4.6 0 0 1 6.5 6.5L17.5 13M13 17.5l-1.8 1.8a4.6 4.6 0 0 1-6.5-6.5L6.5 11',
  bold: 'M7 5h6a3.5 3.5 0 0 1 0 7H7zM7 12h7a3.5 3.5 0 0 1 0 7H7z',
  italic: 'M10 5h7M7 19h7M14 5l-4 14',
  strike:
    'M16.6 7.6C15.7 5.9 14.2 5 12 5 9.2 5 7.4 6.3 7.4 8.3c0 1.2.6 2.1 1.7 2.7M4 12h16M7.2 16.2c.8 1.9 2.5 2.8 4.8 2.8 2.9 0 4.8-1.4 4.8-3.5 0-.6-.1-1-.4-1.5',
  code: 'M9 7l-5 5 5 5M15 7l5 5-5 5',
  heading1: 'M4 6v12M12 6v12M4 12h8M16.5 10.5 19 9v9',
  heading2: 'M4 6v12M12 6v12M4 12h8M16.3 11.2a2.1 2.1 0 1 1 3.6 1.9L16.3 18h4.2',
  heading3: 'M4 6v12M12 6v12M4 12h8M16.5 9h3.8L18 12.4a2.8 2.8 0 1 1-2 4.9',
  bulletList: 'M9.5 6H20M9.5 12H20M9.5 18H20M4.4 6h.9M4.4 12h.9M4.4 18h.9',
  taskList: 'M4 7.5 5.5 9 8.5 5.5M4 16.5 5.5 18l3-3.5M12 7.5h8M12 16.5h8',
  orderedList: 'M10.5 6H20M10.5 12H20M10.5 18H20M4 5.2 5.5 4.5V9M4 15.6a1.3 1.3 0 1 1 2.4.8L4 19.5h2.6',
  deeper: 'M11.5 6H20M11.5 12H20M11.5 18H20M4 9l3 3-3 3',
  higher: 'M11.5 6H20M11.5 12H20M11.5 18H20M7 9l-3 3 3 3',
  quote: 'M9.5 7H5v5h4.5zM9.5 12c0 2.5-1.2 4.2-3.5 5M19 7h-4.5v5H19zM19 12c0 2.5-1.2 4.2-3.5 5',
  codeBlock: 'M4 5h16v14H4zM10 9.5 7.5 12l2.5 2.5M14 9.5l2.5 2.5-2.5 2.5',
  addRow: 'M4 4.5h16v7H4zM12 4.5v7M12 15v5.5M9.2 17.7h5.6',
  addColumn: 'M4.5 4h7v16h-7zM4.5 12h7M15 12h5.5M17.7 9.2v5.6',
  deleteRow: 'M4 4.5h16v7H4zM12 4.5v7M9.2 17.7h5.6',
  deleteColumn: 'M4.5 4h7v16h-7zM4.5 12h7M15 12h5.5',
  undo: 'M8.5 13.5 4 9l4.5-4.5M4 9h10a5.5 5.5 0 0 1 0 11h-3',
  redo: 'M15.5 13.5 20 9l-4.5-4.5M20 9H10a5.5 5.5 0 0 0 0 11h3',
}

/** A button of the toolbar. */
interface Tool {
  readonly name: Exclude<keyof Words['editor']['tool'], 'link' | 'asHtml'>
  /** The keys in the format of `aria-keyshortcuts`, with `Mod` for Control or, on a Mac, Meta. */
  readonly keys?: string
  readonly isOn?: (editor: Editor) => boolean
  /** Whether the toolbar shows the tool; always if absent. */
  readonly isShown?: (editor: Editor) => boolean
  readonly isUsable: (editor: Editor) => boolean
  readonly use: (chain: ChainedCommands) => ChainedCommands
}

const toggle = (name: Tool['name'], keys: string, isOn: (editor: Editor) => boolean, use: Tool['use']): Tool => ({
  name,
  keys,
  isOn,
  isUsable: (editor) => use(editor.can().chain()).run() || isOn(editor),
  use,
})

const command = (name: Tool['name'], keys: string, use: Tool['use']): Tool => ({
  name,
  keys,
  isUsable: (editor) => use(editor.can().chain()).run(),
  use,
})

/** A tool that the toolbar shows only in a table. */
const tableTool = (name: Tool['name'], use: Tool['use']): Tool => ({
  name,
  isShown: (editor) => editor.isActive('table'),
  isUsable: () => true,
  use,
})

const heading = (level: 1 | 2 | 3): Tool =>
  toggle(
    `heading${level}`,
    `Mod+Alt+${level}`,
    (editor) => editor.isActive('heading', { level }),
    (chain) => chain.toggleHeading({ level }),
  )

/** The tools in groups, in their order in the toolbar: first what notes need most. */
const toolGroups: readonly (readonly Tool[])[] = [
  [
    toggle(
      'taskList',
      'Mod+Shift+9',
      (editor) => isInTask(editor.state),
      (chain) => chain.toggleTasks(),
    ),
    toggle(
      'bulletList',
      'Mod+Shift+8',
      (editor) => editor.isActive('bulletList'),
      (chain) => chain.toggleBulletList(),
    ),
    toggle(
      'orderedList',
      'Mod+Shift+7',
      (editor) => editor.isActive('orderedList'),
      (chain) => chain.toggleOrderedList(),
    ),
  ],
  [
    toggle(
      'bold',
      'Mod+B',
      (editor) => editor.isActive('bold'),
      (chain) => chain.toggleBold(),
    ),
    toggle(
      'italic',
      'Mod+I',
      (editor) => editor.isActive('italic'),
      (chain) => chain.toggleItalic(),
    ),
  ],
  [heading(1), heading(2), heading(3)],
  [
    toggle(
      'quote',
      'Mod+Shift+B',
      (editor) => editor.isActive('blockquote'),
      (chain) => chain.toggleBlockquote(),
    ),
    toggle(
      'strike',
      'Mod+Shift+S',
      (editor) => editor.isActive('strike'),
      (chain) => chain.toggleStrike(),
    ),
    toggle(
      'code',
      'Mod+E',
      (editor) => editor.isActive('code'),
      (chain) => chain.toggleCode(),
    ),
    toggle(
      'codeBlock',
      'Mod+Alt+C',
      (editor) => editor.isActive('codeBlock'),
      (chain) => chain.toggleCodeBlock(),
    ),
  ],
  [
    command('deeper', 'Mod+]', (chain) => chain.sinkListItem('listItem')),
    command('higher', 'Mod+[', (chain) => chain.liftListItem('listItem')),
  ],
  [
    tableTool('addRow', (chain) => chain.addTableRow()),
    tableTool('addColumn', (chain) => chain.addTableColumn()),
    tableTool('deleteRow', (chain) => chain.deleteTableRow()),
    tableTool('deleteColumn', (chain) => chain.deleteTableColumn()),
  ],
  [command('undo', 'Mod+Z', (chain) => chain.undo()), command('redo', 'Mod+Shift+Z', (chain) => chain.redo())],
]

const modKey = /Mac|iPhone|iPad/u.test(navigator.userAgent) ? 'Meta' : 'Control'

const shortcut = (keys: string): string => keys.replace('Mod', modKey)

/** The toolbar of a note, in one row that scrolls: one stop for Tab; arrow keys move between its buttons (WAI-ARIA toolbar pattern). */
export const Toolbar = ({
  editor,
  texts,
  onLink,
  onSource,
}: {
  readonly editor: Editor
  readonly texts: Words['editor']
  readonly onLink: () => void
  /** Called when the user wants to edit the note as HTML. */
  readonly onSource: () => void
}) => {
  const bar = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState('taskList')
  const onKeyDown = (event: KeyboardEvent) => {
    const buttons = [...(bar.current?.querySelectorAll('button') ?? [])]
    const at = buttons.indexOf(event.target as HTMLButtonElement)
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: buttons.length - 1 }[event.key]
    if (to === undefined || at < 0) return
    event.preventDefault()
    buttons[(to + buttons.length) % buttons.length]?.focus()
  }
  const button = (
    name: keyof Words['editor']['tool'],
    keys: string | undefined,
    isOn: boolean | undefined,
    use: () => void,
    isOff: boolean,
  ) => {
    const label = texts.tool[name]
    return (
      <button
        key={name}
        type="button"
        class="tool"
        title={keys === undefined ? label : `${label} (${shortcut(keys).replace('Control', 'Ctrl')})`}
        aria-label={label}
        aria-keyshortcuts={keys === undefined ? undefined : shortcut(keys)}
        aria-pressed={isOn}
        aria-disabled={isOff ? 'true' : undefined}
        tabIndex={current === name ? 0 : -1}
        onFocus={() => setCurrent(name)}
        // Pressing a button must not clear the selection in the note.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => {
          if (!isOff) use()
        }}
      >
        <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
          <path d={drawings[name]} />
        </svg>
      </button>
    )
  }
  const applyTool = (use: Tool['use']) => {
    // TipTap's own command waits for a frame, and keystrokes until then would be lost.
    editor.view.focus()
    use(editor.chain()).run()
  }
  return (
    <div class="tools" role="toolbar" aria-label={texts.tools} aria-controls="note" ref={bar} onKeyDown={onKeyDown}>
      {toolGroups.map((tools) => {
        const shown = tools.filter(({ isShown }) => isShown?.(editor) ?? true)
        return (
          shown.length > 0 && (
            <span key={tools[0]?.name} class="tool-group">
              {shown.flatMap(({ name, keys, isOn, isUsable, use }) => [
                button(name, keys, isOn?.(editor), () => applyTool(use), !isUsable(editor)),
                name === 'italic' &&
                  button('link', 'Mod+K', editor.isActive('link'), onLink, editor.isActive('codeBlock')),
              ])}
            </span>
          )
        )
      })}
      <span class="tool-group apart">{button('asHtml', undefined, false, onSource, false)}</span>
    </div>
  )
}
