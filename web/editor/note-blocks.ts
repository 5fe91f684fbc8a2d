// The blocks of a note that TipTap's starter kit lacks: tables, and tasks. A task is an item of a list that begins with
// a box as a character, because a note has no form fields; every program shows and finds such a box.

import {
  type CommandProps,
  callOrReturn,
  Extension,
  getExtensionField,
  InputRule,
  Node,
  type ParentConfig,
} from '@tiptap/core'
import type { Node as NoteNode } from '@tiptap/pm/model'
import { type EditorState, Plugin, type Transaction } from '@tiptap/pm/state'
import { addColumnAfter, addRowAfter, deleteColumn, deleteRow, tableEditing } from '@tiptap/pm/tables'
import { Decoration, DecorationSet, type EditorView } from '@tiptap/pm/view'
import { doneBox, openBox } from '../data/edit-form.ts'

declare module '@tiptap/core' {
  interface Commands<ReturnType> {
    noteBlocks: {
      /** Makes tasks of the selected paragraphs or list items, or removes the boxes if all have one. */
      toggleTasks: () => ReturnType
      addTableRow: () => ReturnType
      addTableColumn: () => ReturnType
      deleteTableRow: () => ReturnType
      deleteTableColumn: () => ReturnType
    }
  }
  interface NodeConfig<Options, Storage> {
    /** The role of the node for prosemirror-tables. */
    tableRole?: string | ((this: { name: string; parent: ParentConfig<NodeConfig<Options>>['tableRole'] }) => string)
  }
}

const readSpan = (name: 'colspan' | 'rowspan') => ({
  default: 1,
  parseHTML: (element: HTMLElement) => Math.max(1, Number(element.getAttribute(name) ?? 1) || 1),
  renderHTML: (attributes: Record<string, unknown>) => (attributes[name] === 1 ? {} : { [name]: attributes[name] }),
})

const createCell = (name: string, tag: 'td' | 'th', tableRole: string) =>
  Node.create({
    name,
    content: 'block+',
    isolating: true,
    tableRole,
    addAttributes: () => ({
      colspan: readSpan('colspan'),
      rowspan: readSpan('rowspan'),
      // prosemirror-tables requires it; the app sets no widths.
      colwidth: { default: null, rendered: false, parseHTML: () => null },
    }),
    parseHTML: () => [{ tag }],
    renderHTML: ({ HTMLAttributes }) => [tag, HTMLAttributes, 0],
  })

const Table = Node.create({
  name: 'table',
  group: 'block',
  content: 'tableRow+',
  isolating: true,
  tableRole: 'table',
  parseHTML: () => [{ tag: 'table' }],
  renderHTML: () => ['table', ['tbody', 0]],
  extendNodeSchema(extension) {
    const context = { name: extension.name, options: extension.options, storage: extension.storage }
    return { tableRole: callOrReturn(getExtensionField(extension, 'tableRole', context)) }
  },
  addProseMirrorPlugins: () => [tableEditing()],
  addCommands: () => {
    const wrap =
      (command: (state: EditorState, dispatch?: (transaction: Transaction) => void) => boolean) =>
      () =>
      ({ state, dispatch }: CommandProps) =>
        command(state, dispatch)
    return {
      addTableRow: wrap(addRowAfter),
      addTableColumn: wrap(addColumnAfter),
      deleteTableRow: wrap(deleteRow),
      deleteTableColumn: wrap(deleteColumn),
    }
  },
})

const TableRow = Node.create({
  name: 'tableRow',
  content: '(tableCell | tableHeader)+',
  tableRole: 'row',
  parseHTML: () => [{ tag: 'tr' }],
  renderHTML: () => ['tr', 0],
})

const boxOf = (text: string): string | undefined => [openBox, doneBox].find((box) => text.startsWith(box))

/** Returns the box of a list item; undefined if the item is no task. */
const readBox = (item: NoteNode | null | undefined): string | undefined =>
  item?.type.name === 'listItem' ? boxOf(item.firstChild?.textContent ?? '') : undefined

interface TaskText {
  /** The position of the first character of the text. */
  readonly start: number
  readonly box: string | undefined
  /** The length of the box with the space after it. */
  readonly length: number
}

/** Lists the texts of the selected list items. */
const listTexts = ({ doc, selection }: Transaction): readonly TaskText[] => {
  const texts: TaskText[] = []
  doc.nodesBetween(selection.from, selection.to, (node, position, parent, index) => {
    if (!node.isTextblock || parent?.type.name !== 'listItem' || index !== 0) return
    const box = boxOf(node.textContent)
    const length = box === undefined ? 0 : node.textContent.startsWith(`${box} `) ? 2 : 1
    texts.push({ start: position + 1, box, length })
  })
  return texts
}

/** Whether the list item of the selection is a task. */
export const isInTask = ({ selection }: EditorState): boolean => {
  const { $from } = selection
  return readBox($from.depth > 1 ? $from.node(-1) : undefined) !== undefined
}

const isInList = ({ selection }: EditorState): boolean => {
  const { $from } = selection
  return $from.depth > 1 && $from.node(-1).type.name === 'listItem'
}

/** Ticks the task whose box was clicked; false for a click elsewhere. */
const tickAt = (view: EditorView, position: number, event: MouseEvent): boolean => {
  const at = view.state.doc.resolve(position)
  if (at.depth < 2 || readBox(at.node(-1)) === undefined) return false
  const start = at.start()
  const [from, to] = [view.coordsAtPos(start), view.coordsAtPos(start + 1)]
  const [left, right] = [Math.min(from.left, to.left), Math.max(from.left, to.left)]
  const isOnBox =
    event.clientX >= left && event.clientX <= right && event.clientY >= from.top && event.clientY <= from.bottom
  if (!isOnBox) return false
  const next = readBox(at.node(-1)) === openBox ? doneBox : openBox
  view.dispatch(view.state.tr.insertText(next, start, start + 1))
  return true
}

const decorateTasks = (doc: NoteNode): DecorationSet => {
  const found: Decoration[] = []
  doc.descendants((node, position) => {
    const box = readBox(node)
    if (box === undefined) return
    found.push(Decoration.node(position, position + node.nodeSize, { class: box === doneBox ? 'task done' : 'task' }))
  })
  return DecorationSet.create(doc, found)
}

const Tasks = Extension.create({
  name: 'noteTasks',
  // Before the keys of lists.
  priority: 200,
  addCommands: () => ({
    toggleTasks:
      () =>
      ({ state, commands, tr, dispatch }) => {
        const { $from } = state.selection
        if ($from.parent.type.name !== 'paragraph') return false
        if (!isInList(state) && !commands.toggleBulletList()) return false
        if (dispatch === undefined) return true
        const texts = listTexts(tr).toReversed()
        const isAll = texts.every(({ box }) => box !== undefined)
        for (const { start, box, length } of texts) {
          if (isAll) tr.delete(start, start + length)
          else if (box === undefined) tr.insertText(`${openBox} `, start)
        }
        return true
      },
  }),
  addInputRules: () => [
    new InputRule({
      find: /^\[([ xX]?)\]\s$/u,
      handler: ({ state, range, match, chain }) => {
        const isTyped = state.doc.resolve(range.from).parent.type.name === 'paragraph'
        if (!isTyped) return null
        const box = match[1]?.trim() ? doneBox : openBox
        const begun = chain().deleteRange(range)
        const listed = isInList(state) ? begun : begun.toggleBulletList()
        listed.insertContent(`${box} `).run()
        return undefined
      },
    }),
  ],
  addKeyboardShortcuts() {
    return {
      Enter: () => {
        const { state } = this.editor
        const { $from, empty } = state.selection
        if (!empty || !isInTask(state) || $from.index(-1) !== 0) return false
        const text = $from.parent.textContent
        // Enter in an empty task ends the list, as in every list.
        if (text.trim().length === 1) {
          const range = { from: $from.start(), to: $from.end() }
          return this.editor.chain().deleteRange(range).liftListItem('listItem').run()
        }
        return this.editor.chain().splitListItem('listItem').insertContent(`${openBox} `).run()
      },
    }
  },
  addProseMirrorPlugins: () => [
    new Plugin<DecorationSet>({
      state: {
        init: (_, { doc }) => decorateTasks(doc),
        apply: (transaction, before) => (transaction.docChanged ? decorateTasks(transaction.doc) : before),
      },
      props: {
        decorations(state) {
          return this.getState(state)
        },
        handleClick: tickAt,
      },
    }),
  ],
})

/** The extensions for tables and tasks. */
export const noteBlocks = [
  Table,
  TableRow,
  createCell('tableCell', 'td', 'cell'),
  createCell('tableHeader', 'th', 'header_cell'),
  Tasks,
]
