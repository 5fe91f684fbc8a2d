import { Extension, getSchema } from '@tiptap/core'
import { DOMParser, DOMSerializer, type Node as NoteNode } from '@tiptap/pm/model'
import { StarterKit } from '@tiptap/starter-kit'
import { Marked } from 'marked'
import { escapeAttribute } from '../../src/transfer/note-html.ts'
import { doneBox, openBox } from '../data/edit-form.ts'
import { readSafeUrl } from '../data/urls.ts'
import { sanitizeForEditing } from '../parts/note.tsx'
import { noteBlocks } from './note-blocks.ts'

/** A piece of text with the same marks. */
interface Run {
  text: string
  readonly marks: string
}

// The character for a line break, which no note contains as text.
const lineBreak = '\v'

const skipSpaces = (text: string, start: number, step: 1 | -1): number => {
  let at = start
  while (text[at] === ' ') at += step
  return at
}

/** Removes the invisible spaces around each line break, in linear time: a note may have a million of them. */
export const trimAroundBreaks = (text: string): string => {
  const lines = text.split(lineBreak)
  const last = lines.length - 1
  return lines
    .map((line, index) => {
      const start = index === 0 ? 0 : skipSpaces(line, 0, 1)
      return line.slice(
        start,
        index === last ? line.length : Math.max(start, skipSpaces(line, line.length - 1, -1) + 1),
      )
    })
    .join(lineBreak)
}

/** Elements with the same meaning, under one name; '' for an element without a meaning. */
const canonicalNames: Readonly<Record<string, string>> = {
  b: 'strong',
  i: 'em',
  strike: 's',
  del: 's',
  div: 'p',
  span: '',
}
const blocks = new Set(
  'address article aside blockquote center dd details dir div dl dt fieldset figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr li main menu nav ol p pre search section summary table tbody td tfoot th thead tr ul caption colgroup col'.split(
    ' ',
  ),
)
const textBlocks = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'pre'])

const nameOf = (element: Element): string => {
  const name = element.localName
  return canonicalNames[name] ?? name
}

/** Describes an element by its name and its sorted attributes. */
const markOf = (element: Element): string => {
  const isFirst = (name: string, value: string) => element.localName === 'ol' && name === 'start' && value === '1'
  const attributes = [...element.attributes]
    .filter(({ name, value }) => !isFirst(name, value))
    .map(({ name, value }) => `${name}=${JSON.stringify(value)}`)
  const name = nameOf(element)
  return attributes.length === 0 ? name : `${name} ${attributes.sort().join(' ')}`
}

/** Collapses whitespace like a browser. */
const collapse = (runs: readonly Run[]): readonly Run[] => {
  const collapsed: Run[] = []
  let isSpace = true
  for (const { text, marks } of runs) {
    let kept = ''
    for (const character of text.replace(/[ \t\r\f\n]+/gu, ' ')) {
      if (character === ' ' && isSpace) continue
      isSpace = character === ' ' || character === lineBreak
      kept += character
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
  return JSON.stringify(joined.map(({ text, marks }) => [trimAroundBreaks(text), marks]))
}

const isEmptyText = (runs: readonly Run[]): boolean => runs.every(({ text }) => /^[ \t\r\f\n]*$/u.test(text))

const trimEnd = (runs: readonly Run[]): readonly Run[] => {
  const last = runs.at(-1)
  if (last === undefined) return runs
  const text = last.text.slice(0, skipSpaces(last.text, last.text.length - 1, -1) + 1)
  return text === '' ? trimEnd(runs.slice(0, -1)) : [...runs.slice(0, -1), { text, marks: last.marks }]
}

/**
 * Creates a function that describes the visible content of a note as text. Equivalent notes have equal descriptions.
 * The order of attributes and of nested marks, invisible spaces, and `b` or `strong` make no difference. Everything
 * else does. Only descriptions of the same function are comparable.
 */
const createNoteDescriber = (): ((note: ParentNode & Node) => string) => {
  // The description has numbers for marks, because a mark may have a long URL and surround thousands of texts.
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
    // A table looks the same with or without these parts.
    if (mark === 'tbody' || (mark === 'thead' && element.previousElementSibling === null)) {
      return walk(element, marks, false)
    }
    const holdsBlocks = [...element.children].some((child) => blocks.has(child.localName))
    if (textBlocks.has(name) && !holdsBlocks) {
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

/** Keys that indent lists, because Tab leaves the note as it leaves every field. */
const ListKeys = Extension.create({
  name: 'listKeys',
  addKeyboardShortcuts() {
    return {
      'Mod-]': () => this.editor.commands.sinkListItem('listItem'),
      'Mod-[': () => this.editor.commands.liftListItem('listItem'),
    }
  },
})

/** The TipTap extensions of the editor: its schema and its keys. */
export const extensions = [
  StarterKit.configure({
    // It would add an empty paragraph after a list or code block at the end of a note.
    trailingNode: false,
    link: {
      openOnClick: false,
      defaultProtocol: 'https',
      isAllowedUri: (url) => readSafeUrl(url) !== undefined,
      // The page that shows a note decides where its links open.
      HTMLAttributes: { target: null, rel: null, class: null },
    },
  }),
  ListKeys,
  ...noteBlocks,
]

/** The schema of notes in the editor. */
const noteSchema = getSchema(extensions)

/** A note as a document of the editor. */
interface ParsedNote {
  readonly doc: NoteNode
  /** The names of elements and attributes that the editor would lose; undefined if it keeps everything. */
  readonly losses?: readonly string[]
}

/** Serializes a document of the editor to HTML; '' for an empty note. */
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

// Elements that the editor writes with other names.
const renamed = new Set(['b', 'i', 'strike', 'del', 'div', 'span'])

/** Parses the HTML of a note for the editor, and lists what the editor would lose. */
export const readNote = (html: string): ParsedNote => {
  const { content, removed } = sanitizeForEditing(html)
  const doc = DOMParser.fromSchema(noteSchema).parse(content)
  const roundTripped = DOMSerializer.fromSchema(noteSchema).serializeFragment(doc.content)
  const describeNote = createNoteDescriber()
  const description = describeNote(content)
  // A document of the editor has at least one paragraph.
  const isWhole =
    description === describeNote(roundTripped as DocumentFragment) || (description === '' && writeNote(doc) === '')
  if (isWhole && removed.length === 0) return { doc }
  const kept = namesIn(roundTripped as DocumentFragment)
  const dropped = isWhole ? [] : [...namesIn(content)].filter((name) => !kept.has(name) && !renamed.has(name))
  return { doc, losses: [...new Set([...removed, ...dropped])] }
}

const parser = new Marked({
  gfm: true,
  renderer: {
    // A note has no form fields, so a task has a character as its box.
    checkbox: ({ checked }) => (checked ? `${doneBox} ` : `${openBox} `),
    // Without the line break at the end, which the editor would show as an empty line.
    code: ({ text }) => `<pre><code>${escapeAttribute(text)}</code></pre>`,
    // An image would load from elsewhere when the note is read.
    image: ({ href, text }) => `<a href="${escapeAttribute(href)}">${escapeAttribute(text === '' ? href : text)}</a>`,
  },
})

/** Converts Markdown (GitHub Flavored Markdown) to the HTML of a note. The result is not sanitized. */
export const writeMarkdownAsHtml = (markdown: string): string => parser.parse(markdown, { async: false }).trim()

/** Markdown that people do not type by chance, at the beginning of a line or in a line. */
const signs: readonly RegExp[] = [
  /^#{1,6} \S/mu,
  /^ {0,3}(?:[-*+]|\d{1,9}[.)]) (?:\[[ xX]\] )?\S/mu,
  /^ {0,3}(?:`{3,}|~{3,})/mu,
  /^ {0,3}> ?\S/mu,
  /^ *\|? *:?-{3,}:? *\|(?: *:?-{3,}:? *\|?)*\s*$/mu,
  /!?\[[^\]\n]*\]\([^\s()]+\)/u,
  /\*\*[^\s*][^*\n]*\*\*/u,
  /`[^`\n]+`/u,
]

/** Whether a plain text uses the syntax of Markdown. */
export const isMarkdown = (text: string): boolean => signs.some((sign) => sign.test(text))
