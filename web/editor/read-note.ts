import { DOMParser, DOMSerializer, type Node } from '@tiptap/pm/model'
import { sanitizeForEditing } from '../parts/sanitize-html.ts'
import { createNoteDescriber } from './describe-note.ts'
import { noteSchema } from './extensions.ts'

/** A note as the editor has it. */
export interface ReadNote {
  readonly doc: Node
  /** What the editor cannot hold and would drop: names of elements and attributes; undefined when it holds everything. */
  readonly losses?: readonly string[]
}

/** The HTML of a note from the editor; nothing for an empty one. */
export const writeNote = (doc: Node): string => {
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
