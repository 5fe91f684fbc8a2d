import { Extension, getSchema } from '@tiptap/core'
import { DOMParser, DOMSerializer, type Node as NoteNode } from '@tiptap/pm/model'
import { StarterKit } from '@tiptap/starter-kit'
import { readSafeUrl } from '../data/view-state.ts'
import { sanitizeForEditing } from '../parts/note.tsx'

/** A piece of text with the same marks from end to end. */
interface Run {
  text: string
  readonly marks: string
}

// A line break is a sign that no note holds as text.
const lineBreak = '\v'

const skipBlanks = (text: string, start: number, step: 1 | -1): number => {
  let at = start
  while (text[at] === ' ') at += step
  return at
}

/** The text without its blanks on both sides of each line break, which are not shown: there may be a million of them. */
export const dropBlanksAtBreaks = (text: string): string => {
  const lines = text.split(lineBreak)
  const last = lines.length - 1
  return lines
    .map((line, place) => {
      const start = place === 0 ? 0 : skipBlanks(line, 0, 1)
      return line.slice(
        start,
        place === last ? line.length : Math.max(start, skipBlanks(line, line.length - 1, -1) + 1),
      )
    })
    .join(lineBreak)
}

const sameAs: Readonly<Record<string, string>> = { b: 'strong', i: 'em', strike: 's', del: 's', div: 'p', span: '' }
const blocks = new Set(
  'address article aside blockquote center dd details dir div dl dt fieldset figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr li main menu nav ol p pre search section summary table tbody td tfoot th thead tr ul caption colgroup col'.split(
    ' ',
  ),
)
const ofText = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'pre'])

const nameOf = (element: Element): string => {
  const name = element.localName
  return sameAs[name] ?? name
}

const markOf = (element: Element): string => {
  const isFirst = (name: string, value: string) => element.localName === 'ol' && name === 'start' && value === '1'
  const attributes = [...element.attributes]
    .filter(({ name, value }) => !isFirst(name, value))
    .map(({ name, value }) => `${name}=${JSON.stringify(value)}`)
  const name = nameOf(element)
  return attributes.length === 0 ? name : `${name} ${attributes.sort().join(' ')}`
}

const collapse = (runs: readonly Run[]): readonly Run[] => {
  const collapsed: Run[] = []
  let isSpace = true
  for (const { text, marks } of runs) {
    let kept = ''
    for (const sign of text.replace(/[ \t\r\f\n]+/gu, ' ')) {
      if (sign === ' ' && isSpace) continue
      isSpace = sign === ' ' || sign === lineBreak
      kept += sign
    }
    if (kept !== '') collapsed.push({ text: kept, marks })
  }
  return collapsed
}

const writeRuns = (runs: readonly Run[]): string => {
  const joined: Run[] = []
  for (const { text, marks } of runs) {
    const last = joined.at(-1)
    if (last?.marks === marks) last.text += text
    else joined.push({ text, marks })
  }
  return JSON.stringify(joined.map(({ text, marks }) => [dropBlanksAtBreaks(text), marks]))
}

const isEmptyText = (runs: readonly Run[]): boolean => runs.every(({ text }) => /^[ \t\r\f\n]*$/u.test(text))

const trimEnd = (runs: readonly Run[]): readonly Run[] => {
  const last = runs.at(-1)
  if (last === undefined) return runs
  const text = last.text.slice(0, skipBlanks(last.text, last.text.length - 1, -1) + 1)
  return text === '' ? trimEnd(runs.slice(0, -1)) : [...runs.slice(0, -1), { text, marks: last.marks }]
}

/**
 * Describes what a person sees of a note, as text that two notes share if they say the same: the order of attributes and of
 * nested marks, spaces that are not shown, and `b` or `strong` make no difference; everything else does. Only texts of the
 * same `createNoteDescriber` may be compared.
 */
const createNoteDescriber = (): ((note: ParentNode & Node) => string) => {
  // Marks are numbers in what is described: one may hold a long address, around thousands of texts.
  const numbers = new Map<string, number>()
  return (note) =>
    describeNote(note, (mark) => {
      const number = numbers.get(mark) ?? numbers.size
      numbers.set(mark, number)
      return number
    })
}

const describeNote = (note: ParentNode & Node, numberOf: (mark: string) => number): string => {
  const written: string[] = []
  let runs: Run[] = []

  const endText = (block: string, isOwn: boolean) => {
    const isPre = block.startsWith('pre')
    const shown = isPre ? runs : trimEnd(collapse(runs))
    if (isOwn || !isEmptyText(runs)) written.push(`${block}${writeRuns(shown)}`)
    runs = []
  }
  const walk = (parent: Node, marks: ReadonlySet<number>, inPre: boolean) => {
    const all = [...marks].sort((one, other) => one - other).join('+')
    for (const child of parent.childNodes) {
      if (child instanceof Text) runs.push({ text: child.data, marks: all })
      else if (!(child instanceof Element)) continue
      else if (child.localName === 'br') runs.push({ text: lineBreak, marks: '' })
      else if (blocks.has(child.localName)) describeBlock(child, marks)
      else if (inPre && markOf(child) === 'code') walk(child, marks, inPre)
      else {
        const mark = markOf(child)
        if (child.childNodes.length === 0 && mark !== '') runs.push({ text: '\u{fffc}', marks: `${numberOf(mark)}` })
        walk(child, mark === '' ? marks : new Set([...marks, numberOf(mark)]), inPre)
      }
    }
  }
  const describeBlock = (element: Element, marks: ReadonlySet<number>) => {
    endText('p', false)
    const name = nameOf(element)
    const mark = markOf(element)
    const holdsBlocks = [...element.children].some((child) => blocks.has(child.localName))
    if (ofText.has(name) && !holdsBlocks) {
      walk(element, marks, name === 'pre')
      return endText(mark, true)
    }
    written.push(`(${element.localName} ${mark}`)
    walk(element, marks, false)
    endText('p', false)
    written.push(')')
  }
  walk(note, new Set(), false)
  endText('p', false)
  return written.join('\n')
}

/** Tab leaves the note, as everywhere else; so lists have keys of their own. */
const ListKeys = Extension.create({
  name: 'listKeys',
  addKeyboardShortcuts() {
    return {
      'Mod-]': () => this.editor.commands.sinkListItem('listItem'),
      'Mod-[': () => this.editor.commands.liftListItem('listItem'),
    }
  },
})

/** What a note can hold in the editor, and the keys for it. */
export const extensions = [
  StarterKit.configure({
    // It would add an empty paragraph below a list or code that ends a note.
    trailingNode: false,
    link: {
      openOnClick: false,
      defaultProtocol: 'https',
      isAllowedUri: (address) => readSafeUrl(address) !== undefined,
      // Where a link opens is the business of the page that shows it.
      HTMLAttributes: { target: null, rel: null, class: null },
    },
  }),
  ListKeys,
]

/** The shape of notes in the editor. */
const noteSchema = getSchema(extensions)

/** A note as the editor has it. */
interface ReadNote {
  readonly doc: NoteNode
  /** What the editor cannot hold and would drop: names of elements and attributes; undefined when it holds everything. */
  readonly losses?: readonly string[]
}

/** The HTML of a note from the editor; nothing for an empty one. */
export const writeNote = (doc: NoteNode): string => {
  if (doc.childCount === 1 && doc.firstChild?.isTextblock === true && doc.firstChild.content.size === 0) {
    if (doc.firstChild.type.name === 'paragraph') return ''
  }
  const written = document.createElement('div')
  written.append(DOMSerializer.fromSchema(noteSchema).serializeFragment(doc.content))
  return written.innerHTML
}

const namesIn = (note: ParentNode): ReadonlySet<string> => {
  const names = new Set<string>()
  for (const element of note.querySelectorAll('*')) {
    names.add(element.localName)
    for (const { name } of element.attributes) names.add(name)
  }
  return names
}

// What the editor writes in another way.
const renamed = new Set(['b', 'i', 'strike', 'del', 'div', 'span'])

/** Reads a note for the editor, and finds out what the editor would lose of it. */
export const readNote = (html: string): ReadNote => {
  const { content, removed } = sanitizeForEditing(html)
  const doc = DOMParser.fromSchema(noteSchema).parse(content)
  const held = DOMSerializer.fromSchema(noteSchema).serializeFragment(doc.content)
  const describeNote = createNoteDescriber()
  const said = describeNote(content)
  // The editor has no note without a paragraph.
  const isWhole = said === describeNote(held as DocumentFragment) || (said === '' && writeNote(doc) === '')
  if (isWhole && removed.length === 0) return { doc }
  const kept = namesIn(held as DocumentFragment)
  const dropped = isWhole ? [] : [...namesIn(content)].filter((name) => !kept.has(name) && !renamed.has(name))
  return { doc, losses: [...new Set([...removed, ...dropped])] }
}
