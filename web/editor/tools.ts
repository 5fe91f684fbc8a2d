import type { ChainedCommands, Editor } from '@tiptap/core'
import type { Words } from '../words/en.ts'

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

const deed = (name: Tool['name'], sign: string, keys: string, use: Tool['use']): Tool => ({
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
  deed('deeper', '→', 'Mod+]', (chain) => chain.sinkListItem('listItem')),
  deed('higher', '←', 'Mod+[', (chain) => chain.liftListItem('listItem')),
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
  deed('undo', '↶', 'Mod+Z', (chain) => chain.undo()),
  deed('redo', '↷', 'Mod+Shift+Z', (chain) => chain.redo()),
]
